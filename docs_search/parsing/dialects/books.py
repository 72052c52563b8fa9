"""What dialects for books share: the table of contents says which files are pages, and in which folder the book is."""

from docs_search.documents import ParseContext, ParsedPage
from docs_search.parsing.dialects.mdx.parser import has_title
from docs_search.parsing.dialects.summary import read_summary
from docs_search.parsing.markdown.front_matter import FrontMatter
from docs_search.parsing.markdown.parser import MarkdownParser
from docs_search.parsing.markdown.per_source import PerSource


class BookParser(MarkdownParser):
    """Pages are the files that `SUMMARY.md` names, all files where there is none."""

    def __init__(self) -> None:
        self._book = PerSource(lambda paths, read: read_summary(paths, read, self.docs_root))

    def parse(self, path: str, data: bytes, context: ParseContext) -> ParsedPage | None:
        self._book.open(context)
        return super().parse(path, data, context)

    def root(self, paths: frozenset[str]) -> str:
        return self._book.of(paths).root

    def page_path(self, file: str, paths: frozenset[str]) -> str | None:
        titles = self._book.of(paths).titles
        return super().page_path(file, paths) if not titles or file in titles else None

    def front_matter(self, text: str, path: str, context: ParseContext) -> tuple[FrontMatter, str]:
        """The fields, with the title that the table of contents gives to a page without one."""
        front_matter, body = super().front_matter(text, path, context)
        title = self._book.of(context.paths).titles.get(path)
        if title and not front_matter.text("title") and not has_title(body):
            front_matter = FrontMatter({**front_matter.fields, "title": title}, front_matter.warnings)
        return front_matter, body
