from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_django.fixtures import Settings

from docs_search.errors import InvalidRequest
from docs_search.indexing.inspection import Inspection, inspect
from docs_search.models import Corpus
from docs_search.sources import SourceError
from tests.fakes import ScriptedEmbedder, use_embedder
from tests.site_server import serve_site

# No test here may touch a database: pytest-django refuses that without its mark.

TEXT = "Run the dump every night, and copy the file to another building in another town.\n"


@pytest.fixture(autouse=True)
def _scripted_embedder() -> Iterator[None]:
    with use_embedder(ScriptedEmbedder()):
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(10):
        write(tmp_path, f"docs/page-{number}.md", f"# Page {number}\n\n{TEXT}\n## Again\n\n{TEXT}")
    write(tmp_path, "docs/_parts/part.md", TEXT)
    write(tmp_path, "README.md", TEXT)
    return tmp_path


def write(folder: Path, path: str, text: str) -> None:
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def problems(inspection: Inspection) -> dict[str, list[tuple[str, str]]]:
    return {finding.message: finding.examples for finding in inspection.problems}


def test_a_source_is_counted_and_its_format_explained(folder: Path) -> None:
    found = inspect(str(folder))

    assert (found.parser, found.formats, found.root) == ("auto", ["markdown"], "docs/")
    assert found.reasons == (
        "pages come from docs/, which holds 11 of 11 documents",
        "markdown: 11 files, no mark of a dialect",
    )
    assert (found.files, found.documents, found.partials, found.pages, found.passages) == (12, 10, 1, 10, 20)
    assert found.longest < found.tokens
    assert (found.warnings, found.problems) == ([], [])


def test_pages_are_shown_from_the_whole_source_as_they_would_be_stored(folder: Path) -> None:
    found = inspect(str(folder), pages=2)

    assert [page.path for page in found.samples] == ["page-2", "page-7"]
    page = found.samples[0]
    assert (page.document, page.url, page.title) == ("docs/page-2.md", "https://docs.invalid/page-2", "Page 2")
    assert page.markdown == f"# Page 2\n\n{TEXT}\n## Again\n\n{TEXT}".rstrip()
    assert [(chunk.heading_path, chunk.anchor) for chunk in page.chunks] == [
        (("Page 2",), None),
        (("Page 2", "Again"), "again"),
    ]


@pytest.mark.parametrize("name", ["page-3", "/page-3/", "docs/page-3.md", "page-3.html"])
def test_a_page_is_shown_by_its_path_or_that_of_its_document(folder: Path, name: str) -> None:
    assert [page.path for page in inspect(str(folder), page=name).samples] == ["page-3"]


def test_a_page_that_is_not_there_is_refused(folder: Path) -> None:
    with pytest.raises(InvalidRequest, match=r"There is no page 'page-33' in "):
        inspect(str(folder), page="page-33")


def test_what_looks_wrong_is_counted_by_kind(tmp_path: Path) -> None:
    write(tmp_path, "good.md", f"# Good\n\n{TEXT}")
    write(tmp_path, "night-dump.md", TEXT)
    write(tmp_path, "same.md", f"# Good\n\n{TEXT}")
    write(tmp_path, "template.md", f"# Template\n\n{TEXT}\n\n:::tip\n\n{TEXT}")
    write(tmp_path, "stub.md", "# Stub\n\nSee [good](good.md).\n")
    write(tmp_path, "moved.md", f"---\nredirect_to: /stub\n---\n{TEXT}")
    write(tmp_path, "zone.md", "")
    write(tmp_path, "long.md", f"# Long\n\n{TEXT * 100}")

    found = inspect(str(tmp_path), parser="markdown")

    assert (found.parser, found.formats, found.reasons) == ("markdown", ["markdown"], ())
    assert problems(found) == {
        "documents that make no page: redirects, duplicates, or with nothing to read": [
            ("moved.md", ""),
            ("zone.md", ""),
        ],
        "long pages without a heading below their title": [("long", "1,502 words")],
        "pages with residue: colon fences (:::)": [("template", ":::tip")],
        "pages with the title of another page": [("same", "Good, as good")],
        "pages without a passage, as there is next to nothing to read on them": [("stub", "")],
        "pages without a title, which are named after their files": [("night-dump", "Night dump")],
    }


def test_titles_that_end_alike_are_told(tmp_path: Path) -> None:
    for name in ("Frog", "Newt", "Toad", "Carp"):
        write(tmp_path, f"{name}.md", f"# {name} — The Pond\n\n{TEXT}")
    assert problems(inspect(str(tmp_path))) == {"titles that end with the name of the site": [("4 pages", "The Pond")]}


def test_warnings_of_a_run_are_counted_by_kind(tmp_path: Path) -> None:
    for name in ("frog", "newt"):
        (tmp_path / f"{name}.md").write_bytes(f"# {name}\n\n{TEXT}".encode() + b"\xff\n")
    (finding,) = inspect(str(tmp_path)).warnings
    assert (finding.count, [page for page, _ in finding.examples]) == (2, ["frog.md", "newt.md"])


def test_a_corpus_gives_addresses_parser_and_subfolder_unless_they_are_named(folder: Path) -> None:
    corpus = Corpus(
        slug="manual",
        url="https://docs.example.org/{version}/{path}",
        parser="markdown",
        subfolder="docs",
        version_scheme="major",
    )

    found = inspect(str(folder), corpus=corpus, version="17.2", pages=1)

    assert (found.parser, found.samples[0].url) == ("markdown", "https://docs.example.org/17/page-5")
    assert inspect(str(folder), corpus=corpus, version="17", parser="auto", subfolder="").root == "docs/"
    assert (corpus.parser, corpus.subfolder) == ("markdown", "docs")
    with pytest.raises(InvalidRequest, match="'newest' is no version of manual"):
        inspect(str(folder), corpus=corpus, version="newest")


def test_of_a_site_only_some_pages_are_fetched_and_named_by_their_addresses(settings: Settings) -> None:
    settings.SOURCES_ALLOW_PRIVATE_ADDRESSES = True
    settings.CRAWL_REQUESTS_PER_SECOND = 1000.0
    links = "".join(f"<a href='page-{number}'>{number}</a> " for number in range(100))
    pages = {f"/docs/page-{number}": f"<h1>Page {number}</h1><p>{TEXT}</p>" for number in range(100)}
    html = {path: f"<!DOCTYPE html><html><body><main>{text}</main></body></html>" for path, text in pages.items()}
    with serve_site({"/docs/": f"<!DOCTYPE html><html><body>{links}</body></html>", **html}) as site:
        found = inspect(f"{site.url}/docs/", pages=1)
        assert len(site.asked) < 50

    assert (found.formats, found.documents) == (["html"], 20)
    assert found.samples[0].url == f"{site.url}/docs/{found.samples[0].path}"
    assert found.samples[0].path.startswith("page-")


def test_a_source_without_pages_is_refused_with_what_it_holds(tmp_path: Path) -> None:
    write(tmp_path, "manual.adoc", "= Manual")
    write(tmp_path, "logo.svg", "<svg/>")
    with pytest.raises(SourceError) as refused:
        inspect(str(tmp_path))
    assert str(refused.value) == (
        f"No page was found in {tmp_path}. Files: 2, read as documents: 0."
        "\n- 1 file of the format AsciiDoc cannot be read"
        "\nIs it the right folder (--subfolder)? Is it another format (--parser)?"
    )
    with pytest.raises(SourceError, match="does not exist"):
        inspect(str(tmp_path / "nowhere"))
    with pytest.raises(InvalidRequest, match="has a user name or password in it, which would be shown"):
        inspect("https://reader:secret@docs.example.org/")
