"""A git repository, read over https at one branch, tag or commit."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

from docs_search.documents import PageWarning, Source
from docs_search.outbound.addresses import RefusedAddress, resolve
from docs_search.sources.base import MISSING_SUBFOLDER, SourceError, SourceKind, SourceOptions
from docs_search.sources.directory import open_directory
from docs_search.sources.git.checkout import check_out, git_settings
from docs_search.sources.git.location import GitLocation, folder_path, is_repository, parse_location
from docs_search.sources.git.process import GitLimits
from docs_search.sources.temporary import temporary_folder

LIMITS = GitLimits()
_LOOK_UP_SECONDS = 30.0


@contextmanager
def _open(location: str, options: SourceOptions) -> Iterator[Source]:
    place = parse_location(location)
    with temporary_folder() as root:
        options.progress.stage("fetch", 1)
        configured = git_settings(place, _addresses(place), _token(place))
        folder, path = check_out(place, options, root, configured, LIMITS)
        options.progress.advance()
        source = open_directory(folder, "", location)
        if folder_path(options.subfolder) and path == place.subfolder:
            source.warn([PageWarning(options.subfolder, MISSING_SUBFOLDER)])
        yield source


def _addresses(place: GitLocation) -> list[str]:
    try:
        return resolve(
            place.host,
            place.port,
            allow_private=settings.SOURCES_ALLOW_PRIVATE_ADDRESSES,
            seconds=_LOOK_UP_SECONDS,
        )
    except RefusedAddress as error:
        raise SourceError(f"{place.url}: {error}") from None
    except OSError as error:
        raise SourceError(
            f"The host {place.host} is not known ({error.strerror}). Check the location.", retryable=True
        ) from error


def _token(place: GitLocation) -> str:
    tokens: dict[str, str] = settings.GIT_TOKENS
    return tokens.get(f"{place.host}:{place.port}") or tokens.get(place.host, "")


GIT = SourceKind(name="git", accepts=is_repository, open=_open)
