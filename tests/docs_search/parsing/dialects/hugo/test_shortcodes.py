import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.parsing.dialects.hugo.shortcodes import MAX_DEPTH, Replacement, Shortcode, resolve_shortcodes


def resolve(text: str) -> str:
    """Shortcodes as `name(inner)`, those that hold something as blocks."""
    return resolve_shortcodes(
        text, lambda code: Replacement(f"{code.name}({code.inner or ''})", is_block=code.inner is not None)
    )


def codes(text: str) -> list[Shortcode]:
    found: list[Shortcode] = []

    def render(code: Shortcode) -> Replacement:
        found.append(code)
        return Replacement("")

    resolve_shortcodes(text, render)
    return found


@pytest.mark.parametrize(
    ("tag", "positional", "named"),
    [
        ("{{< x >}}", (), {}),
        ("{{<x>}}", (), {}),
        ("{{% x a b-c 1.2 %}}", ("a", "b-c", "1.2"), {}),
        ('{{< x "two words" `raw "text" \\n` />}}', ("two words", 'raw "text" \\n'), {}),
        ('{{< x title="say \\"a\\"" Width=50% src=/a >}}', (), {"title": 'say "a"', "width": "50%", "src": "/a"}),
        ('{{< x\n  src = "a >}} b"\n  alt=""\n>}}', (), {"src": "a >}} b", "alt": ""}),
        ("{{< docs/shared-x a=b >}}", (), {"a": "b"}),
        ("{{< x url=https://x.example/?a=b >}}", (), {"url": "https://x.example/?a=b"}),
    ],
)  # fmt: skip
def test_arguments_are_positional_or_named(tag: str, positional: tuple[str, ...], named: dict[str, str]) -> None:
    (code,) = codes(tag)
    assert (code.positional, dict(code.named), code.inner) == (positional, named, None)


def test_the_inner_text_of_a_pair_is_resolved_first() -> None:
    assert [(code.name, code.inner) for code in codes("{{< a >}}x{{% b %}}y{{% /b %}}{{< /a >}}")] == [
        ("b", "y"),
        ("a", "x"),
    ]


def test_a_shortcode_knows_its_parent_and_its_place_in_it() -> None:
    found = codes("{{< tabs >}}{{< tab >}}1{{< /tab >}}{{< tab >}}2{{< /tab >}}{{< /tabs >}}")
    assert [(code.name, code.parent and code.parent.name, code.ordinal) for code in found] == [
        ("tab", "tabs", 0),
        ("tab", "tabs", 1),
        ("tabs", None, 0),
    ]


def test_one_that_is_never_closed_stands_alone_and_a_stray_end_vanishes() -> None:
    assert resolve("{{< a >}}{{< b >}}x{{< /a >}}{{< /c >}}") == "\na(b()x)\n\n"


def test_a_shortcode_in_a_line_stays_in_it_and_a_block_gets_lines_of_its_own() -> None:
    assert resolve("see {{< x >}} here") == "see x() here"
    assert resolve("see {{< x >}}a{{< /x >}} here") == "see \n\nx(a)\n\n here"


def test_a_block_is_indented_as_its_tag_was() -> None:
    assert resolve("1. one\n\n   {{< x >}}\nleft\n  in\n   {{< /x >}}\n") == (
        "1. one\n\n   \n   x(left\n     in)\n\n   \n"
    )
    assert resolve("- {{< x >}}\n  a\n  {{< /x >}}\n") == "- x(a)\n\n  \n"
    assert resolve("> {{< x >}}\n> a\n> {{< /x >}}\n") == "> \n> x(a)\n\n> \n"


def test_the_inner_text_loses_the_indentation_that_it_shares() -> None:
    (code,) = codes("{{< x >}}\n    a\n\n      b\n{{< /x >}}")
    assert code.inner == "a\n\n  b"


def test_a_block_in_a_row_of_a_table_stays_in_it() -> None:
    assert resolve("| {{< x >}}\na{{< /x >}} | b |") == "| x(a) | b |"


def test_code_keeps_what_stands_in_it_and_loses_tags() -> None:
    assert resolve("```\n{{< x >}}\n  a\n{{< /x >}}\n{{< y >}}\n```") == "```\n\n  a\n\ny()\n```"
    assert resolve("`{{< y `a` >}}`") == "`y()`"


def test_a_commented_shortcode_is_shown() -> None:
    assert resolve("```\n{{</* x a=1 */>}}\n```\nor {{%/* /x */%}}") == "```\n{{< x a=1 >}}\n```\nor `{{% /x %}}`"


@pytest.mark.parametrize("text", ["{{ .Values.x }}", "{{< x", '{{< x " >}}', "{{% %}}", "{{</* x"])
def test_what_is_no_shortcode_is_left_alone(text: str) -> None:
    assert resolve(text) == text


def test_what_is_nested_too_deeply_loses_its_tags_only() -> None:
    depth = 200
    text = resolve("{{< x >}}" * depth + "end" + "{{< /x >}}" * depth)
    assert (text.count("x("), text.count("end"), "{{" in text) == (MAX_DEPTH, 1, False)


@pytest.mark.parametrize(
    "unit", ["{{< a", "{{< a >}}", "{{< /a >}}", "{{</* ", '{{< a "', "{{< a `", "{{< a >}}x{{< /a >}}"]
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    started = time.perf_counter()
    resolve(unit * (200_000 // len(unit)))
    assert time.perf_counter() - started < 5


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            '{{< a >}}~{{< /a >}}~{{% b x=1 %}}~{{% /b %}}~{{</* a */>}}~{{<~>}}~"~`~\n~```\n~- ~> ~|~text'.split("~")
        ),
        max_size=20,
    ).map("".join)
)
def test_no_text_raises_and_the_output_is_bounded(text: str) -> None:
    assert len(resolve(text)) <= 40 * len(text) + 100
