"""Links of Markdown documents, among them llms.txt files (llmstxt.org), which list a site's pages."""

import re
from collections.abc import Iterable, Iterator

from markdown_it import MarkdownIt

from docs_search.sources.site.addresses import normalised

MAX_BYTES = 4 * 2**20

_MARKDOWN = MarkdownIt("commonmark").enable("table")
_ENDING = re.compile(r"(?:\.md|\.mdx|\.markdown)$", re.IGNORECASE)
_PAGE_ENDING = re.compile(r"(?:/?index)?(?:\.html?)?/?$", re.IGNORECASE)


def markdown_links(text: str, base: str) -> Iterator[str]:
    """The normalised addresses that the links of a Markdown document lead to, in order."""
    for token in _MARKDOWN.parse(text):
        for child in token.children or ():
            if child.type == "link_open" and (url := normalised(str(child.attrs["href"]), base)):
                yield url


def prefer_markdown(urls: Iterable[str]) -> list[str]:
    """The addresses without those of which the Markdown is listed as well: `guide.html` beside `guide.html.md`."""
    listed = list(dict.fromkeys(urls))
    markdown = {_page(url) for url in listed if _ENDING.search(url)}
    return [url for url in listed if _ENDING.search(url) or _page(url) not in markdown]


def _page(url: str) -> str:
    """What the forms of one page have in common."""
    return _PAGE_ENDING.sub("", _ENDING.sub("", url))
