"""The real documentation of Metabase, as it is published, version by version."""

import json
import re
from functools import cache

import pytest

from docs_search.documents import Kind, ParsedPage
from docs_search.parsing.dialects.jekyll.metabase import MetabaseParser
from docs_search.sources import SourceOptions, open_source
from tests.corpora import CORPORA, corpus_archive, corpus_files
from tests.parsing import parse_context
from tests.residue import residue

pytestmark = pytest.mark.corpora

VERSIONS = ("v0.48", "v0.50", "v0.51", "v0.63")
SNIPPETS = {"v0.63": 148}
SETTINGS = "configuring-metabase/environment-variables"


@cache
def pages(version: str) -> dict[str, ParsedPage]:
    """The pages of a version by their files' paths below docs/."""
    with open_source(corpus_archive("metabase", version), SourceOptions(subfolder="docs")) as source:
        files = {path: source.read(path) for path in source.paths()}
    context = parse_context(files, version=version, url="https://www.metabase.com/docs/{version}/{path}")
    parser = MetabaseParser()
    parsed = {path: parser.parse(path, files[path], context) for path in files if parser.is_page(path)}
    assert None not in parsed.values()
    return {path: page for path, page in parsed.items() if page}


@pytest.mark.parametrize("version", VERSIONS)
def test_every_markdown_file_of_the_manifest_that_is_no_snippet_is_a_page(version: str) -> None:
    archive = corpus_archive("metabase", version)
    manifest = json.loads((CORPORA / "metabase" / "MANIFEST.json").read_text())
    (entry,) = [entry for entry in manifest["archives"] if entry["file"] == archive.name]
    found = pages(version)
    assert len(found) == entry["by_extension"][".md"] - SNIPPETS.get(version, 0)
    expected = {path.removesuffix(".md") for path in found} - {"README"} | {"index"}
    assert {page.path for page in found.values()} == expected
    assert all(page.title for page in found.values())


@pytest.mark.parametrize("version", VERSIONS)
def test_nothing_of_the_syntax_is_left_outside_code(version: str) -> None:
    left = {(path, found) for path, page in pages(version).items() for found in residue(page)}
    # What the documentation itself has wrong: links to references that it does not define, half of a bold mark.
    assert [
        found
        for path, found in left
        if not re.match(r"link: .*\w\]\[[\w-]+\]|emphasis: .*(?:KPIS to|for Redshift)", found)
    ] == []
    assert len(left) <= 3


@pytest.mark.parametrize("version", VERSIONS)
def test_every_anchor_is_a_heading_or_an_id_of_the_source(version: str) -> None:
    sources = corpus_files("metabase", version)
    count = 0
    for path, page in pages(version).items():
        known = _anchors(sources[f"docs/{path}"].decode())
        anchors = [section.anchor for section in page.sections[1:]]
        assert [
            anchor for anchor in anchors if anchor not in known and re.sub(r"-\d+$", "", anchor or "") not in known
        ] == []
        assert len(set(anchors)) == len(anchors)
        count += len(anchors)
    assert count > 2000


@pytest.mark.parametrize("version", VERSIONS)
def test_nothing_but_code_that_the_archive_lacks_is_missing(version: str) -> None:
    warnings = {warning for page in pages(version).values() for warning in page.warnings}
    assert [
        text for text in warnings if not re.fullmatch(r"the included file \S+\.tsx? is not in the source", text)
    ] == []


@pytest.mark.parametrize(("version", "aliases"), [("v0.48", 127), ("v0.50", 127), ("v0.51", 129), ("v0.63", 207)])
def test_old_paths_are_found(version: str, aliases: int) -> None:
    found = pages(version)
    assert sum(len(page.aliases) for page in found.values()) == aliases
    assert "operations-guide/environment-variables" in found[f"{SETTINGS}.md"].aliases


@pytest.mark.parametrize("version", VERSIONS)
def test_each_environment_variable_is_an_entry_with_its_plan(version: str) -> None:
    source = corpus_files("metabase", version)[f"docs/{SETTINGS}.md"].decode()
    entries = [section for section in pages(version)[f"{SETTINGS}.md"].sections if section.own]
    names = re.findall(r"^### `([A-Z][A-Z0-9_]+)(?: \[DEPRECATED\])?`$", source, re.MULTILINE)
    assert [section.names for section in entries] == [(name,) for name in names]
    assert {section.kind for section in entries} == {Kind.SETTING}
    assert sum(section.plan == "pro" for section in entries) == source.count("Only available on Metabase [Pro]")


@pytest.mark.parametrize(("version", "operations"), [("v0.48", 342), ("v0.50", 346), ("v0.51", 368), ("v0.63", 0)])
def test_each_api_operation_is_an_entry(version: str, operations: int) -> None:
    sources = corpus_files("metabase", version)
    headings = sum(len(re.findall(rb"^## `[A-Z]+ /", data, re.MULTILINE)) for data in sources.values())
    entries = [section for page in pages(version).values() for section in page.sections if section.kind is Kind.API]
    assert len(entries) == headings == operations
    assert all(section.own and section.blocks for section in entries)


def test_plans_and_deployments_of_the_newest_release() -> None:
    found = pages("v0.63")
    security = found["permissions/row-and-column-security.md"]
    assert (security.plan, security.deployment) == ("pro", None)
    config_file = found["configuring-metabase/config-file.md"]
    assert (config_file.plan, config_file.deployment) == ("pro", "self-hosted")
    assert found["dashboards/introduction.md"].plan is None
    cached = [section.heading for section in found["dashboards/introduction.md"].sections if section.plan == "pro"]
    assert cached == ["Caching dashboard results"]
    assert {page.section for page in found.values() if page.deployment == "cloud"} == {"cloud"}
    assert sum(page.plan == "pro" for page in found.values()) == 61


def test_included_tables_are_part_of_the_page() -> None:
    reference = pages("v0.63")["embedding/question-reference.md"].markdown
    assert "| `with-downloads` | `boolean` |" in reference
    assert "| `withDownloads?` | `boolean` |" in reference


def _anchors(source: str) -> set[str]:
    """The explicit ids, and GitHub's anchors of all headings without the numbers of repeated ones."""
    slugs = set()
    for heading in re.findall(r"^ *#{1,6} +(.+)", source, re.MULTILINE):
        words = re.sub(r"\]\([^)]*\)|\]\[[^\]]*\]|\{%.*?%\}|\{#.*", "", heading)
        if "`" not in words:
            words = re.sub(r"(?<!\w)_|_(?!\w)", "", words)  # emphasis
        slugs.add(re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-"))
    return slugs | set(re.findall(r"<\w+ (?:id|name)=\"([^\"]+)\"", source)) | set(re.findall(r"\{#([\w-]+)\}", source))
