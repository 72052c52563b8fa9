"""Rows for tests, each with defaults that make sense together; any field can be given by keyword."""

from datetime import UTC, datetime
from hashlib import sha256
from pathlib import PurePosixPath
from typing import Any

from docs_search.evaluation.metrics import MEASURES
from docs_search.models import (
    Corpus,
    EvaluationResult,
    EvaluationRun,
    IndexRun,
    JudgedQuestion,
    Page,
    Passage,
    SearchLog,
    Version,
)
from docs_search.pages.addresses import lookup_path, page_url
from docs_search.versions import SCHEMES, source_slug

PUBLISHED_AT = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def make_corpus(slug: str = "postgres", **fields: Any) -> Corpus:
    """A corpus with one version scheme that knows `17` and `17.2`."""
    return Corpus.objects.create(
        **{
            "slug": slug,
            "title": slug.capitalize(),
            "parser": "docbook",
            "url": f"https://docs.example.org/{slug}/{{version}}/{{path}}",
            "version_scheme": "major",
            **fields,
        }
    )


def make_version(corpus: Corpus | None = None, name: str = "17", *, published: bool = True, **fields: Any) -> Version:
    """A published version; the corpus is `postgres` unless given. Names `cloud` and `shared` bring their scope."""
    corpus = corpus or Corpus.objects.filter(slug="postgres").first() or make_corpus()
    release = SCHEMES[corpus.version_scheme].parse(name)
    return Version.objects.create(
        **{
            "corpus": corpus,
            "name": name,
            "source": source_slug(corpus.slug, name),
            "scope": name if name in {"cloud", "shared"} else "release",
            "release": list(release.numbers) if release else [],
            "publication": int(published),
            "published_at": PUBLISHED_AT if published else None,
            **fields,
        }
    )


def make_page(version: Version | None = None, path: str = "guide/start.html", **fields: Any) -> Page:
    """A page; its version is `postgres` 17 unless given. Title, address and section follow from the path."""
    version = version or Version.objects.filter(source="postgres_17").first() or make_version()
    title = PurePosixPath(path).stem.replace("-", " ").capitalize()
    markdown = f"# {title}\n\nAll about it."
    return Page.objects.create(
        **{
            "version": version,
            "path": path,
            "lookup_path": lookup_path(path),
            "url": page_url(version.corpus, version.name, path),
            "title": title,
            "section": path.split("/", maxsplit=1)[0] if "/" in path else None,
            "sections": [{"level": 1, "heading": title, "anchor": None}],
            "markdown": markdown,
            "content_hash": sha256(markdown.encode()).hexdigest(),
            **fields,
        }
    )


def make_passage(page: Page | None = None, text: str = "All about it.", **fields: Any) -> Passage:
    """A passage at the end of its page, which is a new one unless given."""
    page = page or make_page()
    content_hash = sha256(text.encode()).hexdigest()
    return Passage.objects.create(
        **{
            "version": page.version,
            "page": page,
            "position": page.passages.count(),
            "heading": page.title,
            "heading_path": [page.title],
            "markdown": text,
            "text": text,
            "kind": "section",
            "token_count": len(text.split()),
            "content_hash": content_hash,
            "ordinal": page.passages.filter(content_hash=content_hash).count(),
            **fields,
        }
    )


def make_index_run(corpus: Corpus | None = None, **fields: Any) -> IndexRun:
    """A run that is under way; the corpus is `postgres` unless given."""
    corpus = corpus or Corpus.objects.filter(slug="postgres").first() or make_corpus()
    return IndexRun.objects.create(**{"corpus": corpus, "version": "17", "location": "manual.tar.xz", **fields})


def make_search_log(query: str = "how to connect", **fields: Any) -> SearchLog:
    """One search over the API that found three passages."""
    return SearchLog.objects.create(
        **{
            "at": PUBLISHED_AT,
            "surface": "api",
            "corpus": "postgres",
            "version": "17",
            "query": query,
            "results": 3,
            "top_relevance": 0.5,
            **fields,
        }
    )


def make_judged_question(text: str = "how to undo a mistake", **fields: Any) -> JudgedQuestion:
    """A question about `manual` that one page answers."""
    return JudgedQuestion.objects.create(
        **{"text": text, "corpus": "manual", "relevant": [{"page": "guide/backup", "grade": 2}], **fields}
    )


def make_evaluation_run(name: str = "", *, score: float = 0.5, **fields: Any) -> EvaluationRun:
    """A run in which every measure has one value."""
    scores = dict.fromkeys(MEASURES, score)
    overall = {
        "by": "overall",
        "name": "all",
        "questions": 1,
        "scores": scores,
        "intervals": {measure: [0, 1] for measure in MEASURES},
    }
    return EvaluationRun.objects.create(
        **{
            "name": name,
            "questions": "questions.jsonl",
            "ranking": "reranked",
            "settings": {"embedding": {"model": "scripted"}},
            "scores": [overall],
            "ndcg_at_10": score,
            "question_count": 1,
            **fields,
        }
    )


def make_evaluation_result(run: EvaluationRun | None = None, number: int = 1, **fields: Any) -> EvaluationResult:
    """A question of a run that was lost: its page came second."""
    return EvaluationResult.objects.create(
        **{
            "run": run or make_evaluation_run(),
            "question_id": f"q{number}",
            "text": f"how to undo mistake {number}",
            "corpus": "manual",
            "version": "manual_17",
            "kind": "howto",
            "judged": [{"page": "guide/backup", "grade": 2}],
            "ranked": [{"page": "guide/tuning", "grade": 0}, {"page": "guide/backup", "grade": 2}],
            "first": 2,
            "scores": dict.fromkeys(MEASURES, 0.5),
            **fields,
        }
    )
