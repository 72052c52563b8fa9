"""The parsers that a corpus can name."""

from collections.abc import Callable

from docs_search.documents import Parser
from docs_search.parsing.docbook import DocBookParser
from docs_search.parsing.markdown import MarkdownParser
from docs_search.parsing.metabase import MetabaseParser

PARSERS: dict[str, Callable[[], Parser]] = {
    "docbook": DocBookParser,
    "markdown": MarkdownParser,
    "metabase": MetabaseParser,
}
