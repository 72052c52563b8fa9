from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from docs_search.models import IndexRun, Page
from tests.factories import make_corpus
from tests.fakes import ScriptedEmbedder, use_embedder

TEXT = "Run the dump every night, and copy the file to another building in another town.\n"


@pytest.fixture(autouse=True)
def _scripted_embedder() -> Iterator[None]:
    with use_embedder(ScriptedEmbedder()):
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(4):
        (tmp_path / f"page-{number}.md").write_text(
            f"---\nsummary: All of {number}.\n---\n# Page [{number}]\n\n{TEXT}\n## Again\n\n:::tip\n{TEXT}:::\n\x1b[2J"
        )
    return tmp_path


def inspect(*arguments: object) -> str:
    output = StringIO()
    call_command("inspect", *map(str, arguments), stdout=output)
    return output.getvalue()


def test_format_counts_findings_and_pages_are_shown(folder: Path) -> None:
    output = inspect(folder, "--parser", "markdown", "--pages", "1")

    lines = [line.rstrip() for line in output.splitlines()]
    assert "read as markdown, as asked for" in lines
    assert any(line.startswith("│     4 │         4 │") for line in lines)
    assert "4 × pages with residue: colon fences (:::)" in lines
    assert "    page-0: :::tip" in [line[:18] for line in lines]
    assert [line for line in lines if line.startswith(("document", "path", "address", "summary"))] == [
        "document  page-2.md",
        "path      page-2",
        "address   https://docs.invalid/page-2",
        "summary   All of 2.",
    ]
    assert "## Again" in lines
    assert any("Page [2] › Again" in line and "again" in line and "section" in line for line in lines)


def test_reasons_are_shown_for_a_format_that_was_found(folder: Path) -> None:
    output = inspect(folder, "--pages", "0")
    assert "  - docusaurus: 4 files, :::note containers in 4 of the 4 Markdown files looked into" in output.splitlines()


def test_passages_are_shown_in_full_when_asked_for(folder: Path) -> None:
    lines = inspect(folder, "--page", "page-1", "--passages", "--parser", "markdown").splitlines()
    assert any(line.startswith("passage 2 of 2: section, ") and "#again" in line for line in lines)
    assert "Page [1] › Again" in lines


def test_what_documents_hold_does_not_drive_the_terminal(folder: Path) -> None:
    assert "\x1b" not in inspect(folder, "--page", "page-1")


def test_what_cannot_be_read_ends_the_command_with_a_message(tmp_path: Path) -> None:
    (tmp_path / "logo.svg").write_text("<svg/>")
    with pytest.raises(CommandError, match=r"No page was found in .*\. Files: 1, read"):
        inspect(tmp_path)
    with pytest.raises(CommandError, match="does not exist"):
        inspect(tmp_path / "nowhere")


@pytest.mark.django_db
def test_a_corpus_is_taken_from_the_database_and_nothing_is_stored(folder: Path) -> None:
    make_corpus("manual", parser="markdown", url="https://docs.example.org/{version}/{path}")
    output = inspect(folder, "17", "--corpus", "manual", "--page", "page-1")
    assert "address   https://docs.example.org/17/page-1" in output
    assert (Page.objects.count(), IndexRun.objects.count()) == (0, 0)
    with pytest.raises(CommandError, match="There is no corpus 'manal'"):
        inspect(folder, "--corpus", "manal")
