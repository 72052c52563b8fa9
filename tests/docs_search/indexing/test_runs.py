import logging

import pytest
from django.db import DatabaseError, connection

from docs_search.indexing.runs import claim, recorded
from docs_search.models import Corpus, IndexRun
from tests.factories import make_corpus

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def corpus() -> Corpus:
    return make_corpus("manual")


def outcome() -> tuple[str, str]:
    run = IndexRun.objects.get()
    assert run.finished_at
    return run.status, run.error


def test_a_run_ends_well_where_nothing_is_raised(corpus: Corpus) -> None:
    with claim(corpus), recorded(corpus, "17", "manual.zip") as run:
        run.counts = {"pages": 3}

    assert outcome() == ("succeeded", "")
    assert IndexRun.objects.get().counts == {"pages": 3}


@pytest.mark.parametrize("fault", [ValueError("odd \0 text"), KeyboardInterrupt("odd \0 text")])
def test_a_run_that_raises_anything_has_failed(corpus: Corpus, fault: BaseException) -> None:
    with pytest.raises(type(fault)), claim(corpus), recorded(corpus, "17", "manual.zip"):
        raise fault

    assert outcome() == ("failed", "odd \ufffd text")


def test_a_run_whose_closing_row_is_refused_has_failed(corpus: Corpus) -> None:
    with pytest.raises(DatabaseError), claim(corpus), recorded(corpus, "17", "manual.zip") as run:
        run.warnings = [{"page": "a", "message": "\0"}]

    assert outcome()[0] == "failed"


def test_a_run_that_lost_its_connection_is_marked_over_another_one(corpus: Corpus) -> None:
    with pytest.raises(DatabaseError, match="terminating connection"), claim(corpus):  # noqa: SIM117
        with recorded(corpus, "17", "manual.zip"), connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    status, error = outcome()
    assert (status, "terminating connection" in error) == ("failed", True)
    with claim(corpus):
        pass


def test_a_database_that_is_gone_replaces_no_other_fault(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING, logger="docs_search.indexing.runs")

    def lose_the_database(patch: pytest.MonkeyPatch) -> None:
        with claim(corpus), recorded(corpus, "17", "manual.zip"):
            connection.close()
            patch.setitem(connection.settings_dict, "PORT", "1")
            raise ValueError("the real fault")

    with monkeypatch.context() as patch, pytest.raises(ValueError, match="the real fault"):
        lose_the_database(patch)

    assert [record.message.partition(":")[0] for record in caplog.records] == [
        "could not mark the run of manual as failed",
        "could not release manual",
    ]
