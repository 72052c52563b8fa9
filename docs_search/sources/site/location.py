"""What a location on the web means: a folder of a site, a sitemap, or an llms.txt."""

import hashlib
from dataclasses import dataclass
from typing import Self
from urllib.parse import urlsplit

from docs_search.outbound.fetcher import shown
from docs_search.sources.base import SourceError
from docs_search.sources.site.addresses import Scope, normalised
from docs_search.sources.site.lists import LLMS_TXT_NAME, SITEMAP_NAME


@dataclass(frozen=True, slots=True)
class SiteLocation:
    """`url` is where the crawl begins, `is_list` whether that names the pages; otherwise links lead to them."""

    url: str
    scope: Scope
    is_list: bool

    @classmethod
    def parse(cls, location: str) -> Self:
        """Raises SourceError."""
        try:
            parts = urlsplit(location.strip())
        except ValueError:
            parts = urlsplit("")  # which is no address either
        if parts.query or parts.username is not None:
            raise SourceError(
                f"{shown(location)} was given with a query, a user name or a password, which are not used. Leave them"
                " out."
            )
        url = normalised(location)
        if url is None:
            raise SourceError(f"{shown(location)} is no address of a site. Give one such as https://docs.example.com/.")
        name = urlsplit(url).path.rpartition("/")[2]
        if SITEMAP_NAME.fullmatch(name) or LLMS_TXT_NAME.fullmatch(name):
            return cls(url, Scope.beside(url), is_list=True)
        return cls(url, Scope.below(url), is_list=False)

    @property
    def digest(self) -> str:
        """A name for what is kept of it."""
        return hashlib.sha256(self.url.encode()).hexdigest()[:32]
