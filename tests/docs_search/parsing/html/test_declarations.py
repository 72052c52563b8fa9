"""Signatures that API references show by themselves, in the markup of each generator."""

import pytest

from docs_search.documents import Kind, ParsedPage
from docs_search.parsing.html.parser import HtmlParser
from tests.parsing import parse_context


def _page(content: str) -> ParsedPage:
    html = (
        f"<!doctype html><html><head><title>Pond</title></head><body><main><h1>Pond</h1>{content}</main></body></html>"
    )
    page = HtmlParser().parse("pond.html", html.encode(), parse_context({"pond.html": html.encode()}))
    assert page is not None
    return page


TEXT = "<p>Fills the pond.</p>"
JAVADOC = f"""<section class="details"><ul><li><section class="detail" id="fill(int)"><h3>fill</h3>
<div class="member-signature"><span class="modifiers">public</span>&nbsp;<span
class="return-type">boolean</span>&nbsp;<span
class="element-name">fill</span><wbr><span
class="parameters">(int&nbsp;level)</span></div>{TEXT}</section></li></ul></section>"""
TYPEDOC = f"""<section><h3 class="tsd-anchor-link" id="fill"><span>fill</span><a href="#fill"
class="tsd-anchor-icon"></a></h3>
<ul class="tsd-signatures"><li><div class="tsd-signature"
id="fill-1"><span>fill</span>(<span>level</span>: number): boolean</div>
<div class="tsd-comment">{TEXT}</div><h4>Parameters</h4><p>One.</p></li></ul></section>"""
DOXYGEN = f"""<a id="a1" name="a1"></a><h2 class="memtitle"><span class="permalink"><a
href="#a1">&#9670;&nbsp;</a></span>fill()</h2>
<div class="memitem"><div class="memproto"><table class="memname"><tr><td class="memname">int fill </td><td>(</td>
<td class="paramtype">int&#160;</td><td class="paramname"><em>level</em></td><td>)</td></tr></table></div>
<div class="memdoc">{TEXT}<p class="definition">Definition at line <a
href="x.html#l1">1</a> of file x.</p></div></div>"""
PDOC = f"""<section id="fill"><input id="fill-view-source" class="view-source-toggle-state" type="checkbox">
<div class="attr function"><span class="def">def</span> <span class="name">fill</span><span
class="signature">(level)</span>:
<label class="view-source-button" for="fill-view-source"><span>View Source</span></label></div>
<a class="headerlink" href="#fill"></a><label class="view-source-button">x</label><div
class="pdoc-code"><pre>def fill</pre></div>
<div class="docstring">{TEXT}</div></section>"""
PYDOCTOR = f"""<div class="basefunction"><a name="pond.fill"></a><a name="fill"></a><div class="functionHeader">
<span class="py-keyword">def</span>&#160;<span class="py-defname">fill</span>(level):<a class="headerLink"
href="#fill">¶</a></div>
<div class="docstring">{TEXT}</div></div>"""
RDOC = f"""<div id="method-i-fill" class="method-detail"><div class="method-heading"><span
class="method-name">fill</span><span
class="method-args">(level)</span> <span class="method-click-advice">click to toggle source</span></div>
<div class="method-description">{TEXT}<div class="method-source-code"><pre>def fill</pre></div></div></div>"""
YARD = f"""<div class="method_details"><h3 class="signature"
id="fill-instance_method">#<strong>fill</strong>(level)</h3>
{TEXT}<table class="source_code"><tr><td><pre
class="lines">1</pre></td><td><pre>def fill</pre></td></tr></table></div>"""
RUSTDOC = f"""<details class="toggle method-toggle" open><summary><section id="method.fill" class="method"><span
class="rightside">
<a class="src" href="x.rs.html">Source</a></span><h4 class="code-header">fn <a href="#method.fill"
class="fn">fill</a>(level)</h4>
</section></summary><div class="docblock">{TEXT}</div></details>"""


@pytest.mark.parametrize(
    ("html", "heading", "anchor", "markdown"),
    [
        (JAVADOC, "fill", "fill(int)", "```\npublic boolean fill(int level)\n```\n\nFills the pond."),
        (DOXYGEN, "fill()", "a1", "```\nint fill(int level)\n```\n\nFills the pond."),
        (PDOC, "fill()", "fill", "```\ndef fill(level):\n```\n\nFills the pond."),
        (PYDOCTOR, "fill()", "fill", "```\ndef fill(level):\n```\n\nFills the pond."),
        (RDOC, "fill()", "method-i-fill", "```\nfill(level)\n```\n\nFills the pond."),
        (YARD, "#fill(level)", "fill-instance_method", "Fills the pond."),
        (RUSTDOC, "fn fill(level)", "method.fill", "Fills the pond."),
        (
            TYPEDOC,
            "fill",
            "fill",
            "```\nfill(level: number): boolean\n```\n\nFills the pond.\n\n**Parameters**\n\nOne.",
        ),
    ],
)
def test_a_function_is_an_entry_with_its_signature_as_code(html: str, heading: str, anchor: str, markdown: str) -> None:
    for content in (html, f"<h2 id='x'>Methods</h2><p>All.</p>{html}"):
        section = _page(content).sections[-1]
        assert (section.heading, section.anchor, section.kind, section.own) == (heading, anchor, Kind.FUNCTION, True)
        assert section.names == ("fill",)
        assert _page(content).markdown.endswith(f"{heading}\n\n{markdown}")


def test_the_signature_of_what_the_page_is_about_stays_in_its_lead() -> None:
    declared = '<div class="type-signature">public class <span class="element-name">Pond</span></div>'
    page = _page(f"{declared}<p>A body of water.</p>")
    assert page.markdown == "# Pond\n\n```\npublic class Pond\n```\n\nA body of water."
    assert (page.sections[0].names, page.sections[0].own) == (("Pond",), False)


def test_a_constant_is_no_function() -> None:
    page = _page('<h2 id="depth">depth</h2><div class="tsd-signature">depth: number = 3</div><p>In metres.</p>')
    assert [(section.kind, section.own, section.names) for section in page.sections[1:]] == [
        (Kind.SECTION, True, ("depth",))
    ]
