import time
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.documents import ParsedPage
from docs_search.parsing.dialects.mdx.vitepress import VitePressParser
from tests.parsing import parse_context


def parse(path: str, text: str = "text", files: Mapping[str, str] | None = None) -> ParsedPage | None:
    sources = {name: content.encode() for name, content in (files or {}).items()} | {path: text.encode()}
    return VitePressParser().parse(path, text.encode(), parse_context(sources))


def body(text: str, files: Mapping[str, str] | None = None) -> str:
    page = parse("docs/guide/page.md", f"# T\n\n{text}", {"docs/.vitepress/config.ts": "", **(files or {})})
    assert page is not None
    assert page.warnings == ()
    return page.markdown.removeprefix("# T\n\n")


@pytest.mark.parametrize(
    ("file", "other", "path"),
    [
        ("docs/guide/start.md", "docs/.vitepress/config.ts", "guide/start"),
        ("docs/guide/index.md", "docs/.vitepress/config.ts", "guide"),
        ("docs/index.md", "docs/.vitepress/config.ts", "index"),
        ("guide/README.md", ".vitepress/config.ts", "guide/README"),
        ("guide/README.md", ".vuepress/config.ts", "guide"),
        ("docs/a.md", "docs/index.md", "a"),
        ("a/b.md", "c.md", "a/b"),
    ],
)
def test_a_path_is_that_of_the_published_site(file: str, other: str, path: str) -> None:
    page = parse(file, files={other: ""})
    assert page is not None
    assert page.path == path


def test_containers_and_code_groups() -> None:
    text = (
        "::: tip Title\ntext\n:::\n\n::: details\nmore\n:::\n\n::: code-group\n\n```sh [npm]\nnpm i\n```\n\n"
        "```sh{1} [yarn]\nyarn add // [!code focus]\n```\n\n:::\n\n[[toc]]"
    )
    assert body(text) == (
        "> **Title:** text\n\n**Details**\n\nmore\n\n**npm**\n\n```sh\nnpm i\n```\n\n**yarn**\n\n```sh\nyarn add\n```"
    )


def test_templates_of_vue_vanish_or_are_filled_in() -> None:
    page = parse(
        "a.md",
        "---\ntitle: Page\nowner: Ada\n---\n<script setup>\nimport X from './x.vue'\nconst a = '<b>'\n</script>\n\n"
        "By {{ $frontmatter.owner }}, {{ 'text' }} and {{ 1 + 1 }}nothing. `{{ code }}` <span v-pre>{{ raw }}</span> "
        "{ kept }\n\n<X :a=\"b\" @click=\"c\">slot</X>\n\n<style scoped>\n.a { color: red }\n</style>\n",
    )  # fmt: skip
    assert page is not None
    assert page.markdown == "# Page\n\nBy Ada, text and nothing. `{{ code }}` {{ raw }} { kept }\n\nslot"


def test_headings_have_the_anchors_of_the_site() -> None:
    page = parse(
        "a.md", "# T\n\n## Größe & Co. <Badge type=\"tip\" text=\"1.2\" />\ntext\n## 3 steps {#own}\ntext\n## 2x\ntext"
    )  # fmt: skip
    assert page is not None
    assert [(section.heading, section.anchor) for section in page.sections[1:]] == [
        ("Größe & Co.", "große-co"),
        ("3 steps", "own"),
        ("2x", "_2x"),
    ]


def test_files_are_included_whole_or_in_part() -> None:
    files = {
        "docs/parts/a.md": "---\ntitle: no\n---\none\n\n<!-- #region x -->\ntwo\n\n<!-- #endregion x -->\nthree\n",
        "docs/guide/b.md": "<!-- @include: @/parts/a.md{1,2} -->",
    }
    text = (
        "<!--@include: ../parts/a.md#x-->\n\n<!-- @include: ./b.md -->\n\n<!--@include: /parts/a.md{7,}-->\n\n"
        "```md\n<!--@include: ./b.md-->\n```"
    )
    assert body(text, files) == "two\n\none\n\nthree\n\n```md\n<!--@include: ./b.md-->\n```"


def test_code_is_imported_from_files() -> None:
    files = {
        "docs/snippets/a.js": "// #region one\nlet a = 1\n// #endregion one\nlet b = {{ 2 }}\n",
        "docs/guide/b.yml": "a: 1\n",
    }
    text = "<<< @/snippets/a.js#one{1,3}\n\n- item\n\n  <<< ./b.yml [config]\n\n<<< @/snippets/a.js{1 ts:line-numbers}"
    assert body(text, files) == (
        "```js\nlet a = 1\n```\n\n- item\n\n  **config**\n\n  ```yaml\n  a: 1\n  ```\n\n"
        "```ts\nlet a = 1\nlet b = {{ 2 }}\n```"
    )


def test_what_is_missing_is_a_warning() -> None:
    page = parse(
        "a.md", "# T\n\ntext\n\n<!--@include: ./x.md-->\n\n<<< ./y.js\n\n<!--@include: ./b.md#no-->", {"b.md": "b"}
    )
    assert page is not None
    assert page.markdown == "# T\n\ntext"
    assert page.warnings == (
        "the included file x.md is not in the source",
        "the included file b.md has no part named #no",
        "the included file y.js is not in the source",
    )


def test_includes_end() -> None:
    page = parse("a.md", "# T\n\ntext <!--@include: ./b.md-->", {"b.md": "<!--@include: ./b.md--> b"})
    assert page is not None
    assert page.warnings == ("the include of b.md leads back to itself or too deep",)


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("/guide/other", "guide/other"),
        ("/guide/other.html#a", "guide/other#a"),
        ("/guide/", "guide"),
        ("./other.md", "guide/other"),
        ("other", "guide/other"),
    ],
)
def test_links_begin_at_the_root_of_the_site(href: str, target: str) -> None:
    files = {"docs/guide/other.md": "", "docs/guide/index.md": "text"}
    assert body(f"[a]({href})", files) == f"[a](https://docs.example/v2.0/{target})"


def test_a_home_page_shows_its_front_matter() -> None:
    page = parse(
        "index.md",
        "---\nlayout: home\nhero:\n  name: Docent\n  text: Search\n  tagline: Finds *it*\nfeatures:\n"
        "  - title: Fast\n    details: Very fast\n  - icon: x\n---\n",
    )
    assert page is not None
    assert (page.path, page.title) == ("index", "Docent")
    assert page.markdown == "# Docent\n\nSearch\n\nFinds \\*it\\*\n\n**Fast**\n\nVery fast"


@pytest.mark.parametrize(
    "part", ["<!--@include: ./b.md-->", "<<< ./b.md\n", "{{ ", "<a v-pre>", "::: tip\n", "<!--@include: "]
)
def test_bad_input_is_read_in_linear_time(part: str) -> None:
    start = time.perf_counter()
    parse("a.md", part * 3_000, {"b.md": "b" * 1_000})
    assert time.perf_counter() - start < 10


PIECES = st.sampled_from(
    [
        "<!--@include: ./b.md", "{1,", "-->", "#x", "<<< @/b.md", "#x", "{2}", "[t]", "\n", "{{ ", "}}",
        "'a'", "::: tip x\n", ":::\n",
        "// #region x\n", "// #endregion\n", "<script setup>", "</script>", "<Badge text='a'/>",
        "# h ", "---\n", "hero:\n", "  name: x\n",
    ]
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.lists(PIECES, max_size=20).map("".join), st.lists(PIECES, max_size=10).map("".join))
def test_no_text_raises(text: str, other: str) -> None:
    parse("a.md", text, {"b.md": other})
