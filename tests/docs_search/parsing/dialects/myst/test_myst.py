import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.documents import ParsedPage
from docs_search.parsing.dialects.myst.parser import MystParser
from tests.data_sources import data_files
from tests.parsing import parse_context
from tests.residue import residue

URL = "https://kettle.example/{path}.html"
FILES = {
    "docs/conf.py": 'myst_substitutions = {"product": "Kettle"}\nversion = get()\n',
    "docs/index.md": "# Home of {{ product }}\n",
    "docs/guide/other.md": "(pots)=\n# Other\n\n(my-lid)=\n## The `lid`\n\n(bare)=\ntext\n",
    "docs/guide/a.py": "one\ntwo\nthree\n",
    "docs/guide/part.txt": ".. note:: From *RST*.\n",
    "docs/part.md": "Part of {{ product }}.",
}


def parse(text: str, files: dict[str, str] | None = None) -> ParsedPage | None:
    path = "docs/guide/page.md"
    source = {name: data.encode() for name, data in {**FILES, **(files or {}), path: text}.items()}
    return MystParser().parse(path, text.encode(), parse_context(source, version="2.4", url=URL))


def markdown(text: str) -> str:
    """What is below the title of a page with this text."""
    page = parse(f"# Page\n\n{text}")
    return "" if page is None else page.markdown.removeprefix("# Page\n\n")


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("```{note}\nMind.\n```", "> **Note:** Mind."),
        (":::{warning} Own *title*\nMind.\n:::", "> **Own title:** Mind."),
        (":::{admonition} T\n:class: tip\nMind.\n:::", "> **T:** Mind."),
        (":::{admonition}\n---\nclass: tip\n---\nMind.\n:::", "> **Tip:** Mind."),
        (
            "````{tip}\na\n```{note}\nb\n```\n```py\nc\n```\n````",
            "> **Tip:** a\n>\n> > **Note:** b\n>\n> ```py\n> c\n> ```",
        ),
        ("- a\n\n  ```{note}\n  b\n  ```\n- c", "- a\n\n  > **Note:** b\n- c"),
        ("```{deprecated} 2.1 Use *tea*.\n```", "> **Deprecated since version 2.1:** Use *tea*."),
        ("```{seealso}\nx\n```", "> **See also:** x"),
        (":::{dropdown} More\n## In\ntext\n:::", "**More**\n\n## In\n\ntext"),
        ("```{code-block} python\n:linenos:\nx = 1\n```", "```python\nx = 1\n```"),
        ("```{code-cell} ipython3\n---\ntags: [x]\n---\nx\n```", "```python\nx\n```"),
        ("```{code-block}\n:caption: a.py\nx\n```", "**a.py**\n\n```\nx\n```"),
        ("```{literalinclude} a.py\n:lines: 1, 3-\n```", "```python\none\nthree\n```"),
        ("```{include} ../part.md\n```", "Part of Kettle."),
        ("```{include} part.txt\n```", "> **Note:** From *RST*."),
        ("```{eval-rst}\n.. tip:: A ``b`` here.\n```", "> **Tip:** A `b` here."),
        ("```{toctree}\nother\n```\n\n```{contents}\n```\ntext", "text"),
        ("```{image} a.png\n:alt: Alt\n```", "Alt"),
        ("```{figure} a.png\n:alt: Alt\nCaption\n```", "Alt\n\nCaption"),
        (
            "```{list-table}\n:header-rows: 1\n* - A\n  - B\n* - c\n    d\n  -\n```",
            "| A | B |\n| --- | --- |\n| c d |  |",
        ),
        ('```{csv-table} T\n:header: A, B\n"c, d", e\n```', "**T**\n\n| A | B |\n| --- | --- |\n| c, d | e |"),
        ("```{glossary}\nA\n  One.\n\n  Two.\nB\n  Three.\n```", "- A: One.\n\n  Two.\n- B: Three."),
        ("```{py:function} f(x)\nDoes.\n```", "**`f(x)`**\n\nDoes."),
        ("```{autoclass} a.B\n:members:\n```", "`a.B`"),
        ("```{math}\nx^2\n```", "```latex\nx^2\n```"),
        ("```{brand-new} x\n:a: b\n*kept*\n```", "*kept*"),
        ("```{note}\nnever closed", "> **Note:** never closed"),
        ("% comment\n+++ {}\ntext", "text"),
        ("{{ product }} {{ version }}{{ unknown }} `{{ product }}`", "Kettle 2.4 `{{ product }}`"),
        ("text\n{.lead}", "text"),
    ],
)
def test_directives_become_what_readers_see(text: str, result: str) -> None:
    assert markdown(text) == result


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("{ref}`pots`", "[Other](https://kettle.example/guide/other.html#pots)"),
        ("{ref}`My-Lid`", "[The lid](https://kettle.example/guide/other.html#my-lid)"),
        ("{ref}`own <bare>`", "[own](https://kettle.example/guide/other.html#bare)"),
        ("{ref}`gone`", "gone"),
        ("{doc}`other`", "[Other](https://kettle.example/guide/other.html)"),
        ("{doc}`/index`", "[Home of Kettle](https://kettle.example/index.html)"),
        ("{doc}`text <other>`", "[text](https://kettle.example/guide/other.html)"),
        ("[](other.md)", "[Other](https://kettle.example/guide/other.html)"),
        ("[](#pots)", "[Other](https://kettle.example/guide/other.html#pots)"),
        ("[t](my-lid)", "[t](https://kettle.example/guide/other.html#my-lid)"),
        ("<project:#pots>", "[Other](https://kettle.example/guide/other.html#pots)"),
        ("{py:meth}`~a.B.c` {func}`!f` {class}`T <a.T>` {any-thing}`x`", "`c` `f` `T` `x`"),
        ("{term}`pot` {abbr}`A (Alpha)` {kbd}`Ctrl+C` {math}`x^2`", "pot A (Alpha) Ctrl+C `x^2`"),
        ("{octicon}`star;1em` {bdg-info}`new`", "new"),
        ("`{ref}` and `x`", "`{ref}` and `x`"),
        ("```\n{ref}`pots`\n```", "```\n{ref}`pots`\n```"),
    ],
)
def test_roles_become_words_code_and_links(text: str, result: str) -> None:
    assert markdown(text) == result


def test_labels_are_the_anchors_of_what_follows() -> None:
    page = parse("(top)=\n# Page\ntext\n\n(My Label)=\n## One\ntext\n\n## Two!\ntext")
    assert page is not None
    assert [section.anchor for section in page.sections[1:]] == ["my-label", "two"]


def test_substitutions_of_the_page_come_before_those_of_the_configuration() -> None:
    page = parse("---\nmyst:\n  substitutions:\n    product: Pot\n---\n# A {{ product }}\n\n{{ product }}")
    assert page is not None
    assert page.markdown == "# A Pot\n\nPot"


def test_a_whole_site_is_read_without_residue() -> None:
    files = data_files("myst")
    context = parse_context(files, url=URL)
    parser = MystParser()
    parsed = [parser.parse(path, files[path], context) for path in sorted(files) if parser.is_page(path)]
    pages = {page.path: page for page in parsed if page is not None}
    assert {path: (page.title, page.links, page.warnings) for path, page in pages.items()} == {
        "guide/brewing": ("Brewing", ("index",), ()),
        "index": ("Kettle for everybody", ("guide/brewing",), ()),
    }
    assert [residue(page) for page in pages.values()] == [[]] * len(pages)
    assert pages["index"].markdown == (
        "# Kettle for everybody\n\nBoils water.\n\n**[Brew](https://kettle.example/guide/brewing.html)**\n\n"
        "Three steps.\n\n"
        "See [Steps](https://kettle.example/guide/brewing.html#steps),"
        " [the guide](https://kettle.example/guide/brewing.html)"
        " and [Brewing](https://kettle.example/guide/brewing.html)."
    )


@pytest.mark.parametrize(
    "config", ["def f(:", "myst_substitutions = f()", "myst_substitutions = {1: 2, **x}", "(" * 500]
)
def test_a_configuration_that_cannot_be_read_costs_no_page(config: str) -> None:
    page = parse("# T\ntext {{ product }}", {"docs/conf.py": config})
    assert page is not None
    assert page.markdown == "# T\n\ntext"


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from("```{note}\n;````{tip} x\n;```\n;````\n;:::{a}\n;:::\n;:x: y\n;---\n".split(";"))
        | st.sampled_from("```{include} page.md\n;```{list-table}\n;```{eval-rst}\n;.. note:: x\n".split(";"))
        | st.sampled_from("{ref}`a`;{doc}`page`;(a)=\n;# a\n;% c\n;{{ a }};[](#a);<project:#a>;`".split(";"))
        | st.sampled_from("* - a\n;  - b\n;    ;> ;- ;\n;text;```{csv-table}\n;\"".split(";")),
        max_size=20,
    ).map("".join)
)  # fmt: skip
def test_no_text_raises_and_the_output_is_bounded(text: str) -> None:
    page = parse(text)
    assert page is None or len(page.markdown) <= 10_000 + 200 * len(text)


@pytest.mark.parametrize(
    "unit",
    ["```{note}\n", "````{tip}\n```\n", ":::{a}\n:x: y\n", "```{code}\n", "{ref}`a` ", "(a)=\n", "[](#a)", "{{ a }}"],
)  # fmt: skip
def test_hostile_text_takes_linear_time(unit: str) -> None:
    started = time.perf_counter()
    parse(unit * (100_000 // len(unit)))
    assert time.perf_counter() - started < 10


def test_documentation_of_elastic_has_its_values_titles_and_anchors() -> None:
    files = {
        "docset.yml": "project: Pots\nsubs:\n  pot: Big Pot\n",
        "pots/start.md": (
            "# Use the {{pot}} [start]\n\n::::{stepper}\n:::{step} Fill it\nSee [](/pots/lid.md#x).\n:::\n::::\n\n"
            "## Boil [boil-it]\n\n```{applies_to}\nstack: ga\n```\n\nHot {applies_to}`stack: ga` {icon}`gear` "
            "[there](docs-content://x/y.md)."
        ),
        "pots/lid.md": "# The lid [lid]\n\ntext",
    }
    source = {name: text.encode() for name, text in files.items()}
    page = MystParser().parse("pots/start.md", source["pots/start.md"], parse_context(source))
    assert page is not None
    assert page.markdown == (
        "# Use the Big Pot\n\n**Fill it**\n\nSee [The lid](https://docs.example/v2.0/pots/lid#x).\n\n"
        "## Boil\n\nHot there."
    )
    assert [section.anchor for section in page.sections] == [None, "boil-it"]
