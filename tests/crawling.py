"""What the tests of crawls do again and again."""

from docs_search.documents import PageWarning
from docs_search.sources import SourceOptions, open_source
from tests.site_server import Page, Reply, serve_site


def crawled(location: str, options: SourceOptions | None = None) -> tuple[list[str], list[PageWarning]]:
    """The paths of a location's documents, and its warnings."""
    with open_source(location, options or SourceOptions()) as source:
        return source.paths(), source.warnings()


def crawled_paths(pages: dict[str, Page], start: str = "/docs/") -> list[str]:
    """The paths of the documents of a site of `pages`."""
    with serve_site(pages) as site:
        return crawled(site.url + start)[0]


def links(*targets: str) -> str:
    """A page that links to all of them."""
    return "".join(f'<p><a href="{target}">link</a>' for target in targets)


def to(target: str, status: int = 301) -> Reply:
    """A redirect."""
    return Reply("", status, {"Location": target})
