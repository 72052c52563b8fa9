import time

import pytest

from docs_search.parsing.markdown.attribute_lists import without_attributes


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("# A { #own .cls }", "# A {#own}"),
        ("# A {.cls #own}\n", "# A {#own}\n"),
        ("# A { .cls }", "# A"),
        ("[a](b){ .button target=_blank } c", "[a](b) c"),
        ("![a](b){width=20}", "![a](b)"),
        ("`x`{ .py }", "`x`"),
        ("text { .lead }\nmore", "text\nmore"),
        ("text\n{.lead}\nmore", "text\n\nmore"),
        ("| a { .x } | b |", "| a | b |"),
        ("[](){ #here }", '<a id="here"></a>'),
        ("{: .left-to-the-parser }", "{: .left-to-the-parser }"),
        ("a {x} {x: 1} {x=1} {.x} b", "a {x} {x: 1} {x=1} {.x} b"),
        ("`{ .x }` and\n```{ .py }\n{ .x }\n```", "`{ .x }` and\n```{ .py }\n{ .x }\n```"),
    ],
)
def test_attributes_go_and_anchors_stay(text: str, result: str) -> None:
    assert without_attributes(text) == result


@pytest.mark.parametrize("unit", ["{", "{ .a", "{ .a ", '{a="', "{ #a } ", "){.a}", "# {"])
def test_hostile_text_takes_linear_time(unit: str) -> None:
    started = time.perf_counter()
    without_attributes(unit * (500_000 // len(unit)))
    assert time.perf_counter() - started < 5
