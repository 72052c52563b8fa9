"""What an HTML page says about itself and where it leads. Nothing else of it is looked at."""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from lxml import etree

from docs_search.api_viewers import ATTRIBUTES, descriptions_in
from docs_search.sources.site.addresses import normalised
from docs_search.sources.site.robots import AGENT, Directives

MAX_LINKS = 10_000  # of one page
MAX_REFRESH = 10.0  # seconds; after more, a page is there to be read before it leads on

_FOLLOWED = {"a": "href", "area": "href", "frame": "src", "iframe": "src"}
_RELATIONS = frozenset({"next", "prev", "up", "index", "contents", "service-desc"})
_REFRESH = re.compile(r"\s*(\d{1,9})[\d.]*\s*[;,]\s*(?:url\s*=\s*)?[\"']?([^\"']*)", re.IGNORECASE)


@dataclass(slots=True)
class PageHead:
    """`links` are normalised addresses in order, `canonical` is the address that the page wants to be known by, and
    `refresh` the one that it sends readers to at once."""

    links: dict[str, None] = field(default_factory=dict)
    canonical: str | None = None
    refresh: str | None = None
    directives: Directives = field(default_factory=Directives)


def read_html(data: bytes, url: str, charset: str | None) -> PageHead:
    """What the page at `url` says. `charset` is what its Content-Type names. Never raises for bad input."""
    reader = _Reader(url)
    # UTF-8 where it is valid, whatever the page says; otherwise libxml2 goes by its <meta charset>.
    encoding = "utf-8" if _is_utf8(data) else charset
    try:
        parser = _parser(reader, encoding)
    except LookupError:  # a charset that does not exist
        parser = _parser(reader, None)
    # What was read until an error is what there is: the parser of the page tells what is wrong with it.
    with suppress(etree.LxmlError):
        parser.feed(data)
        parser.close()
    return reader.head


def _parser(reader: "_Reader", encoding: str | None) -> etree.HTMLParser:
    # The stubs want a target that takes bytes as well, which Python 3 never gives.
    return etree.HTMLParser(target=reader, huge_tree=True, encoding=encoding)  # type: ignore[arg-type]


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


class _Reader:
    """Takes the events of the parser: no tree is built, however large or deep a page is."""

    def __init__(self, url: str) -> None:
        self.head = PageHead()
        self._base: str = url
        self._has_base = False
        self._without_scripts = False
        self._script: list[str] | None = None

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag == "script":
            self._script = []
        elif tag == "noscript":
            self._without_scripts = True
        elif (viewer := ATTRIBUTES.get(tag)) and viewer in attributes:
            self._link(attributes[viewer])
        elif (name := _FOLLOWED.get(tag)) and name in attributes:
            if "nofollow" not in attributes.get("rel", "").lower().split():
                self._link(attributes[name])
        elif tag == "link" and "href" in attributes:
            self._relation(attributes)
        elif tag == "meta":
            self._meta(attributes)
        elif tag == "base" and "href" in attributes and not self._has_base:
            self._has_base = True
            self._base = normalised(attributes["href"], self._base) or self._base

    def data(self, text: str) -> None:
        if self._script is not None:
            self._script.append(text)

    def end(self, tag: str) -> None:
        if tag == "script" and self._script is not None:
            for description in descriptions_in("".join(self._script)):
                self._link(description)
            self._script = None
        if tag == "noscript":
            self._without_scripts = False

    def close(self) -> None:
        pass

    def _link(self, href: str) -> None:
        if len(self.head.links) < MAX_LINKS and (url := normalised(href, self._base)):
            self.head.links[url] = None

    def _relation(self, attributes: Mapping[str, str]) -> None:
        relations = set(attributes.get("rel", "").lower().split())
        if "canonical" in relations and self.head.canonical is None:
            self.head.canonical = normalised(attributes["href"], self._base)
        elif relations & _RELATIONS:
            self._link(attributes["href"])

    def _meta(self, attributes: Mapping[str, str]) -> None:
        content = attributes.get("content", "")
        if attributes.get("name", "").strip().lower() in {"robots", AGENT}:
            self.head.directives |= Directives.parse(content)
        elif attributes.get("http-equiv", "").strip().lower() == "refresh" and not self._without_scripts:
            refresh = _REFRESH.match(content)
            if refresh and refresh[2].strip() and float(refresh[1]) <= MAX_REFRESH:
                self.head.refresh = normalised(refresh[2], self._base)
