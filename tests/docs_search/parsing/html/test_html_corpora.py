"""Real documentation as sites serve it, where it is at hand: Django's in Sphinx's layout, and manuals of DocBook in a
layout that their sites might put around them."""

import re
import time
from collections import Counter
from functools import cache
from html import unescape
from itertools import pairwise

import pytest

from docs_search.documents import Kind, ParseContext, ParsedPage, Section
from docs_search.parsing.docbook.parser import DocBookParser
from docs_search.parsing.html.parser import HtmlParser
from tests.corpora import corpus_files

pytestmark = pytest.mark.corpora

MANUALS = [("postgresql", "15"), ("postgresql", "17"), ("postgis", "3.3"), ("postgis", "3.6")]
SAMPLE = 60  # pages of each manual
CONTENTS_ONLY = {"faq/index.html", "ref/files/index.html", "ref/index.html", "topics/db/examples/index.html"}
EMPTY_SECTIONS = {  # nothing or a table of contents
    "howto/index.html",
    "ref/contrib/gis/feeds.html",
    "ref/contrib/gis/install/index.html",
    "ref/contrib/gis/sitemaps.html",
    "releases/index.html",
}

FENCE = re.compile(r"^[ >]*(?:- |\d+\. )*(`{3,}).*?^[ >]*\1$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)")
TAG = re.compile(r"(?<!\\)</?[A-Za-z][^<>]*>")
BODY = re.compile(r"<body[^>]*>(.*)</body>", re.DOTALL)
NAVIGATION = re.compile(
    r'<header>.*?</header>|<div class="nav(?:header|footer)">.*?</table>\s*(?:<hr />)?\s*</div>', re.DOTALL
)
LAYOUT = """<!doctype html><html lang="en"><head><title>Lagoon: Documentation: 2: A page</title>
<meta name="description" content="The lagoon's documentation"></head><body>
<div class="header container"><div class="section" id="top"><ul class="navbar-nav"><li><a href="/">Home</a></li></ul>
<form role="search" action="/search/"><input name="q"></form></div></div>
<div id="pgContentWrap"><div class="row"><a href="/docs/">Documentation</a> &rarr; <a href="/docs/2/">Lagoon 2</a></div>
<div class="row">Supported Versions: <a href="/docs/current/x.html">Current</a> (<a href="/docs/2/x.html">2</a>)</div>
<div class="alert">This page is for an unsupported version.</div>
<div id="docContent">{}</div>
<div id="docComments"><h2>Submit correction</h2><p>If you see anything that is not correct, please
<a href="/account/comments/new/">tell us</a>.</p></div></div>
<div class="footer"><a href="/about/policies/">Policies</a></div></body></html>"""


def _context(version: str, files: dict[str, bytes]) -> ParseContext:
    return ParseContext(version, frozenset(files), files.get, lambda path: f"https://docs.example/{version}/{path}")


@cache
def _django() -> dict[str, ParsedPage | None]:
    files = corpus_files("django", "5.2")
    parser, context = HtmlParser(), _context("5.2", files)
    return {path: parser.parse(path, files[path], context) for path in sorted(files)}


def _pages() -> dict[str, ParsedPage]:
    return {path: page for path, page in _django().items() if page}


def _sections() -> list[tuple[str, Section]]:
    return [(path, section) for path, page in _pages().items() for section in page.sections]


def _text(html: bytes) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", "", html.decode())).replace("¶", "").split())


def test_every_document_of_django_is_a_page_or_holds_nothing_but_contents() -> None:
    assert {path for path, page in _django().items() if page is None} == CONTENTS_ONLY
    assert len(_pages()) > 600
    assert [path for path, page in _pages().items() if page.path != path or page.warnings] == []


def test_titles_of_django_are_those_of_the_pages() -> None:
    files = corpus_files("django", "5.2")
    headings = {path: re.findall(rb"(?s)<h1>(.*?)</h1>", data) for path, data in files.items()}
    wrong = {path: page.title for path, page in _pages().items() if page.title != _text(headings[path][1])}
    assert wrong == {}


def test_nothing_of_the_site_or_its_markup_is_left_in_django() -> None:
    left = []
    for path, section in _sections():
        for block in section.blocks:
            text = SPAN.sub("", FENCE.sub("", block.markdown))
            if "¶" in block.markdown or TAG.search(text) or "\xa0" in text or "&nbsp;" in text:
                left.append((path, text))
    assert left == []
    furniture = re.compile(r"^(?:Previous topic|Next topic|Table of contents|Quick search|Last update)", re.MULTILINE)
    assert [path for path, page in _pages().items() if furniture.search(page.markdown)] == []


def test_outlines_of_django_have_no_gaps_and_all_headings() -> None:
    files = corpus_files("django", "5.2")
    gaps = [
        (path, after.heading)
        for (path, before), (other, after) in pairwise(_sections())
        if path == other and after.level > before.level + 1
    ]
    assert gaps == []
    losing = set()
    for path, page in _pages().items():
        headings = re.findall(rb'(?s)<h[2-6]>((?:(?!<h[1-6]>).)*?)<a class="headerlink"', files[path])
        if Counter(map(_text, headings)) - Counter(section.heading for section in page.sections):
            losing.add(path)
    assert losing == EMPTY_SECTIONS


def test_every_anchor_of_django_is_an_id_of_its_page_and_is_used_once() -> None:
    files = corpus_files("django", "5.2")
    ids = {path: set(re.findall(rb'\bid="([^"]+)"', data)) for path, data in files.items()}
    anchors = [(path, unescape(section.anchor)) for path, section in _sections() if section.anchor]
    known = {path: {unescape(value.decode()) for value in values} for path, values in ids.items()}
    assert [(path, anchor) for path, anchor in anchors if anchor not in known[path]] == []
    assert [anchor for anchor, count in Counter(anchors).items() if count > 1] == []


def test_each_setting_of_django_is_an_entry() -> None:
    data = corpus_files("django", "5.2")["ref/settings.html"].decode()
    settings = set(re.findall(r'<span id="(std-setting-[^"]+)"></span>', data))
    page = _pages()["ref/settings.html"]
    entries = {section.anchor: section for section in page.sections if section.anchor in settings}
    assert set(entries) == settings
    assert len(settings) == 200
    assert {(section.kind, section.own) for section in entries.values()} == {(Kind.SETTING, True)}
    assert entries["std-setting-DEBUG"].names == ("DEBUG",)


@pytest.mark.parametrize(
    ("path", "heading", "anchor", "kind", "name"),
    [
        ("ref/models/querysets.html", "filter()", "filter", Kind.FUNCTION, "django.db.models.query.QuerySet.filter"),
        ("ref/django-admin.html", "--tag TAGS, -t TAGS", "cmdoption-check-tag", Kind.SETTING, "--tag"),
        ("ref/templates/builtins.html", "date", "std-templatefilter-date", Kind.FUNCTION, "date"),
        ("ref/exceptions.html", "AppRegistryNotReady", "django.core.exceptions.AppRegistryNotReady", Kind.ERROR,
         "AppRegistryNotReady"),
        ("ref/paginator.html", "Paginator.get_page()", "django.core.paginator.Paginator.get_page", Kind.FUNCTION,
         "get_page"),
    ],
)  # fmt: skip
def test_what_people_look_up_in_django_is_an_entry(path: str, heading: str, anchor: str, kind: Kind, name: str) -> None:
    (section,) = [section for section in _pages()[path].sections if section.anchor == anchor]
    assert (section.heading, section.kind, name in section.names) == (heading, kind, True)


def test_consoles_of_both_systems_are_kept_in_django() -> None:
    unix = "```console\n$ python manage.py runserver\n```"
    windows = "```\n...\\> py manage.py runserver\n```"
    tabs = f"**Linux/macOS**\n\n{unix}\n\n**Windows**\n\n{windows}"
    assert tabs in _pages()["intro/tutorial01.html"].markdown


# Manuals of DocBook


@pytest.mark.parametrize(("corpus", "version"), MANUALS)
def test_a_manual_reads_the_same_inside_the_layout_of_its_site(corpus: str, version: str) -> None:
    files = corpus_files(corpus, version)
    context = _context(version, files)
    for path in sorted(files)[:: max(1, len(files) // SAMPLE)]:
        body = BODY.search(files[path].decode())
        assert body is not None
        wrapped = LAYOUT.replace("{}", body[1]).encode()
        alone = DocBookParser().parse(path, files[path], context) if DocBookParser().is_page(path) else None
        assert HtmlParser().parse(path, files[path], context) == alone
        assert HtmlParser().parse(path, wrapped, context) == alone


@pytest.mark.parametrize(("corpus", "version"), [("postgis", "3.3"), ("postgis", "3.6")])
def test_a_whole_manual_in_one_page_is_read_in_full(corpus: str, version: str) -> None:
    files = {path: data for path, data in corpus_files(corpus, version).items() if DocBookParser().is_page(path)}
    bodies = [NAVIGATION.sub("", BODY.findall(data.decode())[0]) for data in files.values()]
    heading = '<div class="titlepage"><div><h1 class="title">Manual</h1></div></div>'
    data = f'<html><body><div class="book">{heading}{"".join(bodies)}</div></body></html>'.encode()
    assert len(data) > 2_500_000
    context = _context(version, {"manual.html": data})
    started = time.perf_counter()
    page = HtmlParser().parse("manual.html", data, context)
    assert time.perf_counter() - started < 30
    assert page is not None
    pages = [DocBookParser().parse(path, data, context) for path, data in files.items()]
    anchors = {section.anchor for one in pages if one for section in one.sections}
    assert {section.anchor for section in page.sections} == anchors
    assert len(page.sections) == 1 + sum(len(one.sections) for one in pages if one)
    assert len(page.markdown) < len(data)
