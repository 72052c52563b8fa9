"""The hits that search shows for judged questions, with the evidence for each and whether it helps."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from docs_search.errors import InvalidRequest
from docs_search.evaluation.judging import PageIndex
from docs_search.evaluation.metrics import DEPTH
from docs_search.evaluation.questions import Question, QuestionSet
from docs_search.progress import SILENT, Progress
from docs_search.retrieval.hits import Hit
from docs_search.retrieval.legs import Trace, run_legs
from docs_search.retrieval.relevance import Evidence
from docs_search.retrieval.search import MAX_LIMIT, best_hits, depth_for
from docs_search.scope import Scope


@dataclass(frozen=True, slots=True)
class JudgedHit:
    """The best passage of a page that was found. It `helps` where the page is judged to; others may help, too."""

    question: Question
    evidence: Evidence
    relevance: float
    helps: bool


def judged_hits(
    questions: QuestionSet, scopes: Mapping[str, Scope], *, by_words: bool = False, progress: Progress = SILENT
) -> list[JudgedHit]:
    """The ten best pages for each question, those without an answer included: none of their hits helps.

    `by_words` searches as where no vector of the query can be had. Raises InvalidRequest where a stage fails.
    """
    progress.stage("calibrate", len(questions.questions))
    pages = {
        corpus: PageIndex(
            [question for question in questions.questions if question.corpus == corpus],
            version_ids=scope.version_ids,
            aliases=questions.aliases.get(corpus, {}),
        )
        for corpus, scope in scopes.items()
    }
    found = []
    for question in questions.questions:
        index = pages[question.corpus]
        helping = index.judgments(question).judged
        left_out = index.left_out(question)
        best = [
            hit for hit in _best_of_pages(question, scopes[question.corpus], by_words) if hit.page_id not in left_out
        ]
        found += [JudgedHit(question, hit.evidence, hit.relevance, hit.page_id in helping) for hit in best[:DEPTH]]
        progress.advance()
    return found


def _best_of_pages(question: Question, scope: Scope, by_words: bool) -> Sequence[Hit]:
    trace = Trace()
    legs = run_legs(question.text, scope, depth=depth_for(DEPTH), section=None, trace=trace)
    if by_words:
        legs = replace(legs, semantic=[], vector=None)
    hits, _ = best_hits(question.text, scope, legs, section=None, limit=MAX_LIMIT, trace=trace)
    if trace.degraded:
        raise InvalidRequest(f"The search cannot be measured: it went on without {', '.join(trace.degraded)}.")
    best: dict[int, Hit] = {}
    for hit in hits:
        best.setdefault(hit.page_id, hit)
    return list(best.values())
