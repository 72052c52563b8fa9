"""Hits of the small manual, as search shows them."""

import pytest

from docs_search.errors import InvalidRequest
from docs_search.evaluation.evaluate import scopes_for
from docs_search.evaluation.judged_hits import JudgedHit, judged_hits
from docs_search.evaluation.questions import Question, QuestionSet
from docs_search.models import SearchLog
from docs_search.retrieval.search import search
from docs_search.search_log import flush
from tests.fakes import ScriptedEmbedder, use_embedder

pytestmark = [pytest.mark.usefixtures("manual"), pytest.mark.django_db]

ANSWERED = Question("1", "read the dump back into a cluster", "manual", "howto", {"guide/backup": 2})
UNANSWERED = Question("2", "dump of the moon", "manual", "unanswerable", {})


def hits_of(*questions: Question, by_words: bool = False) -> list[JudgedHit]:
    some = QuestionSet("some", questions)
    return judged_hits(some, scopes_for(some), by_words=by_words)


def test_each_page_stands_once_with_what_is_known_of_its_best_passage() -> None:
    hits = hits_of(ANSWERED)

    assert [(hit.helps, hit.evidence.page_rank) for hit in hits] == [(True, 1), (False, 2)]
    shown = search(query=ANSWERED.text, corpus="manual").hits
    best = [shown[0], next(hit for hit in shown if hit.page_id != shown[0].page_id)]
    assert [(hit.evidence, hit.relevance) for hit in hits] == [(hit.evidence, hit.relevance) for hit in best]
    assert hits[0].evidence.terms == 4


def test_no_hit_helps_with_a_question_that_has_no_answer() -> None:
    hits = hits_of(UNANSWERED)

    assert [hit.helps for hit in hits] == [False] * len(hits)
    assert hits


def test_by_words_alone_there_is_no_cosine() -> None:
    hits = hits_of(ANSWERED, by_words=True)

    assert [hit.evidence.cosine for hit in hits] == [None] * len(hits)
    assert [hit.helps for hit in hits][:1] == [True]


def test_pages_that_are_left_out_are_not_hits() -> None:
    question = Question("1", ANSWERED.text, "manual", "howto", {"guide/backup": 2}, frozenset({"guide/tuning"}))

    assert [hit.helps for hit in hits_of(question)] == [True]


def test_a_search_without_one_of_its_stages_is_not_measured() -> None:
    embedder = ScriptedEmbedder()
    embedder.fail_after(0)
    with use_embedder(embedder), pytest.raises(InvalidRequest, match="went on without embed"):
        hits_of(ANSWERED)


def test_measuring_leaves_no_trace_in_the_log_of_searches() -> None:
    hits_of(ANSWERED)
    flush()

    assert SearchLog.objects.count() == 0
