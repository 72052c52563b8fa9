import time

import pytest

from docs_search.parsing.dialects.mdx.directives import resolve_directives
from docs_search.parsing.dialects.mdx.docusaurus import DocusaurusParser
from docs_search.parsing.markdown.admonitions import closing, opening
from tests.parsing import parse_context


def shown(text: str) -> str:
    """What readers see of a text."""
    page = DocusaurusParser().parse("a.md", f"# T\n\n{text}".encode(), parse_context({"a.md": b""}))
    assert page is not None
    return page.markdown.removeprefix("# T\n\n")


@pytest.mark.parametrize(
    ("first", "label"),
    [
        (":::note", "Note"),
        ("::: tip", "Tip"),
        (":::warning Take *care* of `x`", "Take care of x"),
        (":::note[Title]", "Title"),
        (':::info{title="Title"}', "Title"),
        (":::danger[Title]{.class}", "Title"),
        ("::: caution {.class}", "Caution"),
        (":::TIP", "Tip"),
    ],
)
def test_containers_are_admonitions(first: str, label: str) -> None:
    assert resolve_directives(f"a\n{first}\ntext\n:::\nb") == f"a\n{opening(label)}\ntext\n{closing()}\nb"
    assert shown(f"a\n\n{first}\ntext\n:::\n\nb") == f"a\n\n> **{label}:** text\n\nb"


def test_other_containers_leave_a_title_and_their_content() -> None:
    assert shown(
        "::: details Show me {open}\ntext\n:::\n\n::: details\nmore\n:::\n\n::: code-group\n```sh\nx\n```\n:::"
    ) == ("**Show me**\n\ntext\n\n**Details**\n\nmore\n\n```sh\nx\n```")


def test_a_container_ends_with_as_many_colons_as_it_began_with() -> None:
    text = "::::note[Outer]\none\n:::tip[Inner]\ntwo\n:::\nthree\n::::\nfour"
    assert shown(text) == "> **Outer:** one\n>\n> > **Inner:** two\n>\n> three\n\nfour"


def test_a_container_that_is_never_closed_ends_with_the_one_around_it() -> None:
    assert shown("::::note\none\n:::tip\ntwo\n::::\nthree") == "> **Note:** one\n>\n> > **Tip:** two\n\nthree"
    assert shown(":::note\none\n\ntwo") == "> **Note:** one\n>\n> two"


def test_containers_stand_in_lists_and_quotes() -> None:
    text = "1. One\n\n   :::note\n   text\n   :::\n\n2. Two\n   :::tip A\n   more\n   :::\n\n> :::note\n> quoted\n> :::"
    assert shown(text) == ("1. One\n\n   > **Note:** text\n2. Two\n\n   > **A:** more\n\n> > **Note:** quoted")


def test_code_and_stray_marks_are_no_containers() -> None:
    text = "```\n:::note\n:::\n```\n\na ::: b\n\n:::\n\n:::!x\n\n::video[Watch]{#id}\n\nstd::vector"
    assert shown(text) == "```\n:::note\n:::\n```\n\na ::: b\n\n:::!x\n\nWatch\n\nstd::vector"


@pytest.mark.parametrize("part", [":::note\n", ":::\n", "::::a [b]{c}\n", ":" * 30, ":::a [", "- " * 30 + ":::note\n"])
def test_containers_are_read_in_linear_time(part: str) -> None:
    start = time.perf_counter()
    assert len(resolve_directives(part * 20_000)) <= 2 * len(part) * 20_000
    assert time.perf_counter() - start < 5
