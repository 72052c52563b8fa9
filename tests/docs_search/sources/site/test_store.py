from collections.abc import Iterator
from pathlib import Path

import pytest

from docs_search.sources.site.answers import Answer, Document, Outcome
from docs_search.sources.site.store import RESUMED_SECONDS, CrawlStore

PAGE = Document(b"<p>text", "html", "utf-8", '"1"', "Fri, 17 May 2024 12:00:00 GMT")
A, B, C = "https://example.com/a", "https://example.com/b", "https://example.com/c"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "crawls" / "site.sqlite"


@pytest.fixture
def store(path: Path) -> Iterator[CrawlStore]:
    with CrawlStore.open(path) as store:
        store.begin(1000.0)
        yield store


def _record(store: CrawlStore, url: str, answer: Answer) -> int:
    return store.record(next(asked for asked in store.waiting(100) if asked.url == url), answer)


def _waiting(store: CrawlStore) -> list[str]:
    return [asked.url for asked in store.waiting(100)]


def test_addresses_wait_once_in_the_order_in_which_they_were_found(store: CrawlStore) -> None:
    assert store.find([(B, ""), (A, ""), (B, "")], None) == 2
    assert store.find([(A, ""), (C, "")], B) == 1
    assert _waiting(store) == [B, A, C]
    assert [asked.url for asked in store.waiting(2)] == [B, A]


def test_a_page_is_kept_with_what_the_next_request_needs(store: CrawlStore) -> None:
    store.find([(A, "2024-05-17")], None)
    assert _record(store, A, Answer(Outcome.PAGE, target=B, links=(C, A), document=PAGE)) == 2
    assert store.document(A) == PAGE
    assert _waiting(store) == [B, C]
    assert store.totals() == (3, 1, 1, len(PAGE.body))
    (row,) = store.rows()
    assert (row.url, row.outcome, row.target, row.media, row.has_body) == (A, Outcome.PAGE, B, "html", True)


def test_a_page_that_is_not_there_cannot_be_read(store: CrawlStore) -> None:
    store.find([(A, "")], None)
    _record(store, A, Answer(Outcome.GONE, "answers 404"))
    for url in (A, B):
        with pytest.raises(FileNotFoundError):
            store.document(url)


def test_a_crawl_that_was_cut_off_goes_on(path: Path) -> None:
    with CrawlStore.open(path) as store:
        assert not store.begin(1000.0)
        store.find([(A, ""), (B, ""), (C, "")], None)
        _record(store, A, Answer(Outcome.PAGE, document=PAGE))
        _record(store, B, Answer(Outcome.FAILED, "answers 503"))
    with CrawlStore.open(path) as store:
        assert store.begin(1000.0 + RESUMED_SECONDS - 1)
        assert store.find([(A, "")], None) == 0
        assert _waiting(store) == [B, C]


def test_an_old_crawl_that_was_cut_off_begins_anew_with_what_it_has(path: Path) -> None:
    with CrawlStore.open(path) as store:
        store.begin(1000.0)
        store.find([(A, ""), (B, "")], None)
        _record(store, A, Answer(Outcome.PAGE, document=PAGE))
    with CrawlStore.open(path) as store:
        assert not store.begin(1000.0 + RESUMED_SECONDS)
        assert _waiting(store) == []
        assert store.find([(A, "")], None) == 1
        (asked,) = store.waiting(100)
        assert (asked.url, asked.etag, asked.modified, asked.size) == (A, PAGE.etag, PAGE.modified, len(PAGE.body))


def test_what_a_complete_crawl_does_not_find_is_dropped(path: Path) -> None:
    with CrawlStore.open(path) as store:
        store.begin(1000.0)
        store.find([(A, ""), (B, "")], None)
        _record(store, A, Answer(Outcome.PAGE, document=PAGE))
        _record(store, B, Answer(Outcome.PAGE, document=PAGE))
        store.complete()
        assert not store.begin(1001.0)
        store.find([(B, "")], None)
        _record(store, B, Answer(Outcome.UNCHANGED))
        assert [row.url for row in store.rows()] == [B]
        store.complete()
        with pytest.raises(FileNotFoundError):
            store.document(A)
        assert store.document(B) == PAGE


@pytest.mark.parametrize(
    ("outcome", "kept"),
    [
        (Outcome.UNCHANGED, True),
        (Outcome.FAILED, True),
        (Outcome.GONE, False),
        (Outcome.REDIRECT, False),
        (Outcome.NOINDEX, False),
        (Outcome.DISALLOWED, False),
        (Outcome.OTHER, False),
    ],
)
def test_the_stored_page_stays_where_nothing_better_is_known(store: CrawlStore, outcome: Outcome, kept: bool) -> None:
    store.find([(A, "")], None)
    _record(store, A, Answer(Outcome.PAGE, document=PAGE))
    store.complete()
    store.begin(1001.0)
    store.find([(A, "")], None)
    _record(store, A, Answer(outcome))
    assert [row.has_body for row in store.rows()] == [kept]


def test_a_page_that_is_skipped_stays_with_what_it_leads_to(store: CrawlStore) -> None:
    store.find([(A, "2024-05-17")], None)
    _record(store, A, Answer(Outcome.PAGE, target=B, document=PAGE))
    store.complete()
    store.begin(1001.0)
    store.find([(A, "2024-05-17")], None)
    (asked,) = store.waiting(100)
    assert asked.lastmod == asked.known_lastmod == "2024-05-17"
    assert store.skip(asked) == 1
    assert _waiting(store) == [B]
