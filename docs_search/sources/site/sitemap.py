"""Sitemaps (sitemaps.org, protocol 0.9) and indexes of them."""

import zlib
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta

from lxml import etree

MAX_BYTES = 50 * 2**20  # uncompressed, as the protocol has it

_BLOCK = 2**20
_GZIP = zlib.MAX_WBITS | 16
_ROOTS = frozenset({"urlset", "sitemapindex"})
_ENTRIES = frozenset({"url", "sitemap"})
_FIELDS = frozenset({"loc", "lastmod"})


class UnreadableSitemap(Exception):
    """Why a file is no sitemap. Half of one would make the pages of the other half pass for deleted."""


@dataclass(frozen=True, slots=True)
class Sitemap:
    """Addresses as they are written: of pages, each with the date of its last change or blank, and of sitemaps."""

    pages: list[tuple[str, str]] = field(default_factory=list)
    sitemaps: list[str] = field(default_factory=list)


def parse_sitemap(data: bytes) -> Sitemap:
    """What a sitemap lists, compressed or not, with or without its namespace. Raises UnreadableSitemap."""
    if data.startswith(b"\x1f\x8b"):
        data = _decompressed(data)
    reader = _Reader()
    parser = etree.XMLParser(
        target=reader,  # type: ignore[arg-type]  # the stubs want one that takes bytes as well
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
    )
    try:
        for start in range(0, len(data), _BLOCK):  # libxml2 takes no more than 10 MB at once
            parser.feed(data[start : start + _BLOCK])
        parser.close()
    except etree.XMLSyntaxError as error:
        raise UnreadableSitemap(f"is not well-formed XML ({error.msg})") from error
    return reader.sitemap


def _decompressed(data: bytes) -> bytes:
    decoder = zlib.decompressobj(_GZIP)
    try:
        content = decoder.decompress(data, MAX_BYTES + 1)
    except zlib.error as error:
        raise UnreadableSitemap(f"is damaged: {error}") from error
    if len(content) > MAX_BYTES:
        raise UnreadableSitemap(f"unpacks to more than {MAX_BYTES:,} bytes")
    if not decoder.eof:
        raise UnreadableSitemap("is cut off")
    return content


class _Reader:
    """Takes the events of the parser, so that no tree of 50 MB is built."""

    def __init__(self) -> None:
        self.sitemap = Sitemap()
        self._open: list[str] = []
        self._values: dict[str, list[str]] = {}

    def start(self, tag: str, attributes: object) -> None:
        name = etree.QName(tag).localname
        if not self._open and name not in _ROOTS:
            raise UnreadableSitemap(f"is no sitemap: its root is <{name[:40]}>")
        self._open.append(name)
        if self._is_entry():
            self._values = {}
        elif len(self._open) == 3 and name in _FIELDS:
            self._values.setdefault(name, [])

    def data(self, text: str) -> None:
        if len(self._open) == 3 and self._open[-1] in _FIELDS:
            self._values[self._open[-1]].append(text)

    def end(self, tag: str) -> None:
        if self._is_entry() and (address := self._value("loc")):
            if self._open[-1] == "sitemap":
                self.sitemap.sitemaps.append(address)
            else:
                self.sitemap.pages.append((address, self._value("lastmod")))
        self._open.pop()

    def doctype(self, name: str | None, public: str | None, system: str | None) -> None:
        raise UnreadableSitemap("has a document type, which no sitemap needs and entities could hide in")

    def close(self) -> None:
        pass

    def _is_entry(self) -> bool:
        return len(self._open) == 2 and self._open[-1] in _ENTRIES

    def _value(self, name: str) -> str:
        return "".join(self._values.get(name, [])).strip()


def changed_before(lastmod: str, moment: datetime) -> bool:
    """Whether a date of the last change (W3C) surely lies before `moment`. A day counts as long as it lasts anywhere.

    False for what is no such date: then nothing is known.
    """
    try:
        if len(lastmod) == len("2000-01-01"):
            end = datetime.combine(date.fromisoformat(lastmod), datetime.min.time(), UTC) + timedelta(days=2)
        else:
            end = datetime.fromisoformat(lastmod)
    except (ValueError, OverflowError):
        return False
    return end.replace(tzinfo=end.tzinfo or UTC) < moment
