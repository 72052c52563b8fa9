"""Microsoft Learn, and what DocFX builds: Markdown with includes, pivots, tabs in headings and images in colons."""

import re
from functools import partial

from docs_search.documents import ParseContext
from docs_search.parsing.dialects.learn.code import source_path, with_code, without_interactive
from docs_search.parsing.dialects.learn.marks import resolve_marks
from docs_search.parsing.dialects.mdx.parser import has_title, relative_to_page
from docs_search.parsing.markdown.attribute_lists import without_attributes
from docs_search.parsing.markdown.code_regions import split_code
from docs_search.parsing.markdown.file_includes import FileIncludes
from docs_search.parsing.markdown.front_matter import FrontMatter
from docs_search.parsing.markdown.indentation import continuation, indent, line_prefix
from docs_search.parsing.markdown.link_targets import rewrite_targets
from docs_search.parsing.markdown.parser import MarkdownParser

_INCLUDE = re.compile(r"\[!INCLUDE[ \t]*\[[^\]\n]*\][ \t]*\((?P<path>[^()\n]+)\)\]", re.IGNORECASE)
_SITE_TITLE = re.compile(r"[ \t]+(?:\||[-–—](?=[^|]*\|))[^\n]*\b(?:Microsoft (?:Learn|Docs)|MSDN)[ \t]*\Z")


class LearnParser(MarkdownParser):
    """The `Parser` of a repository for Microsoft Learn, or of documentation for DocFX.

    Of all versions and pivots of a page, the text stands one after the other.
    """

    def is_page(self, path: str) -> bool:
        """Markdown files that are no parts of others and no tables of contents."""
        *folders, name = path.lower().split("/")
        return "includes" not in folders and name != "toc.md" and super().is_page(path)

    def front_matter(self, text: str, path: str, context: ParseContext) -> tuple[FrontMatter, str]:
        """The fields. A page is called as its heading says: `title` is for search engines, with the site's name."""
        front_matter, body = super().front_matter(text, path, context)
        title = front_matter.text("title")
        if title:
            fields = {**front_matter.fields, "title": None if has_title(body) else _SITE_TITLE.sub("", title)}
            front_matter = FrontMatter(fields, front_matter.warnings)
        return front_matter, body

    def prepare(
        self, text: str, path: str, front_matter: FrontMatter, context: ParseContext
    ) -> tuple[str, tuple[str, ...]]:
        files = FileIncludes(context, path)
        text = with_code(_with_includes(text, path, path, files), path, files)
        text = "".join(without_interactive(part) if is_code else part for part, is_code in split_code(text))
        return without_attributes(resolve_marks(text)), tuple(files.warnings)


def _with_includes(text: str, file: str, page: str, files: FileIncludes) -> str:
    """Text with other files in the place of what names them, whose links lead where they lead from there."""
    if "[!" not in text:
        return text

    def replace(match: re.Match[str]) -> str:
        path = source_path(match["path"].split("?")[0].strip(), file)
        content = files.text(path, None, partial(_with_includes, file=path, page=page, files=files))
        content = rewrite_targets(content, lambda href: relative_to_page(href, path, page))
        line = match.string[match.string.rfind("\n", 0, match.start()) + 1 : match.start()]
        return indent(content, continuation(line_prefix(line)))

    return "".join(part if is_code else _INCLUDE.sub(replace, part) for part, is_code in split_code(text))
