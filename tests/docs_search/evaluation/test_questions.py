import json
from pathlib import Path
from typing import Any

import pytest

from docs_search.evaluation.questions import Question, QuestionsError, QuestionSet, joined, read_questions

LINE: dict[str, Any] = {
    "id": "q1",
    "question": "how to copy a cluster",
    "product": "manual",
    "kind": "howto",
    "relevant": [{"page": "guide/backup", "grade": 2}, {"page": "guide/tuning"}],
    "source": "https://example.org/thread",
}


def write(folder: Path, *lines: object, name: str = "questions.jsonl") -> Path:
    file = folder / name
    file.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines) + "\n")
    return file


def test_a_question_has_its_judgments(tmp_path: Path) -> None:
    questions = read_questions(write(tmp_path, LINE, "", LINE | {"id": "q2", "relevant": [], "kind": ""}))

    first, second = questions.questions
    assert questions.name == "questions.jsonl"
    assert first == Question("q1", LINE["question"], "manual", "howto", {"guide/backup": 2, "guide/tuning": 1})
    assert (first.is_answerable, second.is_answerable, second.kind) == (True, False, "question")


def test_line_separators_inside_a_text_end_no_line(tmp_path: Path) -> None:
    file = write(tmp_path, json.dumps(LINE | {"question": "a\u2028b"}, ensure_ascii=False))
    assert [question.text for question in read_questions(file).questions] == ["a\u2028b"]


def test_all_faults_are_told_at_once_with_their_lines(tmp_path: Path) -> None:
    lines = [
        LINE,
        LINE,
        "{",
        "[]",
        LINE | {"id": "q3", "question": " "},
        LINE | {"id": "q4", "question": "a\0b"},
        {"id": "q5", "question": "a", "product": "manual"},
        LINE | {"id": "q6", "relevant": ["guide/backup"]},
        LINE | {"id": "q7", "relevant": [{"page": "a", "grade": 0}]},
        LINE | {"id": "q8", "relevant": [{"page": "a", "grade": True}]},
        LINE | {"id": "q" * 201},
        "[" * 100_000,
    ]
    with pytest.raises(QuestionsError) as raised:
        read_questions(write(tmp_path, *lines))

    faults = str(raised.value).splitlines()
    assert [fault.split(": ")[1] for fault in faults] == [f"line {number}" for number in range(2, 13)]
    assert faults[0] == "questions.jsonl: line 2: the id 'q1' stands on an earlier line, too"
    assert faults[3] == "questions.jsonl: line 5: needs 'question', a text"
    assert faults[6] == "questions.jsonl: line 8: each entry of 'relevant' needs 'page', a path without the version"
    assert faults[7] == "questions.jsonl: line 9: the grade of 'a' must be a whole number from 1 to 10"


def test_a_file_that_holds_nothing_or_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(QuestionsError, match="holds no question"):
        read_questions(write(tmp_path, ""))
    with pytest.raises(QuestionsError, match=r"nowhere\.jsonl: cannot be read: .*No such file"):
        read_questions(tmp_path / "nowhere.jsonl")
    (tmp_path / "latin.jsonl").write_bytes(b"\xff\xfe\xfd")
    with pytest.raises(QuestionsError, match=r"latin\.jsonl: cannot be read"):
        read_questions(tmp_path / "latin.jsonl")


def test_aliases_stand_beside_the_questions(tmp_path: Path) -> None:
    aliases = {"_comment": "other names", "manual": {"guide/backup": ["guide/dump", "dump"]}}
    write(tmp_path, aliases, name="page_aliases.json")

    assert read_questions(write(tmp_path, LINE)).aliases == {"manual": {"guide/backup": ("guide/dump", "dump")}}

    write(tmp_path, [1], name="page_aliases.json")
    with pytest.raises(QuestionsError, match=r"page_aliases\.json: expected"):
        read_questions(write(tmp_path, LINE))


def make_set(name: str, *ids: str, corpus: str = "manual", alias: str = "") -> QuestionSet:
    questions = tuple(Question(one, f"question {one}", corpus, "howto", {"a": 1}) for one in ids)
    return QuestionSet(name, questions, {corpus: {"a": (alias,)}} if alias else {})


def test_sets_are_joined_with_their_aliases() -> None:
    both = joined([make_set("one", "1", alias="b"), make_set("two", "2", alias="c")])

    assert both.name == "one + two"
    assert [question.id for question in both.questions] == ["1", "2"]
    assert both.aliases == {"manual": {"a": ("b", "c")}}


def test_an_id_stands_in_one_set_only() -> None:
    with pytest.raises(QuestionsError, match="two: the id '1' stands in one, too"):
        joined([make_set("one", "1"), make_set("two", "1")])
    assert len(joined([make_set("one", "1"), make_set("two", "1", corpus="guide")]).questions) == 2


def test_questions_are_chosen_by_corpus() -> None:
    both = joined([make_set("one", "1"), make_set("two", "2", corpus="guide")])

    assert [question.id for question in both.of(["guide"]).questions] == ["2"]
    with pytest.raises(QuestionsError, match=r"No question is about word\. Corpora of the questions: guide, manual\."):
        both.of(["word"])
