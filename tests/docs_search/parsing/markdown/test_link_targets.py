import time

import pytest

from docs_search.parsing.markdown.link_targets import extract_definitions, rewrite_targets


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("[a](b.md)", "[a](B.MD)"),
        ('[a](b.md#c "d")', '[a](B.MD#C "d")'),
        ("[a](<b c.md>)", "[a](<B C.MD>)"),
        ("![a](b.png)", "![a](B.PNG)"),
        ("[a](x_(y))", "[a](X_(Y))"),
        ("[a]: b.md 'c'\n  [d]: <e>", "[a]: B.MD 'c'\n  [d]: <E>"),
        ('<a class="x" href="b.md">c</a> <Link to=\'d\'>', '<a class="x" href="B.MD">c</a> <Link to=\'D\'>'),
        ("<https://x.example/a>", "<HTTPS://X.EXAMPLE/A>"),
        ("`[a](b)` and\n```\n[a](b)\n```", "`[a](b)` and\n```\n[a](b)\n```"),
        ("a (b) [c] f(x)", "a (b) [c] f(x)"),
        ('data-href="a" x="b"', 'data-href="a" x="b"'),
    ],
)
def test_targets_are_changed_wherever_links_stand(markdown: str, expected: str) -> None:
    assert rewrite_targets(markdown, str.upper) == expected


def test_definitions_are_taken_out_under_labels_of_their_own() -> None:
    markdown = "See [one][A  b], [a b][], [c] and [d].\n\n[a b]: x.md 'T'\n[C]: <y>\n\n`[c]`\n\n[^c]: note"
    text, definitions = extract_definitions(markdown, "1:")
    assert text == "See [one][1:a b], [a b][1:a b], [c][1:c] and [d].\n\n\n`[c]`\n\n[^c]: note"
    assert definitions == "[1:a b]: x.md 'T'\n[1:c]: <y>"


def test_text_without_definitions_stays_as_it_is() -> None:
    assert extract_definitions("[a][b]\n```\n[b]: c\n```", "1:") == ("[a][b]\n```\n[b]: c\n```", "")


@pytest.mark.parametrize("part", ["[a](b", "[a]: b\n", "](", "[a][", "href='", "<https://", "[" * 50])
def test_targets_are_found_in_linear_time(part: str) -> None:
    text = part * 20_000
    start = time.perf_counter()
    assert len(rewrite_targets(text, lambda target: target)) == len(text)
    extract_definitions(text, "1:")
    assert time.perf_counter() - start < 5
