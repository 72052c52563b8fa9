"""An archive on the web, downloaded to a temporary file and read as any other archive."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO
from urllib.parse import unquote, urlsplit

from django.conf import settings

from docs_search.documents import Source
from docs_search.outbound.fetcher import Fetcher, FetchError, Response, shown
from docs_search.outbound.redirects import MAX_REDIRECTS, redirect_target
from docs_search.sources.archive import open_archive
from docs_search.sources.base import SourceError, SourceKind, SourceOptions, advice
from docs_search.sources.temporary import temporary_folder
from docs_search.sources.unpacking import DEFAULT_LIMITS

_ARCHIVE = re.compile(r"\.(?:zip|tar|tgz|txz|tbz2|tar\.(?:gz|xz|bz2))$", re.IGNORECASE)
_TIME_LIMIT = 3600.0  # seconds for the whole download


def is_archive_address(location: str) -> bool:
    """Whether a location is an http or https address whose path ends as the name of an archive."""
    try:
        parts = urlsplit(location)
    except ValueError:
        return False
    return parts.scheme.lower() in {"http", "https"} and _ARCHIVE.search(parts.path) is not None


@contextmanager
def _open(location: str, options: SourceOptions) -> Iterator[Source]:
    with temporary_folder() as folder:
        archive = folder / _file_name(location)
        options.progress.stage("fetch", 1)
        try:
            with archive.open("wb") as file:
                _download(location, file)
        except FetchError as error:
            raise SourceError(error.message, retryable=error.retryable) from error
        except OSError as error:
            raise SourceError(f"{shown(location)} cannot be stored: {error.strerror}.") from error
        options.progress.advance()
        with open_archive(archive, shown(location), options) as source:
            yield source


def _download(location: str, file: IO[bytes]) -> None:
    """Raises FetchError, and OSError where the file cannot be written."""
    with Fetcher(allow_private=settings.SOURCES_ALLOW_PRIVATE_ADDRESSES, total_timeout=_TIME_LIMIT) as fetcher:
        response = _follow(fetcher, location, file)
    if response.status != 200:
        raise FetchError(
            f"{shown(response.url)} answers {response.status}. {advice(response.status)}",
            retryable=response.status == 429 or response.status >= 500,
        )


def _follow(fetcher: Fetcher, url: str, file: IO[bytes]) -> Response:
    for _ in range(MAX_REDIRECTS + 1):
        # As it is: what an archive is compressed by must not pass for a wrapping of the response.
        response = fetcher.save(
            url, file, headers={"Accept-Encoding": "identity"}, max_bytes=DEFAULT_LIMITS.total_bytes
        )
        target = redirect_target(response)
        if target is None:
            return response
        url = target
    raise FetchError(f"{shown(url)} redirects too often.", retryable=False)


def _file_name(location: str) -> str:
    """The last part of the path, which errors of the archive name, without what a file name cannot hold."""
    name = Path(unquote(urlsplit(location).path)).name
    return re.sub(r"[^\w.+-]", "-", name)[-50:].lstrip(".") or "archive"  # has 255 bytes, and a letter up to four


DOWNLOAD = SourceKind(name="download", accepts=is_archive_address, open=_open)
