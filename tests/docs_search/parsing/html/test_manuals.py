"""Pages of API references and of manuals that older tools made: titles, furniture, and markup of their own."""

import pytest

from docs_search.documents import ParsedPage, join_blocks
from docs_search.parsing.html.parser import HtmlParser
from tests.parsing import parse_context

WORDS = "Every pond has a shore, a depth and a name by which those who live near it call it in the evening. "


def _parse(html: str | bytes, path: str = "guide/pond.html") -> ParsedPage | None:
    data = html.encode() if isinstance(html, str) else html
    return HtmlParser().parse(path, data, parse_context({path: data}))


def _page(content: str, *, head: str = "<title>Ponds</title>") -> ParsedPage:
    page = _parse(f"<!doctype html><html><head>{head}</head><body><main>{content}</main></body></html>")
    assert page is not None
    return page


def _text(content: str) -> str:
    """The Markdown below the title."""
    return join_blocks(_page(f"<h1>T</h1>{content}").sections[0].blocks)


@pytest.mark.parametrize(
    ("head", "content", "title", "headings"),
    [
        # Texinfo: the heading has a number, and the level of a section
        (
            "<title>Filling (Pond 1.2)</title>",
            "<div class='header'><p>Next: <a href='b' rel='next'>Draining</a>, Up: <a href='c' rel='up'>Top</a>"
            "</p></div><h3 class='section'>12.1 Filling Ponds</h3><p>Text.</p><h4 class='subsection'>12.1.1 Slowly</h4>"
            "<p>More.</p>",
            "Filling Ponds",
            ["Slowly"],
        ),
        # Doxygen: the title is no heading, and a text may come before the first
        (
            "<title>Ponds: Guide</title>",
            "<div class='header'><div class='headertitle'><div class='title'>Guide</div></div></div>"
            "<p>Read this first.</p><h1><a class='anchor' id='w'></a>Winter</h1><p>Ice.</p>",
            "Guide",
            ["Winter"],
        ),
        # perldoc and others: sections have the level of titles
        (
            "<title>Pond - fill ponds</title>",
            "<h1 id='NAME'>NAME</h1><p>pond - fill</p><h1 id='SEE'>SEE ALSO</h1><p>x</p>",
            "Pond",
            ["NAME", "SEE ALSO"],
        ),
        # the name of the site above the title
        (
            "<title>The API</title>",
            "<h1>The library of ponds</h1><h2>The API</h2><p>Text.</p><h2>More</h2><p>x</p>",
            "The API",
            ["More"],
        ),
        ("<title>Site</title>", "<h1>Ponds</h1><p>a</p><h1>Fish</h1><p>b</p>", "Ponds", ["Fish"]),
    ],
)
def test_a_title_is_found_where_manuals_have_it(head: str, content: str, title: str, headings: list[str]) -> None:
    page = _page(content, head=head)
    assert (page.title, [section.heading for section in page.sections[1:]]) == (title, headings)


def test_a_text_before_the_first_chapter_is_kept() -> None:
    head = "<title>Ponds: Guide</title>"
    title = "<div class='headertitle'><div class='title'>Guide</div></div>"
    page = _page(f"{title}<p>Read this first.</p><h1>Winter</h1><p>Ice.</p>", head=head)
    assert page.markdown == "# Guide\n\nRead this first.\n\n## Winter\n\nIce."


@pytest.mark.parametrize(
    "furniture",
    [
        "<p><a href='#a'>A</a> | <a href='#b'>B</a> | <a href='#c'>C</a></p>",
        "<div><a rel='prev' href='a.html'>Before</a> <a rel='up' href='b.html'>Up</a></div>",
        "<div class='navigation'><b>Next:</b> <a href='a.html'>Ice</a> <b>Up:</b> <a href='b.html'>Book</a></div>",
        "<div id='mdbook-help-container'><h2>Keyboard shortcuts</h2><p>Press a key.</p></div>",
        "<p>This document was created by man2html, using the manual pages.</p>",
        "<table class='source_code'><tr><td><pre>1</pre></td><td><pre>def fill</pre></td></tr></table>",
    ],
)
def test_furniture_of_manuals_is_no_content(furniture: str) -> None:
    assert _page(f"<h1>T</h1><p>{WORDS}</p>{furniture}").markdown == f"# T\n\n{WORDS.strip()}"


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<div class='deprecation-comment'>Use drain.</div>", "Use drain."),
        ("<p><a href='#a'>A</a> and <a href='#b'>B</a> are ponds.</p>", "[A]({0}#a) and [B]({0}#b) are ponds."),
        ("<div class='fragment'><div class='line'>a(</div><div class='line'>  b)</div></div>", "```\na(\n  b)\n```"),
        ("<p class='pre'>one\n  two</p>", "```\none\n  two\n```"),
        ("<pre class='ruby'>x</pre>", "```ruby\nx\n```"),
        ("<dl><dt><b>Deprecated:</b></dt><dd>x</dd></dl>", "- **Deprecated**: x"),
        (
            "<table><tr><td class='hdlist1'>Shore</td><td class='hdlist2'><p>Sand.</p></td></tr></table>",
            "- Shore: Sand.",
        ),
        (
            "<div class='summary-table'><div class='table-header col-first'>Type</div>"
            "<div class='table-header col-last'>Name</div><div class='col-first'>int</div>"
            "<div class='col-last'><code>fill</code></div></div>",
            "| Type | Name |\n| --- | --- |\n| int | `fill` |",
        ),
        (
            "<table><tr><td><a href='a'>Aa</a><a href='a'>Aa</a><a href='a'>Aa</a><a href='a'>Aa</a><a href='a'>Aa</a>"
            "</td><td><ul><li>Text</li></ul></td></tr></table>",
            "- Text",
        ),
    ],
)
def test_markup_of_older_tools(html: str, markdown: str) -> None:
    assert _text(html) == markdown.replace("{0}", "https://docs.example/v2.0/guide/pond.html")


def test_notes_outside_the_content_are_kept() -> None:
    body = (
        f"<div id='content'><h1>T</h1><p>{WORDS}</p></div><div id='footnotes'><div class='footnote'>1. Ice.</div></div>"
    )
    page = _parse(f"<html><body>{body}<div id='footer'>Version 1</div></body></html>")
    assert page is not None
    assert page.markdown == f"# T\n\n{WORDS.strip()}\n\n1\\. Ice."


def test_most_of_a_reference_is_never_left_out() -> None:
    side = "<div class='x1'>" + "<a href='x'>Link</a>" * 20 + "</div>"
    entries = "".join(f"<div class='x{n}'><b>f{n}</b><div>{WORDS}</div></div>" for n in range(10))
    page = _parse(f"<html><body><div>{side}<div class='y'>{entries}</div></div></body></html>")
    assert page is not None
    assert [f"f{n}" in page.markdown for n in range(10)] == [True] * 10


def test_what_is_nested_too_deeply_is_told() -> None:
    page = _page("<h1>T</h1>" + "<div>" * 60 + "<p>deep</p><p>water</p>" + "</div>" * 60)
    assert page.markdown == "# T\n\ndeep water"
    assert page.warnings == ("elements are nested more than 40 deep: of those further inside only the text was kept",)


@pytest.mark.parametrize("path", ["index-all.html", "class_list.html", "pond_8h_source.html", "src/pond.rs.html"])
def test_indexes_and_source_code_are_no_pages(path: str) -> None:
    assert not HtmlParser().is_page(path)


def test_a_page_without_html_tags_is_known_by_its_first_element() -> None:
    page = _parse(b"<title>Ponds</title><h1>A</h1><p>b", "guide/pond")
    assert page is not None
    assert page.markdown == "# A\n\nb"


def test_numbers_that_count_chapters_are_none_of_the_titles() -> None:
    page = _page("<h1>2 Ponds</h1><h2>2.1 Shore</h2><p>a</p><h2>2.2 Depth</h2><p>b</p>")
    assert (page.title, [section.heading for section in page.sections]) == ("Ponds", ["Ponds", "Shore", "Depth"])
    page = _page("<h1>Pond 2</h1><h2>2.0 Release</h2><p>a</p>")
    assert [section.heading for section in page.sections] == ["Pond 2", "2.0 Release"]


def test_a_link_to_nowhere_is_text() -> None:
    assert _text("<p><a href='#'>Show more</a> of <a href='#b'>it</a>.</p>") == (
        "Show more of [it](https://docs.example/v2.0/guide/pond.html#b)."
    )


def test_a_copy_of_all_pages_to_be_printed_is_none() -> None:
    html = "<html><head>{}</head><body><main><h1>Printing</h1><p>How to print.</p></main></body></html>"
    assert _parse(html.format('<meta name="robots" content="noindex">'), "book/print.html") is None
    assert _parse(html.format(""), "book/print.html") is not None
    assert _parse(html.format('<meta name="robots" content="noindex">'), "book/a.html") is not None
