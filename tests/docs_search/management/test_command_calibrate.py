import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

pytestmark = [pytest.mark.usefixtures("manual"), pytest.mark.django_db]

RESTORE: dict[str, object] = {
    "id": "restore",
    "question": "read the newest dump back into an empty cluster",
    "product": "manual",
    "relevant": [{"page": "guide/backup", "grade": 2}],
}
MOON: dict[str, object] = {"id": "moon", "question": "dump of the moon", "product": "manual", "relevant": []}


def write(folder: Path, *questions: dict[str, object]) -> Path:
    file = folder / "questions.jsonl"
    file.write_text("".join(f"{json.dumps(question)}\n" for question in questions))
    return file


def calibrate(*arguments: object) -> str:
    output = StringIO()
    call_command("calibrate", *map(str, arguments), stdout=output)
    return output.getvalue()


def rows(output: str) -> dict[str, list[str]]:
    """The cells behind the first of every line of a table."""
    lines = [[cell.strip() for cell in line.split("│")[1:-1]] for line in output.splitlines() if line.startswith("│")]
    return {line[0]: line[1:] for line in lines}


def test_hits_are_counted_by_their_relevance_and_by_corpus(tmp_path: Path) -> None:
    output = calibrate(write(tmp_path, RESTORE, MOON))

    cells = rows(output)
    assert [cells[name][0] for name in ("manual", "overall", "fitted anew, cross-validated")] == ["4"] * 3
    bins = [cells[name] for name in cells if "–" in name]
    assert sum(int(count) for count, _, _ in bins) == 4
    assert sum(int(count) * float(share) for count, _, share in bins) == pytest.approx(1, abs=0.01)
    assert output.splitlines()[-1].startswith("Weights of a new fit: ")
    assert output.splitlines()[-1].count(",") == 3


def test_by_words_alone_there_is_one_weight_less(tmp_path: Path) -> None:
    assert calibrate(write(tmp_path, RESTORE, MOON), "--by-words").splitlines()[-1].count(",") == 2


def test_what_cannot_be_measured_is_said(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There are no judged questions yet"):
        calibrate()
    with pytest.raises(CommandError, match="cannot be read"):
        calibrate(tmp_path / "nothing.jsonl")
    with pytest.raises(CommandError, match="No question is about other"):
        calibrate(write(tmp_path, RESTORE), "--corpus", "other")
    with pytest.raises(CommandError, match="no question found anything"):
        calibrate(write(tmp_path, RESTORE | {"question": "unheard"}), "--by-words")
