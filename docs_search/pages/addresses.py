"""Between a page and its addresses on the docs' own site.

A pattern is an address with placeholders: `{version}` and `{path}`, and `{server}` for this installation. A site that
puts something between the first folder of a path and the rest of it has `{folder}` and `{rest}` instead of `{path}`.
Whatever is stored has `STORED_SERVER` in the place of the installation's own address, so that it holds when that one
changes; `served` puts the address in where a text leaves for a reader.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol
from urllib.parse import quote, unquote, urlsplit

from django.conf import settings

from docs_search.errors import InvalidRequest
from docs_search.versions import COMMON, NEWEST, SCHEMES

STORED_SERVER = "http://server.invalid"  # an address that parsers can join links to, and no host can have (RFC 6761)
MAX_LENGTH = 2000  # characters of an address or a path
PLACEHOLDERS = {
    "version": r"(?P<version>[^/]+)",
    "path": r"(?P<path>.*?)",
    "folder": r"(?P<folder>[^/]+)",
    "rest": r"(?P<rest>.*?)",
}

_EXTENSION = re.compile(r"\.(?:html?|mdx?)$", re.IGNORECASE)
_INDEX = re.compile(r"(?:^|/)(?:index|readme)$", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_NOT_IN_ADDRESSES = re.compile(r"[ \\]|%(?![0-9a-f]{2})", re.IGNORECASE)
_ENCODED_SLASH = re.compile(r"%(?:2f|5c)", re.IGNORECASE)
_DEFAULT_PORTS = {"http": 80, "https": 443}
_UNQUOTED = "/~!$&'()*+,;=:@"


class Published(Protocol):
    """What tells where a corpus is published; `Corpus` and `CorpusDeclaration` both do."""

    @property
    def slug(self) -> str: ...
    @property
    def url(self) -> str: ...
    @property
    def url_exceptions(self) -> Mapping[str, str]: ...
    @property
    def url_aliases(self) -> Sequence[str]: ...
    @property
    def index_path(self) -> str: ...
    @property
    def version_scheme(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Address:
    """What an address points at: a path in a version of a corpus; version None is the newest."""

    corpus: str
    version: str | None
    path: str


def page_url(corpus: Published, version: str, path: str) -> str:
    """The address of a page on the docs' own site, as it is stored. `path` is as the page has it, not encoded."""
    pattern = corpus.url_exceptions.get(version, corpus.url).replace("{server}", STORED_SERVER)
    pattern = pattern.replace("{version}", quote(version, safe=_UNQUOTED))
    before, name, after = _first_of_path(pattern)
    quoted = quote(path, safe=_UNQUOTED)
    if path in {"", corpus.index_path}:
        return before
    if name == "path":
        return f"{before}{quoted}{after}"
    folder, _, rest = quoted.partition("/")
    return f"{before}{folder}{after.replace('{rest}', rest)}"


def page_path(corpus: Published, version: str, url: str) -> str | None:
    """The path of the page of this version that `url` is the address of; None where it is none of its addresses.

    An address without a version, or with `latest`, is one of every version.
    """
    try:
        host, path = split_url(served(url))
    except InvalidRequest:
        return None
    addresses = sorted(_matches(corpus, host, path), key=lambda match: -match[1])
    address, weight = addresses[0] if addresses else (None, 0)
    return address.path if address and weight and address.version in {None, version} else None


def served(text: str) -> str:
    """A stored address, or Markdown with links, for readers of this installation."""
    return text.replace(STORED_SERVER, settings.API_SERVER_URL)


def lookup_path(path: str) -> str:
    """The form of a path under which its spellings are one: no extension, index name or surrounding slash.

    `sql-copy.html`, `/sql-copy` and `sql-copy/` are `sql-copy`; `guide/index.html` is `guide`; the root is blank.
    """
    return _INDEX.sub("", _EXTENSION.sub("", path.strip("/")))


def checked_path(path: str) -> str:
    """A decoded path without empty segments. Raises InvalidRequest for one that climbs, or hides how it is divided."""
    if len(path) > MAX_LENGTH:
        raise InvalidRequest(f"A path has at most {MAX_LENGTH} characters.")
    if _CONTROL.search(path):
        raise InvalidRequest("The path has control characters.")
    if "\\" in path or _ENCODED_SLASH.search(path):
        raise InvalidRequest("The path has an encoded or backward slash; separate folders by /.")
    segments = [segment for segment in path.split("/") if segment]
    if any(segment in {".", ".."} for segment in segments):
        raise InvalidRequest("The path has . or .. segments; give it from the root of the version.")
    return "/".join(segments)


def parse_url(url: str, corpora: Iterable[Published]) -> list[Address]:
    """What `url` may point at, the most specific pattern first; empty where it is no address of these corpora.

    The scheme, the host's case and `www.`, the query, the anchor and surrounding slashes make no difference. The last
    address, on any host of a corpus, is the path from the site's root with its leading slash: pages that moved into the
    docs have it as an alias.
    Raises InvalidRequest for what is no absolute http(s) address.
    """
    host, path = split_url(url)
    addresses: dict[Address, int] = {}
    for corpus in corpora:
        for address, weight in _matches(corpus, host, path):
            addresses[address] = max(weight, addresses.get(address, 0))
    return sorted(addresses, key=lambda address: -addresses[address])


def split_url(url: str) -> tuple[str, str]:
    """The normalised host and the decoded path (from its first slash) of an absolute http(s) address.

    Raises InvalidRequest for anything else, and for a path that climbs or hides how it is divided.
    """
    url = url.strip()
    if len(url) > MAX_LENGTH:
        raise InvalidRequest(f"An address has at most {MAX_LENGTH} characters.")
    try:
        parts = urlsplit(url)
        host = _host(parts.netloc, parts.scheme.lower())
    except ValueError:
        raise InvalidRequest("The address is malformed.") from None
    if parts.scheme.lower() not in _DEFAULT_PORTS or not host:
        raise InvalidRequest("The address must be absolute: https://host/path.")
    if _CONTROL.search(url) or _NOT_IN_ADDRESSES.search(parts.path):
        raise InvalidRequest("The address has characters that no address may have.")
    if _ENCODED_SLASH.search(parts.path):
        raise InvalidRequest("The address has an encoded slash; separate folders by /.")
    try:
        path = unquote(parts.path, errors="strict")
    except UnicodeDecodeError:
        raise InvalidRequest("The path of the address is not UTF-8.") from None
    return host, "/" + checked_path(path)


def pattern_fault(pattern: str, *, versioned: bool) -> str | None:
    """What is wrong with an address pattern, or None. `versioned` wants `{version}` in it."""
    names = re.findall(r"\{([^{}]*)\}", pattern)
    unknown = [name for name in names if name not in {*PLACEHOLDERS, "server"}]
    try:
        parts = urlsplit(pattern.replace("{server}", "http://server"))
        host = _host(parts.netloc, parts.scheme)
    except ValueError as fault:
        return str(fault)
    absolute = host and "{" not in host and pattern.startswith(("http://", "https://", "{server}/"))
    checks = {
        f"unknown placeholder {{{next(iter(unknown), '')}}}; known are {{server}}, {{version}}, {{path}}": not unknown,
        "needs one {path}, after a slash, or {folder}/ and {rest}": _has_path(pattern, names),
        "has {version}, but the corpus is unversioned": versioned or "version" not in names,
        "lacks {version}": not versioned or "version" in names,
        "has {version} twice": names.count("version") < 2,
        "must start with http:// or https:// and a host, or with {server}/": absolute,
    }
    return next((fault for fault, passed in checks.items() if not passed), None)


def _matches(corpus: Published, host: str, path: str) -> Iterator[tuple[Address, int]]:
    """The addresses a corpus makes of a host and path, each with how specific it is: the length of its fixed text."""
    hosts = set()
    exceptions = [(None if name in COMMON else name, pattern) for name, pattern in corpus.url_exceptions.items()]
    for version, pattern in [*exceptions, (None, corpus.url), *((None, alias) for alias in corpus.url_aliases)]:
        pattern_host, expression, weight = _compiled(pattern.replace("{server}", settings.API_SERVER_URL))
        hosts.add(pattern_host)
        if pattern_host != host or not (match := expression.fullmatch(path)):
            continue
        named = match.groupdict().get("version")
        found = _matched_path(match)
        if named is None or named.lower() in NEWEST:
            yield Address(corpus.slug, version, found), weight
        elif release := SCHEMES[corpus.version_scheme].parse(named):
            yield Address(corpus.slug, release.name, found), weight
    if host in hosts:
        yield Address(corpus.slug, None, path), 0


def _matched_path(match: re.Match[str]) -> str:
    groups = match.groupdict()
    if "path" in groups:
        return groups["path"]
    return "/".join(part for part in (groups["folder"], groups["rest"]) if part)


def _first_of_path(pattern: str) -> tuple[str, str, str]:
    """A pattern parted at the placeholder with which the path begins."""
    before, name, after = re.split(r"\{(path|folder)\}", pattern, maxsplit=1)
    return before, name, after


def _has_path(pattern: str, names: list[str]) -> bool:
    if "folder" in names or "rest" in names:
        parts = [name for name in names if name in {"path", "folder", "rest"}]
        return parts == ["folder", "rest"] and "/{folder}/" in pattern and "/{rest}" in pattern
    return names.count("path") == 1 and "/{path}" in pattern


@lru_cache(maxsize=1000)
def _compiled(pattern: str) -> tuple[str, re.Pattern[str], int]:
    """The host of a pattern, an expression for the path, and the length of its fixed text."""
    parts = urlsplit(pattern)
    pieces = re.split(r"\{(\w+)\}", parts.path)
    fixed, names = pieces[::2], pieces[1::2]
    expression = re.escape(fixed[0])
    for name, text in zip(names, fixed[1:], strict=True):
        # The root of a version has no last slash here, and what an address adds to a path may be left out.
        if name == "path":
            expression = expression.removesuffix("/") + f"(?:/|$){PLACEHOLDERS[name]}(?:{re.escape(text.rstrip('/'))})?"
        elif name == "folder":
            expression = f"{expression.removesuffix('/')}(?:/?$|/{PLACEHOLDERS[name]}{re.escape(text.rstrip('/'))})"
        elif name == "rest":
            expression += f"(?:/|$){PLACEHOLDERS[name]}(?:{re.escape(text.rstrip('/'))})?"
        else:
            expression += PLACEHOLDERS[name] + re.escape(text)
    return _host(parts.netloc, parts.scheme), re.compile(expression), sum(map(len, fixed))


def _host(netloc: str, scheme: str) -> str:
    """Host and port in one spelling: lower case, without `www.`, user and the scheme's own port."""
    parts = urlsplit(f"//{netloc}")
    host = (parts.hostname or "").removeprefix("www.").removesuffix(".")
    port = parts.port
    return host if port in {None, _DEFAULT_PORTS.get(scheme)} else f"{host}:{port}"
