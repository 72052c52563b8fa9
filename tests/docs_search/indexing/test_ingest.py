"""Indexing with the scripted embedder: small manuals of our own in a temporary folder."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from django.db import connection
from pytest_django.fixtures import Settings

from docs_search.embedding import embedder as embedder_module
from docs_search.errors import InvalidRequest
from docs_search.indexing.ingest import IndexReport, ingest
from docs_search.indexing.runs import IndexingError, claim
from docs_search.models import Corpus, Identifier, IndexRun, Page, PageVector, Passage, PassageVector, Posting, Version
from docs_search.sources import SourceError
from tests.archives import zip_archive
from tests.factories import make_corpus
from tests.fakes import ScriptedEmbedder, use_embedder
from tests.site_server import serve_site

pytestmark = pytest.mark.django_db(transaction=True)

Manual = dict[str, str]
# Sections of a few words share a passage; this makes one long enough to stand alone.
DETAIL = (
    "This takes a while on a large installation, so plan for it, tell the people who depend on the service beforehand,"
    " watch the log while it runs, and keep the previous copy until the new one has been checked."
)
MANUAL: Manual = {
    "index.md": "# Manual\n\nWelcome to the manual of a small database with a long story behind it.\n",
    "backup.md": f"# Backup\n\n## Dump\n\nRun `pg_dump` every night and copy the file to another building. {DETAIL}\n\n"
    f"## Restore\n\nStop the service, then read the dump back into an empty cluster. {DETAIL}\n",
    "cloud/start.md": "# Cloud\n\nThe hosted product takes backups for you, once an hour, in every plan.\n",
}


@pytest.fixture
def embedder() -> Iterator[ScriptedEmbedder]:
    scripted = ScriptedEmbedder()
    with use_embedder(scripted):
        yield scripted


@pytest.fixture
def corpus() -> Corpus:
    return make_corpus(
        "manual", parser="markdown", url="https://docs.example.org/{version}/{path}", cloud_prefixes=["cloud/"]
    )


@pytest.fixture
def write(tmp_path: Path) -> Callable[[Manual], str]:
    """Write a manual into a folder of its own; returns the folder."""

    def write_manual(manual: Manual) -> str:
        folder = tmp_path / str(len(list(tmp_path.iterdir())))
        for path, text in manual.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text)
        return str(folder)

    return write_manual


def passage_ids(version: str) -> dict[str, int]:
    return dict(Passage.objects.filter(version__source=version).values_list("content_hash", "pk"))


def test_a_version_is_published_with_everything_that_search_needs(
    corpus: Corpus, embedder: ScriptedEmbedder, write: Callable[[Manual], str]
) -> None:
    report = ingest(corpus, "17.2", location=write(MANUAL))

    assert report.counts == {
        "pages": 3, "passages": 4, "embedded": 4, "reused": 0, "unchanged": 0, "removed": 0
    }  # fmt: skip
    version = Version.objects.get(source="manual_17")
    assert (version.publication, version.page_count, version.passage_count) == (1, 2, 3)
    assert PassageVector.objects.filter(version=version).count() == 3
    assert PageVector.objects.filter(version=version).count() == 2
    assert Posting.objects.filter(version=version).exists()
    assert Identifier.objects.filter(version=version, name="pg_dump").exists()
    page = Page.objects.get(version=version, path="backup")
    assert page.url == "https://docs.example.org/17/backup"
    assert [section["anchor"] for section in page.sections] == ["dump", "restore"]
    corpus.refresh_from_db()
    assert (corpus.embedding_model, corpus.embedding_dimension) == (embedder.name, embedder.dimension)


def test_pages_of_the_hosted_product_come_from_the_newest_release_alone(
    corpus: Corpus, embedder: ScriptedEmbedder, write: Callable[[Manual], str]
) -> None:
    ingest(corpus, "18", location=write(MANUAL))
    older = MANUAL | {"cloud/start.md": "# Cloud\n\nAn outdated page about the hosted product and its plans.\n"}
    ingest(corpus, "17", location=write(older))

    assert list(Page.objects.filter(version__scope="cloud").values_list("version__source", "url")) == [
        ("manual_cloud", "https://docs.example.org/18/cloud/start")
    ]
    assert "once an hour" in Passage.objects.get(version__source="manual_cloud").text
    assert Page.objects.filter(version__source="manual_17").count() == 2


def test_without_its_prefixes_a_scope_is_published_as_empty(
    corpus: Corpus, embedder: ScriptedEmbedder, write: Callable[[Manual], str]
) -> None:
    ingest(corpus, "17", location=write(MANUAL))
    corpus.cloud_prefixes = []
    corpus.save()

    report = ingest(corpus, "17", location=write(MANUAL))

    assert (report.pages, report.removed) == (3, 1)
    assert set(Page.objects.filter(path="cloud/start").values_list("version__source", flat=True)) == {"manual_17"}
    assert Version.objects.get(source="manual_cloud").page_count == 0
    assert not ingest(corpus, "17", location=write(MANUAL)).published


def test_indexing_again_without_a_change_embeds_and_publishes_nothing(
    corpus: Corpus, embedder: ScriptedEmbedder, write: Callable[[Manual], str]
) -> None:
    location = write(MANUAL)
    ingest(corpus, "17", location=location)
    before = passage_ids("manual_17")
    embedder.texts.clear()

    report = ingest(corpus, "17", location=location)

    assert embedder.texts == []
    assert not report.published
    assert (report.embedded, report.unchanged, report.removed) == (0, 4, 0)
    assert passage_ids("manual_17") == before
    assert Version.objects.get(source="manual_17").publication == 1


class CountingEmbedder(ScriptedEmbedder):
    """Knows how often it was asked to count tokens, which cutting a page needs."""

    def __init__(self) -> None:
        super().__init__()
        self.counted = 0

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        self.counted += 1
        return super().count_tokens(texts)


def test_an_unchanged_source_is_not_parsed_again_and_its_warnings_stay(
    corpus: Corpus, write: Callable[[Manual], str]
) -> None:
    embedder = CountingEmbedder()
    location = write(MANUAL | {"odd.md": "---\ntitle: [\n---\n# Odd\n\nIts front matter is no YAML at all.\n"})
    with use_embedder(embedder):
        first = ingest(corpus, "17", location=location)
        embedder.counted = 0
        again = ingest(corpus, "17", location=location)

    assert embedder.counted == 0
    assert not again.published
    assert again.warnings == first.warnings != []
    assert (again.pages, again.passages, again.unchanged) == (first.pages, first.passages, first.passages)


def test_a_changed_declaration_reaches_pages_whose_source_has_not_changed(
    corpus: Corpus, embedder: ScriptedEmbedder, write: Callable[[Manual], str]
) -> None:
    location = write(MANUAL)
    ingest(corpus, "17", location=location)
    corpus.url = "https://new.example.org/{version}/{path}"
    corpus.save()

    assert ingest(corpus, "17", location=location).published

    assert Page.objects.get(path="backup").url == "https://new.example.org/17/backup"


def test_a_renamed_document_is_a_change(
    corpus: Corpus, embedder: ScriptedEmbedder, write: Callable[[Manual], str]
) -> None:
    ingest(corpus, "17", location=write(MANUAL))
    renamed = dict(MANUAL)
    renamed["dumps.md"] = renamed.pop("backup.md")

    assert ingest(corpus, "17", location=write(renamed)).published

    assert set(Page.objects.values_list("path", flat=True)) == {"cloud/start", "dumps", "index"}


def test_only_what_changed_is_embedded_and_unchanged_passages_keep_their_ids(
    corpus: Corpus, embedder: ScriptedEmbedder, write: Callable[[Manual], str]
) -> None:
    ingest(corpus, "17", location=write(MANUAL))
    before = passage_ids("manual_17")
    embedder.texts.clear()
    changed = dict(MANUAL)
    changed["backup.md"] = MANUAL["backup.md"].replace("Stop the service", "Stop the server")
    del changed["index.md"]

    report = ingest(corpus, "17", location=write(changed))

    assert report.counts == {
        "pages": 2, "passages": 3, "embedded": 1, "reused": 0, "unchanged": 2, "removed": 2
    }  # fmt: skip
    assert len(embedder.texts) == 1
    assert "Stop the server" in embedder.texts[0]
    after = passage_ids("manual_17")
    kept = before.keys() & after.keys()
    assert len(kept) == 1
    assert {key: after[key] for key in kept} == {key: before[key] for key in kept}
    assert not Page.objects.filter(version__source="manual_17", path="index").exists()
    assert Version.objects.get(source="manual_17").publication == 2
    assert set(Posting.objects.values_list("passage_id", flat=True)) <= set(
        Passage.objects.values_list("pk", flat=True)
    )


def test_a_further_version_embeds_only_the_texts_that_differ(
    corpus: Corpus, embedder: ScriptedEmbedder, write: Callable[[Manual], str]
) -> None:
    ingest(corpus, "17", location=write(MANUAL))
    embedder.texts.clear()

    report = ingest(
        corpus,
        "18",
        location=write(MANUAL | {"new.md": "# New\n\nVacuum can use several workers at the same time at last.\n"}),
    )

    assert (report.embedded, report.reused) == (1, 3)
    assert len(embedder.texts) == 1


def test_a_dry_run_tells_what_would_change_and_changes_nothing(
    corpus: Corpus, embedder: ScriptedEmbedder, write: Callable[[Manual], str]
) -> None:
    report = ingest(corpus, "17", location=write(MANUAL), dry_run=True)

    assert (report.pages, report.passages, report.embedded, report.published) == (3, 4, 4, False)
    assert embedder.texts == []
    for model in (Version, Page, Passage, IndexRun):
        assert not model.objects.exists()


def test_equal_passages_of_a_page_are_told_apart_by_their_order(
    corpus: Corpus, embedder: ScriptedEmbedder, write: Callable[[Manual], str]
) -> None:
    note = f"## Note\n\nRestart the server for this change to come into effect. {DETAIL}\n\n"
    location = write({"a.md": f"# A\n\n{note}{note}"})

    ingest(corpus, "17", location=location)
    before = list(Passage.objects.values_list("pk", "position", "ordinal", "anchor"))
    ingest(corpus, "17", location=write({"a.md": f"# A\n\nAn introduction that was not there before.\n\n{note}{note}"}))

    assert [row[1:] for row in before] == [(0, 0, "note"), (1, 1, "note-1")]
    after = list(Passage.objects.filter(heading="Note").values_list("pk", "position", "ordinal", "anchor"))
    assert after == [(before[0][0], 1, 0, "note"), (before[1][0], 2, 1, "note-1")]


def test_a_failing_embedder_leaves_the_previous_index_and_keeps_what_it_embedded(
    corpus: Corpus, embedder: ScriptedEmbedder, write: Callable[[Manual], str]
) -> None:
    ingest(corpus, "17", location=write(MANUAL))
    before = passage_ids("manual_17")
    embedder.fail_after(0)

    with pytest.raises(embedder_module.EmbeddingError):
        ingest(
            corpus,
            "17",
            location=write(
                {"other.md": "# Other\n\nSomething else entirely, and at some length, about other matters.\n"}
            ),
        )

    assert passage_ids("manual_17") == before
    run = IndexRun.objects.first()
    assert run
    assert run.status == IndexRun.Status.FAILED
    assert run.finished_at


def test_a_location_without_pages_is_refused_and_removes_nothing(
    corpus: Corpus, embedder: ScriptedEmbedder, write: Callable[[Manual], str]
) -> None:
    ingest(corpus, "17", location=write(MANUAL))

    with pytest.raises(IndexingError, match="No page was found"):
        ingest(corpus, "17", location=write({"notes.txt": "no Markdown"}))
    with pytest.raises(SourceError):
        ingest(corpus, "17", location="/nonexistent/manual")

    assert Page.objects.filter(version__source="manual_17").count() == 2


def test_the_query_of_an_address_is_not_kept(
    corpus: Corpus, embedder: ScriptedEmbedder, tmp_path: Path, settings: Settings
) -> None:
    settings.SOURCES_ALLOW_PRIVATE_ADDRESSES = True
    archives = {
        "/manual.zip": zip_archive(tmp_path / "manual.zip", {"a.md": b"# Start\n\nThe first steps.\n"}).read_bytes(),
        "/notes.zip": zip_archive(tmp_path / "notes.zip", {"a.txt": b"Notes."}).read_bytes(),
    }
    with serve_site({f"{path}?signature=secret": archive for path, archive in archives.items()}) as site:
        ingest(corpus, "17", location=f"{site.url}/manual.zip?signature=secret")
        with pytest.raises(IndexingError):
            ingest(corpus, "17", location=f"{site.url}/notes.zip?signature=secret")
        with pytest.raises(SourceError):
            ingest(corpus, "17", location=f"{site.url}/gone.zip?signature=secret")

    assert [run.location for run in IndexRun.objects.order_by("pk")] == [
        f"{site.url}/{name}.zip" for name in ("manual", "notes", "gone")
    ]
    assert not IndexRun.objects.filter(error__contains="secret").exists()


@pytest.mark.parametrize("name", ["abc", "../17"])
def test_what_is_no_version_is_refused(corpus: Corpus, embedder: ScriptedEmbedder, name: str) -> None:
    with pytest.raises(InvalidRequest, match="no version of manual"):
        ingest(corpus, name, location="anywhere")


def test_another_model_is_refused_with_the_way_out(
    corpus: Corpus, embedder: ScriptedEmbedder, write: Callable[[Manual], str]
) -> None:
    corpus.embedding_model = "former-model"
    corpus.save()

    with pytest.raises(IndexingError, match=r"manage\.py reembed manual"):
        ingest(corpus, "17", location=write(MANUAL))


def test_two_runs_of_a_corpus_exclude_each_other_and_a_dead_run_is_closed(corpus: Corpus) -> None:
    def claim_elsewhere() -> None:
        try:
            with claim(corpus):
                pass
        finally:
            connection.close()

    dead = IndexRun.objects.create(corpus=corpus, version="16", location="gone")
    with claim(corpus):
        dead.refresh_from_db()
        assert (dead.status, dead.error) == (IndexRun.Status.FAILED, "The run was interrupted.")
        with ThreadPoolExecutor(1) as thread, pytest.raises(IndexingError, match="another run"):
            thread.submit(claim_elsewhere).result()


def test_a_run_stores_its_counts_and_warnings(
    corpus: Corpus, embedder: ScriptedEmbedder, write: Callable[[Manual], str]
) -> None:
    location = write(
        {"a.md": "# A\n\nThe first page of a manual about databases.\n", "a/index.md": "# Again\n\nSame.\n"}
    )

    report: IndexReport = ingest(corpus, "17", location=location)

    run = IndexRun.objects.get()
    assert (run.status, run.stage, run.counts["pages"]) == (IndexRun.Status.SUCCEEDED, "publish", report.pages)
    assert [warning["page"] for warning in run.warnings] == [warning.page for warning in report.warnings]
