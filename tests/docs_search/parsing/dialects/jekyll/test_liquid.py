import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_search.parsing.dialects.jekyll.liquid import MAX_VALUE, Include, resolve_liquid
from docs_search.parsing.markdown.code_regions import split_code

VARIABLES = {"page.version": "v0.63", "site.name": "Docs", "dirname": "guide"}


def resolve(text: str) -> str:
    def include(tag: Include) -> str | None:
        if tag.target == "unknown.html":
            return None
        arguments = "".join(f" {name}={value}" for name, value in tag.arguments.items())
        return f"<{tag.name} {tag.target}{arguments}>"

    return resolve_liquid(text, VARIABLES, include)


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("At {{ page.version }} of {{site.name}}", "At v0.63 of Docs"),
        ('{{page.version | remove: "v0."}}', "63"),
        ("{{ page.version | replace: 'v', 'V' | append: '.1' | downcase }}", "v0.63.1"),
        ("{{ page.version | unknown_filter: 3 }}", "v0.63"),
        ("{{- site.name -}}", "Docs"),
        ("`{{ page.version }}`", "`v0.63`"),
    ],
)
def test_known_variables_are_filled_in(text: str, result: str) -> None:
    assert resolve(text) == result


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("a {{ unknown.name }} b", "a  b"),
        ("a {{ spread\nout }} b", "a  b"),
        ("{% if x == 1 %}a{% endif %}{%- assign y = 2 -%}", "a"),
        ("a {% comment %}hidden {{ x }}{% endcomment %}b", "a b"),
        ("{% include unknown.html %}a", "a"),
        ("```\n{% include unknown.html %}\n```", "```\n\n```"),
    ],
)
def test_what_cannot_be_known_goes(text: str, result: str) -> None:
    assert resolve(text) == result


@pytest.mark.parametrize(
    "text",
    [
        "`{{category}}`",
        "```sql\nWHERE x = {{x}} [[AND y = {{y}}]]\n```",
        "- x\n  ```\n  {{x}} {% if %}\n  ```",
        "[[x]]",
    ],
)
def test_double_braces_in_code_are_kept(text: str) -> None:
    assert resolve(text) == text


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("```\n{% raw %}{{x}}{% endraw %}\n```", "```\n{{x}}\n```"),
        ("{%raw%}\n```\n{{x}}\n```\n{% endraw %}", "\n```\n{{x}}\n```\n"),
        ('`{% raw %}"{{ env X }}"{% endraw %}`', '`"{{ env X }}"`'),
        ("Type {% raw %}{{ x }} {% endraw %}here", "Type `{{ x }}` here"),
        ("{% raw %}a {{x}} b\n{% endraw %}", "a `{{x}}` b\n"),
        ("{% raw %}page.version{% endraw %} {%- raw -%}{% if %}{%- endraw -%}", "page.version `{% if %}`"),
        ("`{%raw %}}}{% endraw %}` or `{%raw %}{{{% endraw %}`", "`}}` or `{{`"),
        ("{% raw %}{{ page.version }}{% endraw %}", "`{{ page.version }}`"),
        ("{% raw %}WHERE x = {{ x }}{% endraw %}", "`WHERE x = {{ x }}`"),
        ("{% raw %}Write {{ x }} or {% if %} here.{% endraw %}", "Write `{{ x }}` or `{% if %}` here."),
        ("{% raw %} never ended {{ x }}", " never ended "),
    ],
)
def test_raw_text_is_not_resolved_and_becomes_code(text: str, result: str) -> None:
    assert resolve(text) == result


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("{% include a.html %}", "<include a.html>"),
        (
            "{% include a.html feature=\"X y\" plural=true only='z' %}",
            "<include a.html feature=X y plural=true only=z>",
        ),
        ('{% include_file "{{ dirname }}/a b.md" snippet="part" %}', "<include_file guide/a b.md snippet=part>"),
        ("{%- include_relative a.md -%}", "<include_relative a.md>"),
        ("```\n{% include a.html %}\n```", "```\n<include a.html>\n```"),
        ("{% include %}", ""),
    ],
)
def test_includes_are_replaced_with_their_text_in_code_too(text: str, result: str) -> None:
    assert resolve(text).replace("<include >", "") == result


def test_a_variable_cannot_multiply_a_document() -> None:
    output = "{{ x" + " | replace: 'a', 'aaaaaaaaaa'" * 12 + " }}"
    assert len(resolve_liquid(output, {"x": "a"}, lambda tag: None)) == MAX_VALUE
    assert len(resolve_liquid("{{ x }}" * 10, {"x": "a" * 100_000}, lambda tag: None)) == 10 * MAX_VALUE


@given(st.text(alphabet=st.sampled_from('{}%`\n ax|"-'), max_size=60))
def test_no_template_is_left_outside_code(text: str) -> None:
    prose = "".join(part for part, is_code in split_code(resolve(text)) if not is_code)
    assert not re.search(r"\{%-?\s*\w[^{}%]*%\}|(?<!\{)\{\{[^{}]*\}\}(?!\})", prose)


@pytest.mark.parametrize(
    "unit", ["{% raw %}", "{%", "{{", "{% comment %}", "{%   ", "{{ x }}", "{% raw %}{{x}}\n", "{% include x"]
)
def test_templates_that_never_end_take_linear_time(unit: str) -> None:
    started = time.perf_counter()
    resolve(unit * (200_000 // len(unit)))
    resolve("{% include x " + unit.strip("{%} ") * 50_000 + "%}")
    assert time.perf_counter() - started < 5
