"""What a site asks of robots: robots.txt (RFC 9309), and the directives of single pages."""

from dataclasses import dataclass
from typing import Self

from protego import Protego

from docs_search.outbound.fetcher import FetchError, shown
from docs_search.outbound.redirects import MAX_REDIRECTS, REDIRECTS
from docs_search.sources.base import SourceError
from docs_search.sources.site.addresses import normalised
from docs_search.sources.site.politeness import PoliteClient

AGENT = "docent"
MAX_DELAY = 30.0  # seconds; a longer Crawl-delay is taken for this one
MAX_BYTES = 2**20

# Directives that have a value behind a colon, where else the name of a robot stands.
_VALUED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})


@dataclass(frozen=True, slots=True)
class Robots:
    """The rules of one host. Without any, everything is allowed."""

    rules: Protego | None = None

    @classmethod
    def parse(cls, body: bytes) -> Self:
        return cls(Protego.parse(body.decode("utf-8-sig", errors="replace")))

    def allows(self, url: str) -> bool:
        return self.rules is None or self.rules.can_fetch(url, AGENT)

    @property
    def delay(self) -> float:
        """Seconds that the host wants between two requests, at most MAX_DELAY."""
        return min((self.rules and self.rules.crawl_delay(AGENT)) or 0.0, MAX_DELAY)


@dataclass(frozen=True, slots=True)
class Directives:
    """What may not be done with a page."""

    noindex: bool = False
    nofollow: bool = False

    @classmethod
    def parse(cls, value: str) -> Self:
        """From a `<meta name="robots">` or an X-Robots-Tag, which may speak to single robots by their names."""
        words = set()
        concerned = True
        for part in value.lower().split(","):
            name, colon, rest = (piece.strip() for piece in part.partition(":"))
            if colon and name not in _VALUED:
                concerned, name = name in {AGENT, "*"}, rest
            if concerned:
                words.add(name)
        return cls(
            noindex=not words.isdisjoint({"noindex", "none"}), nofollow=not words.isdisjoint({"nofollow", "none"})
        )

    def __or__(self, other: "Directives") -> "Directives":
        return Directives(self.noindex or other.noindex, self.nofollow or other.nofollow)


def fetch_robots(origin: str, client: PoliteClient) -> Robots:
    """The rules of a host. Raises SourceError where they cannot be had: then nothing may be fetched (RFC 9309)."""
    url = f"{origin}/robots.txt"
    for _ in range(MAX_REDIRECTS + 1):
        try:
            response = client.get(url, max_bytes=MAX_BYTES)
        except FetchError as error:
            hint = " Check the location, or try again later." if error.retryable else ""
            raise SourceError(f"{error}{hint}") from error
        target = normalised(response.headers.get("location", ""), url, query=True)
        if response.status == 200:
            return Robots.parse(response.body)
        if response.status >= 500 or response.status == 429:
            raise SourceError(
                f"{shown(url)} answers {response.status}, and without it nothing of the site may be fetched. Try again"
                " later."
            )
        if response.status not in REDIRECTS or target is None:
            break
        url = target
    return Robots()
