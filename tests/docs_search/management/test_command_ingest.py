import errno
from collections.abc import Iterator, Sequence
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError
from numpy.typing import NDArray

from docs_search.management.commands.ingest import Command
from docs_search.models import Corpus, IndexRun, Page, Version
from tests.factories import make_corpus
from tests.fakes import ScriptedEmbedder, use_embedder

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _corpus() -> Iterator[None]:
    make_corpus("manual", parser="markdown", url="https://docs.example.org/{version}/{path}")
    with use_embedder(ScriptedEmbedder()):
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number in range(3):
        (tmp_path / f"page-{number}.md").write_text(
            f"# Page {number}\n\nThis is the page that has the number {number}.\n"
        )
    return tmp_path


def ingest(*arguments: object) -> str:
    output = StringIO()
    call_command("ingest", *map(str, arguments), stdout=output)
    return output.getvalue()


def test_the_closing_table_counts_what_became_of_pages_and_passages(folder: Path) -> None:
    output = ingest("manual", "17", "--from", folder)

    assert "manual_17: published" in output
    assert [line.split() for line in output.splitlines() if "embedded" in line][-1][1::2] == [
        "pages", "passages", "embedded", "reused", "unchanged", "removed", "warnings"
    ]  # fmt: skip
    assert "│ 3 │ 3 │ 3 │ 0 │ 0 │ 0 │ 0 │" in " ".join(output.split())
    assert Page.objects.count() == 3
    assert "already up to date" in ingest("manual", "17", "--from", folder)


def test_warnings_name_the_page_they_are_about(folder: Path) -> None:
    (folder / "broken.md").write_bytes(b"# Broken\n\nThis page holds \xff\xfe bytes that are no text at all.\n")

    output = ingest("manual", "17", "--from", folder)

    assert any(line.startswith("broken.md: ") for line in output.splitlines())


def test_a_dry_run_lists_what_would_change(folder: Path) -> None:
    ingest("manual", "17", "--from", folder)
    (folder / "page-0.md").write_text("# Page 0\n\nThis page says something else than it did before.\n")
    (folder / "page-1.md").unlink()

    output = ingest("manual", "17", "--from", folder, "--dry-run")

    assert "nothing was changed (dry run)" in output
    assert [line for line in output.splitlines() if line.startswith("would ")] == [
        "would write page-0",
        "would delete page-1",
    ]
    assert Version.objects.get().publication == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nothing", "17"], "There is no corpus 'nothing'. Corpora: manual."),
        (["manaul", "17"], "There is no corpus 'manaul'. Did you mean manual? Corpora: manual."),
        (
            ["manual", "banana", "--from", "."],
            "'banana' is no version of manual. Name one, for example: ingest manual 3.5",
        ),
        (["manual", "--from", "."], "Name the version to index, for example: ingest manual 3.5"),
        (["manual", "17.0", "--from", ""], "The location is empty: name a folder or an archive with --from"),
        (["manual", "17.0", "--from", "x" * 1001], "The location has more than 1,000 characters"),
        (["manual", "17.0", "--from", "caf\udce9"], "The location is not UTF-8"),
        (
            ["manual", "17.0", "--from", "https://me:secret@docs.example.com/"],
            "The location has a user name or password",
        ),
        (["manual", "17.0"], "manual has no source yet: name one with --from, such as a folder or an archive."),
        (["manual", "17.0", "--from", "/no/such/folder"], "/no/such/folder"),
    ],
)
def test_what_cannot_be_indexed_ends_in_an_error_that_says_what_to_do(arguments: list[str], message: str) -> None:
    Corpus.objects.update(version_scheme="major.minor")
    with pytest.raises(CommandError) as raised:
        ingest(*arguments)

    assert message in str(raised.value)


def test_a_brief_run_is_one_line(folder: Path) -> None:
    (folder / "broken.md").write_bytes(b"# Broken\n\nThis page holds \xff\xfe bytes that are no text at all.\n")
    lines = [ingest("manual", "17", "--from", folder, "--verbosity", 0) for _ in range(2)]
    assert lines == [
        "manual_17: published (4 pages, warnings: 1)\n",
        "manual_17: already up to date (4 pages, warnings: 1)\n",
    ]


def test_nothing_is_printed_before_the_table_without_a_terminal(folder: Path) -> None:
    assert ingest("manual", "17", "--from", folder).startswith("manual_17: published")


class FailingEmbedder(ScriptedEmbedder):
    """Meets what a run may meet while it embeds."""

    def __init__(self, fault: BaseException) -> None:
        super().__init__()
        self.fault = fault

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise self.fault


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        (OSError(errno.ENOSPC, "No space left on device", "/var/lib/x"), "No space left on device: /var/lib/x."),
        (
            OperationalError("the connection is lost\nDETAIL: none."),
            "The database does not go on: the connection is lost",
        ),
    ],
)
def test_a_full_disk_or_a_lost_database_ends_in_one_line(folder: Path, fault: Exception, message: str) -> None:
    with use_embedder(FailingEmbedder(fault)), pytest.raises(CommandError) as raised:
        ingest("manual", "17", "--from", folder)

    assert str(raised.value).startswith(message)
    assert str(raised.value).endswith(
        "Mend that, then run the command again. The published version is unchanged;"
        " the vectors computed so far are kept."
    )
    assert "\n" not in str(raised.value)
    assert IndexRun.objects.get().status == IndexRun.Status.FAILED


def test_ctrl_c_ends_a_command_with_one_line(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with use_embedder(FailingEmbedder(KeyboardInterrupt())), pytest.raises(SystemExit) as ended:
        Command().run_from_argv(["manage.py", "ingest", "manual", "17", "--from", str(folder)])

    assert (ended.value.code, *capsys.readouterr()) == (
        130,
        "",
        "Interrupted. The published version is unchanged; the vectors computed so far are kept.\n",
    )
    run = IndexRun.objects.get()
    assert (run.status, run.error) == (IndexRun.Status.FAILED, "interrupted")


def test_ctrl_c_is_left_to_a_command_that_calls_this_one(folder: Path) -> None:
    with use_embedder(FailingEmbedder(KeyboardInterrupt())), pytest.raises(KeyboardInterrupt):
        ingest("manual", "17", "--from", folder)
