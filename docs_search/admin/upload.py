"""A page of a corpus on which staff upload an archive to be indexed."""

from typing import Any
from zipfile import is_zipfile

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.core.files.uploadedfile import UploadedFile
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.template.defaultfilters import filesizeformat
from django.urls import URLPattern, path, reverse
from kombu.exceptions import KombuError

from docs_search import uploads
from docs_search.models import Corpus
from docs_search.sources.archive_members import format_of
from docs_search.tasks import ingest_version
from docs_search.versions import SCHEMES, source_slug

ACCEPTED = ".zip,.tar,.tar.gz,.tgz,.tar.xz,.txz,.tar.bz2,.tbz2"


class UploadForm(forms.Form):
    """The version that an archive holds, and the archive. An unversioned corpus has no version to be asked for."""

    version = forms.CharField(max_length=80)
    archive = forms.FileField(widget=forms.FileInput(attrs={"accept": ACCEPTED}))

    def __init__(self, corpus: Corpus, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._corpus = corpus
        self._scheme = SCHEMES[corpus.version_scheme]
        if self._scheme.versioned:
            self.fields[
                "version"
            ].help_text = f"Of the documentation in the archive, for example {self._scheme.example}."
        else:
            del self.fields["version"]
        self.fields[
            "archive"
        ].help_text = (
            f"A .zip, .tar, .tar.gz, .tar.xz or .tar.bz2 file of at most {filesizeformat(settings.UPLOAD_MAX_BYTES)}."
        )

    def clean_version(self) -> str:
        version: str = self.cleaned_data["version"]
        release = self._scheme.parse(version)
        if release is None:
            raise forms.ValidationError(
                f"{version!r} is no version of {self._corpus}. Name one like {self._scheme.example}."
            )
        return release.name

    def clean_archive(self) -> "UploadedFile[Any]":
        archive: UploadedFile[Any] = self.cleaned_data["archive"]
        size = archive.size or 0
        if size > settings.UPLOAD_MAX_BYTES:
            raise forms.ValidationError(
                f"The archive has {filesizeformat(size)}, and at most"
                f" {filesizeformat(settings.UPLOAD_MAX_BYTES)} are taken. Pack only the documents, raise"
                f" UPLOAD_MAX_BYTES, or index it on the server: manage.py ingest {self._corpus} --from ARCHIVE"
            )
        archive.seek(0)
        kind = format_of(archive)
        if kind is None:
            raise forms.ValidationError(
                "This is no archive that can be read. Pack the documents as .zip, .tar, .tar.gz, .tar.xz or .tar.bz2."
            )
        if kind == "zip" and not is_zipfile(archive):  # its list of members stands at the end
            raise forms.ValidationError("This archive is damaged or not whole. Download or pack it again.")
        return archive


class UploadView(admin.ModelAdmin):  # type: ignore[type-arg]
    """Adds the page to the admin of corpora; it goes before the admin class."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.upload_view)
        return [path("<path:object_id>/upload/", view, name="docs_search_corpus_upload"), *super().get_urls()]

    def upload_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        corpus = self.get_object(request, unquote(object_id))
        if corpus is None:
            raise Http404
        if not self.has_change_permission(request, corpus):
            raise PermissionDenied
        form = UploadForm(corpus, *([request.POST, request.FILES] if request.method == "POST" else []))
        if form.is_valid() and self._hand_over(request, corpus, form):
            return HttpResponseRedirect(_runs_of(request, corpus))
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "original": corpus,
            "title": "Index from upload",
            "subtitle": corpus,
            "form": form,
            "media": self.media + form.media,
        }
        return render(request, "admin/docs_search/corpus/upload.html", context)

    def _hand_over(self, request: HttpRequest, corpus: Corpus, form: UploadForm) -> bool:
        """Store the archive and queue its run; where that fails, the form says why."""
        archive: UploadedFile[Any] = form.cleaned_data["archive"]
        version: str = form.cleaned_data.get("version", "")
        name = source_slug(corpus.slug, version)
        archive.seek(0)
        try:
            file = uploads.store(archive.chunks(), archive.name or "archive")
        except OSError as fault:
            form.add_error("archive", f"The archive could not be stored: {fault.strerror}.")
            return False
        try:
            ingest_version.delay(corpus.slug, version, str(file))
        except (KombuError, OSError) as fault:  # the latter of messages that are kept in files
            uploads.discard(str(file))
            form.add_error(None, f"The run could not be handed to the worker, try again later: {fault}")
            return False
        self.log_change(request, corpus, f"Uploaded {archive.name} to be indexed as {name}.")
        self.message_user(
            request,
            f"The archive {archive.name} waits to be indexed as {name}. Its run is listed when the worker takes it.",
            messages.SUCCESS,
        )
        return True


def _runs_of(request: HttpRequest, corpus: Corpus) -> str:
    """The list of the corpus's runs, or the corpus itself for an account that may not see them."""
    if request.user.has_perm("docs_search.view_indexrun"):
        return reverse("admin:docs_search_indexrun_changelist", query={"corpus__id__exact": corpus.pk})
    return reverse("admin:docs_search_corpus_change", args=[corpus.pk])
