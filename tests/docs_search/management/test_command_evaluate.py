import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from docs_search.models import Corpus, EvaluationResult, EvaluationRun, JudgedQuestion
from docs_search.retrieval.ablation import Ranking
from tests.factories import make_corpus, make_version
from tests.fakes import ScriptedEmbedder, use_embedder

pytestmark = [pytest.mark.usefixtures("manual"), pytest.mark.django_db]

RESTORE = {
    "id": "restore",
    "question": "read the newest dump back into an empty cluster",
    "product": "manual",
    "kind": "howto",
    "relevant": [{"page": "guide/backup.html", "grade": 2}],
}
MEMORY = {
    "id": "memory",
    "question": "shared_buffers",
    "product": "manual",
    "kind": "config",
    "relevant": [{"page": "guide/tuning", "grade": 2}, {"page": "guide/hardware", "grade": 1}],
}
# Words of the other page: the judged one comes second.
LOST = {
    "id": "lost",
    "question": "pg_dump every night",
    "product": "manual",
    "kind": "howto",
    "relevant": [{"page": "guide/tuning", "grade": 1}],
}
PRICE = {"id": "price", "question": "what does it cost", "product": "manual", "kind": "unanswerable", "relevant": []}


def write(folder: Path, *questions: dict[str, Any], name: str = "questions.jsonl") -> Path:
    file = folder / name
    file.write_text("".join(f"{json.dumps(question)}\n" for question in questions))
    return file


def evaluate(*arguments: object) -> str:
    output = StringIO()
    call_command("evaluate", *map(str, arguments), stdout=output)
    return output.getvalue()


def measured(*arguments: object) -> dict[str, Any]:
    result: dict[str, Any] = json.loads(evaluate(*arguments, "--format", "json"))
    return result


def rows(output: str) -> list[list[str]]:
    """The cells of every line of a table."""
    return [[cell.strip() for cell in line.split("│")[1:-1]] for line in output.splitlines() if line.startswith("│")]


def test_scores_are_shown_by_corpus_by_kind_and_overall(tmp_path: Path) -> None:
    output = evaluate(write(tmp_path, RESTORE, MEMORY, LOST, PRICE))

    assert output.splitlines()[0].rstrip() == "questions.jsonl: manual_17"
    means = [row for row in rows(output) if row[1]]
    assert means == [
        ["manual", "3", "0.667", "1.000", "0.833", "0.833", "0.797"],
        ["config", "1", "1.000", "1.000", "0.500", "1.000", "0.760"],
        ["howto", "2", "0.500", "1.000", "1.000", "0.750", "0.815"],
        ["all", "3", "0.667", "1.000", "0.833", "0.833", "0.797"],
    ]
    assert rows(output)[-1] == ["", "", ".00–1.00", "1.00–1.00", ".50–1.00", ".50–1.00", ".63–1.00"]
    assert "Questions that no page answers, which are not scored: 1\n" in output
    assert "Judged pages that manual_17 lacks, which count as not found: 1\n  guide/hardware\n" in output


def test_json_has_the_outcome_of_every_question(tmp_path: Path) -> None:
    result = measured(write(tmp_path, RESTORE, LOST))

    assert [(one["question_id"], one["first"], one["version"]) for one in result["results"]] == [
        ("restore", 1, "manual_17"),
        ("lost", 2, "manual_17"),
    ]
    assert result["results"][1]["ranked"] == [
        {"page": "guide/backup", "grade": 0},
        {"page": "guide/tuning", "grade": 1},
    ]
    assert (result["run"], result["ablation"], result["comparison"]) == (None, {}, None)


def test_every_ranking_is_measured(tmp_path: Path) -> None:
    file = write(tmp_path, RESTORE, MEMORY)
    ablation = measured(file, "--ablation")["ablation"]

    assert list(ablation) == list(Ranking)
    assert [one["questions"] for one in ablation.values()] == [2] * len(Ranking)
    assert ablation[Ranking.EXACT]["scores"]["hit_at_1"] == 0.5
    assert ablation[Ranking.RERANKED]["scores"]["hit_at_1"] == 1.0
    table = evaluate(file, "--ablation").partition("What each stage earns")[2]
    assert [row[0] for row in rows(table) if row[1]] == list(Ranking)


def test_a_saved_run_keeps_its_results_and_settings(tmp_path: Path) -> None:
    file = write(tmp_path, RESTORE, LOST, PRICE)

    assert "Saved as run" in evaluate(file, "--save", "first")

    run = EvaluationRun.objects.get()
    shown = (run.name, run.questions, run.ranking, run.question_count, run.unanswerable)
    assert shown == ("first", "questions.jsonl", "reranked", 2, 1)
    assert run.scores[-1]["scores"]["ndcg_at_10"] == run.ndcg_at_10
    assert run.settings["embedding"] == {"model": "scripted", "dimension": 384, "max_tokens": 254}
    assert run.settings["publications"] == {"manual_17": "1"}
    assert run.settings["chunking"]["TARGET_WORDS"] == 200
    assert run.settings["ranking"]["RRF_K"] == 60
    result = EvaluationResult.objects.get(question_id="lost")
    searched = (result.text, result.corpus, result.version, result.kind, result.first)
    assert searched == (LOST["question"], "manual", "manual_17", "howto", 2)
    assert result.judged == LOST["relevant"]
    assert result.ranked[0] == {"page": "guide/backup", "grade": 0}


def test_runs_are_compared_question_by_question(tmp_path: Path) -> None:
    evaluate(write(tmp_path, RESTORE, LOST), "--save", "before")
    EvaluationResult.objects.filter(question_id="restore").update(
        first=None, scores=dict.fromkeys(EvaluationResult.objects.all()[0].scores, 0.0)
    )

    output = evaluate(write(tmp_path, RESTORE, LOST, MEMORY), "--compare", "before")

    assert "Against before" in output
    assert "By nDCG@10: wins 1, losses 0, ties 1; questions that only one of the runs has: 1\n" in output
    assert rows(output)[-2] == ["manual: read the newest dump back into an empty", "0.000 → 1.000", "– → 1"]
    comparison = measured(write(tmp_path, RESTORE, LOST), "--compare", "last")["comparison"]
    assert comparison["tests"]["hit_at_1"]["difference"] == 0.5
    assert [change["after"]["question_id"] for change in comparison["wins"]] == ["restore"]


def test_a_run_that_is_not_there_is_told_with_those_that_are(tmp_path: Path) -> None:
    file = write(tmp_path, RESTORE)
    with pytest.raises(CommandError, match=r"There is no run 'before'\. The newest runs: none; save one with --save\."):
        evaluate(file, "--compare", "before")
    evaluate(file, "--save", "first")
    with pytest.raises(CommandError, match=r"There is no run '0'\. The newest runs: \d+ first\."):
        evaluate(file, "--compare", "0")
    with pytest.raises(CommandError, match="neither a number nor 'last'"):
        evaluate(file, "--save", "last")


def test_the_gate_fails_with_what_was_missed(tmp_path: Path) -> None:
    file = write(tmp_path, RESTORE, LOST)
    assert "manual_17" in evaluate(file, "--fail-under", "hit@1=0.5", "--fail-under", "hit@5=1")
    with pytest.raises(CommandError, match=r"questions\.jsonl: hit@1 is 0\.5000, less than 0\.6\.") as raised:
        evaluate(file, "--fail-under", "hit@1=0.6", "--fail-under", "hit@5=1")
    assert raised.value.returncode == 1
    with pytest.raises(CommandError, match="is no measure"):
        evaluate(file, "--fail-under", "f1=0.6")


def test_without_a_file_the_judged_questions_are_asked() -> None:
    with pytest.raises(CommandError, match="There are no judged questions yet"):
        evaluate()
    JudgedQuestion.objects.create(
        text="shared_buffers", corpus="manual", relevant=[{"page": "guide/tuning", "grade": 2}]
    )
    assert evaluate().splitlines()[0].rstrip() == "regression set: manual_17"


def test_questions_of_one_corpus_are_chosen(tmp_path: Path) -> None:
    file = write(tmp_path, RESTORE, {**MEMORY, "product": "guide"})
    assert [one["question_id"] for one in measured(file, "--corpus", "manual")["results"]] == ["restore"]
    with pytest.raises(CommandError, match="There is no corpus 'guide'"):
        evaluate(file)
    with pytest.raises(CommandError, match="No question is about word"):
        evaluate(file, "--corpus", "word")


def test_a_version_is_named_with_its_corpus_where_there_are_several(tmp_path: Path) -> None:
    make_version(make_corpus("guide", embedding_model="scripted"), "3")
    one, both = write(tmp_path, RESTORE), write(tmp_path, RESTORE, {**MEMORY, "product": "guide"}, name="both.jsonl")

    assert measured(one, "--version", "17")["versions"] == ["manual_17"]
    assert measured(one, "--version", "manual_17.2")["versions"] == ["manual_17"]
    assert measured(both, "--version", "manual_17", "--version", "guide_3")["versions"] == ["guide_3", "manual_17"]
    for versions, fault in (
        (["17"], "Which corpus has the version '17'"),
        (["manual_17", "manual_17"], "manual has two versions here"),
        (["manual_16"], "Name a version that is indexed"),
        (["manual_x"], "'x' is no version of manual"),
    ):
        with pytest.raises(CommandError, match=fault):
            evaluate(both, *(part for version in versions for part in ("--version", version)))


def test_what_could_not_be_measured_rightly_is_not_measured(tmp_path: Path) -> None:
    file = write(tmp_path, RESTORE)
    with pytest.raises(CommandError, match="no question has a page that answers it"):
        evaluate(write(tmp_path, PRICE, name="price.jsonl"))
    broken = ScriptedEmbedder()
    broken.fail_after(0)
    with use_embedder(broken), pytest.raises(CommandError, match="the scripted embedder fails here"):
        evaluate(file)
    Corpus.objects.filter(slug="manual").update(embedding_model="other")
    with pytest.raises(CommandError, match=r"The vectors of manual were made by other, .* manage\.py reembed manual"):
        evaluate(file)


def test_stages_that_fail_are_told(tmp_path: Path) -> None:
    file = write(tmp_path, RESTORE, LOST)
    failing = ScriptedEmbedder()
    failing.fail_after(2)  # the probe, and one question of two
    with use_embedder(failing):
        assert "Searches that went on without embed, which failed: 1\n" in evaluate(file, "--save", "broken")

    assert EvaluationRun.objects.get().settings["degraded searches"] == {"embed": 1}
    assert measured(file)["degraded"] == {}


def test_faults_of_a_file_end_the_command(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match=r"line 1: needs 'question'"):
        evaluate(write(tmp_path, {"id": "a"} | {"product": "manual", "relevant": []}))


@pytest.mark.django_db(transaction=True)
def test_a_test_collection_is_indexed_measured_and_removed(tmp_path: Path) -> None:
    folder = tmp_path / "sleep"
    (folder / "qrels").mkdir(parents=True)
    documents = [
        {"_id": "d1", "title": "Sleep", "text": "Sleep for eight hours."},
        {"_id": "d2", "title": "Food", "text": "Eat at noon."},
        {"_id": "q2", "title": "", "text": "Eat at noon, and drink."},
    ]
    (folder / "corpus.jsonl").write_text("".join(f"{json.dumps(document)}\n" for document in documents))
    queries = [{"_id": "q1", "text": "how many hours of sleep"}, {"_id": "q2", "text": "Eat at noon, and drink."}]
    (folder / "queries.jsonl").write_text("".join(f"{json.dumps(query)}\n" for query in queries))
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\n")

    result = measured(folder)

    assert (result["questions"], result["versions"]) == ("sleep (test)", ["beir-sleep"])
    # A query that is a document does not find itself.
    assert [[page["page"] for page in one["ranked"]][:1] for one in result["results"]] == [["d1"], ["d2"]]
    assert [one["first"] for one in result["results"]] == [1, 1]
    assert not Corpus.objects.filter(slug="beir-sleep").exists()

    assert "beir-sleep" in evaluate(folder, "--keep")
    assert Corpus.objects.filter(slug="beir-sleep").exists()
    with pytest.raises(CommandError, match="A test collection is measured by itself"):
        evaluate(folder, "--corpus", "manual")
    with pytest.raises(CommandError, match="sleep has no split 'dev'"):
        evaluate(folder, "--split", "dev")
