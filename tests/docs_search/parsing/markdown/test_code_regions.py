import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_search.parsing.markdown.code_regions import next_code, split_code, with_fences_closed


@pytest.mark.parametrize(
    ("markdown", "code"),
    [
        ("a `b` c ``d ` e`` f", ["`b`", "``d ` e``"]),
        ("a\n```sql\nb\n```\nc", ["```sql\nb\n```"]),
        ("- x\n  ~~~\n  ```\n  ~~~\ny", ["  ~~~\n  ```\n  ~~~"]),
        ("> ```\n> q\n> ```", ["> ```\n> q\n> ```"]),
        ("a\n```\nnever closed `x`", ["```\nnever closed `x`"]),
        ("not \\`code` here", []),
        ("`not\n\ncode`", []),
    ],
)
def test_fences_and_spans_are_code(markdown: str, code: list[str]) -> None:
    assert [part for part, is_code in split_code(markdown) if is_code] == code


@given(st.text(alphabet="a`~\n >-\\", max_size=60))
def test_the_parts_together_are_the_text(markdown: str) -> None:
    assert "".join(part for part, _ in split_code(markdown)) == markdown


def test_the_next_code_is_found_from_any_position() -> None:
    text = "a `b` c\n```\nd\n```\n"
    assert [next_code(text, at) for at in (0, 2, 3, 18)] == [(2, 5), (2, 5), (8, 17), None]


@pytest.mark.parametrize(
    ("text", "closed"),
    [
        ("a", "a"),
        ("```\na\n```", "```\na\n```"),
        ("a\n```sh\nb\n", "a\n```sh\nb\n```\n"),
        ("~~~~\na\n~~~", "~~~~\na\n~~~\n~~~~\n"),
        ("a `b", "a `b"),
        ("", ""),
    ],
)
def test_a_fence_that_is_never_closed_is_closed(text: str, closed: str) -> None:
    assert with_fences_closed(text) == closed
