"""The PostgreSQL and PostGIS manuals themselves, where they are at hand."""

import re
from collections import Counter
from functools import cache
from html import unescape
from itertools import pairwise

import pytest

from docs_search.documents import Kind, ParseContext, ParsedPage, Section
from docs_search.parsing.docbook.parser import DocBookParser
from tests.corpora import corpus_files

pytestmark = pytest.mark.corpora

POSTGRESQL, POSTGIS = ["15", "17", "18"], ["3.3", "3.5", "3.6"]
EVERY_VERSION = [("postgresql", version) for version in POSTGRESQL] + [("postgis", version) for version in POSTGIS]
IN_FULL = [("postgresql", "17"), ("postgis", "3.3"), ("postgis", "3.6")]
SAMPLE = 5  # of the other versions every fifth page is read

INDEXES = {"biblio", "bookindex", "legalnotice"}
RENAMED = {
    "app-pgreceivexlog",
    "app-pgresetxlog",
    "appendix-obsolete",
    "default-roles",
    "pgxlogdump",
    "recovery-config",
}
TABLES_OF_CONTENTS = {
    "appendixes",
    "index",
    "indextypes",
    "nls",
    "plpgsql",
    "source",
    "spi-interface",
    "textsearch",
} | {
    "tutorial-advanced",
    "tutorial-sql",
    "tutorial-start",
}
NO_PAGES = {
    "postgresql": INDEXES | RENAMED | TABLES_OF_CONTENTS,
    "postgis": {"PostGIS_Special_Functions_Index"},
}

NUMBERED = re.compile(r"(?:Chapter|Appendix|Part|Table)\s+\S+\.\s|(?:[A-Z]\.)?\d+(?:\.\d+)*\.\s")
FENCE = re.compile(r"^[ >]*(?:- |\d+\. )*(`{3,}).*?^[ >]*\1$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)")
TAG = re.compile(r"(?<!\\)</?[A-Za-z][^<>]*>")


@cache
def _pages(corpus: str, version: str) -> dict[str, ParsedPage | None]:
    files = corpus_files(corpus, version)
    context = ParseContext(version, frozenset(files), files.get, lambda path: f"https://docs.example/{version}/{path}")
    parser = DocBookParser()
    step = 1 if (corpus, version) in IN_FULL else SAMPLE
    return {path: parser.parse(path, files[path], context) for path in sorted(files)[::step]}


def _sections(corpus: str, version: str) -> list[tuple[str, Section]]:
    return [(path, section) for path, page in _pages(corpus, version).items() if page for section in page.sections]


def _lead(corpus: str, version: str, path: str) -> Section:
    page = _pages(corpus, version)[path]
    assert page is not None
    return page.sections[0]


def _named(corpus: str, version: str, path: str, name: str) -> Section:
    sections = [section for page, section in _sections(corpus, version) if page == path and name in section.names]
    assert len(sections) == 1
    return sections[0]


@pytest.mark.parametrize(("corpus", "version"), IN_FULL)
def test_every_document_is_a_page_or_there_is_a_reason(corpus: str, version: str) -> None:
    assert {path.removesuffix(".html") for path, page in _pages(corpus, version).items() if page is None} == NO_PAGES[
        corpus
    ]


@pytest.mark.parametrize(("corpus", "version"), EVERY_VERSION)
def test_pages_are_whole_and_clean(corpus: str, version: str) -> None:
    pages = {path: page for path, page in _pages(corpus, version).items() if page}
    assert len(pages) > 100
    assert [path for path, page in pages.items() if page.path != path or page.warnings] == []
    assert [page.title for page in pages.values() if NUMBERED.match(page.title) or "\xa0" in page.title] == []
    leads = [(page.sections[0].level, page.sections[0].heading == page.title) for page in pages.values()]
    assert set(leads) == {(1, True)}
    assert {link for page in pages.values() for link in page.links} <= set(corpus_files(corpus, version))


@pytest.mark.parametrize(("corpus", "version"), EVERY_VERSION)
def test_sections_have_headings_without_numbers_and_levels_without_gaps(corpus: str, version: str) -> None:
    sections = _sections(corpus, version)
    assert [(path, s.heading) for path, s in sections if not s.heading or NUMBERED.match(s.heading)] == []
    gaps = [
        (path, after.heading)
        for (path, before), (other, after) in pairwise(sections)
        if path == other and after.level > before.level + 1
    ]
    assert gaps == []


@pytest.mark.parametrize(("corpus", "version"), EVERY_VERSION)
def test_every_anchor_is_an_id_of_the_document_and_is_used_once(corpus: str, version: str) -> None:
    ids = {
        path: set(re.findall(rb'\b(?:id|name)="([^"]+)"', data)) for path, data in corpus_files(corpus, version).items()
    }
    anchors = [(path, section.anchor) for path, section in _sections(corpus, version) if section.anchor]
    assert [(path, anchor) for path, anchor in anchors if anchor.encode() not in ids[path]] == []
    assert [anchor for anchor, count in Counter(anchors).items() if count > 1] == []
    assert [anchor for _, anchor in anchors if re.fullmatch(r"id-?[\d.]+", anchor)] == []


@pytest.mark.parametrize(("corpus", "version"), EVERY_VERSION)
def test_no_markup_is_left_outside_code(corpus: str, version: str) -> None:
    left = []
    for path, section in _sections(corpus, version):
        for block in section.blocks:
            text = SPAN.sub("", FENCE.sub("", block.markdown))
            if TAG.search(text) or "\xa0" in text or "&nbsp;" in text:
                left.append((path, text))
    assert left == []


@pytest.mark.parametrize(("corpus", "version"), EVERY_VERSION)
def test_hardly_a_word_is_lost(corpus: str, version: str) -> None:
    """Numbers of sections in references are replaced by their titles, and a function table loses its header."""
    files = corpus_files(corpus, version)
    losses = {}
    for path, page in list(_pages(corpus, version).items())[::3]:
        if page is None or b'class="refpurpose"' in files[path]:  # a chapter's table of contents, with descriptions
            continue
        source = re.sub(r'(?s)<head>.*?</head>|<div class="nav(?:header|footer)">.*?</table>', "", files[path].decode())
        source = re.sub(r'(?s)<(dl|ul) class="toc">.*?(?=<p|<div class="(?!toc)|<section|$)', "", source)
        source = re.sub(r'(?s)<div class="qandaset".*?<table', "<table", source)
        source = re.sub(r'(?s)<a class="(?:xref|id_link)".*?</a>', "", source)
        words = Counter(re.findall(r"[a-z]{3,}", unescape(re.sub(r"<[^>]*>", " ", source)).lower()))
        lost = words - Counter(re.findall(r"[a-z]{3,}", page.markdown.lower()))
        if lost.total() > 12 + 0.03 * words.total():
            losses[path] = lost.most_common(5)
    assert losses == {}


def test_each_setting_of_postgresql_is_an_entry() -> None:
    files = corpus_files("postgresql", "17")
    setting = re.compile(rb'<dt id="(GUC-[^"]+)"><span class="term">(?:\s|<a [^>]*></a>)*<code class="varname">')
    terms = Counter(term.decode() for data in files.values() for term in setting.findall(data))
    entries = [s for _, s in _sections("postgresql", "17") if (s.anchor or "").startswith("GUC-")]
    assert Counter(section.anchor for section in entries) == terms
    assert len(terms) > 350
    assert {(s.kind, s.own, bool(s.names), bool(s.blocks)) for s in entries} == {(Kind.SETTING, True, True, True)}


def test_each_function_in_a_table_of_postgresql_is_named() -> None:
    named = {name for _, s in _sections("postgresql", "17") if s.kind is Kind.FUNCTION for name in s.names}
    signature = re.compile(rb'<p class="func_signature">(?:\s|<a [^>]*></a>)*<code class="function">([^<(]+?)</code>')
    functions = {
        name.decode() for data in corpus_files("postgresql", "17").values() for name in signature.findall(data)
    }
    assert len(functions) > 500
    assert functions - named == set()


@pytest.mark.parametrize(
    ("path", "name", "heading", "kind"),
    [
        ("runtime-config-resource.html", "shared_buffers", "shared_buffers (integer)", Kind.SETTING),
        ("app-pgdump.html", "--jobs", "-j njobs, --jobs=njobs", Kind.COMMAND),
        ("app-psql.html", "\\copy", "\\copy", Kind.COMMAND),
        ("libpq-envars.html", "PGHOST", "PGHOST", Kind.SETTING),
        ("libpq-connect.html", "sslmode", "sslmode", Kind.SETTING),
        ("libpq-exec.html", "PQexecParams", "PQexecParams", Kind.FUNCTION),
        ("sql-createtable.html", "fillfactor", "fillfactor (integer)", Kind.SETTING),
        ("sql-createindex.html", "CONCURRENTLY", "CONCURRENTLY", Kind.COMMAND),
        ("functions-json.html", "->>", "->>", Kind.FUNCTION),
        ("errcodes-appendix.html", "42P01", "Class 42 — Syntax Error or Access Rule Violation", Kind.ERROR),
        ("errcodes-appendix.html", "undefined_table", "Class 42 — Syntax Error or Access Rule Violation", Kind.ERROR),
        ("monitoring-stats.html", "pg_stat_activity", "pg_stat_activity", Kind.SECTION),
        ("pgcrypto.html", "digest", "digest()", Kind.FUNCTION),
    ],
)
def test_what_people_look_up_in_the_postgresql_manual_is_an_entry(
    path: str, name: str, heading: str, kind: Kind
) -> None:
    section = _named("postgresql", "17", path, name)
    assert (section.heading, section.kind, section.own) == (heading, kind, True)


def test_overloads_of_a_postgresql_function_are_together() -> None:
    section = _named("postgresql", "17", "functions-datetime.html", "age")
    assert [block.markdown for block in section.blocks if block.markdown.startswith("```")] == [
        "```\nage(timestamp, timestamp) → interval\n```",
        "```\nage(timestamp) → interval\n```",
    ]


def test_pages_of_postgresql_belong_to_chapters_and_release_notes_are_marked() -> None:
    pages = _pages("postgresql", "17")
    chapters = Counter(page.section for page in pages.values() if page)
    assert chapters["sql-commands"] > 150
    assert chapters[None] == 0
    kinds = {s.kind for path, s in _sections("postgresql", "17") if path.startswith("release")}
    assert kinds == {Kind.RELEASE_NOTE}


def test_sql_commands_of_postgresql_have_names_purposes_and_synopses() -> None:
    pages = [page for page in _pages("postgresql", "17").values() if page and page.section == "sql-commands"]
    commands = [page for page in pages if page.path != "sql-commands.html"]
    assert len(commands) > 180
    assert {page.sections[0].kind for page in commands} == {Kind.COMMAND}
    assert [page.path for page in commands if page.sections[0].names[0] != page.title or not page.summary] == []
    assert [page.path for page in commands if not page.sections[0].blocks[1].markdown.startswith("```")] == []


@pytest.mark.parametrize("version", ["3.3", "3.6"])
def test_functions_of_postgis_have_all_their_overloads(version: str) -> None:
    lead = _lead("postgis", version, "ST_DWithin.html")
    assert (lead.kind, lead.names, lead.anchor) == (Kind.FUNCTION, ("ST_DWithin",), "ST_DWithin")
    assert lead.blocks[1].markdown == "\n".join(
        [
            "```",
            "boolean ST_DWithin(geometry g1, geometry g2, double precision distance_of_srid);",
            "boolean ST_DWithin(geography gg1, geography gg2, double precision distance_meters, "
            "boolean use_spheroid = true);",
            "```",
        ]
    )


@pytest.mark.parametrize("version", ["3.3", "3.6"])
def test_every_prototype_of_postgis_is_in_the_lead_of_its_page(version: str) -> None:
    wrong = []
    for path, data in corpus_files("postgis", version).items():
        prototypes = data.count(b'class="funcdef"')
        if prototypes and path != "PostGIS_Special_Functions_Index.html":
            lead = _lead("postgis", version, path)
            code = [block.markdown for block in lead.blocks if block.markdown.startswith("```")]
            if lead.kind is not Kind.FUNCTION or sum(block.count("\n") - 1 for block in code) != prototypes:
                wrong.append(path)
    assert wrong == []


@pytest.mark.parametrize("version", ["3.3", "3.6"])
def test_version_facts_and_chapters_of_postgis_are_kept(version: str) -> None:
    page = _pages("postgis", version)["ST_DWithin.html"]
    assert page is not None
    assert page.section == "reference"
    assert "\n\nAvailability: 1.5.0 support for geography was introduced\n\n" in page.markdown
    assert {s.kind for path, s in _sections("postgis", version) if path == "release_notes.html"} == {Kind.RELEASE_NOTE}
