"""Test collections in the layout of BEIR (Thakur et al. 2021): documents, queries and relevance judgments.

A folder with `corpus.jsonl` (or `corpus.jsonl.gz`), `queries.jsonl` (or `.gz`) and `qrels/SPLIT.tsv`.
"""

import gzip
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from io import TextIOWrapper
from pathlib import Path
from typing import IO, Any

from docs_search.documents import ParsedPage, Section
from docs_search.evaluation.questions import MAX_ID, Question, QuestionsError, QuestionSet
from docs_search.parsing.text.writing import escape, paragraph
from docs_search.storable_text import storable

DEFAULT_SPLIT = "test"
MAX_SLUG = 40


@dataclass(frozen=True, slots=True)
class BeirCollection:
    """One split of a collection. The slug of the corpus that it is indexed as is also that of its questions."""

    folder: Path
    slug: str
    questions: QuestionSet

    def pages(self) -> Iterator[ParsedPage]:
        """Each document as a page whose path is its id. Raises QuestionsError for a line that is no document."""
        for place, document in _lines(_file(self.folder, "corpus.jsonl")):
            title, text = (str(document.get(name) or "").strip() for name in ("title", "text"))
            # Its own, since a document of few words is none that only leads elsewhere.
            section = Section(1, escape(title), None, paragraph(escape(text)), own=True)
            yield ParsedPage(_text(document, "_id", place), escape(title), [section])


def is_collection(folder: Path) -> bool:
    """Whether there is a folder that has a collection's judgments."""
    return (folder / "qrels").is_dir()


def read_collection(folder: Path, split: str = DEFAULT_SPLIT) -> BeirCollection:
    """The queries of a split with their judgments; documents are read later. Raises QuestionsError.

    As in BEIR's own evaluation, a document with the id of the query is taken out of its ranking: in collections where
    queries are documents, each would find itself.
    """
    folder = folder.resolve()
    judged = _judgments(folder / "qrels" / f"{split}.tsv")
    slug = f"beir-{re.sub(r'[^a-z0-9]+', '-', folder.name.lower())}"[:MAX_SLUG].rstrip("-")
    questions = []
    for place, query in _lines(_file(folder, "queries.jsonl")):
        name = _text(query, "_id", place)
        if name in judged:
            questions.append(
                Question(
                    id=name,
                    text=_text(query, "text", place),
                    corpus=slug,
                    kind=split,
                    relevant=judged.pop(name),
                    left_out=frozenset({name}),
                )
            )
    if judged:
        raise QuestionsError(f"{folder.name}: {len(judged)} judged queries are not in queries.jsonl: {min(judged)}, …")
    return BeirCollection(folder, slug, QuestionSet(f"{folder.name} ({split})", tuple(questions)))


def _judgments(file: Path) -> dict[str, dict[str, int]]:
    """Query → document → grade, of documents that help. A query without any has no document."""
    if not file.is_file():
        splits = ", ".join(sorted(one.stem for one in file.parent.glob("*.tsv"))) or "none"
        raise QuestionsError(f"{file.parent.parent.name} has no split {file.stem!r}. Splits: {splits}.")
    judged: dict[str, dict[str, int]] = {}
    with _opened(file) as lines:
        for number, line in enumerate(lines, start=1):
            fields = line.rstrip("\r\n").split("\t")
            if len(fields) == 3 and fields[2].strip().lstrip("-").isdecimal():
                documents = judged.setdefault(fields[0], {})
                if int(fields[2]) > 0:
                    documents[fields[1]] = int(fields[2])
            elif number > 1 and line.strip():
                raise QuestionsError(f"{file.name}: line {number}: expected query, document and grade, between tabs")
    if not judged:
        raise QuestionsError(f"{file.name}: holds no judgment")
    return judged


def _lines(file: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The JSON objects of a file, each with its place for messages."""
    with _opened(file) as lines:
        for number, line in enumerate(lines, start=1):
            place = f"{file.name}: line {number}"
            try:
                value = json.loads(line) if line.strip() else None
            except (ValueError, RecursionError) as fault:
                raise QuestionsError(f"{place}: {fault}") from None
            if isinstance(value, dict):
                yield place, value
            elif line.strip():
                raise QuestionsError(f"{place}: is no JSON object")


def _text(fields: dict[str, Any], name: str, place: str) -> str:
    value = fields.get(name)
    text = str(value) if isinstance(value, str | int) else ""
    if not text.strip() or storable(text) != text or (name == "_id" and len(text) > MAX_ID):
        raise QuestionsError(f"{place}: needs {name!r}, a text")
    return text


def _file(folder: Path, name: str) -> Path:
    """A file or its compressed form. Raises QuestionsError where there is neither."""
    found = [file for file in (folder / name, folder / f"{name}.gz") if file.is_file()]
    if not found:
        raise QuestionsError(f"{folder.name} has no {name}, nor {name}.gz")
    return found[0]


def _opened(file: Path) -> IO[str]:
    try:
        if file.suffix == ".gz":
            return TextIOWrapper(gzip.open(file), encoding="utf-8")
        return file.open(encoding="utf-8", newline="\n")
    except OSError as fault:
        raise QuestionsError(f"{file.name}: cannot be read: {fault.strerror}") from None
