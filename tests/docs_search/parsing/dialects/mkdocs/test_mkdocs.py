import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.documents import ParsedPage
from docs_search.parsing.dialects.mkdocs.parser import MkDocsParser
from tests.data_sources import data_files
from tests.parsing import parse_context
from tests.residue import residue

URL = "https://kettle.example/{path}/"


def parse(text: str, path: str = "docs/guide/page.md", files: dict[str, str] | None = None) -> ParsedPage | None:
    source = {"mkdocs.yml": b"", path: text.encode()} | {name: data.encode() for name, data in (files or {}).items()}
    return MkDocsParser().parse(path, text.encode(), parse_context(source, url=URL))


def markdown(text: str, files: dict[str, str] | None = None) -> str:
    """What is below the title of a page with this text."""
    page = parse(f"# Page\n\n{text}", files=files)
    return "" if page is None else page.markdown.removeprefix("# Page\n\n")


def paths(files: dict[str, str]) -> dict[str, str]:
    """The published path of every page of a source, by its file."""
    source = {file: data.encode() for file, data in files.items()}
    context = parse_context(source, url=URL)
    parser = MkDocsParser()
    pages = {file: parser.parse(file, data, context) for file, data in sorted(source.items()) if parser.is_page(file)}
    return {file: page.path for file, page in pages.items() if page is not None}


# Pages


@pytest.mark.parametrize(
    ("files", "published"),
    [
        (
            {"mkdocs.yml": "", "README.md": "x", "docs/index.md": "x", "docs/a/b.md": "x", "docs/a/README.md": "x"},
            {"docs/index.md": "index", "docs/a/b.md": "a/b", "docs/a/README.md": "a"},
        ),
        ({"mkdocs.yml": "docs_dir: handbook", "docs/a.md": "x", "handbook/b.md": "x"}, {"handbook/b.md": "b"}),
        ({"site/mkdocs.yml": "", "site/docs/a.md": "x", "b.md": "x"}, {"site/docs/a.md": "a"}),
        ({"mkdocs.yml": "docs_dir: .", "a.md": "x"}, {"a.md": "a"}),
        ({"index.md": "x", "guide/a.md": "x"}, {"index.md": "index", "guide/a.md": "guide/a"}),
        (
            {"docs/en/mkdocs.yml": "", "docs/en/docs/a.md": "x", "docs/de/mkdocs.yml": "", "docs/de/docs/a.md": "x"},
            {"docs/en/docs/a.md": "a"},
        ),
        (
            {
                "mkdocs.yml": "plugins:\n- i18n:\n    docs_structure: folder\n    languages:\n    - locale: en\n"
                "    - locale: fr\n      default: true\n",
                "docs/en/a.md": "x",
                "docs/fr/a.md": "x",
            },
            {"docs/en/a.md": "a"},
        ),
        (
            {
                "mkdocs.yml": "plugins:\n- i18n:\n    languages:\n    - locale: de\n      default: true\n"
                "    - locale: fr\n",
                "docs/a.de.md": "x",
                "docs/a.fr.md": "x",
                "docs/b/index.de.md": "x",
            },
            {"docs/a.de.md": "a", "docs/b/index.de.md": "b"},
        ),
        (
            {
                "mkdocs.yml": "exclude_docs: |\n  # none of these\n  drafts/\n  *.tmp.md\n  /top.md\n  !keep.tmp.md\n",
                "docs/a.md": "x",
                "docs/x/drafts/b.md": "x",
                "docs/c.tmp.md": "x",
                "docs/keep.tmp.md": "x",
                "docs/top.md": "x",
                "docs/x/top.md": "x",
            },
            {"docs/a.md": "a", "docs/keep.tmp.md": "keep.tmp", "docs/x/top.md": "x/top"},
        ),
        (
            {
                "mkdocs.yml": "markdown_extensions:\n- pymdownx.snippets:\n    base_path: [docs/parts, docs]\n",
                "docs/a.md": "x",
                "docs/parts/b.md": "x",
            },
            {"docs/a.md": "a"},
        ),
        (
            {"zensical.toml": '[project]\ndocs_dir = "manual"\n', "manual/a.md": "x", "docs/b.md": "x"},
            {"manual/a.md": "a"},
        ),
        (
            {"mkdocs.yml": "INHERIT: base/site.yml\n", "base/site.yml": "docs_dir: manual\n", "manual/a.md": "x"},
            {"manual/a.md": "a"},
        ),
    ],
)  # fmt: skip
def test_pages_are_published_as_the_configuration_says(files: dict[str, str], published: dict[str, str]) -> None:
    assert paths(files) == published


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("text", "Navigation"),
        ("# Heading\ntext", "Heading"),
        ("Heading\n=======\ntext", "Heading"),
        ("```\n# comment\n```", "Navigation"),
        ("---\ntitle: Front\n---\ntext", "Front"),
        ("Title: Meta\nAuthors: A\n         B\nDate: today\n\ntext", "Meta"),
    ],
)
def test_a_title_is_that_of_the_navigation_where_the_page_has_none(text: str, title: str) -> None:
    files = {"mkdocs.yml": "nav:\n- Home: index.md\n- Part:\n  - Navigation: guide/page.md\n"}
    page = parse(text, files=files)
    assert page is not None
    assert page.title == title


def test_text_that_looks_like_fields_is_none() -> None:
    assert markdown("") == ""
    page = parse("Note: this is text.\n\nMore.")
    assert page is not None
    assert page.markdown == "# Page\n\nNote: this is text.\n\nMore."


def test_redirects_of_the_configuration_are_aliases() -> None:
    redirects = (
        "plugins:\n  redirects:\n    redirect_maps:\n      old.md: guide/page.md#x\n      a/index.md: guide/page.md\n"
    )
    page = parse("text", files={"mkdocs.yml": redirects})
    assert page is not None
    assert page.aliases == ("old", "a")


@pytest.mark.parametrize(
    ("link", "target"),
    [("other.md#a", "guide/other/#a"), ("../top.md", "top/"), ("../other/", "guide/other/"), ("../index.md", "index/")],
)
def test_links_lead_to_the_published_page(link: str, target: str) -> None:
    files = {"docs/guide/other.md": "x", "docs/top.md": "x", "docs/index.md": "x"}
    assert markdown(f"[x]({link})", files) == f"[x](https://kettle.example/{target})"


def test_anchors_are_those_of_python_markdown() -> None:
    page = parse(
        "# T\n## Über _das_ `x()` & y\n## Two\n## Two\n## Own { #own .cls }\n## Other {: .cls #other }\n## C { .c }\n"
    )
    assert page is not None
    assert [section.anchor for section in page.sections[1:]] == ["uber-das-x-y", "two", "two_1", "own", "other", "c"]
    assert [section.heading for section in page.sections[4:]] == ["Own", "Other", "C"]


def test_an_empty_link_with_an_id_is_the_anchor_of_what_follows() -> None:
    page = parse("# T\ntext\n\n[](){ #here }\n\n## Two\ntext")
    assert page is not None
    assert [section.anchor for section in page.sections] == [None, "here"]


# Marks


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("a :material-check: b :octicons-x-16:{ .x } c", "a b c"),
        ("| a |\n|---|\n| :material-check: yes |\n| :material-close:{ .red } |", "| a |\n| --- |\n| ✓ yes |\n| ✗ |"),
        ('++ctrl+alt+del++ ++"Save as"++ ++page-up++', "Ctrl+Alt+Del Save as Page Up"),
        ("==a b== ^^c^^ H~2~O x^2^ ~~d~~", "a b c H_2O x^2 ~~d~~"),
        ("{++a++} {--b--}{~~c~>d~~} {==e==}{>>f<<}", "a d e"),
        ("a == b, i++ and ++j, ~/x and ~/y, 2^3", "a == b, i++ and ++j, ~/x and ~/y, 2^3"),
        ("`#!python a()` `++a++` `:material-x:`", "`a()` `++a++` `:material-x:`"),
        ("[a](/b){ .md-button target=_blank } ![c](d.png){ width=300 }", "[a](https://kettle.example/b) c"),
        ("**a**{ .cls } text { .annotate }", "**a** text"),
        ("text\n{ .annotate }", "text"),
        ("a {b} {c: d} {x=1} e", "a {b} {c: d} {x=1} e"),
        ("![a](l.png#only-light)![a](d.png#only-dark)", "a"),
        ("*[HTML]: Hyper\n\n[TOC]\n\nHTML", "HTML"),
        ("See [`Pot`][kettle.Pot], [kettle.Pot][] and [][kettle.Lid].", "See `Pot`, kettle.Pot and `kettle.Lid`."),
        ("a[i][j] [x][r]\n\n[r]: https://x.example", "a[i][j] [x](https://x.example)"),
        ('<div class="cards" markdown>\n\n-   :material-x:{ .lg } __A__\n\n    ---\n\n    b\n\n</div>',
         "- __A__\n\n  b"),
    ],
)  # fmt: skip
def test_marks_become_words(text: str, result: str) -> None:
    assert markdown(text) == result


def test_templates_are_filled_in_or_removed_and_code_keeps_its_braces() -> None:
    config = "site_name: Kettle\nextra:\n  release: 2.4\n  shop:\n    url: https://s.example\n"
    text = (
        "{{ release }} {{ config.site_name }} {{ extra.shop.url }} {{ config.extra.release }} {{ unknown }}"
        "{% if x %}a{% endif %}{# note #}{{ f({'a': 1}) }}\n\n```\n{{ kept }} {% kept %} {{ release }}\n```"
    )
    assert markdown(text, {"mkdocs.yml": config}) == (
        "2.4 Kettle https://s.example 2.4 a\n\n```\n{{ kept }} {% kept %} 2.4\n```"
    )


# Includes

FILES = {
    "docs/guide/near.md": "Near.\n",
    "docs/part.md": '---\ntitle: x\n---\nPart.\n\n--8<-- "near.md"\n',
    "includes/top.md": "Top.\n",
    "src/a.py": "# 1\n# --8<-- [start:run]\nrun()\n# --8<-- [end:run]\n# 5\n# 6\n",
    "src/b.yaml": "---\na: 1\n",
    "docs/loop.md": 'again\n\n--8<-- "loop.md"\n',
    "docs/marked.md": "before <!--s-->inside<!--e--> after",
}


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ('--8<-- "part.md"', "Part.\n\nNear."),
        ('---8<--- "docs/part.md"', "Part.\n\nNear."),
        ("--8<-- 'top.md'", "Top."),
        ("--8<--\nnear.md\n; part.md\ntop.md\n--8<--", "Near. Top."),
        ('```\n--8<-- "src/a.py:run"\n```', "```\nrun()\n```"),
        ('```\n--8<-- "src/a.py:5:5"\n```', "```\n# 5\n```"),
        ('```\n--8<-- "src/a.py:1:1,5:6"\n```', "```\n# 1\n# 5\n# 6\n```"),
        ('```\n--8<-- "src/a.py:5"\n```', "```\n# 5\n# 6\n```"),
        ('```\n--8<-- "src/a.py::1"\n```', "```\n# 1\n```"),
        ('- a\n\n    ```\n    --8<-- "src/b.yaml"\n    ```', "- a\n\n  ```\n  ---\n  a: 1\n  ```"),
        ('```\n;--8<-- "x"\n```', '```\n--8<-- "x"\n```'),
        ('--8<-- "https://x.example/a.md"\n\ntext', "text"),
        ("{!near.md!} and {!> ../../includes/top.md !}", "Near. and Top."),
        ("```\n{!src/a.py[ln:1-1]!}\n```", "```\n# 1\n```"),
        ("```\n{!src/a.py!lines=5-6}\n```", "```\n# 5\n# 6\n```"),
        ("{* ../../src/a.py ln[5:6] hl[1] *}", "```python\n# 5\n# 6\n```"),
        ("{* ../../src/b.yaml *}", "```yaml\n---\na: 1\n```"),
        ('{% include-markdown "../marked.md" start="<!--s-->" end="<!--e-->" %}', "inside"),
        ('{% include "near.md" %}', "Near."),
        ('!!! note\n\n    --8<-- "near.md"', "> **Note:** Near."),
    ],
)
def test_files_are_brought_in(text: str, result: str) -> None:
    page = parse(f"# Page\n\n{text}", files=FILES)
    assert page is not None
    assert (page.markdown.removeprefix("# Page\n\n"), page.warnings) == (result, ())


@pytest.mark.parametrize(
    ("text", "warning"),
    [
        ('--8<-- "gone.md"', "the included file gone.md is not in the source"),
        ('--8<-- "src/a.py:gone"', "the included file src/a.py has no part named gone"),
        ('--8<-- "loop.md"', "the include of docs/loop.md leads back to itself or too deep"),
        ("{!../../../../etc/passwd!}", "the included file ../../../../etc/passwd is not in the source"),
    ],
)
def test_what_cannot_be_brought_in_is_a_warning(text: str, warning: str) -> None:
    page = parse(f"# Page\n\ntext\n\n{text}", files=FILES)
    assert page is not None
    assert page.warnings == (warning,)


# A whole site


def test_a_whole_site_is_read_without_residue() -> None:
    files = data_files("mkdocs")
    context = parse_context(files, url=URL)
    parser = MkDocsParser()
    parsed = [parser.parse(path, files[path], context) for path in sorted(files) if parser.is_page(path)]
    pages = {page.path: page for page in parsed if page is not None}
    assert {path: (page.title, page.links, page.aliases, page.warnings) for path, page in pages.items()} == {
        "guide": ("Guide", ("guide/brewing", "reference/pot"), (), ()),
        "guide/brewing": ("Brewing", (), ("tea",), ()),
        "index": ("Welcome", ("guide/brewing",), ("old",), ()),
        "reference/pot": ("Pots", (), (), ()),
    }
    assert [(section.heading, section.anchor) for section in pages["guide/brewing"].sections] == [
        ("Brewing", None),
        ("Steps", "steps"),
        ("Code", "code"),
    ]
    assert [residue(page) for page in pages.values()] == [[]] * len(pages)
    assert "    {{ kept }}\n```" in pages["guide/brewing"].markdown
    assert pages["index"].markdown == (
        "# Welcome\n\nKettle 2.4 boils water.\n\n- __Brew__\n\n  In three steps.\n\n"
        "  [Brewing](https://kettle.example/guide/brewing/)\n- **Pots**\n\n  Every pot has a lid.\n\n"
        "> **New in 2.4:** Whistles."
    )


def test_the_english_of_several_languages_is_read_without_residue() -> None:
    files = data_files("mkdocs_languages")
    context = parse_context(files, url=URL)
    parser = MkDocsParser()
    parsed = [parser.parse(path, files[path], context) for path in sorted(files) if parser.is_page(path)]
    pages = {page.path: page for page in parsed if page is not None}
    assert {path: (page.title, page.links, page.warnings) for path, page in pages.items()} == {
        "index": ("Kettle", ("tutorial",), ()),
        "tutorial": ("Tutorial - User Guide", (), ()),
        "tutorial/first": ("First Steps", (), ()),
    }
    assert [(section.heading, section.anchor) for section in pages["tutorial/first"].sections] == [
        ("First Steps", None),
        ("Recap, step by step", "recap-step-by-step"),
    ]
    assert [residue(page) for page in pages.values()] == [[]] * len(pages)
    assert pages["tutorial"].markdown.endswith(
        "**Technical details**\n\nAPI inside.\n\n> **Careful:** This is closed by as many slashes."
    )


# Bad input


@pytest.mark.parametrize(
    "config", ["a: [", "nav: {a: {b: [c, {d: e}]}}", "plugins: x\nextra: []\nnav: 1", "&a [*a]", "\x00"]
)
def test_a_bad_configuration_costs_no_page(config: str) -> None:
    assert markdown("text {{ x }}", {"mkdocs.yml": config}) == "text"


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from('!!! note\n;=== "a"\n;/// tip\n;///\n;--8<-- "page.md"\n;--8<--\n'.split(";"))
        | st.sampled_from("{{ a }};{% if %};{#;#};++a++;==;^^;~;{++;++};{!page.md!};{* page.md *}\n".split(";"))
        | st.sampled_from(":material-x:;[a][b.c];[](){ #x };{ .a }".split(";"))
        | st.sampled_from("```py\n;`;    ;- ;# a { #b }\n;\n;text;Title: x\n;::: a.b\n;\t;> ;| a |\n".split(";")),
        max_size=20,
    ).map("".join)
)  # fmt: skip
def test_no_text_raises_and_the_output_is_bounded(text: str) -> None:
    page = parse(text)
    assert page is None or len(page.markdown) <= 10_000 + 200 * len(text)


@pytest.mark.parametrize(
    "unit",
    ["!!! note\n", '--8<-- "page.md"\n', '--8<-- "page.md:1:1"\n', "{!", "{{", "{#", "{~~a", "{--a", "++a+", "{ .a "],
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    started = time.perf_counter()
    parse(unit * (100_000 // len(unit)))
    assert time.perf_counter() - started < 10
