"""What came of asking for one address."""

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    PAGE = "page"
    UNCHANGED = "unchanged"  # the stored body is still the page
    REDIRECT = "redirect"  # within the site: the page is where it leads
    OUTSIDE = "outside"  # a redirect out of the site
    GONE = "gone"  # 404 or 410
    DISALLOWED = "disallowed"  # by robots.txt, without a request
    NOINDEX = "noindex"  # the page asks not to be indexed
    OTHER = "other"  # something else than text
    FAILED = "failed"  # for a reason that may pass: nothing is known of the page


@dataclass(frozen=True, slots=True)
class Document:
    """A page as it was received. `media` is as `media_of` has it; `etag` and `modified` serve the next request."""

    body: bytes
    media: str
    charset: str | None
    etag: str | None
    modified: str | None


@dataclass(frozen=True, slots=True)
class Answer:
    """`reason` says what went wrong, as the end of a sentence, and `advice` what to do about it.

    `target` is where a redirect leads, or the address that a page wants to be known by, where that is within the site.
    `links` are the addresses that a page leads to.
    """

    outcome: Outcome
    reason: str = ""
    target: str | None = None
    links: tuple[str, ...] = ()
    document: Document | None = None
    advice: str = ""

    @property
    def leads_to(self) -> tuple[str, ...]:
        return self.links if self.target is None else (self.target, *self.links)
