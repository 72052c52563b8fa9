"""The parsers that a corpus can name."""

from collections.abc import Callable, Sequence

from docs_search.documents import Parser
from docs_search.parsing.auto import AutoParser
from docs_search.parsing.detection.detect import Detection, detect
from docs_search.parsing.dialects.docsify import DocsifyParser
from docs_search.parsing.dialects.hugo.parser import HugoParser
from docs_search.parsing.dialects.jekyll.gitbook import GitBookParser
from docs_search.parsing.dialects.jekyll.githubdocs import GitHubDocsParser
from docs_search.parsing.dialects.jekyll.metabase import MetabaseParser
from docs_search.parsing.dialects.jekyll.parser import JekyllParser
from docs_search.parsing.dialects.learn.parser import LearnParser
from docs_search.parsing.dialects.mdbook import MdBookParser
from docs_search.parsing.dialects.mdx.docusaurus import DocusaurusParser
from docs_search.parsing.dialects.mdx.parser import MdxParser
from docs_search.parsing.dialects.mdx.readme import ReadMeParser
from docs_search.parsing.dialects.mdx.tiger import TigerParser
from docs_search.parsing.dialects.mdx.vitepress import VitePressParser
from docs_search.parsing.dialects.mkdocs.parser import MkDocsParser
from docs_search.parsing.dialects.myst.notebook import NotebookParser
from docs_search.parsing.dialects.myst.parser import MystParser
from docs_search.parsing.dialects.obsidian import ObsidianParser
from docs_search.parsing.dialects.quarto.parser import QuartoParser
from docs_search.parsing.docbook.parser import DocBookParser
from docs_search.parsing.html.parser import HtmlParser
from docs_search.parsing.markdown.parser import MarkdownParser
from docs_search.parsing.openapi.parser import OpenApiParser
from docs_search.parsing.rst.parser import RstParser

AUTO = "auto"

PARSERS: dict[str, Callable[[], Parser]] = {
    "docbook": DocBookParser,
    "docsify": DocsifyParser,
    "docusaurus": DocusaurusParser,
    "gitbook": GitBookParser,
    "githubdocs": GitHubDocsParser,
    "html": HtmlParser,
    "hugo": HugoParser,
    "jekyll": JekyllParser,
    "learn": LearnParser,
    "markdown": MarkdownParser,
    "mdbook": MdBookParser,
    "mdx": MdxParser,
    "metabase": MetabaseParser,
    "mkdocs": MkDocsParser,
    "myst": MystParser,
    "notebook": NotebookParser,
    "obsidian": ObsidianParser,
    "openapi": OpenApiParser,
    "quarto": QuartoParser,
    "readme": ReadMeParser,
    "rst": RstParser,
    "tiger": TigerParser,
    "vitepress": VitePressParser,
}
"""By name, those of one format."""

PARSER_NAMES = (AUTO, *PARSERS)
"""What a corpus can name."""


def parser_for(
    name: str,
    paths: Sequence[str],
    read: Callable[[str], bytes | None],
    *,
    published: bool = False,
    version: str = "",
) -> tuple[Parser, Detection | None]:
    """The parser of a name for a source with these files; for `auto`, with what was found out about the source.

    `published` documents were fetched from a site, and are not the files that it is made from. `version` is the wanted
    one, where a source holds several.
    """
    if name != AUTO:
        return PARSERS[name](), None
    detection = detect(paths, read, published=published, version=version)
    parsers = {family: PARSERS[chosen]() for family, chosen in detection.parsers.items()}
    for parser in parsers.values():
        if isinstance(parser, MarkdownParser):
            parser.docs_root = detection.root
    return AutoParser(detection, parsers), detection
