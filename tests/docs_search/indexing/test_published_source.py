"""Documents from the web are named by their addresses."""

from collections.abc import Mapping

import pytest

from docs_search.documents import PageWarning, Source
from docs_search.indexing.published_source import as_fetched, as_published

SITE = "https://docs.example/v2/"


class Fetched:
    """A source whose documents were fetched from the given addresses."""

    def __init__(self, addresses: Mapping[str, str]) -> None:
        self._addresses = addresses

    def paths(self) -> list[str]:
        return sorted(self._addresses)

    def read(self, path: str) -> bytes:
        return path.encode()

    def address(self, path: str) -> str | None:
        return self._addresses.get(path)

    def warnings(self) -> list[PageWarning]:
        return [PageWarning("gone", "answered 404")]


def published(addresses: Mapping[str, str], index_path: str = "index.html") -> Source:
    return as_published(Fetched(addresses), _path_of, index_path)


def _path_of(url: str) -> str | None:
    return url.removeprefix(SITE).removesuffix("/") if url.startswith(SITE) else None


def test_a_document_has_the_path_that_its_address_has_under_the_version() -> None:
    source = published({"v2/guide/install": f"{SITE}guide/install/", "v2": SITE})

    assert source.paths() == ["guide/install", "index.html"]
    assert source.read("guide/install") == b"v2/guide/install"
    assert source.address("index.html") == SITE


def test_a_start_page_that_the_corpus_does_not_name_is_an_index() -> None:
    assert published({"v2": SITE}, index_path="").paths() == ["index.html"]


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        (f"{SITE}guide/", f"{SITE}guide/"),
        (f"{SITE}guide", f"{SITE}guide"),
        ("https://other.example/guide/", f"{SITE}guide"),
        (f"{SITE}old/guide", f"{SITE}guide"),
        (None, f"{SITE}guide"),
    ],
)
def test_a_page_has_the_address_that_its_site_writes(address: str | None, expected: str) -> None:
    assert as_fetched(f"{SITE}guide", address) == expected


def test_markdown_keeps_its_extension_where_the_address_has_none() -> None:
    assert published({"guide.md": f"{SITE}guide"}).paths() == ["guide.md"]


def test_documents_at_addresses_of_another_version_are_left_out_with_a_warning() -> None:
    source = published({"a": f"{SITE}a", "b": "https://docs.example/v1/b"})

    assert source.paths() == ["a"]
    assert source.warnings() == [
        PageWarning("gone", "answered 404"),
        PageWarning("b", "was left out: the corpus's url pattern has no place for its address"),
    ]


def test_of_two_addresses_with_one_path_the_second_is_left_out_with_a_warning() -> None:
    source = published({"a": f"{SITE}a", "b": f"{SITE}a/"})

    assert source.paths() == ["a"]
    assert source.warnings()[1:] == [PageWarning("b", "has the same path as a, and was left out")]


def test_a_copy_in_another_place_keeps_its_paths() -> None:
    assert published({"a.html": "https://staging.example/a.html"}).paths() == ["a.html"]
