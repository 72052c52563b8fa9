from collections.abc import Iterator
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from docs_search.models import Page, Version
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
        (["manual", "banana", "--from", "."], "'banana' is no version of manual"),
        (["manual", "17"], "manual has no source yet: name a folder or an archive with --from."),
        (["manual", "17", "--from", "/no/such/folder"], "/no/such/folder"),
    ],
)
def test_what_cannot_be_indexed_ends_in_an_error_that_says_what_to_do(arguments: list[str], message: str) -> None:
    with pytest.raises(CommandError) as raised:
        ingest(*arguments)

    assert message in str(raised.value)
