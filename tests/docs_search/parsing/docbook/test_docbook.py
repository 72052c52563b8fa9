"""DocBook manuals in HTML to pages, on small documents of our own in the form of the PostgreSQL and PostGIS manuals."""

import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.documents import Block, BlockType, Kind, ParseContext, ParsedPage, Section, join_blocks
from docs_search.parsing.docbook.parser import DocBookParser

DATA = Path(__file__).resolve().parents[3] / "data" / "docbook"
DOCUMENTS = {path.name: path.read_bytes() for path in sorted(DATA.glob("*.html"))}
OTHERS = {"config.html", "biblio.html", "sql-drainpond.html", "LG_Far.html"}


def _parse(path: str, data: bytes) -> ParsedPage | None:
    paths = frozenset(DOCUMENTS) | OTHERS | {path}
    context = ParseContext("1", paths, DOCUMENTS.get, lambda page: f"https://lagoon.example/docs/1/{page}")
    return DocBookParser().parse(path, data, context)


def _page(path: str) -> ParsedPage:
    page = _parse(path, DOCUMENTS[path])
    assert page is not None
    return page


def _section(page: ParsedPage, heading: str) -> Section:
    (section,) = [section for section in page.sections if section.heading == heading]
    return section


def _sections(body: str, *, css_class: str = "sect1", title: str = "Title") -> list[Section]:
    page = _parse("x.html", _document(body, css_class=css_class, title=title))
    return page.sections if page else []


def _document(body: str, *, css_class: str = "sect1", title: str = "Title") -> bytes:
    page = f'<div class="titlepage"><div><div><h2 class="title">{title}</h2></div></div></div>'
    return f'<html><body><div class="{css_class}" id="X">{page}{body}</div></body></html>'.encode()


def _markdown(body: str) -> str:
    return join_blocks(_sections(body)[0].blocks)


def _outline(page: ParsedPage) -> list[tuple[int, str, str | None]]:
    return [(section.level, section.heading, section.anchor) for section in page.sections]


# Pages


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("sql-createindex.html", True),
        ("en/ST_DWithin.html", True),
        ("release-17.html", True),
        ("bookindex.html", False),
        ("biblio.html", False),
        ("legalnotice.html", False),
        ("ix01.html", False),
        ("PostGIS_Special_Functions_Index.html", False),
        ("images/note.png", False),
        ("stylesheet.css", False),
    ],
)
def test_html_files_are_pages_except_indexes_and_legal_notices(path: str, expected: bool) -> None:
    assert DocBookParser().is_page(path) is expected


def test_a_page_has_its_title_without_the_number_its_chapter_its_summary_and_its_links() -> None:
    page = _page("config-memory.html")
    assert (page.path, page.title, page.section) == ("config-memory.html", "Memory", "config")
    assert page.summary == "The lagoon server keeps pages in memory."
    assert page.links == ("config.html",)
    assert page.warnings == ()


@pytest.mark.parametrize(
    ("title", "expected"),
    [
        ("19.3.&nbsp;Connections", "Connections"),
        ("Chapter&nbsp;19.&nbsp;Server Configuration", "Server Configuration"),
        ("Appendix&nbsp;F.&nbsp;Modules", "Modules"),
        ("Part&nbsp;II.&nbsp;The <code>SQL</code> Language", "The SQL Language"),
        ("F.12. fishing — for compliments", "fishing — for compliments"),
        ("E.2. Release 17.11", "Release 17.11"),
        ("2PC and 3. parties", "2PC and 3. parties"),
        ('9.1.1. Water <a class="id_link" href="#X">#</a>', "Water"),
    ],
)
def test_titles_lose_numbers_and_markup(title: str, expected: str) -> None:
    assert _sections("<p>x</p>", title=title)[0].heading == expected


def test_a_subtitle_belongs_to_the_title() -> None:
    titles = '<h1 class="title">Appendix A. Appendix</h1></div><div><h3 class="subtitle"><em>Release Notes</em></h3>'
    data = f'<div class="appendix"><div class="titlepage"><div>{titles}</div></div><p>x</p></div></html>'
    page = _parse("x.html", data.encode())
    assert page is not None
    assert page.title == "Appendix: Release Notes"


def test_a_chapter_is_its_own_top_level_and_a_page_without_navigation_has_none() -> None:
    assert _page("faq.html").section == "faq"
    assert _page("LG_Near.html").section == "reference"
    assert _page("functions-water.html").section is None


@pytest.mark.parametrize(
    "body",
    [
        '<div class="toc"><dl class="toc"><dt><a href="a.html">A</a></dt></dl></div>',
        '<a id="id-1" class="indexterm"></a><div class="sect2"><div class="titlepage"><h3>Empty</h3></div></div>',
        "",
    ],
)
def test_what_holds_nothing_to_read_is_no_page(body: str) -> None:
    assert _parse("x.html", _document(body)) is None


@pytest.mark.parametrize("css_class", ["index", "bibliography", "legalnotice"])
def test_indexes_are_no_pages_under_any_name(css_class: str) -> None:
    assert _parse("x.html", _document("<p>x</p>", css_class=css_class)) is None


def test_pages_about_what_was_renamed_are_no_pages() -> None:
    up = b'<div class="navheader"><a accesskey="u" href="appendix-obsolete.html">Up</a></div>'
    data = _document("<p>Was renamed.</p>")
    assert _parse("x.html", data.replace(b"<body>", b"<body>" + up)) is None
    assert _parse("x.html", data) is not None


def test_release_notes_are_of_that_kind_in_all_their_sections_and_have_no_entries() -> None:
    item = '<dl class="variablelist"><dt><span class="term"><code class="option">-x</code></span></dt><dd>y</dd></dl>'
    body = f'<p>x</p><div class="sect2"><div class="titlepage"><h3 class="title">Changes</h3></div>{item}</div>'
    page = _parse("release-1.html", _document(body).replace(b'id="X"', b'id="RELEASE-1"'))
    assert page is not None
    assert [(section.heading, section.kind) for section in page.sections] == [
        ("Title", Kind.RELEASE_NOTE),
        ("Changes", Kind.RELEASE_NOTE),
    ]


def test_a_document_that_is_no_docbook_is_read_as_html_with_a_warning() -> None:
    page = _parse("x.html", b"<html><head><title>Hello</title></head><body><h1>A</h1><p>b</p></body></html>")
    assert page is not None
    assert (page.title, page.markdown) == ("Hello", "# Hello\n\n**A**\n\nb")
    assert page.warnings == ("no DocBook section found, so it is read as plain HTML",)


# Sections


def test_sections_nest_and_entries_stand_under_the_section_that_lists_them() -> None:
    assert _outline(_page("config-memory.html")) == [
        (1, "Memory", "CONFIG-MEMORY"),
        (2, "Cache", "CONFIG-MEMORY-CACHE"),
        (3, "pond_size (integer)", "GUC-POND-SIZE"),
        (3, "reed_a (boolean), reed_b (boolean)", "GUC-REED-A"),
    ]


def test_the_running_text_around_entries_stays_together() -> None:
    section = _section(_page("config-memory.html"), "Cache")
    assert join_blocks(section.blocks) == "These settings size the cache:\n\nText after the settings[1]."


def test_footnotes_stand_where_the_stylesheets_put_them() -> None:
    assert join_blocks(_page("config-memory.html").sections[0].blocks).endswith("\n\n[1] A footnote.")


def test_generated_ids_are_no_anchors() -> None:
    assert _outline(_page("sql-fillpond.html")) == [
        (1, "FILL POND", "SQL-FILLPOND"),
        (2, "Description", None),
        (2, "Parameters", None),
        (3, "CONCURRENTLY", "SQL-FILLPOND-CONCURRENTLY"),
        (3, "Storage Parameters", "SQL-FILLPOND-STORAGE"),
        (4, "depth, mud.depth (integer)", "RELOPTION-DEPTH"),
        (2, "See Also", None),
    ]


def test_html_4_has_its_ids_in_anchors() -> None:
    assert _outline(_page("LG_Near_html4.html")) == [
        (1, "LG_Near", "LG_Near"),
        (2, "Description", None),
        (2, "Examples", "near_examples"),
    ]
    assert _page("faq.html").sections[0].anchor == "pond_faq"


def test_an_anchor_is_given_to_one_section_only() -> None:
    part = '<div class="sect2" id="S"><div class="titlepage"><h3 class="title">{}</h3></div><p>x</p></div>'
    anchors = [section.anchor for section in _sections(part.format("a") + part.format("b"))]
    assert anchors == ["X", "S", None]


def test_sections_without_content_are_left_out_unless_something_stands_below_them() -> None:
    empty = '<div class="sect2"><div class="titlepage"><h3 class="title">Empty</h3></div></div>'
    inner = '<div class="sect3"><div class="titlepage"><h4 class="title">Inner</h4></div><p>x</p></div>'
    outer = f'<div class="sect2"><div class="titlepage"><h3 class="title">Outer</h3></div>{inner}</div>'
    assert [section.heading for section in _sections(empty + outer)] == ["Title", "Outer", "Inner"]


def test_an_abstract_on_a_title_page_is_content() -> None:
    abstract = '<div><div class="abstract"><div class="abstract-title">Abstract</div><p>About.</p></div></div>'
    body = f'<div class="sect2"><div class="titlepage"><h3 class="title">Part</h3>{abstract}</div></div>'
    assert _sections(body)[1].blocks == [Block(BlockType.PARAGRAPH, "About.")]


def test_sections_named_by_code_alone_define_it() -> None:
    page = _page("functions-water.html")
    functions, view = _section(page, "evaporate(), condense()"), _section(page, "lg_pond")
    assert (functions.kind, functions.names, functions.own) == (Kind.FUNCTION, ("evaporate", "condense"), True)
    assert (view.kind, view.names, view.own) == (Kind.SECTION, ("lg_pond",), True)


def test_a_title_that_says_more_defines_nothing_but_a_module() -> None:
    assert _sections("<p>x</p>", title='Using <code class="command">EXPLAIN</code>')[0].names == ()
    assert _sections("<p>x</p>", title="F.3. lg_trace — follows fish")[0].names == ("lg_trace",)


# Reference entries


@pytest.mark.parametrize(
    ("path", "names", "kind", "summary"),
    [
        ("sql-fillpond.html", ("FILL POND",), Kind.COMMAND, "put water into a pond"),
        ("app-lg-dump.html", ("lg_dump",), Kind.COMMAND, "write a lagoon to a file"),
        ("LG_Near.html", ("LG_Near",), Kind.FUNCTION, "Tests if two ponds are near — or nearly"),
        ("LG_Near_html4.html", ("LG_Near",), Kind.FUNCTION, "Tests if two ponds are near"),
    ],
)
def test_a_reference_entry_has_names_a_purpose_and_a_kind(
    path: str, names: tuple[str, ...], kind: Kind, summary: str
) -> None:
    page = _page(path)
    assert (page.title, page.sections[0].names, page.summary) == (names[0], names, summary)
    assert {section.kind for section in page.sections if not section.own} == {kind}


def test_all_overloads_of_a_function_are_one_code_block_of_the_lead() -> None:
    assert join_blocks(_page("LG_Near.html").sections[0].blocks) == "\n".join(
        [
            "LG_Near — Tests if two ponds are near — or nearly",
            "",
            "```",
            "boolean LG_Near(pond a, pond b);",
            "boolean LG_Near(lake a, boolean deep = true);",
            "```",
        ]
    )


def test_version_notes_admonitions_and_captions_of_a_function_are_kept() -> None:
    page = _page("LG_Near.html")
    assert join_blocks(_section(page, "Description").blocks) == "\n\n".join(
        [
            "Is it near?",
            "> **Note:** Use [LG_Far](https://lagoon.example/docs/1/LG_Far.html) instead.",
            "This method supports 3d.",
            "Availability: 1.5.0",
            "Enhanced: 2.1.0 faster.",
        ]
    )
    assert join_blocks(_section(page, "Examples").blocks) == (
        "```sql\nSELECT LG_Near(a, b)\n  FROM ponds;\n\n t\n```\n\nTwo ponds"
    )


def test_the_synopsis_of_a_command_is_verbatim() -> None:
    assert _page("sql-fillpond.html").sections[0].blocks[1].markdown == (
        "```\nFILL POND [ CONCURRENTLY ] pond_name\n    [ WITH ( option [, ...] ) ]\n```"
    )
    assert _page("app-lg-dump.html").sections[0].blocks[1].markdown == "```\nlg_dump [option...] [lagoon]\n```"


@pytest.mark.parametrize(
    ("name", "synopsis", "kind", "names"),
    [
        ("LG_go, LG_stop — x", '<pre class="synopsis">int LG_go(void)</pre>', Kind.FUNCTION, ("LG_go", "LG_stop")),
        ("VALUES — x", '<pre class="synopsis">VALUES ( a )</pre>', Kind.COMMAND, ("VALUES",)),
        ("lagoon.path — x", "", Kind.SETTING, ("lagoon.path",)),
        ("pond — x", "", Kind.SECTION, ("pond",)),
        ("LG_Map (callback version) — x", '<pre class="synopsis">LG_Map(x)</pre>', Kind.FUNCTION, ("LG_Map",)),
        ("LG_AsBinary/LG_AsWKB — x", '<div class="funcsynopsis"></div>', Kind.FUNCTION, ("LG_AsBinary", "LG_AsWKB")),
        ("&lt;-&gt; — x", '<div class="funcsynopsis"></div>', Kind.FUNCTION, ("<->",)),
    ],
)
def test_the_synopsis_tells_what_a_reference_entry_documents(
    name: str, synopsis: str, kind: Kind, names: tuple[str, ...]
) -> None:
    divisions = f'<div class="refnamediv"><h2>Name</h2><p>{name}</p></div>'
    divisions += f'<div class="refsynopsisdiv"><h2>Synopsis</h2>{synopsis}</div>' if synopsis else ""
    page = _parse("x.html", f'<html><div class="refentry">{divisions}</div></html>'.encode())
    assert page is not None
    assert (page.sections[0].kind, page.sections[0].names) == (kind, names)


# Entries


def test_a_setting_is_an_entry_with_its_name_and_all_of_its_text() -> None:
    setting = _section(_page("config-memory.html"), "pond_size (integer)")
    assert (setting.kind, setting.own, setting.names) == (Kind.SETTING, True, ("pond_size",))
    assert [block.type for block in setting.blocks] == [BlockType.PARAGRAPH, BlockType.QUOTE]
    assert setting.blocks[1].markdown == (
        "> **Note:** Needs a restart.\n>\n> ```sql\n> ALTER SYSTEM SET pond_size = 10;\n> ```"
    )


def test_settings_that_share_a_description_share_an_entry_and_values_stay_in_it() -> None:
    setting = _section(_page("config-memory.html"), "reed_a (boolean), reed_b (boolean)")
    assert setting.names == ("reed_a", "reed_b")
    assert join_blocks(setting.blocks) == "Both at once:\n\n- `on`: Yes.\n- `off`: No."


def test_options_meta_commands_and_environment_variables_are_entries() -> None:
    page = _page("app-lg-dump.html")
    assert [(s.heading, s.anchor, s.kind, s.names) for s in page.sections if s.own] == [
        ("-j njobs, --jobs=njobs", None, Kind.COMMAND, ("-j", "--jobs")),
        ("[-d] lagoon, -?", None, Kind.COMMAND, ("-d", "-?")),
        ("\\d[S+] [ pattern ]", "META-D", Kind.COMMAND, ("\\d",)),
        ("LGHOST, LGPORT", None, Kind.SETTING, ("LGHOST", "LGPORT")),
        ("LGUSER", None, Kind.SETTING, ("LGUSER",)),
        ("LGPASS", None, Kind.SETTING, ("LGPASS",)),
    ]
    assert _section(page, "LGUSER").blocks == [Block(BlockType.PARAGRAPH, "`LGUSER` is the user.")]


def test_a_parameter_is_an_entry_only_where_it_is_named_and_says_enough() -> None:
    page = _page("sql-fillpond.html")
    assert join_blocks(_section(page, "Parameters").blocks) == "- `pond_name`: The pond.\n- `WITH`: Options follow."
    keyword = _section(page, "CONCURRENTLY")
    assert (keyword.kind, keyword.own, keyword.names) == (Kind.COMMAND, True, ("CONCURRENTLY",))
    typed = _section(page, "depth, mud.depth (integer)")
    assert (typed.kind, typed.own, typed.names) == (Kind.SETTING, True, ("depth", "mud.depth"))


def _terms(term: str, words: int, attributes: str = "") -> list[Section]:
    definition = "word " * words
    return _sections(
        f'<dl class="variablelist"><dt{attributes}><span class="term">{term}</span></dt><dd>{definition}</dd></dl>'
    )[1:]


@pytest.mark.parametrize(
    ("term", "attributes", "kind", "names"),
    [
        ('<code class="varname">$TG</code>', ' id="V"', Kind.SETTING, ("$TG",)),
        ('<code class="function">LGopen</code>', "", Kind.FUNCTION, ("LGopen",)),
        ('<code class="function">lg_page(page bytea) returns record</code>', "", Kind.FUNCTION, ("lg_page",)),
        ('<code class="literal">host</code>', ' id="LG-HOST"', Kind.SETTING, ("host",)),
        ('<code class="literal">--fast</code>', "", Kind.COMMAND, ("--fast",)),
        (
            '<code class="literal">\\c</code> or <code class="literal">\\connect [ x ]</code>',
            "",
            Kind.COMMAND,
            ("\\c", "\\connect"),
        ),
        ('<code class="symbol">LG_OK</code>', ' id="LG-OK"', Kind.SECTION, ("LG_OK",)),
        ("ReadyForWater (B)", ' id="MSG"', Kind.SECTION, ("ReadyForWater",)),
        ('-220 (<code class="symbol">LG_NO_CONN</code>)', "", Kind.ERROR, ("-220", "LG_NO_CONN")),
        ("Checkpoint", ' id="GLOSSARY-CHECKPOINT"', Kind.SECTION, ()),
    ],
)
def test_terms_that_name_something_are_entries(term: str, attributes: str, kind: Kind, names: tuple[str, ...]) -> None:
    (section,) = _terms(term, 3, attributes)
    assert (section.kind, section.names, section.own) == (kind, names, True)


@pytest.mark.parametrize(
    "term",
    ['<em class="replaceable"><code>name</code></em>', '<code class="literal">always</code>', "Int32", "Linux"],
)
def test_other_terms_are_items_of_a_list_and_get_a_heading_when_they_are_long(term: str) -> None:
    assert _terms(term, 50) == []
    (section,) = _terms(term, 90)
    assert (section.own, section.names) == (False, ())


def test_values_of_a_setting_stay_with_it_unless_they_can_be_linked_to() -> None:
    term = '<dt{}><span class="term"><code class="literal">{}</code></span></dt><dd>' + "word " * 50 + "</dd>"
    values = f'<dl class="variablelist">{term.format("", "plain")}{term.format(" id=V", "border")}</dl>'
    option = f'<dt><span class="term"><code class="option">-F</code></span></dt><dd>{values}</dd>'
    _, parent, value = _sections(f'<dl class="variablelist">{option}</dl>')
    assert [block.type for block in parent.blocks] == [BlockType.LIST_ITEM]
    assert (value.level, value.heading, value.anchor) == (parent.level + 1, "border", "V")


def test_another_name_in_parentheses_counts() -> None:
    (section,) = _terms('<code class="literal">ROW SHARE</code> (<code class="literal">RowShareLock</code>)', 50)
    assert section.names == ("ROW SHARE", "RowShareLock")


def test_what_follows_the_name_in_a_term_is_no_name() -> None:
    term = '<code class="literal">START</code> [ <code class="literal">SLOT</code> ] <code class="literal">x</code>'
    (section,) = _terms(term, 50)
    assert section.names == ("START",)


def test_a_very_long_term_is_named_in_the_heading_and_spelt_out_in_the_text() -> None:
    (section,) = _terms(f'<code class="function">lg_page({"page bytea, " * 20}x int)</code>', 3)
    assert section.heading == "lg_page"
    assert section.blocks[0].markdown == f"```\nlg_page({'page bytea, ' * 20}x int)\n```"


def test_consecutive_rows_of_one_function_are_one_entry_below_their_table() -> None:
    page = _page("functions-water.html")
    assert _outline(page)[:5] == [
        (1, "Water Functions", "FUNCTIONS-WATER"),
        (2, "Water", "WATER-TABLE"),
        (3, "flow", None),
        (3, "~>", None),
        (3, "POUR", None),
    ]
    flow = _section(page, "flow")
    assert (flow.kind, flow.own, flow.names) == (Kind.FUNCTION, True, ("flow",))
    assert [block.markdown for block in flow.blocks] == [
        "```\nflow(text [, n integer]) → text\n```",
        "Lets it flow",
        "`flow('a|b')` → `a`",
        "```\nflow(date) → date\n```",
        "Flows by day",
    ]


def test_operators_and_preformatted_signatures_have_names_too() -> None:
    page = _page("functions-water.html")
    assert _section(page, "~>").blocks[0].markdown == "```\npond ~> pond → boolean\n```"
    assert _section(page, "POUR").names == ("POUR",)
    assert _section(page, "POUR").blocks[0].markdown == "```\nPOUR (\n  x )\n```"


def test_footnotes_of_a_function_table_stay_with_it() -> None:
    assert _section(_page("functions-water.html"), "Water").blocks == [
        Block(BlockType.PARAGRAPH, "[a] Not salt water.")
    ]


def test_columns_of_a_view_are_a_table() -> None:
    assert join_blocks(_section(_page("functions-water.html"), "lg_pond").blocks) == (
        "**`lg_pond` Columns**\n\n| Column Type | Description |\n| --- | --- |\n| `depth` `int4` | How deep |"
    )


def test_each_class_of_error_codes_is_an_entry_named_by_its_codes_and_conditions() -> None:
    page = _page("errcodes.html")
    wet, dry = page.sections[2:]
    assert (wet.heading, wet.kind, wet.own) == ("Class 42 — Wet Error", Kind.ERROR, True)
    assert wet.names == ("42P01", "undefined_pond", "42W02", "too_wet")
    assert dry.blocks == [Block(BlockType.TABLE, "| Error Code | Condition Name |\n| --- | --- |\n| `58000` | `dry` |")]


def test_each_question_is_an_entry() -> None:
    page = _page("faq.html")
    assert [(s.heading, s.anchor, s.kind, s.own) for s in page.sections[1:]] == [
        ("Where is it?", "where", Kind.FAQ, True),
        ("How deep?", None, Kind.FAQ, True),
    ]
    assert join_blocks(page.sections[1].blocks) == "Behind the house.\n\n```\nlook\n```"


# Markup


def test_references_show_titles_instead_of_numbers() -> None:
    address = "https://lagoon.example/docs/1/config.html"
    xref = '<p>See <a class="xref" href="config.html" title="{}">{}</a>.</p>'
    assert _markdown(xref.format("19.3. Water", "Section 19.3")) == f"See [Water]({address})."
    assert _markdown(xref.format("Table A.1. Wet_ Codes", "Table A.1")) == rf"See [Wet\_ Codes]({address})."
    assert _markdown(xref.format("2.3. Tap", "Section 2.3, “Tap”")) == f"See [Tap]({address})."
    assert _markdown(xref.format("FILL", "<code>FILL</code>")) == f"See [`FILL`]({address})."


def test_a_link_may_spell_a_path_in_decomposed_form() -> None:
    data = _document('<p><a href="cafe%CC%81.html">a</a> <a href="cafe\u0301.html">b</a></p>')
    context = ParseContext(
        "1", frozenset({"x.html", "caf\u00e9.html"}), DOCUMENTS.get, lambda page: f"https://x/{page}"
    )
    page = DocBookParser().parse("x.html", data, context)
    assert page is not None
    assert page.links == ("caf\u00e9.html",)


def test_links_are_absolute_and_keep_their_anchors() -> None:
    assert _markdown('<p><a class="link" href="config.html#A">a</a></p>') == (
        "[a](https://lagoon.example/docs/1/config.html#A)"
    )
    assert _markdown('<p><a href="#X">here</a></p>') == "[here](https://lagoon.example/docs/1/x.html#X)"
    assert _markdown('<p><a href="https://x.org/">there</a></p>') == "[there](https://x.org/)"


@pytest.mark.parametrize("href", ["nowhere.html", "../../etc/passwd", "mailto:a@b.c", "javascript:alert(1)"])
def test_links_that_lead_to_no_document_are_text(href: str) -> None:
    assert _markdown(f'<p><a href="{href}">text</a></p>') == "text"


def test_links_name_pages_of_this_version_once_and_neither_this_page_nor_an_index() -> None:
    hrefs = ["config.html#A", "faq.html", "config.html", "x.html", "biblio.html", "nowhere.html", "https://x.org/"]
    page = _parse("x.html", _document("".join(f'<p><a href="{href}">a</a></p>' for href in hrefs)))
    assert page is not None
    assert page.links == ("config.html", "faq.html")


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ('<p>Set <em class="replaceable"><code>x</code></em>, <em class="parameter">y</em>.</p>', "Set `x`, `y`."),
        ('<p><code>a <em class="replaceable"><code>b</code></em></code></p>', "`a b`"),
        ('<p><strong class="userinput"><code>ls</code></strong></p>', "`ls`"),
        ('<p><em class="firstterm">term</em>, <em class="glossterm">water</em></p>', "*term*, water"),
        ('<p><span class="quote">“<span class="quote">x</span>”</span></p>', "“x”"),
        ('<div class="tip"><h3 class="title">Hint</h3><p>a</p></div>', "> **Hint:** a"),
        ('<div class="caution"><p>a</p><p>b</p></div>', "> **Caution:** a\n>\n> b"),
        ('<div class="literallayout"><p><br>\nf(x) =<br>\n  y</p></div>', "```\nf(x) =\n\n  y\n```"),
        ('<table class="simplelist"><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', "- a\n- b\n- c"),
        ('<p><span class="simplelist">a, b</span></p>', "a, b"),
        (
            '<div class="example"><p class="title"><b>Example 9.1. Wet</b></p><pre class="screen">$ x</pre></div>',
            "**Wet**\n\n```\n$ x\n```",
        ),
        (
            '<div class="calloutlist"><table><tr><td><a href="#c">(1)</a></td><td><p>x</p></td></tr></table></div>',
            "1. x",
        ),
        ('<pre class="programlisting">-- a comment\nselect 1</pre>', "```\n-- a comment\nselect 1\n```"),
        ('<pre class="programlisting">-- a comment\nDROP POND x;</pre>', "```sql\n-- a comment\nDROP POND x;\n```"),
        ('<pre class="screen">SELECT 1;</pre>', "```\nSELECT 1;\n```"),
        ('<p>Done <a class="ulink" href="https://x.org/c/1">§</a></p>', "Done"),
        ('<div class="blockquote"><table class="blockquote"><tr><td></td><td>Wet.</td></tr></table></div>', "> Wet."),
    ],
)
def test_docbook_markup(html: str, markdown: str) -> None:
    assert _markdown(html) == markdown


# Robustness


def test_a_truncated_page_keeps_what_there_is_and_warns() -> None:
    data = DOCUMENTS["config-memory.html"]
    page = _parse("config-memory.html", data[: data.index(b"How much is cached") + 8])
    assert page is not None
    assert page.warnings == ("ends without </html>, so it may be truncated",)
    assert page.sections[-1].names == ("pond_size",)
    assert page.sections[-1].blocks == [Block(BlockType.PARAGRAPH, "How much")]


@pytest.mark.parametrize("path", sorted(DOCUMENTS))
def test_a_page_cut_anywhere_can_be_read(path: str) -> None:
    data = DOCUMENTS[path]
    for end in range(0, len(data), 37):
        page = _parse(path, data[:end])
        assert page is None or page.sections[0].level == 1


@settings(deadline=None)
@given(st.sampled_from(sorted(DOCUMENTS)), st.integers(min_value=0), st.binary(max_size=40), st.integers(0, 40))
def test_a_damaged_page_can_be_read(path: str, at: int, inserted: bytes, removed: int) -> None:
    data = DOCUMENTS[path]
    at %= len(data)
    damaged = data[:at] + inserted + data[at + removed :]
    page = _parse(path, damaged)
    assert page is None or len(page.markdown) < 3 * len(damaged)


@settings(deadline=None)
@given(st.binary(max_size=500))
def test_random_bytes_can_be_read(data: bytes) -> None:
    page = _parse("x.html", data)
    assert page is None or "\x00" not in page.markdown


_ELEMENTS = [
    *(
        '<div class="' + name + '">'
        for name in "sect1 refentry refnamediv refsynopsisdiv funcsynopsis table note".split()
    ),
    *('<div class="' + name + '">' for name in "titlepage qandaset calloutlist variablelist literallayout".split()),
    *('<code class="' + name + '">' for name in "option literal function varname envar symbol".split()),
    '<dl class="variablelist">',
    '<dt id="D">',
    '<span class="term">',
    "<dd>",
    '<ul class="itemizedlist">',
    "<li>",
    "<table>",
    '<table class="simplelist">',
    '<col class="errorcode">',
    '<tr class="question">',
    '<tr class="answer">',
    '<td class="func_table_entry">',
    '<td class="catalog_table_entry">',
    '<p class="func_signature">',
    '<p class="title">',
    "<h3>",
    '<tbody class="footnotes">',
    '<a class="xref" title="1.1. x" href="#D">Section 1.1</a>',
    *(f"</{name}>" for name in "div code dl dt dd span ul li table tr td p h3".split()),
    "x — y",
    "\\d ",
    "-220 (",
]


@settings(deadline=None, max_examples=400)
@given(st.lists(st.sampled_from(_ELEMENTS), max_size=40))
def test_any_mixture_of_the_elements_can_be_read(parts: list[str]) -> None:
    data = _document("".join(parts))
    page = _parse("x.html", data)
    if page is not None:
        assert len(page.markdown) < 3 * len(data) + 200
        assert all(section.heading for section in page.sections)


@pytest.mark.parametrize(
    "nested",
    [
        '<div class="sect2"><h2>x</h2>y',
        '<div class="refentry"><div class="refnamediv"><p>x — y</p></div>',
        '<div class="note"><h3 class="title">n</h3><p>x</p>',
        '<dl class="variablelist"><dt><span class="term"><code class="option">-x</code></span></dt><dd>y',
        "<ul><li>x<table><tr><td>y",
    ],
)
@pytest.mark.parametrize("depth", [200, 3000])
def test_deep_nesting_can_be_read(nested: str, depth: int) -> None:
    data = _document(nested * depth)
    page = _parse("x.html", data)
    assert page is not None
    assert len(page.markdown) < 3 * len(data)


def _manual(chapters: int) -> bytes:
    chapter = (
        '<div class="chapter" id="C{0}"><div class="titlepage"><h1 class="title">Chapter {0}. Water</h1></div>'
        '<div class="sect1" id="S{0}"><div class="titlepage"><h2 class="title">{0}.1. Wet</h2></div><p>One '
        '<code>x</code> <a class="xref" href="#C1" title="Chapter 1. Water">Chapter 1</a>.</p><ul><li>a</li></ul>'
        '<dl class="variablelist"><dt id="GUC-{0}"><span class="term"><code class="varname">v{0}</code></span></dt>'
        "<dd><p>y</p></dd></dl></div></div>"
    )
    return _document("".join(map(chapter.format, range(1, chapters + 1))), css_class="book", title="Lagoon Manual")


def test_a_whole_manual_in_one_page_has_its_chapters_as_sections() -> None:
    page = _parse("lagoon.html", _manual(2))
    assert page is not None
    assert page.section is None
    assert _outline(page) == [
        (1, "Lagoon Manual", "X"),
        (2, "Water", "C1"),
        (3, "Wet", "S1"),
        (4, "v1", "GUC-1"),
        (2, "Water", "C2"),
        (3, "Wet", "S2"),
        (4, "v2", "GUC-2"),
    ]


def test_the_time_for_a_page_grows_with_its_length() -> None:
    seconds = []
    for chapters in (500, 4000):
        data = _manual(chapters)
        start = time.process_time()
        assert _parse("lagoon.html", data) is not None
        seconds.append(time.process_time() - start)
    assert seconds[1] < 8 * 4 * seconds[0]  # quadratic would be 64 times
