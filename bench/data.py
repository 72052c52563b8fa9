"""The real documentation and questions that the benchmark runs on, which the repository does not carry."""

import json
from pathlib import Path

SHARED = Path(__file__).resolve().parents[2] / "shared"


def archive(folder: str, version: str) -> Path:
    """The documentation of one version; it may be absent."""
    return SHARED / "corpora" / folder / f"{version}.tar.xz"


def questions(corpus: str) -> list[str]:
    """Real questions about a corpus."""
    lines = (SHARED / "eval" / "questions.jsonl").read_text().splitlines()
    return [question["question"] for question in map(json.loads, lines) if question["product"] == corpus]
