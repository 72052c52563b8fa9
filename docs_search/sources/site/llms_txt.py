"""Links of Markdown documents, among them llms.txt files (llmstxt.org), which list a site's pages."""

import re
from collections.abc import Iterable, Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

from docs_search.sources.site.addresses import normalised

MAX_BYTES = 2 * 2**20

_PIECE = 20_000  # characters of running text that are read at once: brackets that are never closed cost their square
_ENDING = re.compile(r"(?:\.md|\.mdx|\.markdown)$", re.IGNORECASE)
_PAGE_ENDING = re.compile(r"(?:/?index)?(?:\.html?)?/?$", re.IGNORECASE)


def markdown_links(text: str, base: str) -> Iterator[str]:
    """The normalised addresses that the links of a Markdown document lead to, in order.

    Of more than MAX_BYTES the rest is not looked at, and a link that is split by _PIECE is not seen.
    """
    blocks = MarkdownIt("commonmark").enable("table")
    blocks.core.ruler.disable("inline")
    inline = MarkdownIt("commonmark")
    environment: dict[str, object] = {}
    for block in blocks.parse(text[:MAX_BYTES], environment):
        if block.type != "inline":
            continue
        for start in range(0, len(block.content), _PIECE):
            for line in inline.parseInline(block.content[start : start + _PIECE], environment):
                yield from _links(line, base)


def _links(line: Token, base: str) -> Iterator[str]:
    for token in line.children or ():
        if token.type == "link_open" and (url := normalised(str(token.attrs["href"]), base)):
            yield url


def prefer_markdown(urls: Iterable[str]) -> list[str]:
    """The addresses without those of which the Markdown is listed as well: `guide.html` beside `guide.html.md`."""
    listed = list(dict.fromkeys(urls))
    markdown = {_page(url) for url in listed if _ENDING.search(url)}
    return [url for url in listed if _ENDING.search(url) or _page(url) not in markdown]


def _page(url: str) -> str:
    """What the forms of one page have in common."""
    return _PAGE_ENDING.sub("", _ENDING.sub("", url))
