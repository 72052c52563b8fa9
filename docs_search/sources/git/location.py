"""Where a git repository is, at which state, and which folder of it is wanted: `https://host/path.git#ref:subfolder`."""

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

import httpx

from docs_search.outbound.fetcher import shown
from docs_search.sources.base import SourceError

TAG = "{tag}"

_REPOSITORY = re.compile(r"https?://[^?#]*\.git/?(?:[?#]|$)", re.IGNORECASE)
_PAGE = re.compile(
    r"(?P<repository>https://(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org)/[^/?#]+/[^/?#]+)"
    r"(?:/(?:-/)?(?:tree|src/branch|src)/(?P<ref>[^/?#]+)(?:/(?P<folder>[^?#]*[^/?#]))?)?/?$",
    re.IGNORECASE,
)
_OTHER = re.compile(r"(?:git\+|git://|ssh://|git@)", re.IGNORECASE)
_HOST = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*|[0-9a-f:.]+")
# What git allows (check-ref-format), without what means something else to it, to a shell or within a pattern.
_REF = re.compile(r"[\w@%][\w./@+=,%-]{0,199}")
_NOT_IN_REF = re.compile(r"\.\.|@\{|//|/\.|\.lock(?:/|$)|[/.]$|^@$")
_FORM = "Give https://host/path.git, and behind it #ref, #ref:subfolder or #:subfolder."


@dataclass(frozen=True, slots=True)
class GitLocation:
    """A repository, and what of it: `ref` is blank for its default branch, `subfolder` for everything.

    `url` holds neither secrets nor a fragment. `ref` and `subfolder` are safe to be given to git.
    """

    url: str
    host: str
    port: int
    ref: str
    subfolder: str


def repository_of_page(location: str) -> str | None:
    """The location of the repository that a page of a large host shows, None for any other address."""
    match = _PAGE.match(location)
    if match is None:
        return None
    ref = f"#{match['ref']}" if match["ref"] else ""
    return f"{match['repository']}.git{ref}{':' + match['folder'] if match['folder'] else ''}"


def is_repository(location: str) -> bool:
    """Whether a location is written as a git repository's, among them forms that are not read."""
    return bool(_OTHER.match(location) or _REPOSITORY.match(location))


def parse_location(location: str) -> GitLocation:
    """Raises SourceError, without what may be a password, for what cannot be read as a location."""
    address, _, fragment = location.partition("#")
    address = re.sub(r"^git\+", "", address, flags=re.IGNORECASE)
    try:
        url = httpx.URL(address)
    except (httpx.InvalidURL, ValueError):
        raise SourceError(f"This location of a git repository is no address. {_FORM}") from None
    if url.scheme != "https":
        raise SourceError(f"Git repositories are read over https alone. {_FORM}")
    if url.userinfo:
        raise SourceError(
            "The location of a git repository has a user name or password in it. Give it without, and set"
            f" GIT_TOKENS={url.raw_host.decode('ascii')}=TOKEN for one that is not public."
        )
    host = url.raw_host.decode("ascii").lower().rstrip(".")
    port = 443 if url.port is None else url.port
    path = url.raw_path.decode("ascii")
    if not _HOST.fullmatch(host) or not 0 < port < 1 << 16 or path.strip("/") == "" or "?" in path:
        raise SourceError(f"{shown(address)} is no address of a git repository. {_FORM}")
    ref, _, subfolder = fragment.partition(":")
    netloc = (f"[{host}]" if ":" in host else host) + ("" if port == 443 else f":{port}")
    return GitLocation(f"https://{netloc}{path}", host, port, _ref(ref), folder_path(subfolder))


def _ref(ref: str) -> str:
    if ref in {"", TAG} or (_REF.fullmatch(ref) and not _NOT_IN_REF.search(ref)):
        return ref
    raise SourceError(f"{ref[:100]!r} is no name of a branch, tag or commit. {_FORM}")


def folder_path(subfolder: str) -> str:
    """A folder relative to the repository's top, blank for the top itself. Raises SourceError for one outside."""
    path = PurePosixPath(subfolder.strip("/"))
    if ".." in path.parts or not subfolder.isprintable():
        raise SourceError(f"The subfolder {subfolder[:100]!r} is not below the repository. Give a path such as docs/.")
    return "" if path == PurePosixPath() else str(path)
