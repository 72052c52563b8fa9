import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar

import pytest
from pytest_django.fixtures import Settings

from docs_search.sources import SourceError, SourceOptions, open_source
from docs_search.sources.download import is_archive_address
from docs_search.sources.unpacking import UnpackLimits
from tests.archives import tar_archive, zip_archive
from tests.loopback import QuietHandler, serving, write_certificate

FILES = {"docs-1.0/a.md": b"# A", "docs-1.0/de/b.md": b"# B"}


class Releases(QuietHandler):
    """Serves files by path; a text instead of bytes is where the path redirects to."""

    files: ClassVar[dict[str, bytes | str]]
    seen: ClassVar[list[str]]
    encoding: ClassVar[str] = ""

    def do_GET(self) -> None:
        self.seen.append(self.path)
        content = self.files.get(self.path)
        body = content if isinstance(content, bytes) else b""
        headers = {"Location": content} if isinstance(content, str) else {}
        if self.encoding and body:
            headers["Content-Encoding"] = self.encoding
        self.answer(404 if content is None else 302 if isinstance(content, str) else 200, body, headers)


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Iterator[None]:
    """The folder for temporary ones, which must be empty again in the end. Loopback may be connected to."""
    settings.SOURCES_ALLOW_PRIVATE_ADDRESSES = True
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    yield
    assert list(folder.iterdir()) == []


@pytest.fixture
def archive(tmp_path: Path) -> bytes:
    return tar_archive(tmp_path / "docs.tar.gz", FILES, mode="w:gz").read_bytes()


@pytest.fixture
def releases() -> Iterator[str]:
    Releases.files, Releases.seen = {}, []
    with serving(Releases) as address:
        yield address


@pytest.mark.parametrize(
    ("location", "expected"),
    [
        ("https://example.com/docs.tar.gz", True),
        ("http://example.com/a/docs.ZIP?token=1#x", True),
        ("https://example.com/docs.tgz", True),
        ("https://example.com/docs.tar.bz2", True),
        ("https://example.com/docs.tar.zst", False),
        ("https://example.com/docs?file=docs.zip", False),
        ("https://example.zip/", False),
        ("https://example.com/docs.git", False),
        ("ftp://example.com/docs.zip", False),
        ("/srv/docs.zip", False),
        ("https://[::1/docs.zip", False),
    ],
)
def test_an_archive_on_the_web_is_known_by_its_path(location: str, expected: bool) -> None:
    assert is_archive_address(location) is expected


def test_an_archive_is_downloaded_and_read(releases: str, archive: bytes, tmp_path: Path) -> None:
    Releases.files = {
        "/docs.tar.gz?v=1": archive,
        "/docs.zip": zip_archive(tmp_path / "docs.zip", FILES).read_bytes(),
    }
    for location in (f"{releases}/docs.tar.gz?v=1", f"{releases}/docs.zip"):
        with open_source(location) as source:
            assert source.paths() == ["a.md", "de/b.md"]
            assert source.read("a.md") == b"# A"
    with open_source(f"{releases}/docs.zip", SourceOptions(subfolder="de")) as source:
        assert source.paths() == ["b.md"]


def test_redirects_are_followed(releases: str, archive: bytes) -> None:
    Releases.files = {"/docs.tar.gz": "/store/1?key=2", "/store/1?key=2": f"{releases}/last", "/last": archive}
    with open_source(f"{releases}/docs.tar.gz") as source:
        assert source.paths() == ["a.md", "de/b.md"]
    assert Releases.seen == ["/docs.tar.gz", "/store/1?key=2", "/last"]


def test_a_redirect_to_a_private_address_is_refused(
    releases: str, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    """The first address passes for a public one, the second is what it is."""
    settings.SOURCES_ALLOW_PRIVATE_ADDRESSES = False
    monkeypatch.setattr("docs_search.outbound.addresses.is_public", lambda address: address == "127.0.0.1")
    Releases.files = {"/docs.zip": "http://10.0.0.1/docs.zip"}
    with pytest.raises(
        SourceError, match=r"http://10\.0\.0\.1/docs\.zip: 10\.0\.0\.1 is not an address of .* Set SOURCES"
    ):
        open_source(f"{releases}/docs.zip").__enter__()


def test_a_private_address_is_refused(releases: str, settings: Settings) -> None:
    settings.SOURCES_ALLOW_PRIVATE_ADDRESSES = False
    with pytest.raises(SourceError, match=r"127\.0\.0\.1 is not .* Set SOURCES_ALLOW_PRIVATE_ADDRESSES=1"):
        open_source(f"{releases}/docs.zip").__enter__()
    assert Releases.seen == []


def test_a_redirect_in_a_circle_and_away_from_https_ends(
    releases: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Releases.files = {"/a.zip": "/b.zip", "/b.zip": "/a.zip"}
    with pytest.raises(SourceError, match="redirects too often"):
        open_source(f"{releases}/a.zip").__enter__()
    assert len(Releases.seen) == 11
    certificate = write_certificate(tmp_path / "own.pem")
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    Releases.files = {"/a.zip": f"{releases}/b.zip"}
    with serving(Releases, certificate) as secure, pytest.raises(SourceError, match="redirects from https to http"):
        open_source(f"{secure}/a.zip").__enter__()


def test_what_is_not_there_or_no_archive_says_so(releases: str) -> None:
    with pytest.raises(SourceError, match=r"/docs\.zip answers 404\. Check the location\.$"):
        open_source(f"{releases}/docs.zip?key=secret").__enter__()
    Releases.files = {"/docs.zip": b"<html>Sign in</html>"}
    with pytest.raises(SourceError, match=r"^docs\.zip is no archive"):
        open_source(f"{releases}/docs.zip").__enter__()


def test_what_is_too_large_is_not_stored(releases: str, archive: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("docs_search.sources.download.DEFAULT_LIMITS", UnpackLimits(total_bytes=100))
    Releases.files = {"/docs.tar.gz": archive}
    with pytest.raises(SourceError, match=r"/docs\.tar\.gz is larger than 100 bytes"):
        open_source(f"{releases}/docs.tar.gz").__enter__()


def test_an_archive_that_its_server_calls_compressed_twice_is_read(
    releases: str, archive: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Servers announce the compression of the file as one of the transfer; undone, it is a plain tar."""
    monkeypatch.setattr(Releases, "encoding", "x-gzip")
    Releases.files = {"/docs.tar.gz": archive, "/again.tar.gz": gzip.compress(archive)}
    for name in ("docs", "again"):
        with open_source(f"{releases}/{name}.tar.gz") as source:
            assert source.paths() == ["a.md", "de/b.md"]


def test_the_name_of_an_archive_is_a_plain_one(releases: str, archive: bytes) -> None:
    for name in ("..%2F..%2F%00x", "%F0%9F%93%96" * 100):
        Releases.files = {f"/a/{name}.tar.gz": archive}
        with open_source(f"{releases}/a/{name}.tar.gz") as source:
            assert source.paths() == ["a.md", "de/b.md"]


def test_only_what_may_pass_is_worth_another_attempt(releases: str, settings: Settings) -> None:
    Releases.files = {"/docs.zip": b"<html>Sign in</html>"}
    for location, retryable in (
        (f"{releases}/gone.zip", False),
        (f"{releases}/docs.zip", False),
        ("http://127.0.0.1:1/docs.zip", True),
    ):
        with pytest.raises(SourceError) as caught:
            open_source(location).__enter__()
        assert (location, caught.value.retryable) == (location, retryable)
