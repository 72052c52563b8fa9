"""Judged questions, read from files.

A line of a questions file is a JSON object: `id`, `question`, `product` (the slug of a corpus), `kind`, and `relevant`,
a list of `{"page": path, "grade": 1 or 2}`; an empty list marks a question that the documentation does not answer. What
else a line holds is not read. Beside it, `page_aliases.json` may list other names of the same pages:
`{product: {page: [alias]}}`.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from docs_search.storable_text import storable

ALIASES_FILE = "page_aliases.json"
MAX_GRADE = 10
MAX_ID = 200  # characters, as models.EvaluationResult stores it
MAX_KIND = 100


class QuestionsError(Exception):
    """What is wrong with a file of questions: file, line and reason, a line for each fault."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question and the pages that answer it: path without version → grade (2 answers it, 1 helps).

    `left_out` are pages that are taken out of a ranking before it is scored.
    """

    id: str
    text: str
    corpus: str
    kind: str
    relevant: Mapping[str, int]
    left_out: frozenset[str] = frozenset()

    @property
    def is_answerable(self) -> bool:
        return bool(self.relevant)


@dataclass(frozen=True, slots=True)
class QuestionSet:
    """Questions in the order of their file. `aliases` are other names of pages: corpus → page → names."""

    name: str
    questions: tuple[Question, ...]
    aliases: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)

    def of(self, corpora: Collection[str]) -> "QuestionSet":
        """The questions about some corpora. Raises QuestionsError for a corpus that none is about."""
        known = {question.corpus for question in self.questions}
        if strange := sorted(set(corpora) - known):
            raise QuestionsError(
                f"No question is about {strange[0]}. Corpora of the questions: {', '.join(sorted(known))}."
            )
        return replace(self, questions=tuple(one for one in self.questions if one.corpus in corpora))


def joined(sets: Sequence[QuestionSet]) -> QuestionSet:
    """Several sets as one. Raises QuestionsError where two of them use the same id for a corpus."""
    places: dict[tuple[str, str], str] = {}
    aliases: dict[str, dict[str, tuple[str, ...]]] = {}
    for one in sets:
        for question in one.questions:
            key = (question.corpus, question.id)
            if key in places and len(sets) > 1:
                raise QuestionsError(f"{one.name}: the id {question.id!r} stands in {places[key]}, too")
            places[key] = one.name
        for corpus, pages in one.aliases.items():
            known = aliases.setdefault(corpus, {})
            known.update((page, (*known.get(page, ()), *names)) for page, names in pages.items())
    everything = tuple(question for one in sets for question in one.questions)
    return QuestionSet(" + ".join(one.name for one in sets), everything, aliases)


def read_questions(file: Path) -> QuestionSet:
    """The questions of a JSON Lines file, with the aliases beside it. Raises QuestionsError for all faults at once."""
    faults: list[str] = []
    questions: dict[str, Question] = {}
    for number, line in enumerate(_text(file).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            question = _question(json.loads(line))
        except (ValueError, RecursionError) as fault:
            faults.append(f"{file.name}: line {number}: {fault}")
            continue
        if question.id in questions:
            faults.append(f"{file.name}: line {number}: the id {question.id!r} stands on an earlier line, too")
        questions[question.id] = question
    if not questions and not faults:
        faults.append(f"{file.name}: holds no question; write a JSON object on each line")
    if faults:
        raise QuestionsError("\n".join(faults))
    return QuestionSet(file.name, tuple(questions.values()), _aliases(file.with_name(ALIASES_FILE)))


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as fault:
        raise QuestionsError(f"{file}: cannot be read: {fault}") from None


def _question(fields: Any) -> Question:
    """The question in one line. Raises ValueError that says what is missing."""
    if not isinstance(fields, dict):
        raise ValueError("is no JSON object")
    texts = {name: fields.get(name) for name in ("id", "question", "product")}
    for name, value in texts.items():
        if not isinstance(value, str) or not value.strip() or storable(value) != value:
            raise ValueError(f"needs {name!r}, a text")
    kind = str(fields.get("kind") or "question")
    if len(str(texts["id"])) > MAX_ID or len(kind) > MAX_KIND or storable(kind) != kind:
        raise ValueError(f"has an id of more than {MAX_ID} characters, or a kind of more than {MAX_KIND}")
    judged = fields.get("relevant")
    if not isinstance(judged, list):
        raise ValueError("needs 'relevant', a list of pages; an empty one where nothing answers the question")
    return Question(
        id=str(texts["id"]),
        text=str(texts["question"]),
        corpus=str(texts["product"]),
        kind=kind,
        relevant=dict(_judgment(entry) for entry in judged),
    )


def _judgment(entry: Any) -> tuple[str, int]:
    page = entry.get("page") if isinstance(entry, dict) else None
    if not isinstance(page, str) or not page.strip() or storable(page) != page:
        raise ValueError("each entry of 'relevant' needs 'page', a path without the version")
    grade = entry.get("grade", 1)
    if isinstance(grade, bool) or not isinstance(grade, int) or not 1 <= grade <= MAX_GRADE:
        raise ValueError(f"the grade of {page!r} must be a whole number from 1 to {MAX_GRADE}")
    return page, grade


def _aliases(file: Path) -> dict[str, dict[str, tuple[str, ...]]]:
    if not file.is_file():
        return {}
    try:
        content = json.loads(_text(file))
        return {
            corpus: {page: tuple(map(str, names)) for page, names in pages.items()}
            for corpus, pages in content.items()
            if isinstance(pages, dict)
        }
    except (ValueError, AttributeError, TypeError, RecursionError) as fault:
        raise QuestionsError(f"{file.name}: expected {{corpus: {{page: [alias]}}}}: {fault}") from None
