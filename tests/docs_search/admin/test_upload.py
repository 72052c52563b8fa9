import errno
import io
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from celery import current_app
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from kombu.exceptions import OperationalError
from pytest_django.fixtures import Settings

from docs_search.embedding.embedder import EmbeddingError
from docs_search.models import Corpus, IndexRun, Page
from docs_search.tasks import ingest_version
from tests.factories import make_corpus
from tests.fakes import ScriptedEmbedder, use_embedder

pytestmark = pytest.mark.django_db(transaction=True)

RUNS = "/admin/docs_search/indexrun/?corpus__id__exact={}"


def _zip(**pages: str) -> SimpleUploadedFile:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, text in pages.items():
            archive.writestr(f"{name}.md", text)
    return SimpleUploadedFile("handbook.zip", content.getvalue(), content_type="application/zip")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Settings) -> Iterator[Path]:
    """Tasks run at once, and nothing may be left of an upload in the end."""
    settings.UPLOAD_DIR = tmp_path / "uploads"
    current_app.conf.task_always_eager = True
    with use_embedder(ScriptedEmbedder()):
        yield tmp_path / "uploads"
    current_app.conf.task_always_eager = False
    assert list((tmp_path / "uploads").glob("*")) == []


@pytest.fixture
def corpus() -> Corpus:
    return make_corpus("manual", parser="markdown", url="https://docs.example.org/{version}/{path}")


def _address(corpus: Corpus) -> str:
    return reverse("admin:docs_search_corpus_upload", args=[corpus.pk])


def _account(client: Client, *permissions: str) -> None:
    user = User.objects.create_user("writer", password="secret", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client.force_login(user)


def test_a_corpus_leads_to_its_form(corpus: Corpus, admin_client: Client) -> None:
    change = admin_client.get(reverse("admin:docs_search_corpus_change", args=[corpus.pk])).content.decode()
    assert f'<a href="{_address(corpus)}">Index from upload</a>' in change
    form = admin_client.get(_address(corpus)).content.decode()
    assert ('name="version"' in form, 'name="archive"' in form) == (True, True)
    assert "for example 17." in form


def test_an_unversioned_corpus_is_not_asked_for_a_version(admin_client: Client) -> None:
    corpus = make_corpus("handbook", parser="markdown", url="https://docs.example.org/{path}", version_scheme="none")
    assert 'name="version"' not in admin_client.get(_address(corpus)).content.decode()
    response = admin_client.post(_address(corpus), {"archive": _zip(start="# Start\n\nThe first steps.\n")})
    assert response.headers["Location"] == RUNS.format(corpus.pk)
    assert Page.objects.get().url == "https://docs.example.org/start"


def test_an_uploaded_archive_is_indexed(corpus: Corpus, admin_client: Client) -> None:
    upload = {"version": "17.2", "archive": _zip(start="# Start\n\nThis page is about the first steps.\n")}
    response = admin_client.post(_address(corpus), upload, follow=True)

    assert response.redirect_chain == [(RUNS.format(corpus.pk), 302)]
    assert [str(message) for message in response.context["messages"]] == [
        "The archive handbook.zip waits to be indexed as manual_17. Its run is listed when the worker takes it."
    ]
    run = IndexRun.objects.get()
    assert (run.status, run.version, run.counts["pages"]) == (IndexRun.Status.SUCCEEDED, "17", 1)
    assert run.location.endswith("/handbook.zip")
    assert Page.objects.get().url == "https://docs.example.org/17/start"
    assert LogEntry.objects.get().get_change_message() == "Uploaded handbook.zip to be indexed as manual_17."


def test_a_run_that_fails_leaves_nothing_of_the_upload(corpus: Corpus, admin_client: Client) -> None:
    admin_client.post(_address(corpus), {"version": "17", "archive": _zip()})
    run = IndexRun.objects.get()
    assert run.status == IndexRun.Status.FAILED
    assert "holds no files" in run.error


def test_a_run_that_finds_no_page_names_the_archive_as_it_was_uploaded(corpus: Corpus, admin_client: Client) -> None:
    admin_client.post(_address(corpus), {"version": "17", "archive": _zip(start="")})
    assert IndexRun.objects.get().error == (
        "No page was found in handbook.zip. To see what it holds and how that is read, run: manage.py inspect"
        " handbook.zip --corpus manual"
    )


def test_an_upload_is_kept_for_the_attempts_that_follow(corpus: Corpus, admin_client: Client) -> None:
    class Unreliable(ScriptedEmbedder):
        failures = 2

        def embed(self, texts):  # type: ignore[no-untyped-def]
            if self.failures:
                self.failures -= 1
                raise EmbeddingError("the provider is busy", retryable=True)
            return super().embed(texts)

    with use_embedder(Unreliable()):
        admin_client.post(_address(corpus), {"version": "17", "archive": _zip(start="# Start\n\nFirst steps.\n")})
    assert sorted(IndexRun.objects.values_list("status", flat=True)) == ["failed", "failed", "succeeded"]


@pytest.mark.parametrize(
    ("version", "content", "message"),
    [
        ("17", b"<html>no archive</html>", "This is no archive that can be read. Pack the documents as .zip"),
        ("17", b"PK\x03\x04" + bytes(200), "This archive is damaged or not whole. Download or pack it again."),
        ("17", b"", "The submitted file is empty."),
        ("17", None, "This field is required."),
        ("nightly", b"PK\x05\x06" + bytes(18), "&#x27;nightly&#x27; is no version of manual. Name one like 17."),
        ("", b"PK\x05\x06" + bytes(18), "This field is required."),
        ("17", b"PK\x05\x06" + bytes(2000), "and at most 1.0\xa0KB are taken. Pack only the documents, raise"),
    ],
)
def test_what_cannot_be_indexed_is_said_beside_its_field(
    version: str, content: bytes | None, message: str, corpus: Corpus, admin_client: Client, settings: Settings
) -> None:
    settings.UPLOAD_MAX_BYTES = 1024
    fields = {"version": version} | ({} if content is None else {"archive": SimpleUploadedFile("docs.zip", content)})
    response = admin_client.post(_address(corpus), fields)
    assert response.status_code == 200
    assert message in response.content.decode()
    assert (IndexRun.objects.count(), LogEntry.objects.count()) == (0, 0)


def test_a_worker_out_of_reach_is_told(corpus: Corpus, admin_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object, **options: object) -> None:
        raise OperationalError("connection refused")

    monkeypatch.setattr(ingest_version, "apply_async", refuse)
    response = admin_client.post(_address(corpus), {"version": "17", "archive": _zip(a="text")})
    assert "could not be handed to the worker, try again later: connection refused" in response.content.decode()
    assert LogEntry.objects.count() == 0


def test_messages_that_cannot_be_written_are_told(
    corpus: Corpus, admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without Redis they are files, and what goes wrong with those is no error of the broker's."""

    def refuse(*arguments: object, **options: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(ingest_version, "apply_async", refuse)
    response = admin_client.post(_address(corpus), {"version": "17", "archive": _zip(a="text")})
    assert "could not be handed to the worker, try again later: [Errno 28] No space left" in response.content.decode()
    assert LogEntry.objects.count() == 0


def test_a_form_that_arrives_empty_says_what_is_missing(corpus: Corpus, admin_client: Client) -> None:
    assert admin_client.post(_address(corpus)).content.decode().count("This field is required.") == 2


def test_a_form_of_another_site_is_refused(corpus: Corpus, admin_user: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(admin_user)
    assert client.post(_address(corpus), {"version": "17", "archive": _zip(a="text")}).status_code == 403
    assert IndexRun.objects.count() == 0


def test_a_folder_that_cannot_be_written_is_told(corpus: Corpus, admin_client: Client, folder: Path) -> None:
    folder.write_text("in the way")
    response = admin_client.post(_address(corpus), {"version": "17", "archive": _zip(a="text")})
    assert "The archive could not be stored: Not a directory." in response.content.decode()


def test_only_who_may_change_a_corpus_may_upload(corpus: Corpus, client: Client) -> None:
    assert client.get(_address(corpus)).headers["Location"] == f"/admin/login/?next={_address(corpus)}"
    _account(client, "view_corpus")
    change = client.get(reverse("admin:docs_search_corpus_change", args=[corpus.pk])).content.decode()
    assert "Index from upload" not in change
    assert client.get(_address(corpus)).status_code == 403
    assert client.post(_address(corpus), {"version": "17", "archive": _zip(a="text")}).status_code == 403
    assert IndexRun.objects.count() == 0


def test_who_may_not_see_runs_comes_back_to_the_corpus(corpus: Corpus, client: Client) -> None:
    _account(client, "view_corpus", "change_corpus")
    response = client.post(_address(corpus), {"version": "17", "archive": _zip(start="# Start\n\nFirst steps.\n")})
    assert response.headers["Location"] == f"/admin/docs_search/corpus/{corpus.pk}/change/"
    assert IndexRun.objects.get().status == IndexRun.Status.SUCCEEDED


def test_a_corpus_that_is_gone_has_no_form(admin_client: Client) -> None:
    assert admin_client.get(reverse("admin:docs_search_corpus_upload", args=[99])).status_code == 404
