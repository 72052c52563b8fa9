from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.documents import ParsedPage
from docs_search.parsing.dialects.mdx.docusaurus import DocusaurusParser
from tests.parsing import parse_context

URL = "https://docs.example/docs/{version}/{path}"


def parse(
    path: str, text: str = "text", files: Mapping[str, str] | None = None, version: str = "2.0"
) -> ParsedPage | None:
    sources = {name: content.encode() for name, content in (files or {}).items()} | {path: text.encode()}
    return DocusaurusParser().parse(path, text.encode(), parse_context(sources, version=version, url=URL))


def markdown(path: str, text: str, files: Mapping[str, str] | None = None) -> str:
    page = parse(path, text, files)
    assert page is not None
    assert page.warnings == ()
    return page.markdown


# Paths


@pytest.mark.parametrize(
    ("file", "front_matter", "path"),
    [
        ("docs/intro.md", "", "intro"),
        ("docs/01-guide/02_first.mdx", "", "guide/first"),
        ("docs/guide/2024-10-23.md", "", "guide/2024-10-23"),
        ("docs/guide/7.0-x.md", "", "guide/7.0-x"),
        ("docs/guide/index.mdx", "", "guide"),
        ("docs/1-guide/README.md", "", "guide"),
        ("docs/guide/guide.md", "", "guide"),
        ("docs/index.md", "", "index"),
        ("docs/guide/first.md", "id: other", "guide/other"),
        ("docs/guide/first.md", "slug: other", "guide/other"),
        ("docs/guide/first.md", "slug: ../other", "other"),
        ("docs/guide/first.md", "slug: ../../../other", "other"),
        ("docs/guide/first.md", "slug: /other/place", "other/place"),
        ("docs/guide/first.md", "slug: /", "index"),
        ("website/docs/a.md", "", "a"),
        ("a/b.md", "", "a/b"),
    ],
)
def test_a_path_is_that_of_the_published_site(file: str, front_matter: str, path: str) -> None:
    page = parse(file, f"---\n{front_matter}\n---\ntext" if front_matter else "text")
    assert page is not None
    assert page.path == path


@pytest.mark.parametrize("front_matter", ["draft: true", "unlisted: true"])
def test_drafts_are_no_pages(front_matter: str) -> None:
    assert parse("docs/a.md", f"---\n{front_matter}\n---\ntext") is None


def test_partials_and_categories_are_no_pages() -> None:
    parser = DocusaurusParser()
    assert [
        parser.is_page(path) for path in ("docs/_a.mdx", "docs/_b/a.md", "docs/a/_category_.json", "docs/a.mdx")
    ] == [
        False,
        False,
        False,
        True,
    ]


def test_the_documents_are_those_of_the_version() -> None:
    files = {"docs/a.md": "next", "versioned_docs/version-2.0/a.md": "two", "versioned_docs/version-1.x/a.md": "one"}

    def paths(version: str) -> dict[str, str]:
        pages = {file: parse(file, text, files, version) for file, text in files.items()}
        return {file: page.path for file, page in pages.items() if page}

    assert paths("2.0") == {"versioned_docs/version-2.0/a.md": "a"}
    assert paths("v2.0") == {"versioned_docs/version-2.0/a.md": "a"}
    assert paths("1.x") == {"versioned_docs/version-1.x/a.md": "a"}
    assert paths("3.0") == {"docs/a.md": "a"}


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: One\nsidebar_label: Two\n---\n# Three\n\ntext", "One"),
        ("---\nsidebar_label: Two\n---\n# Three\n\ntext", "Three"),
        ("---\nsidebar_label: Two\n---\ntext", "Two"),
        ("text", "Set it up"),
    ],
)
def test_titles_come_from_where_the_site_takes_them(text: str, title: str) -> None:
    page = parse("docs/1-guide/03-set-it_up.md", text)
    assert page is not None
    assert page.title == title


# Links


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("./02-second.mdx#a", "guide/second#a"),
        ("../other.md", "moved/here"),
        ("/other.md", "moved/here"),
        ("@site/docs/other.md", "moved/here"),
        ("01-guide/02-second.mdx", "guide/second"),
        ("./second", "guide/second"),
        ("second?x=1#a", "guide/second?x=1#a"),
        ("../moved/here", "moved/here"),
        ("/docs/moved/here", "moved/here"),
        ("/docs/2.0/guide/second/", "guide/second"),
    ],
)
def test_links_lead_to_pages_by_file_or_by_address(href: str, target: str) -> None:
    files = {"docs/01-guide/02-second.mdx": "text", "docs/other.md": "---\nslug: /moved/here\n---\ntext"}
    page = parse("docs/01-guide/01-first.md", f"# T\n\n[a]({href})", files)
    assert page is not None
    assert page.sections[0].blocks[0].markdown == f"[a](https://docs.example/docs/2.0/{target})"
    assert page.links == (target.split("#", maxsplit=1)[0].split("?", maxsplit=1)[0],)


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("https://x.example/a", "https://x.example/a"),
        ("/blog/a", "https://docs.example/blog/a"),
        ("#a", "https://docs.example/docs/2.0/guide/first#a"),
        ("mailto:a@b.example", "mailto:a@b.example"),
    ],
)
def test_links_elsewhere_stay(href: str, target: str) -> None:
    page = parse("docs/01-guide/01-first.md", f"# T\n\n[a]({href})")
    assert page is not None
    assert (page.sections[0].blocks[0].markdown, page.links) == (f"[a]({target})", ())


# Content


def test_a_document_is_put_together_as_the_site_shows_it() -> None:
    text = """---
title: Setup
description: How to set up
---
import Tabs from '@theme/Tabs';
import TabItem from '@theme/TabItem';
import Part from './_part.mdx';

Intro <!-- truncate -->

## Install {#install}

<Tabs groupId="os" values={[{label: 'macOS', value: 'mac'}]}>
  <TabItem value="mac">

  ```bash title="terminal" {1}
  # highlight-next-line
  brew install x
  ```

  </TabItem>
  <TabItem value="win" label="Windows">Use the installer.</TabItem>
</Tabs>

:::note[Mind]

<Part product="X" />

:::

1. One

   :::tip
   Inside
   :::

{/* the end */}
"""
    files = {"docs/_part.mdx": "On {props.product}, see [there](./b.md).", "docs/b.md": "text"}
    page = parse("docs/a.mdx", text, files)
    assert page is not None
    assert (page.summary, page.warnings) == ("How to set up", ())
    assert page.sections[1].anchor == "install"
    assert page.markdown == (
        "# Setup\n\nIntro\n\n## Install\n\n**macOS**\n\n**terminal**\n\n```bash\nbrew install x\n```\n\n**Windows**\n\n"
        "Use the installer.\n\n> **Mind:** On X, see [there](https://docs.example/docs/2.0/b).\n\n"
        "1. One\n\n   > **Tip:** Inside"
    )


def test_mdx_that_is_hidden_in_fences_is_read() -> None:
    text = "# T\n\n```mdx-code-block\nimport B from './_b.mdx';\n\n<B />\n```\n\n```mdx\n<B />\n```"
    assert markdown("docs/a.md", text, {"docs/_b.mdx": "text"}) == "# T\n\ntext\n\n```mdx\n<B />\n```"


def test_anchors_are_those_of_github() -> None:
    page = parse("docs/a.md", "# T\n\n## What's new?\ntext\n## What's new?\ntext\n## X {/* #own */}\ntext")
    assert page is not None
    assert [section.anchor for section in page.sections[1:]] == ["whats-new", "whats-new-1", "own"]


# Bad input


PIECES = st.sampled_from(
    [
        "---\n", "slug: /\n", "slug: [a]\n", "id: ../..\n", "title: x\n", ":::note[", "]", ":::\n",
        "::::tip x\n", "<Tabs>", "</Tabs>",
        "<TabItem label='a'>", "import A from './a.md'\n", "<A/>", "[x](./a.md)", "[x](//)", "[x](/docs/2.0/a)",
        "{#a}", "# h ", "\n",
    ]
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.lists(PIECES, max_size=20).map("".join), st.lists(PIECES, max_size=10).map("".join))
def test_no_text_raises(text: str, other: str) -> None:
    parse("docs/1-a.md", text, {"docs/a.md": other, "docs/b/index.md": other})
