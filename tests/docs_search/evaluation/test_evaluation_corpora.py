"""Judged questions and documents of others, read in place. The embedder is scripted, so words alone are measured."""

from collections.abc import Iterator

import bm25s
import pytest
import Stemmer
from django.core.management import call_command

from docs_search.evaluation.beir import BeirCollection, read_collection
from docs_search.evaluation.evaluate import evaluate, scopes_for
from docs_search.evaluation.metrics import mean, score
from docs_search.evaluation.questions import read_questions
from docs_search.evaluation.trial_corpus import trial_corpus
from docs_search.indexing.ingest import ingest
from docs_search.parsing.text.plain_text import plain_text
from docs_search.retrieval.ablation import Ranking
from tests.corpora import corpus_archive, evaluation_file
from tests.factories import make_corpus
from tests.fakes import ScriptedEmbedder, use_embedder

pytestmark = [pytest.mark.corpora, pytest.mark.django_db(transaction=True)]

# Anserini's "flat" BM25 on SciFact (nDCG@10). Ours has .691 over whole documents: half of the difference is made by
# PostgreSQL's longer list of stop words, as another implementation of BM25 with that list shows.
PUBLISHED_BM25 = 0.6789


@pytest.fixture(autouse=True)
def _scripted_embedder() -> Iterator[None]:
    with use_embedder(ScriptedEmbedder()):
        yield


@pytest.fixture
def scifact() -> BeirCollection:
    return read_collection(evaluation_file("ir/scifact"))


def test_the_measures_agree_with_those_of_another_implementation_of_bm25(scifact: BeirCollection) -> None:
    documents = {page.path: f"{page.title} {page.sections[0].blocks[0].markdown}" for page in scifact.pages()}
    stemmer = Stemmer.Stemmer("english")

    def tokens(texts: list[str]) -> bm25s.tokenization.Tokenized:
        return bm25s.tokenize(list(map(plain_text, texts)), stopwords="en", stemmer=stemmer, show_progress=False)

    index = bm25s.BM25(k1=0.9, b=0.4)
    index.index(tokens(list(documents.values())), show_progress=False)
    questions = scifact.questions.questions
    found, _ = index.retrieve(
        tokens([question.text for question in questions]), corpus=list(documents), k=10, show_progress=False
    )

    scores = [
        score([question.relevant.get(path, 0) for path in paths], list(question.relevant.values()))
        for question, paths in zip(questions, found, strict=True)
    ]
    assert len(scores) == 300
    assert mean(scores).ndcg_at_10 == pytest.approx(PUBLISHED_BM25, abs=0.005)


def test_words_alone_reach_the_published_score(scifact: BeirCollection) -> None:
    with trial_corpus(scifact.slug, scifact.pages()) as scope:
        measured = evaluate(scifact.questions, {scifact.slug: scope}, ranking=Ranking.KEYWORD)

    assert measured.missing == {}
    assert -0.01 < mean([outcome.scores for outcome in measured.outcomes]).ndcg_at_10 - PUBLISHED_BM25 < 0.02


@pytest.mark.parametrize("name", ["questions.jsonl", "questions_more.jsonl"])
def test_pages_that_real_questions_are_judged_by_are_found(name: str) -> None:
    questions = read_questions(evaluation_file(name)).of(["postgis"])
    corpus = make_corpus("postgis", url="https://docs.example.org/{version}/en/{path}", version_scheme="major.minor")
    ingest(corpus, "3.5", location=str(corpus_archive("postgis", "3.5")))

    measured = evaluate(questions, scopes_for(questions), ranking=Ranking.KEYWORD)

    assert measured.missing == {}
    assert len(measured.results) + measured.unanswerable == len(questions.questions)
    call_command("flush", interactive=False, verbosity=0)
