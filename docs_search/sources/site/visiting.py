"""One visit to one address: ask, and judge what comes back."""

from collections.abc import Mapping

from docs_search.outbound.fetcher import FetchError, Response, shown
from docs_search.outbound.redirects import REDIRECTS
from docs_search.sources.base import advice
from docs_search.sources.site.addresses import Scope, normalised
from docs_search.sources.site.answers import Answer, Document, Outcome
from docs_search.sources.site.links import read_html
from docs_search.sources.site.llms_txt import markdown_links
from docs_search.sources.site.media import HTML, MARKDOWN, media_of
from docs_search.sources.site.politeness import PoliteClient
from docs_search.sources.site.robots import Directives
from docs_search.sources.site.store import Waiting

MAX_PAGE_BYTES = 16 * 2**20

_ACCEPT = "text/html, application/xhtml+xml, text/markdown, application/json;q=0.8, application/yaml;q=0.8, */*;q=0.5"


def visit(client: PoliteClient, asked: Waiting, scope: Scope) -> Answer:
    """The answer of the site, with the links of the page that are within `scope`. Raises Stopped alone."""
    headers = {"accept": _ACCEPT}
    if asked.size:
        if asked.etag:
            headers["if-none-match"] = asked.etag
        if asked.modified:
            headers["if-modified-since"] = asked.modified
    try:
        response = client.get(asked.url, headers=headers, max_bytes=MAX_PAGE_BYTES)
    except FetchError as error:
        return Answer(Outcome.FAILED, str(error).removeprefix(shown(asked.url)).strip(": ."))
    if response.status in {200, 203}:
        return _page(response, scope)
    if response.status == 304 and len(headers) > 1:
        return Answer(Outcome.UNCHANGED)
    if response.status in REDIRECTS:
        return _redirect(asked.url, normalised(response.headers.get("location", ""), asked.url), scope)
    outcome = Outcome.GONE if response.status in {404, 410} else Outcome.FAILED
    return Answer(outcome, f"answers {response.status}", advice=advice(response.status))


def _page(response: Response, scope: Scope) -> Answer:
    media, charset = media_of(response.headers.get("content-type", ""), response.url, response.body)
    if media is None:
        return Answer(Outcome.OTHER)
    document = Document(
        response.body, media, charset, response.headers.get("etag"), response.headers.get("last-modified")
    )
    return read(document, response.url, scope, response.headers)


def read(document: Document, url: str, scope: Scope, headers: Mapping[str, str] = {}) -> Answer:
    """What a page says about itself: to follow it, to fold it into another, or to leave it out."""
    directives = Directives.parse(headers.get("x-robots-tag", ""))
    links: dict[str, None] = {}
    target = None
    if document.media == HTML:
        head = read_html(document.body, url, document.charset)
        if head.refresh is not None and head.refresh != url:
            return _redirect(url, head.refresh, scope)
        directives |= head.directives
        links = head.links
        if head.canonical is not None and head.canonical != url and scope.wants(head.canonical):
            target = head.canonical
    elif document.media == MARKDOWN:
        links = dict.fromkeys(markdown_links(document.body.decode(errors="replace"), url))
    followed = () if directives.nofollow else tuple(filter(scope.wants, links))
    if directives.noindex:
        return Answer(Outcome.NOINDEX, links=followed)
    return Answer(Outcome.PAGE, target=target, links=followed, document=document)


def _redirect(url: str, target: str | None, scope: Scope) -> Answer:
    if target is None or target == url:
        return Answer(Outcome.FAILED, "redirects to itself or to nowhere")
    if not scope.wants(target):
        reason = f"redirects out of the site, to {shown(target)}"
        return Answer(Outcome.OUTSIDE, reason, advice="Give that address.")
    return Answer(Outcome.REDIRECT, target=target)
