"""The parsers that a corpus can name."""

from collections.abc import Callable

from docs_search.documents import Parser
from docs_search.parsing.docbook.parser import DocBookParser
from docs_search.parsing.markdown.metabase import MetabaseParser
from docs_search.parsing.markdown.parser import MarkdownParser

PARSERS: dict[str, Callable[[], Parser]] = {
    "docbook": DocBookParser,
    "markdown": MarkdownParser,
    "metabase": MetabaseParser,
}
