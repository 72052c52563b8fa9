"""Definition lists whose terms are entries of their own, because a page links to each."""

from docs_search.documents import Kind, ParsedPage
from docs_search.parsing.html.parser import HtmlParser
from tests.parsing import parse_context


def _page(content: str) -> ParsedPage:
    data = f"<html><body><main><h1>pond</h1>{content}</main></body></html>".encode()
    page = HtmlParser().parse("pond.html", data, parse_context({"pond.html": data}))
    assert page is not None
    return page


def test_options_with_an_id_each_are_settings() -> None:
    page = _page("""<h2 id="options">Options</h2><dl>
<dt class="option-term" id="o-l"><a class="option-anchor"
href="#o-l"><code>-l</code></a>, <code>--level</code> <em>cm</em></dt>
<dd><p>How high the water stands.</p></dd><dt
id="o-s"><code>--slowly</code></dt><dd>Take time.</dd></dl><p>The end.</p>""")
    assert [(section.heading, section.anchor, section.names) for section in page.sections[2:]] == [
        ("-l, --level cm", "o-l", ("-l", "--level")),
        ("--slowly", "o-s", ("--slowly",)),
    ]
    assert {(section.kind, section.own) for section in page.sections[2:]} == {(Kind.SETTING, True)}
    assert page.markdown.endswith("### -l, --level cm\n\nHow high the water stands.\n\n### --slowly\n\nTake time.")
    assert page.sections[1].blocks[-1].markdown == "The end."


def test_functions_of_texinfo_are_functions() -> None:
    page = _page("""<dl class="first-deftypefn"><dt id="index-fill"><span class="category-def">Function: </span>
<span><code class="def-type">int</code> <strong class="def-name">fill</strong> <code>(int <var>level</var>)</code><a
class="copiable-link" href="#index-fill"> &para;</a></span></dt><dd><p>Fills the pond.</p></dd></dl>""")
    (section,) = page.sections[1:]
    assert (section.heading, section.anchor, section.kind, section.names) == (
        "fill()", "index-fill", Kind.FUNCTION, ("fill",)
    )  # fmt: skip
    assert page.markdown == "# pond\n\n## fill()\n\n```\nint fill (int level)\n```\n\nFills the pond."


def test_terms_that_are_words_or_cannot_be_linked_to_are_a_list() -> None:
    words = _page("<dl><dt id='a'>Shore</dt><dd>Where it ends.</dd><dt id='b'>Depth</dt><dd>x</dd></dl>")
    assert words.markdown == "# pond\n\n- Shore: Where it ends.\n- Depth: x"
    unlinked = _page("<dl><dt><code>-l</code></dt><dd>Level.</dd></dl>")
    assert unlinked.markdown == "# pond\n\n- `-l`: Level."
