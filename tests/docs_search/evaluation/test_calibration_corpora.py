"""Whether relevance means what it says: real questions over a manual, indexed with the model that Docent brings."""

from collections.abc import Iterator

import pytest
from django.conf import settings as project_settings
from django.core.management import call_command
from pytest_django import DjangoDbBlocker

from docs_search.corpora import load_corpora
from docs_search.evaluation.calibration import Reliability, reliability
from docs_search.evaluation.evaluate import scopes_for
from docs_search.evaluation.judged_hits import judged_hits
from docs_search.evaluation.questions import QuestionSet, joined, read_questions
from docs_search.indexing.ingest import ingest
from docs_search.models import Corpus
from tests.corpora import corpus_archive, evaluation_file

pytestmark = [pytest.mark.corpora, pytest.mark.django_db]


@pytest.fixture(scope="module")
def postgis(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[QuestionSet]:
    """The smallest of the judged manuals, and the questions about it."""
    archive = corpus_archive("postgis", "3.5")
    files = [evaluation_file(name) for name in ("questions.jsonl", "questions_more.jsonl")]
    with django_db_blocker.unblock():
        try:
            load_corpora(project_settings.BASE_DIR / "corpora.toml")
            ingest(Corpus.objects.get(slug="postgis"), "3.5", location=str(archive))
            yield joined([read_questions(file) for file in files]).of(["postgis"])
        finally:
            call_command("flush", interactive=False, verbosity=0)


def measured(questions: QuestionSet, *, by_words: bool) -> Reliability:
    hits = judged_hits(questions, scopes_for(questions), by_words=by_words)
    return reliability([hit.relevance for hit in hits], [hit.helps for hit in hits])


@pytest.mark.parametrize("by_words", [False, True])
def test_relevance_is_the_share_of_hits_that_help(postgis: QuestionSet, by_words: bool) -> None:
    result = measured(postgis, by_words=by_words)

    assert result.count > 500
    assert result.error <= 0.05
    assert result.auc >= 0.8
