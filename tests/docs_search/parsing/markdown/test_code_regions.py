import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_search.parsing.markdown.code_regions import split_code


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
