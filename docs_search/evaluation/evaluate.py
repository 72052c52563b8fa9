"""Put every judged question to the search, and score what it finds."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from docs_search.embedding.embedder import get_embedder
from docs_search.errors import InvalidRequest
from docs_search.evaluation.judging import PageIndex
from docs_search.evaluation.metrics import DEPTH, first_hit, score
from docs_search.evaluation.outcomes import Outcome
from docs_search.evaluation.questions import Question, QuestionSet
from docs_search.models import Page
from docs_search.progress import SILENT, Progress
from docs_search.retrieval.ablation import Ranking, ranked_pages
from docs_search.retrieval.legs import Trace
from docs_search.scope import Scope, indexed_corpora, resolve_scope


@dataclass(frozen=True, slots=True)
class RankedPage:
    """A page that was found, by its path in the index, with the grade that it is judged by; 0 for none."""

    page: str
    grade: int


@dataclass(frozen=True, slots=True)
class Result:
    """How one question fared in a version, which is named by its source slug. `missing` are its judged pages that the
    index lacks.
    """

    outcome: Outcome
    question: Question
    version: str
    ranked: tuple[RankedPage, ...]
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The results of all questions that a page answers, in the order of the set; `unanswerable` counts the others.

    `scopes` are what was searched, by corpus; `degraded` counts the searches that went on without a stage, by stage.
    """

    name: str
    ranking: Ranking
    results: tuple[Result, ...]
    unanswerable: int
    scopes: Mapping[str, Scope]
    degraded: Mapping[str, int]

    @property
    def outcomes(self) -> list[Outcome]:
        return [result.outcome for result in self.results]

    @property
    def missing(self) -> dict[str, list[str]]:
        """Judged pages that the index lacks, by the version that was searched."""
        found: dict[str, set[str]] = {}
        for result in self.results:
            found.setdefault(result.version, set()).update(result.missing)
        return {version: sorted(pages) for version, pages in found.items() if pages}


def scopes_for(questions: QuestionSet, versions: Sequence[str] = ()) -> dict[str, Scope]:
    """What is searched for each corpus of a set: its newest indexed version, or the one that `versions` names.

    A version is a source slug (`postgres_17`); where the set is about one corpus, it may be the version alone. Raises
    InvalidRequest, UnknownCorpus or UnknownVersion: also where another version would have to stand in.
    """
    corpora = sorted({question.corpus for question in questions.questions})
    indexed = indexed_corpora(set(corpora))
    wanted: dict[str, str] = {}
    for version in versions:
        prefix, separator, _ = version.partition("_")
        named = prefix.lower() in indexed and bool(separator)
        if not named and len(corpora) > 1:
            raise InvalidRequest(
                f"Which corpus has the version {version!r}? Name both in one, such as {corpora[0]}_{version}."
            )
        corpus = prefix.lower() if named else corpora[0]
        if corpus not in corpora:
            raise InvalidRequest(f"No question is about {corpus}. Corpora of the questions: {', '.join(corpora)}.")
        if corpus in wanted:
            raise InvalidRequest(f"{corpus} has two versions here: {wanted[corpus]} and {version}. Name one.")
        wanted[corpus] = version
    scopes = {corpus: resolve_scope(corpus, wanted.get(corpus)) for corpus in corpora}
    for scope in scopes.values():
        if scope.fallback:
            raise InvalidRequest(f"{scope.fallback.note} Name a version that is indexed.")
    return scopes


def evaluate(
    questions: QuestionSet,
    scopes: Mapping[str, Scope],
    *,
    ranking: Ranking = Ranking.RERANKED,
    progress: Progress = SILENT,
) -> Evaluation:
    """Rank pages for every question and score them. Raises InvalidRequest where a corpus cannot be searched by vectors.

    Questions without a page that answers them are counted, and not asked.
    """
    for scope in scopes.values():
        _check_model(scope)
    asked = [question for question in questions.questions if question.is_answerable]
    progress.stage(ranking, len(asked))
    pages = {
        corpus: PageIndex(
            [question for question in asked if question.corpus == corpus],
            version_ids=scope.version_ids,
            aliases=questions.aliases.get(corpus, {}),
        )
        for corpus, scope in scopes.items()
    }
    results = []
    degraded: Counter[str] = Counter()
    for question in asked:
        trace = Trace()
        results.append(_result(question, scopes[question.corpus], pages[question.corpus], ranking, trace))
        degraded.update(trace.degraded)
        progress.advance()
    return Evaluation(
        name=questions.name,
        ranking=ranking,
        results=tuple(results),
        unanswerable=len(questions.questions) - len(asked),
        scopes=scopes,
        degraded=dict(degraded),
    )


def _result(question: Question, scope: Scope, pages: PageIndex, ranking: Ranking, trace: Trace) -> Result:
    left_out = pages.left_out(question)
    found = ranked_pages(question.text, scope, ranking, limit=DEPTH + len(left_out), trace=trace)
    ids = [page for page in found if page not in left_out][:DEPTH]
    judgments = pages.judgments(question)
    paths = dict(Page.objects.filter(pk__in=ids).values_list("pk", "path"))
    # A page that a publish took away meanwhile stands at its rank without a name.
    ranked = tuple(RankedPage(paths.get(page, ""), grade) for page, grade in zip(ids, judgments.of(ids), strict=True))
    outcome = Outcome(
        corpus=question.corpus,
        question_id=question.id,
        text=question.text,
        kind=question.kind,
        first=first_hit([page.grade for page in ranked]),
        scores=score([page.grade for page in ranked], list(judgments.grades.values())),
    )
    return Result(outcome, question, scope.version.source, ranked, judgments.missing)


def _check_model(scope: Scope) -> None:
    """A corpus with vectors of another model is searched without them, and a model that fails, too: not measured so."""
    embedder = get_embedder()
    if scope.corpus.embedding_model != embedder.name:
        raise InvalidRequest(
            f"The vectors of {scope.corpus} were made by {scope.corpus.embedding_model}, and {embedder.name} is"
            f" configured. Configure the former model again, or run: manage.py reembed {scope.corpus}"
        )
    embedder.embed_query("probe")
