"""Pages of any site: what is a page, where its content is, and how it is cut."""

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.documents import BlockType, Kind, ParsedPage, join_blocks
from docs_search.parsing.html.parser import HtmlParser
from tests.parsing import parse_context

WORDS = "Every pond has a shore, a depth and a name by which those who live near it call it in the evening. "


def _parse(html: str | bytes, path: str = "guide/pond.html") -> ParsedPage | None:
    data = html.encode() if isinstance(html, str) else html
    return HtmlParser().parse(path, data, parse_context({path: data}))


def _page(content: str, *, head: str = "<title>Ponds</title>", path: str = "guide/pond.html") -> ParsedPage:
    page = _parse(f"<!doctype html><html><head>{head}</head><body><main>{content}</main></body></html>", path)
    assert page is not None
    return page


def _text(content: str) -> str:
    """The Markdown below the title."""
    return join_blocks(_page(f"<h1>T</h1>{content}").sections[0].blocks)


def _outline(page: ParsedPage) -> list[tuple[int, str, str | None]]:
    return [(section.level, section.heading, section.anchor) for section in page.sections]


# What is a page


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("guide/install.html", True),
        ("guide/install.htm", True),
        ("guide/install.XHTML", True),
        ("guide/install", True),
        ("release-1.2", True),
        ("docs/2.x", True),
        ("function.echo.php", True),
        ("guide/index.html", True),
        ("logo.png", False),
        ("search.js", False),
        ("README.md", False),
        ("site.webmanifest", False),
        (".nojekyll", False),
        ("genindex.html", False),
        ("genindex-A.html", False),
        ("genindex/index.html", False),
        ("py-modindex.html", False),
        ("404.html", False),
        ("_modules/pond.html", False),
        ("_sources/pond", False),
    ],
)
def test_html_files_and_names_without_an_extension_are_pages(path: str, expected: bool) -> None:
    assert HtmlParser().is_page(path) is expected


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("LICENSE", b"Do what you like."),
        ("guide/data", b'{"a": "<b>"}'),
        ("guide/logo", b"\x89PNG\r\n\x1a\n\x00"),
        ("empty.html", b""),
        ("frames.html", b"<html><frameset><frame src='a.html'></frameset></html>"),
        ("app.html", b"<html><body><div id='root'></div><script>run()</script></body></html>"),
        (
            "moved.html",
            b"<meta http-equiv='refresh' content='0; url=../new.html'><body>Moved to <a href='x'>x</a></body>",
        ),
        ("search.html", b"<html><body><h1>Search</h1><p>Please wait.</p><div id='search-results'></div></body></html>"),
    ],
)
def test_what_holds_nothing_to_read_is_no_page(path: str, data: bytes) -> None:
    assert _parse(data, path) is None


def test_a_page_without_an_extension_is_known_by_its_content() -> None:
    page = _parse(b"\n<!DOCTYPE html><html><body><main><h1>A</h1>b</main></body></html>", "guide/pond")
    assert page is not None
    assert (page.path, page.title, page.section, page.markdown) == ("guide/pond", "A", "guide", "# A\n\nb")


def test_a_page_that_loads_itself_again_is_a_page() -> None:
    assert _page("<h1>A</h1>b", head='<meta http-equiv="refresh" content="300; url=pond.html">').title == "A"
    assert _page("<h1>A</h1>b", head='<meta http-equiv="refresh" content="300">').title == "A"


# Where the content is


@pytest.mark.parametrize(
    "layout",
    [
        "<body><div class='menu'>Menu</div><main>{}</main></body>",
        "<body><main>Menu</main><div role='main'>{}</div></body>",
        "<body><article>{}</article><div>Other</div></body>",
        "<body><div id='content'>{}</div><div id='x'>Other</div></body>",
        "<body><main><div class='hero'>Hello</div><article>{}</article></main></body>",
        "<body><nav>Menu</nav>{}<footer>Imprint</footer></body>",
        "<body><header><a href='/'>Site</a></header><div class='markdown-body'>{}</div></body>",
    ],
)
def test_the_content_is_found_where_html_or_custom_put_it(layout: str) -> None:
    content = f"<h1>Ponds</h1><p>{WORDS}</p>"
    page = _parse(f"<html>{layout.replace('{}', content)}</html>")
    assert page is not None
    assert page.markdown == f"# Ponds\n\n{WORDS.strip()}"


def test_without_any_mark_the_content_is_where_the_text_is() -> None:
    side = "<div class='x1'><ul>" + "<li><a href='x'>Link</a></li>" * 20 + "</ul></div>"
    text = f"<div class='x2'><h1>Ponds</h1><p>{WORDS * 3}</p><p id='p'>{WORDS * 2}</p><pre>code</pre></div>"
    end = "<div class='x3'><div class='share'>Share this</div><p>All rights reserved.</p></div>"
    page = _parse(f"<html><body><div>{side}{text}{end}</div></body></html>")
    assert page is not None
    assert page.markdown == f"# Ponds\n\n{(WORDS * 3).strip()}\n\n{(WORDS * 2).strip()}\n\n```\ncode\n```"


@pytest.mark.parametrize(
    "furniture",
    [
        "<nav>x</nav>",
        "<div role='navigation'>x</div>",
        "<aside class='toc'>x</aside>",
        "<ol class='breadcrumbs'><li>x</li></ol>",
        "<div class='feedback'>Was this page helpful?</div>",
        "<a class='edit-link' href='x'>Edit</a>",
        "<div class='last-updated'>May</div>",
        "<div class='cookie-banner'>We bake.</div>",
        "<div class='social-share'>x</div>",
        "<form class='newsletter'>x</form>",
        "<button>Copy</button>",
        "<div hidden>x</div>",
        "<div style='color:red; display: none'>x</div>",
        "<span aria-hidden='true'>x</span>",
        "<span class='sr-only'>x</span>",
        "<a href='#b'>¶</a><a href='#b'>🔗</a><a href='#b'>#</a>",
        "<a class='header-anchor' href='#b'>Permalink to B</a>",
        "<footer>x</footer>",
        "<p>Was this page helpful?</p><p>Last updated on <b>May 1</b></p>",
        "<p><a href='https://x.example/'>Edit this page</a></p>",
        "<template>x</template><noscript>x</noscript><iframe>x</iframe>",
    ],
)
def test_furniture_inside_the_content_is_left_out(furniture: str) -> None:
    assert _page(f"<h1>A</h1>{furniture}<p>one</p><h2 id='b'>B{furniture}</h2>{furniture}<p>two</p>").markdown == (
        "# A\n\none\n\n## B\n\ntwo"
    )


@pytest.mark.parametrize(
    "content",
    [
        "<div class='feedback'><h2>Giving feedback</h2><p>x</p></div>",
        "<div class='toc'><pre>x</pre></div>",
        "<aside class='sidebar'><p class='sidebar-title'>Frogs</p><p>x</p></aside>",
        f"<div class='comments'>{WORDS * 10}</div>",
        "<div class='contents'>x</div>",
        "<p>On this page you find all of them</p>",
        "<a href='https://frog.example/#f'>f</a>",
    ],
)
def test_content_is_not_taken_for_furniture_by_its_name(content: str) -> None:
    assert _page(f"<h1>A</h1>{content}").markdown != "# A"


# Titles and sections


@pytest.mark.parametrize(
    ("content", "head", "title"),
    [
        ("<h1>19.4.&nbsp;Shores<a href='#x'>¶</a></h1>", "<title>x</title>", "Shores"),
        ("<header><p>Guide</p><h1>Shores</h1></header>", "<title>x</title>", "Shores"),
        ("<nav><h1>Site</h1></nav>", "<title>Shores | Site</title>", "Shores"),
        ("<h2>Shores</h2>", "<title>Site » Shores</title>", "Shores"),
        ("<h2>Banks</h2>", "<title>Shores - Site</title>", "Shores"),
        ("<p>x</p>", "", "Pond"),
    ],
)
def test_the_title_is_the_first_heading_or_what_the_head_says(content: str, head: str, title: str) -> None:
    page = _page(f"{content}<p>x</p>", head=head)
    assert (page.title, page.sections[0].heading) == (title, title)


def test_a_title_before_the_content_is_found_there() -> None:
    page = _parse(
        "<html><head><title>Ponds | Site</title></head><body><div id='top'><h1>Site</h1><h1>Ponds</h1></div>"
        f"<main><h2>A</h2><p>{WORDS}</p></main></body></html>"
    )
    assert page is not None
    assert _outline(page) == [(1, "Ponds", None), (2, "A", None)]


def test_what_little_stands_before_the_title_is_left_out() -> None:
    assert _page("<p>Guide</p><h3>For frogs</h3><h1>A</h1><p>b</p>").markdown == "# A\n\nb"
    assert _page(f"<p>{WORDS}</p><h1>A</h1><p>b</p>").markdown == f"# A\n\n{WORDS.strip()}\n\n## A\n\nb"


def test_levels_make_an_outline_without_gaps() -> None:
    headings = ("h1", "h4", "h5", "h3", "h1", "h2", "h6")
    page = _page("".join(f"<{tag}>{number}{tag}</{tag}><p>x</p>" for number, tag in enumerate(headings)))
    assert [section.level for section in page.sections] == [1, 2, 3, 2, 2, 3, 4]


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("<h2 id='a'>B</h2>", "a"),
        ("<h2><a id='a'></a>B</h2>", "a"),
        ("<h2><a name='a'>B</a></h2>", "a"),
        ("<a name='a'></a><h2>B</h2>", "a"),
        ("<p><a id='a'></a></p> <h2>B</h2>", "a"),
        ("<section id='a'><h2>B</h2></section>", "a"),
        ("<div id='a'><header><span></span><h2>B</h2></header></div>", "a"),
        ("<section id='b'><span id='c'></span><h2 id='d'>B<a href='#a'>¶</a></h2><i id='a'></i></section>", "a"),
        ("<h2 id='a'>B<a href='#gone'>¶</a></h2>", "a"),
        ("<section id='b'><span id='b2'></span><span id='std-setting-A'></span><h2>B</h2></section>", "std-setting-A"),
        ("<section id='a'><p>text</p><h2>B</h2></section>", None),
        ("<a name='a'></a>text<h2>B</h2>", None),
        ("<h2>B</h2>", None),
    ],
)
def test_anchors_are_those_of_the_page(heading: str, anchor: str | None) -> None:
    assert _outline(_page(f"<h1>A</h1><p>x</p>{heading}<p>x</p>"))[-1] == (2, "B", anchor)


def test_an_anchor_is_given_once() -> None:
    page = _page("<h1>A</h1><h2 id='x'>B</h2>b<h2 id='x'>C</h2>c")
    assert _outline(page) == [(1, "A", None), (2, "B", "x"), (2, "C", None)]
    assert page.warnings == ("the anchor #x is used twice",)


def test_headings_tell_what_a_section_documents() -> None:
    page = _page(
        "<h1>Settings</h1><h2 id='d'><code>depth</code></h2><p>x</p><h3>Values</h3><p>y</p><h2>POND_SIZE</h2>z"
    )
    assert [(s.heading, s.kind, s.own, s.names) for s in page.sections[1:]] == [
        ("depth", Kind.SETTING, True, ("depth",)),
        ("POND_SIZE", Kind.SETTING, True, ("POND_SIZE",)),
    ]
    assert join_blocks(page.sections[1].blocks) == "x\n\n**Values**\n\ny"


def test_pages_about_releases_are_of_that_kind() -> None:
    entry = '<dl class="py function"><dt class="sig"><span class="sig-name">f</span></dt><dd>x</dd></dl>'
    page = _page(f"<h1>Changelog</h1><h2>1.2</h2>{entry}", path="changelog.html")
    assert [(section.heading, section.kind) for section in page.sections] == [
        ("Changelog", Kind.RELEASE_NOTE),
        ("1.2", Kind.RELEASE_NOTE),
    ]


def _signature(name: str, body: str = "", *, kind: str = "function") -> str:
    term = f'<dt class="sig" id="pond.{name}"><span class="sig-name descname">{name}</span>(x)</dt>'
    return f'<dl class="py {kind}">{term}<dd>{body}</dd></dl>'


def test_text_goes_on_after_an_entry() -> None:
    page = _page(f"<h1>A</h1><h2 id='b'>B</h2><p>one</p>{_signature('fill', '<p>f</p>')}<p>two</p><h2>C</h2>c")
    assert _outline(page) == [(1, "A", None), (2, "B", "b"), (3, "fill()", "pond.fill"), (2, "C", None)]
    assert join_blocks(page.sections[1].blocks) == "one\n\ntwo"


def test_an_entry_without_a_body_is_described_by_what_follows_it() -> None:
    content = f"<p>one</p>{_signature('fill')}<p>f</p>{_signature('drain')}{_signature('dry')}<p>d</p>"
    page = _page(f"<h1>A</h1><h2 id='b'>B</h2>{content}<h2>C</h2>c")
    assert [(s.level, s.heading, s.names, join_blocks(s.blocks)) for s in page.sections[1:]] == [
        (2, "B", (), "one"),
        (3, "fill()", ("fill", "pond.fill"), "```\nfill(x)\n```\n\nf"),
        (3, "drain()", ("drain", "pond.drain", "dry", "pond.dry"), "```\ndrain(x)\n```\n\n```\ndry(x)\n```\n\nd"),
        (2, "C", (), "c"),
    ]


def test_a_signature_below_a_heading_belongs_to_it() -> None:
    page = _page(f"<h1>A</h1><h2 id='f'><code>fill()</code></h2>{_signature('fill')}<p>f</p>")
    assert [(s.heading, s.anchor, s.kind, s.names) for s in page.sections[1:]] == [
        ("fill()", "f", Kind.FUNCTION, ("fill", "pond.fill"))
    ]
    assert join_blocks(page.sections[1].blocks) == "```\nfill(x)\n```\n\nf"


def test_operations_of_an_api_have_their_method_and_path() -> None:
    term = '<dt class="sig" id="get--ponds"><span class="sig-name descname">GET </span>/ponds/(id)</dt>'
    page = _page(f'<h1>A</h1><dl class="http get">{term}<dd><p>One pond.</p></dd></dl>')
    section = page.sections[1]
    assert (section.heading, section.kind, section.names) == (
        "GET /ponds/(id)",
        Kind.API,
        ("GET /ponds/(id)", "/ponds/(id)"),
    )


# What the content is made of


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ("<div class='admonition tip'><p class='admonition-title'>Tip</p><p>x</p></div>", "> **Tip:** x"),
        ("<div class='admonition'><p class='admonition-title'>Really?</p><p>x</p></div>", "> **Really?** x"),
        ("<div class='alert alert-danger'>x</div>", "> **Danger:** x"),
        ("<div class='alert alert-info'><strong>Info:</strong> x</div>", "> **Info:** x"),
        ("<p class='note'>x</p>", "> **Note:** x"),
        ("<div role='note'>x</div>", "> **Note:** x"),
        ("<aside class='starlight-aside starlight-aside--caution'><p class='starlight-aside__title'>Caution</p>"
         "<section><p>x</p></section></aside>", "> **Caution:** x"),
        ("<div class='markdown-alert markdown-alert-important'><p class='markdown-alert-title'>Important</p>x</div>",
         "> **Important:** x"),
        ("<div class='callout callout-warning'><div class='callout-header'>Mind</div>x</div>", "> **Mind:** x"),
        ("<aside><p>x</p></aside>", "x"),
        ("<details><summary>More</summary><p>x</p></details>", "**More**\n\nx"),
        ("<details class='warning'><summary>Mind</summary>x</details>", "> **Mind:** x"),
        ("<div class='versionadded'><p><span class='versionmodified'>Added in 2:</span> x</p></div>", "Added in 2: x"),
        ("<table><tr><th>A</th></tr><tr><td>b<table><tr><th>C</th></tr><tr><td>d</td></tr></table></td></tr></table>",
         "| A |\n| --- |\n| b C; d |"),
        ("<table role='presentation'><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a\n\nb\n\nc"),
        ("<table><caption>Table 3. All</caption><tr><th>A</th></tr><tr><td>b</td></tr></table>",
         "**All**\n\n| A |\n| --- |\n| b |"),
        ("<dl><dt>Depth:</dt><dd>x</dd></dl>", "- Depth: x"),
        ("<p>x<sup><a href='#n1'>1</a></sup></p>", "x[1]"),
        ("<p>x<sup><a href='https://n.example/1'>1</a></sup></p>", "x^[1](https://n.example/1)"),
        ("<p>2<sup>3</sup></p>", "2^3"),
        ("<p><math><mi>x</mi></math></p>", "`x`"),
        ("<p><kbd>Ctrl</kbd>, <abbr title='x'>e.g.</abbr> <mark>it</mark>, <del>or</del></p>", "`Ctrl`, e.g. it, or"),
        ("<a href='https://x.example/'><div><h4>Card</h4><p>text</p></div></a>", "[**Card**](https://x.example/)\n\ntext"),
        ("<my-card><p>a</p><p>b</p></my-card>", "a\n\nb"),
        ("<p>a <my-word>b</my-word> c</p>", "a b c"),
        ("<figure><img alt='A frog' src='x'><figcaption>Green.</figcaption></figure>", "A frog\n\nGreen."),
        ("<p class='rubric'>Notes</p><p>x</p>", "**Notes**\n\nx"),
    ],
)  # fmt: skip
def test_markup_of_generators(html: str, markdown: str) -> None:
    assert _text(html) == markdown


@pytest.mark.parametrize(
    "tabs",
    [
        "<div role='tablist'><button role='tab'>A</button><button role='tab'>B</button></div>"
        "<div><div role='tabpanel'>a</div><div role='tabpanel' hidden>b</div></div>",
        "<ul role='tablist'><li role='tab' aria-controls='p2'>B</li><li role='tab' aria-controls='p1'>A</li></ul>"
        "<div id='p1' role='tabpanel'>a</div><div id='p2' role='tabpanel' aria-hidden='true'>b</div>",
        "<div><input type='radio'><label>A</label><div>a</div><input type='radio'><label>B</label><div>b</div></div>",
        "<div><input type='radio'><label title='A'>&#xf17c;</label><input type='radio'><label>B</label>"
        "<section>a</section><section>b</section></div>",
        "<div><div><input type='radio'><label>A</label><input type='radio'><label>B</label></div>"
        "<div><div>a</div><div>b</div></div></div>",
    ],
)
def test_all_tabs_are_kept_under_their_labels(tabs: str) -> None:
    assert _text(tabs) == "**A**\n\na\n\n**B**\n\nb"


def test_tabs_inside_tabs_have_their_own_labels() -> None:
    inner = (
        "<p role='tablist'><b role='tab'>C</b><b role='tab'>D</b></p><p role='tabpanel'>c</p><p role='tabpanel'>d</p>"
    )
    outer = "<div role='tablist'><b role='tab'>A</b><b role='tab'>B</b></div>"
    html = f"<div>{outer}<div role='tabpanel'>{inner}</div><div role='tabpanel'>b</div></div>"
    assert _text(html) == "**A**\n\n**C**\n\nc\n\n**D**\n\nd\n\n**B**\n\nb"


def test_headings_inside_tabs_begin_sections() -> None:
    tabs = (
        "<input type='radio'><label>A</label><div><h2 id='x'>X</h2>x</div><input type='radio'><label>B</label><p>b</p>"
    )
    assert _outline(_page(f"<h1>T</h1><div>{tabs}</div>")) == [(1, "T", None), (2, "X", "x")]


def test_a_list_of_sections_is_none() -> None:
    items = "".join(f"<li><section id='{name}'><h3>{name}</h3><p>x</p></section></li>" for name in ("fill", "drain"))
    page = _page(f"<h1>T</h1><section id='m'><h2>Methods</h2><ul>{items}</ul></section>")
    assert _outline(page) == [(1, "T", None), (2, "Methods", "m"), (3, "fill", "fill"), (3, "drain", "drain")]
    assert _text("<ul><li><h3>a</h3>b</li></ul>") == "- **a**\n\n  b"


# Bad input


@pytest.mark.parametrize(
    "content",
    [
        "<div>x" * 2000,
        "<div>x" * 100_000,
        "<ul><li>x" * 20_000,
        "<h2 id=a>x</h2>y" * 5_000,
        "<table>" + ("<tr>" + "<td>x</td>" * 500 + "</tr>") * 50 + "</table>",
        "<table>" + "<tr><td colspan=99999 rowspan=99999>x</td></tr>" * 500 + "</table>",
        "<table><tr><td>x" * 2000,
        "<p class='" + "share " * 200_000 + "'>x</p>",
        "<div role=tablist><div role=tab>a</div>" * 1000 + "<div role=tabpanel>x</div>" * 1000,
        ("<div role=tablist><b role=tab>a</b></div><div role=tabpanel>x</div>") * 3000,
        "<pre>" + "<span class=line>x</span>" * 50_000 + "</pre>",
        "<dl class='py function'><dt class='sig' id='a'><span class='sig-name'>f</span></dt><dd>x" * 2000,
        "<a id=x></a>" * 20_000 + "<h2>x</h2>y",
        "<!-- -- --><!--" + "--x" * 50_000,
        "<plaintext>" + "<b>x" * 1000,
        WORDS * 40_000,
        "\0x\0",
    ],
    ids=range(17),
)
def test_hostile_documents_are_read_in_bounded_time_and_size(content: str) -> None:
    html = f"<?xml version='1.0'?><html><body><main><h1>T</h1><p>{WORDS}</p>{content}</main></body></html>"
    started = time.perf_counter()
    page = _parse(html)
    assert time.perf_counter() - started < 20
    assert page is not None
    assert len(page.markdown) <= 3 * len(html)


@pytest.mark.parametrize("name", ["gb2312", "windows-1251", "iso-8859-1", "euc-kr"])
def test_declared_encodings_are_read_as_browsers_read_them(name: str) -> None:
    word = {"gb2312": "池塘", "windows-1251": "пруд", "iso-8859-1": "“é”", "euc-kr": "연못"}[name]
    encoding = {"iso-8859-1": "cp1252"}.get(name, name)
    page = _parse(
        f"<html><head><meta charset={name}></head><body><main><h1>{word}</h1>x</main></body></html>".encode(encoding)
    )
    assert page is not None
    assert (page.title, page.warnings) == (word, ())


def test_a_truncated_document_is_read_with_a_warning_and_one_without_its_last_tags_is_not() -> None:
    whole = f"<html><body><main><h1>A</h1><p>{WORDS}</p></main>"
    complete, truncated = _parse(whole), _parse(whole[:-30])
    assert complete is not None and complete.warnings == ()  # noqa: PT018
    assert truncated is not None
    assert truncated.warnings == ("ends without </html>, so it may be truncated",)


_TAGS = (
    "p div section article main span a em code pre ul li dl dt dd table tr td th h1 h2 h3 details summary input label "
    "aside figure math sup x-y img br nav header footer".split()
)
_ATTRIBUTES = (
    'class="admonition note"', 'class="sig"', 'role="tablist"', 'role="tab"', 'role="tabpanel"', 'id="a"', 'href="#a"',
    'id="std-setting-X"', 'class="highlight-python"', 'class="line"', 'type="radio"', 'class="footnote"',
    'class="label"', 'class="titlepage"', 'class="sect1"', 'class="refentry"', 'class="py function"',
    'class="sig-name"', 'class="toc"', 'class="share"', 'colspan="9"', 'class="highlighttable"', 'class="variablelist"',
    'class="func_table_entry"', 'class="qandaset"', 'hidden', '',
)  # fmt: skip


@settings(deadline=None, max_examples=100)
@given(
    st.lists(
        st.one_of(
            st.builds("<{} {}>".format, st.sampled_from(_TAGS), st.sampled_from(_ATTRIBUTES)),
            st.sampled_from([f"</{tag}>" for tag in _TAGS]),
            st.text(max_size=8),
            st.just(WORDS),
        ),
        max_size=60,
    )
)
def test_any_mixture_of_markup_gives_a_page_or_none(parts: list[str]) -> None:
    html = "".join(parts)
    page = _parse(html.encode(errors="replace"))
    if page is None:
        return
    assert page.sections[0].level == 1
    levels = [section.level for section in page.sections]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    blocks = [block for section in page.sections for block in section.blocks]
    assert all(block.markdown and block.markdown == block.markdown.rstrip("\n") for block in blocks)
    assert {block.type for block in blocks} <= set(BlockType)
    assert len(page.markdown) <= 12 * len(html) + 200


@settings(deadline=None, max_examples=100)
@given(st.binary(max_size=300))
def test_any_bytes_give_a_page_or_none(data: bytes) -> None:
    page = _parse(data)
    assert page is None or "\x00" not in page.markdown
