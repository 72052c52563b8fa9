"""Where a redirect leads, and whether it may be followed."""

from urllib.parse import urljoin, urlsplit

from docs_search.outbound.fetcher import FetchError, Response, shown

REDIRECTS = frozenset({301, 302, 303, 307, 308})
MAX_REDIRECTS = 10


def redirect_target(response: Response) -> str | None:
    """The absolute address to ask for instead, None where the response is no redirect.

    Raises FetchError for one that leads nowhere, or from https to what is not.
    """
    if response.status not in REDIRECTS:
        return None
    try:
        target = urljoin(response.url, response.headers.get("location", ""))
        scheme = urlsplit(target).scheme
    except ValueError:
        target = scheme = ""
    if not response.headers.get("location") or scheme not in {"http", "https"}:
        raise FetchError(f"{shown(response.url)} redirects to no address.", retryable=False)
    if scheme == "http" and urlsplit(response.url).scheme == "https":
        raise FetchError(f"{shown(response.url)} redirects from https to http. Give that address.", retryable=False)
    return target
