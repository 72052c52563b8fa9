from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from docs_search.api.clients import client_hash
from docs_search.models import Corpus, Passage, SearchLog
from docs_search.search_log import flush
from tests.published_manual import PAGE

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("manual")]


@pytest.fixture(autouse=True)
def _default_corpus(settings: Settings) -> None:
    settings.DEFAULT_CORPUS = "manual"


def search(client: Client, **parameters: Any) -> dict[str, Any]:
    response = client.get("/v1/search", parameters)
    assert response.status_code == 200
    body: dict[str, Any] = response.json()
    return body


def test_response_has_what_the_contract_names(client: Client) -> None:
    body = search(client, q="  nightly dump ")

    assert body.keys() == {"query", "version", "fallback", "results", "pages"}
    assert (body["query"], body["version"], body["fallback"]) == ("nightly dump", "17", None)


def test_passage_has_every_field_of_the_contract(client: Client) -> None:
    passage = search(client, q="pg_dump")["results"][0]
    stored = Passage.objects.get(heading="Dump")

    assert passage.pop("score") > 0
    assert 0 < passage.pop("relevance") <= 1
    snippet = passage.pop("snippet")
    assert snippet.startswith("Run pg_dump every night, when nobody works.")
    assert [snippet[start:end] for start, end in passage.pop("highlights")] == ["pg_dump"]
    assert passage == {
        "id": str(stored.pk),
        "url": PAGE.format("backup"),
        "anchor": "dump",
        "title": "Backup",
        "heading": "Dump",
        "headingPath": ["Backup", "Dump"],
        "text": stored.markdown,
        "version": "17",
        "plan": None,
        "source": "manual",
        "kind": "section",
        "exact": True,
    }


def test_results_are_in_order_of_score(client: Client) -> None:
    scores = [passage["score"] for passage in search(client, q="dump cluster memory")["results"]]

    assert len(scores) > 2
    assert scores == sorted(scores, reverse=True)


def test_pages_hold_the_results_in_order_of_appearance(client: Client) -> None:
    body = search(client, q="dump")
    by_page: dict[str, list[Any]] = {}
    for passage in body["results"]:
        by_page.setdefault(passage["url"], []).append(passage)

    assert len(by_page) == 2
    assert body["pages"] == [
        {"url": url, "title": passages[0]["title"], "version": "17", "passages": passages}
        for url, passages in by_page.items()
    ]


@pytest.mark.parametrize("limit", [1, 2])
def test_limit_counts_passages(client: Client, limit: int) -> None:
    assert len(search(client, q="dump", limit=limit)["results"]) == limit


def test_queries_do_not_grow_with_the_results(client: Client) -> None:
    search(client, q="dump")  # starts the client's count, which later requests increment
    counts = []
    for limit in (1, 3):
        with CaptureQueriesContext(connection) as queries:
            assert len(search(client, q="dump", limit=limit)["results"]) == limit
        counts.append(len(queries))

    assert counts[0] == counts[1]


def test_nothing_found_is_an_empty_result(client: Client) -> None:
    Corpus.objects.update(embedding_model="another")  # without vectors there is no nearest passage
    body = search(client, q="zebra")

    assert (body["results"], body["pages"]) == ([], [])


def test_server_timing_tells_each_stage(client: Client) -> None:
    header = client.get("/v1/search", {"q": "dump"}).headers["Server-Timing"]
    durations = dict(entry.split(";dur=") for entry in header.split(", "))

    assert set(durations) == {"embed", "exact", "keyword", "semantic", "fuse", "rerank", "total"}
    assert list(durations)[-1] == "total"
    assert all(float(duration) >= 0 for duration in durations.values())


def test_debug_adds_timings_and_what_each_stage_gave(client: Client) -> None:
    body = search(client, q="dump", debug=1)

    assert body["timing"].keys() == {"embed", "exact", "keyword", "semantic", "fuse", "rerank", "total"}
    assert all(passage["debug"]["fuse_score"] > 0 for passage in body["results"])
    assert all(passage["debug"] for page in body["pages"] for passage in page["passages"])


def test_failed_stage_is_named(client: Client) -> None:
    Corpus.objects.update(embedding_model="another")

    assert search(client, q="dump")["degraded"] == ["semantic"]


def test_release_that_is_not_indexed_falls_back(client: Client) -> None:
    body = search(client, q="dump", version="18")

    assert body["version"] == "17"
    assert body["fallback"] == {
        "from": "18",
        "to": "17",
        "note": "manual 18 is not indexed; 17 is the nearest older version that is.",
    }


@pytest.mark.parametrize("version", ["17", "v17", "17.2", "latest", ""])
def test_spellings_of_a_version_are_understood(client: Client, version: str) -> None:
    body = search(client, q="dump", version=version)

    assert (body["version"], body["fallback"]) == ("17", None)


def test_section_narrows_the_search(client: Client) -> None:
    assert len(search(client, q="dump", section="guide")["results"]) > 0


def test_corpus_can_be_named(client: Client) -> None:
    assert {passage["source"] for passage in search(client, q="dump", corpus="manual")["results"]} == {"manual"}


def test_blank_options_and_unknown_parameters_change_nothing(client: Client) -> None:
    assert search(client, q="dump", version="", section="", corpus="", utm_source="x") == search(client, q="dump")


@pytest.mark.parametrize(
    ("query", "code"),
    [
        pytest.param("", "invalid_request", id="q missing"),
        pytest.param("q=", "invalid_request", id="q empty"),
        pytest.param("q=%20%09%E2%80%83", "invalid_request", id="q blank"),
        pytest.param("q=" + "x" * 1001, "invalid_request", id="q of 1001 characters"),
        pytest.param("q=a%00b", "invalid_request", id="q with NUL"),
        pytest.param("q=%C3%28", "invalid_request", id="q not UTF-8"),
        pytest.param("q=a&q=b", "invalid_request", id="q twice"),
        pytest.param("q=a&limit=0", "invalid_request", id="limit 0"),
        pytest.param("q=a&limit=31", "invalid_request", id="limit 31"),
        pytest.param("q=a&limit=-1", "invalid_request", id="limit negative"),
        pytest.param("q=a&limit=abc", "invalid_request", id="limit no number"),
        pytest.param("q=a&limit=2.5", "invalid_request", id="limit no whole number"),
        pytest.param("q=a&limit=", "invalid_request", id="limit empty"),
        pytest.param("q=a&limit=" + "9" * 5000, "invalid_request", id="limit of 5000 digits"),
        pytest.param("q=a&debug=0", "invalid_request", id="debug other than 1"),
        pytest.param("q=a&debug=", "invalid_request", id="debug empty"),
        pytest.param("q=a&section=nowhere", "unknown_section", id="section unknown"),
        pytest.param("q=a&section=%00", "invalid_request", id="section with NUL"),
        pytest.param("q=a&corpus=nowhere", "unknown_corpus", id="corpus unknown"),
        pytest.param("q=a&version=" + "1" * 21, "invalid_request", id="version of 21 characters"),
        pytest.param("q=a&version=1%007", "invalid_request", id="version with NUL"),
    ],
)
def test_bad_parameter_is_400(client: Client, query: str, code: str) -> None:
    response = client.get(f"/v1/search?{query}")

    assert response.status_code == 400
    assert response.json().keys() == {"error", "message"}
    assert response.json()["error"] == code


def test_what_is_no_version_is_400_and_lists_those_that_are(client: Client) -> None:
    response = client.get("/v1/search", {"q": "dump", "version": "nonsense"})

    assert response.status_code == 400
    assert response.json() == {
        "error": "unknown_version",
        "message": "'nonsense' is no version of manual: versions are 17.",
        "versions": ["17"],
    }


def test_message_names_the_parameter(client: Client) -> None:
    message = client.get("/v1/search", {"q": "dump", "limit": "31"}).json()["message"]

    assert message == "limit: Ensure this value is less than or equal to 30."


def test_search_is_logged_with_its_surface_and_a_hashed_client(client: Client) -> None:
    client.get("/v1/search", {"q": "dump", "version": "18"}, headers={"x-docent-client": "widget"})
    flush()
    logged = SearchLog.objects.get()

    assert (logged.query, logged.surface, logged.limited) == ("dump", "widget", False)
    assert (logged.corpus, logged.version, logged.requested_version) == ("manual", "17", "18")
    assert logged.client == client_hash("127.0.0.1", datetime.now(UTC).date())


def test_refused_search_is_logged_as_limited(client: Client, settings: Settings) -> None:
    settings.RATE_LIMIT = "0/d"
    response = client.get("/v1/search", {"q": "dump"}, headers={"x-docent-client": "web"})
    flush()
    logged = SearchLog.objects.get()

    assert response.status_code == 429
    assert (logged.query, logged.surface, logged.limited, logged.results) == ("dump", "web", True, 0)


def test_a_flood_that_is_refused_is_logged_once_for_each_client(client: Client, settings: Settings) -> None:
    settings.RATE_LIMIT = "1/d"
    statuses = [client.get("/v1/search", {"q": "dump"}).status_code for _ in range(101)]
    for _ in range(2):
        client.get("/v1/search", {"q": "dump"}, REMOTE_ADDR="203.0.113.9")
    flush()

    assert statuses == [200, *[429] * 100]
    assert SearchLog.objects.filter(limited=True).values("client").distinct().count() == 2
    assert SearchLog.objects.filter(limited=True).count() == 2
