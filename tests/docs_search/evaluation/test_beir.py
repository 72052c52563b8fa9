import gzip
import json
from pathlib import Path

import pytest

from docs_search.documents import BlockType
from docs_search.evaluation.beir import is_collection, read_collection
from docs_search.evaluation.questions import QuestionsError
from docs_search.parsing.text.plain_text import plain_text

TEXT = "Sleep of <8 hours & more_or_less p>0.05 [a](b)."
DOCUMENTS = [
    {"_id": "d1", "title": "Sleep *well*", "text": TEXT},
    {"_id": "d2", "title": "", "text": "Short."},
    {"_id": 3, "text": "Numbers are ids, too."},
]
QUERIES = [
    {"_id": "q1", "text": "how long to sleep"},
    {"_id": "q2", "text": "not judged"},
    {"_id": "d2", "text": "Short."},
]
JUDGED = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nd2\td2\t1\nd2\td1\t1\n"


def make_collection(folder: Path, *, compressed: bool = False) -> Path:
    (folder / "qrels").mkdir(parents=True)
    for name, lines in (("corpus.jsonl", DOCUMENTS), ("queries.jsonl", QUERIES)):
        text = "".join(f"{json.dumps(line)}\n" for line in lines).encode()
        if compressed:
            (folder / f"{name}.gz").write_bytes(gzip.compress(text))
        else:
            (folder / name).write_bytes(text)
    (folder / "qrels" / "test.tsv").write_text(JUDGED)
    return folder


@pytest.mark.parametrize("compressed", [False, True])
def test_documents_queries_and_judgments_are_read(compressed: bool, tmp_path: Path) -> None:
    folder = make_collection(tmp_path / "Sleep_Study", compressed=compressed)
    collection = read_collection(folder)

    assert is_collection(folder)
    assert (collection.slug, collection.questions.name) == ("beir-sleep-study", "Sleep_Study (test)")
    questions = collection.questions.questions
    assert [(one.id, one.text, one.corpus, one.kind) for one in questions] == [
        ("q1", "how long to sleep", "beir-sleep-study", "test"),
        ("d2", "Short.", "beir-sleep-study", "test"),
    ]
    assert [one.relevant for one in questions] == [{"d1": 2}, {"d2": 1, "d1": 1}]
    assert [page.path for page in collection.pages()] == ["d1", "d2", "3"]


def test_the_text_of_a_document_is_kept_letter_by_letter(tmp_path: Path) -> None:
    page = next(iter(read_collection(make_collection(tmp_path / "study")).pages()))
    assert [block.type for block in page.sections[0].blocks] == [BlockType.PARAGRAPH]
    assert plain_text(page.sections[0].blocks[0].markdown) == TEXT


def test_what_is_missing_or_wrong_is_named(tmp_path: Path) -> None:
    folder = make_collection(tmp_path / "study")
    assert not is_collection(tmp_path)
    with pytest.raises(QuestionsError, match=r"study has no split 'dev'\. Splits: test\."):
        read_collection(folder, "dev")
    (folder / "qrels" / "test.tsv").write_text(JUDGED + "q9\td1\t1\n")
    with pytest.raises(QuestionsError, match=r"1 judged queries are not in queries\.jsonl: q9"):
        read_collection(folder)
    (folder / "qrels" / "test.tsv").write_text(JUDGED + "q1 d1 1\n")
    with pytest.raises(QuestionsError, match=r"test\.tsv: line 6: expected query, document and grade"):
        read_collection(folder)
    (folder / "qrels" / "test.tsv").write_text("")
    with pytest.raises(QuestionsError, match="holds no judgment"):
        read_collection(folder)
    (folder / "qrels" / "test.tsv").write_text(JUDGED)
    (folder / "corpus.jsonl").write_text('{"_id": "d1", "text": "a"}\n\n{"text": "a"}\n')
    pages = read_collection(folder).pages()
    assert next(pages).path == "d1"
    with pytest.raises(QuestionsError, match=r"corpus\.jsonl: line 3: needs '_id', a text"):
        next(pages)
    (folder / "corpus.jsonl").write_text("[]\n")
    with pytest.raises(QuestionsError, match=r"corpus\.jsonl: line 1: is no JSON object"):
        next(read_collection(folder).pages())
    (folder / "queries.jsonl").unlink()
    with pytest.raises(QuestionsError, match=r"study has no queries\.jsonl, nor queries\.jsonl\.gz"):
        read_collection(folder)
