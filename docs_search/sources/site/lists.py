"""The files in which a site lists its pages: sitemaps, indexes of sitemaps, and llms.txt."""

import re
from collections import deque
from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

from docs_search.outbound.fetcher import FetchError, shown
from docs_search.outbound.redirects import MAX_REDIRECTS, REDIRECTS
from docs_search.sources.base import SourceError, advice
from docs_search.sources.site import llms_txt, sitemap
from docs_search.sources.site.addresses import Scope, normalised
from docs_search.sources.site.politeness import PoliteClient
from docs_search.sources.site.robots import Robots

MAX_LISTS = 1000  # sitemaps behind one index, all levels together

SITEMAP_NAME = re.compile(r"[^/]*sitemap[^/]*\.xml(?:\.gz)?", re.IGNORECASE)
LLMS_TXT_NAME = re.compile(r"llms\.txt", re.IGNORECASE)
_WHOLE_SITE = re.compile(r"/llms-full\.txt$", re.IGNORECASE)  # all pages once more, in one file

Listed = tuple[str, str]  # a normalised address, and the date of its last change or blank


def pages_of(
    url: str, client: PoliteClient, robots: Robots, scope: Scope, warn: Callable[[str], None]
) -> Iterator[list[Listed]]:
    """The pages within `scope` that the list at `url` names, and all lists that it names, list by list.

    Raises SourceError where a list cannot be read: the pages in it must not pass for deleted. A list that another one
    names and that is gone is a warning. Nor is a list of use whose pages are all elsewhere.
    """
    read = _sitemap if SITEMAP_NAME.fullmatch(_name(url)) else _llms_txt
    waiting = deque([url])
    found = {url}
    wanted, foreign = 0, ""
    while waiting:
        place = waiting.popleft()
        body = _fetch(place, client, robots, scope)
        if body is None:
            if place == url:
                raise SourceError(f"There is nothing at {shown(url)}. Check the location.")
            warn(f"{shown(url)} lists {shown(place)}, which does not exist")
            continue
        pages, lists = read(body, place)
        for other in lists:
            if other not in found and other.startswith(scope.origin + "/"):
                found.add(other)
                waiting.append(other)
        if len(found) > MAX_LISTS:
            raise SourceError(
                f"{shown(url)} leads to more than {MAX_LISTS:,} lists of pages. Name one of those instead."
            )
        inside = [(page, lastmod) for page, lastmod in pages if scope.wants(page)]
        wanted += len(inside)
        foreign = foreign or next((page for page, _ in pages if not scope.holds(page)), "")
        yield inside
    if foreign and not wanted:
        raise SourceError(
            f"{shown(url)} lists no pages below {scope.root}, but others such as {shown(foreign)}. Give the list at its"
            " own address, or the address of the site."
        )


def _fetch(url: str, client: PoliteClient, robots: Robots, scope: Scope) -> bytes | None:
    """The content of a list, None where it is gone."""
    place = url
    for _ in range(MAX_REDIRECTS + 1):
        if not robots.allows(place):
            raise SourceError(f"robots.txt does not allow {shown(place)} to be fetched.")
        try:
            response = client.get(place, max_bytes=sitemap.MAX_BYTES)
        except FetchError as error:
            raise SourceError(f"{error} No page was looked for.") from error
        if response.status == 200:
            return response.body
        if response.status in {404, 410}:
            return None
        target = normalised(response.headers.get("location", ""), place, query=True)
        if response.status not in REDIRECTS or target is None:
            raise SourceError(f"{shown(place)} answers {response.status}. {advice(response.status)}")
        if not target.startswith(scope.origin + "/"):
            raise SourceError(f"{shown(url)} redirects to {shown(target)}. Give that address.")
        place = target
    raise SourceError(f"{shown(url)} redirects too often.")


def _sitemap(body: bytes, url: str) -> tuple[list[Listed], list[str]]:
    try:
        content = sitemap.parse_sitemap(body)
    except sitemap.UnreadableSitemap as error:
        raise SourceError(f"{shown(url)} {error}.") from error
    pages = [(page, lastmod) for place, lastmod in content.pages if (page := normalised(place, url))]
    return pages, [other for place in content.sitemaps if (other := normalised(place, url, query=True))]


def _llms_txt(body: bytes, url: str) -> tuple[list[Listed], list[str]]:
    if len(body) > llms_txt.MAX_BYTES:
        raise SourceError(f"{shown(url)} is larger than {llms_txt.MAX_BYTES:,} bytes, too much for a list of pages.")
    links = list(llms_txt.markdown_links(body.decode("utf-8-sig", errors="replace"), url))
    lists = [link for link in links if LLMS_TXT_NAME.fullmatch(_name(link))]
    pages = [link for link in links if not LLMS_TXT_NAME.fullmatch(_name(link)) and not _WHOLE_SITE.search(link)]
    return [(page, "") for page in llms_txt.prefer_markdown(pages)], lists


def _name(url: str) -> str:
    return urlsplit(url).path.rpartition("/")[2]
