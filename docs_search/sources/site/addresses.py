"""Addresses of pages, each in one form, and which of them belong to a site."""

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from typing import Self
from urllib.parse import quote, unquote, urljoin, urlsplit

import httpx

MAX_LENGTH = 2000  # characters of an address
MAX_DEPTH = 24  # segments of a path; deeper ones come from links that lead into themselves
MAX_REPEATS = 3  # of one segment in a path
MAX_DATES = 1000  # addresses that differ by a date alone, before they are taken for a calendar without an end
INDEX_FILE = re.compile(r"(?:^|/)index\.(?:html?|xhtml)$", re.IGNORECASE)

_DEFAULT_PORTS = {"http": 80, "https": 443}
_SESSION = re.compile(r";jsessionid=[^/;]*", re.IGNORECASE)
_ESCAPE = re.compile("%([0-9a-fA-F]{2})?")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_WRITTEN = "/%~!$&'()*+,;=:@"
_CONTROL = re.compile("%(?:[01][0-9A-F]|7F)")
_KEPT_ENCODED = re.compile("%(?:2F|5C)")
_DATE = re.compile(r"/(?:19|20)\d\d[/-](?:0?[1-9]|1[0-2])(?:[/-]\d{1,2})?/?$")
_FILE = re.compile(r"[^/]+\.(?:html?|xhtml|php|aspx?|mdx?)$", re.IGNORECASE)
# What is no text: a link to it is not worth a request. Other types are told by their Content-Type.
_ASSETS = frozenset(
    """
    7z aac apk avi avif bin bmp bz2 chm css csv deb dmg doc docx eot eps epub exe flac gif gz ico iso jar jpeg jpg js
    key kmz less log m4a m4v map md5 mjs mkv mobi mov mp3 mp4 mpeg msi odp ods odt ogg ogv opus otf pdf pkg png ppt
    pptx ps psd rar rpm rss scss sha256 sig svg svgz swf tar tgz tif tiff ttf txt wasm wav webm webmanifest webp whl
    woff woff2 wmv xls xlsx xml xpi xsd xz zip zst
    """.split()
)


def normalised(href: str, base: str = "", *, query: bool = False) -> str | None:
    """The address that a link in the document at `base` leads to, without fragment, session and, unless `query`, query.

    Two spellings of one address have one form: scheme and host in lower case, no default port, no dot segments, no
    doubled slashes, nothing encoded that need not be. None for what is no http or https address.
    """
    if len(href) > MAX_LENGTH:
        return None
    # As browsers read a link: white space around it and line breaks in it do not count, a backslash is a slash.
    text = re.sub(r"[\t\r\n]", "", href.strip("\x00\x20\t\r\n\f")).partition("#")[0]
    link, mark, asked = text.partition("?")
    try:
        parts = urlsplit(urljoin(base, link.replace("\\", "/")))
        port = parts.port
        host = _host(parts.hostname or "")
    except (ValueError, httpx.InvalidURL):
        return None
    path = _path(parts.path)
    if parts.scheme not in _DEFAULT_PORTS or not host or parts.username is not None or _CONTROL.search(path):
        return None
    suffix = "" if port in {None, _DEFAULT_PORTS[parts.scheme]} else f":{port}"
    address = f"{parts.scheme}://{host}{suffix}{path}"
    if query and mark:
        address += "?" + quote(_ESCAPE.sub(_shortest, asked), _WRITTEN + "?", errors="replace")
    return address if len(address) <= MAX_LENGTH else None


def _host(name: str) -> str:
    if not name.isascii():
        name = httpx.URL(scheme="http", host=name).raw_host.decode("ascii")
    return f"[{name}]" if ":" in name else name.lower()


def _path(path: str) -> str:
    path = _ESCAPE.sub(_shortest, _SESSION.sub("", path))
    segments: list[str] = []
    for segment in path.split("/"):
        if segment == "..":
            del segments[-1:]
        elif segment not in {"", "."}:
            segments.append(segment)
    folder = path.endswith(("/", "/.", "/..")) or not segments
    return quote("/" + "/".join(segments) + ("/" if folder and segments else ""), _WRITTEN, errors="replace")


def _shortest(escape: re.Match[str]) -> str:
    if escape[1] is None:
        return "%25"
    character = chr(int(escape[1], 16))
    return character if character in _UNRESERVED else escape[0].upper()


@dataclass(frozen=True, slots=True)
class Scope:
    """The addresses below a folder of a host: `origin` is scheme, host and port, `folder` begins and ends with `/`."""

    origin: str
    folder: str

    @classmethod
    def below(cls, url: str) -> Self:
        """The scope of a normalised address. A file stands for the folder that it is in."""
        parts = urlsplit(url)
        path = parts.path
        if _FILE.search(path):
            path = path.rpartition("/")[0]
        return cls(f"{parts.scheme}://{parts.netloc}", path.rstrip("/") + "/")

    @classmethod
    def beside(cls, url: str) -> Self:
        """The scope of what is in the same folder as the file at a normalised address."""
        parts = urlsplit(url)
        return cls(f"{parts.scheme}://{parts.netloc}", parts.path.rpartition("/")[0] + "/")

    @property
    def root(self) -> str:
        return self.origin + self.folder

    def holds(self, url: str) -> bool:
        """Whether a normalised address is in here."""
        return url.startswith(self.root) or url == self.root[:-1]

    def wants(self, url: str) -> bool:
        """Whether a normalised address may be a page in here: no image or program, no path that leads into itself."""
        return self.holds(url) and not is_asset(url) and not _is_trap(urlsplit(url).path)

    def path(self, url: str) -> str:
        """The path of an address below the folder: decoded, in Unicode's composed form, without a slash at its end.

        Blank for the folder itself. An encoded slash stays encoded, since it is none, and so does what is no UTF-8.
        """
        below = url[len(self.root) :].rstrip("/")
        return unicodedata.normalize("NFC", "/".join(map(_decoded, below.split("/"))))


def extension(url: str) -> str:
    """The extension of the last segment of an address, in lower case and without its dot; blank for none."""
    name = urlsplit(url).path.rpartition("/")[2]
    return name.rpartition(".")[2].lower() if "." in name else ""


def calendar_of(url: str) -> str | None:
    """What stands before the month or day that an address ends with, None for one that ends otherwise."""
    date = _DATE.search(url)
    return url[: date.start()] if date else None


def is_asset(url: str) -> bool:
    return extension(url) in _ASSETS


def _is_trap(path: str) -> bool:
    segments = path.strip("/").split("/")
    return len(segments) > MAX_DEPTH or max(Counter(segments).values()) > MAX_REPEATS


def _decoded(segment: str) -> str:
    kept = _KEPT_ENCODED.sub(lambda escape: "%25" + escape[0][1:], segment)
    try:
        return unquote(kept, errors="strict")
    except UnicodeDecodeError:
        return segment
