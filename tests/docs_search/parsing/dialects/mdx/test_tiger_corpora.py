"""The parser of the Tiger docs against their repository, read in place."""

import json
import re
from collections import Counter
from functools import cache

import pytest

from docs_search.documents import Kind, ParseContext, ParsedPage
from docs_search.parsing.dialects.mdx.tiger import TigerParser
from docs_search.parsing.markdown.code_regions import split_code
from tests.corpora import CORPORA, corpus_files
from tests.residue import residue

pytestmark = pytest.mark.corpora

VERSION = "2024-10-23"
# Judged pages that this version does not have: hypercore came later, the other is made of no file.
LATER = {"api/hypercore", "api/hypercore/alter_table", "self-hosted/backup-and-restore/logical-backup"}
# Where links lead that are no pages of the documentation but tools of the site.
TOOLS = {"console", "keywords", "search"}
OWN_RESIDUE = re.compile(r":currentVersion:|\$[A-Z]+_(?:LONG|SHORT)|children=")


def _url(path: str) -> str:
    folder, _, rest = path.partition("/")
    return f"https://docs.tigerdata.com/{folder}/latest/{rest}".rstrip("/")


@cache
def parsed() -> tuple[dict[str, ParsedPage], tuple[str, ...]]:
    """Pages by path, and the files that are none."""
    files = corpus_files("timescale", VERSION)
    context = ParseContext(
        version="", paths=frozenset(files), read=files.get, url_for=_url, plans=("apache", "community")
    )
    parser = TigerParser()
    pages: dict[str, ParsedPage] = {}
    left_out: list[str] = []
    for path in sorted(files):
        page = parser.parse(path, files[path], context) if parser.is_page(path) else None
        if page is None:
            left_out.append(path)
        else:
            assert page.path not in pages
            pages[page.path] = page
    return pages, tuple(left_out)


def _prose(page: ParsedPage) -> str:
    return "".join(part for part, is_code in split_code(page.markdown) if not is_code)


def test_every_document_is_a_page_or_none_for_a_reason() -> None:
    pages, left_out = parsed()
    assert len(pages) == 457
    reasons = Counter(_reason(path) for path in left_out)
    assert reasons == {
        "no Markdown": 14,
        "a partial or a template": 162,
        "the repository's own": 2,
        "part of a page that is put together": 213,
        "retired": 59,
        "nothing to read": 2,
        "at the address of another file": 1,
    }


def _reason(path: str) -> str:
    parts = path.split("/")
    if not path.endswith((".md", ".mdx")):
        return "no Markdown"
    if path.startswith(("_troubleshooting/", "api/_hyperfunctions/")):
        return "part of a page that is put together"
    if any(part.startswith(("_", ".")) for part in parts):
        return "a partial or a template"
    if len(parts) == 1:
        return "the repository's own"
    if any(part.startswith("OLD") for part in parts):
        return "retired"
    if path == "migrate/dual-write-and-backfill/index.md":
        return "at the address of another file"
    return {"about/index.md": "nothing to read", "self-hosted/install/self-hosted.md": "nothing to read"}[path]


def test_every_entry_of_troubleshooting_and_every_function_is_on_a_page() -> None:
    pages, _ = parsed()
    files = corpus_files("timescale", VERSION)
    headings = {section.heading for page in pages.values() for section in page.sections}
    for path, data in files.items():
        names = re.findall(r"^(?:title|api_name): *(.+?) *$", data.decode(), re.MULTILINE)
        if path.startswith(("_troubleshooting/", "api/_hyperfunctions/")) and names:
            assert re.sub(r"^(['\"])(.*)\1$", r"\2", names[0]).replace("`", "") in headings, path


def test_no_template_is_left_in_the_text_and_nothing_is_warned_of() -> None:
    """Labels of links are left where the source does not define them, and a placeholder in a heading."""
    pages, _ = parsed()
    left = {page.path: found for page in pages.values() if (found := residue(page))}
    assert {path: [line.split(":")[0] for line in found] for path, found in left.items()} == {
        "api/hypertable/dimension_info": ["link"],
        "migrate/dual-write-and-backfill": ["link"],
        "self-hosted/configuration/configuration": ["link"],
        "self-hosted/install/installation-source": ["link"],
        "use-timescale/services/connection-pooling": ["link"],
        "use-timescale/troubleshoot-timescaledb": ["tag"],
    }
    assert [page.path for page in pages.values() if OWN_RESIDUE.search(_prose(page))] == []
    assert {page.path: page.warnings for page in pages.values() if page.warnings} == {}


def test_all_links_within_the_docs_lead_to_pages() -> None:
    pages, _ = parsed()
    broken: set[str] = set()
    for page in pages.values():
        for path in re.findall(r"https://docs\.tigerdata\.com/([^\s)#>?]*)", page.markdown):
            folder, *rest = path.strip("/").split("/")
            if "/".join([folder, *rest[1:]]) not in pages:
                broken.add(path.strip("/"))
    assert broken == TOOLS
    assert sum(len(page.links) for page in pages.values()) == 913
    assert {link for page in pages.values() for link in page.links} <= set(pages)


def test_links_to_the_old_host_are_left_only_in_code() -> None:
    pages, _ = parsed()
    old = re.compile(r"https?://docs\.timescale\.com/(?:api|use-timescale|self-hosted|tutorials)[^\s)>]*")
    assert [page.path for page in pages.values() if old.search(_prose(page))] == []


def test_judged_pages_exist() -> None:
    pages, _ = parsed()
    paths = {path for page in pages.values() for path in (page.path, *page.aliases)}
    judged: set[str] = set()
    for name in ("questions.jsonl", "questions_more.jsonl"):
        file = CORPORA.parent / "eval" / name
        if not file.exists():
            pytest.skip(f"judged questions absent: {name}")
        for line in file.read_text(encoding="utf-8").splitlines():
            question = json.loads(line)
            if question["product"] == "tiger":
                judged |= {relevant["page"] for relevant in question["relevant"]}
    assert judged - paths == LATER


def test_kinds_plans_and_deployments_are_known() -> None:
    pages, _ = parsed()
    kinds = Counter(section.kind for page in pages.values() for section in page.sections)
    assert (kinds[Kind.FUNCTION], kinds[Kind.COMMAND], kinds[Kind.ERROR]) == (250, 5, 42)
    chunk = pages["api/compression/compress_chunk"]
    assert (chunk.title, chunk.plan, chunk.sections[0].names) == ("compress_chunk()", "community", ("compress_chunk",))
    assert Counter(page.deployment for page in pages.values()).keys() == {None, "cloud", "self-hosted"}
