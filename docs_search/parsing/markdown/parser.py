"""Plain Markdown as GitHub shows it: CommonMark, tables, strikethrough, YAML front matter."""

import posixpath
import re
from typing import ClassVar

from docs_search.documents import ParseContext, ParsedPage
from docs_search.parsing.markdown.bounds import MAX_BRACKETS
from docs_search.parsing.markdown.code_regions import split_code
from docs_search.parsing.markdown.comments import without_comments
from docs_search.parsing.markdown.flavor import GITHUB, Flavor
from docs_search.parsing.markdown.front_matter import FrontMatter, split_front_matter
from docs_search.parsing.markdown.links import LinkResolver
from docs_search.parsing.markdown.sections import SectionBuilder, first_heading
from docs_search.parsing.markdown.tokens import MAX_NESTING, Environment, Node, TokenRenderer, parse_markdown
from docs_search.parsing.text.decoding import decode
from docs_search.parsing.text.numbering import without_numbers
from docs_search.parsing.text.plain_text import plain_text
from docs_search.parsing.text.slugs import Slugger

EXTENSIONS = (".md", ".markdown", ".mdown", ".mkd", ".mkdn", ".mkdown")

MAX_LINES = 100_000
"""Lines of a document that are read; what has more is data, each line of which may be a block."""

_MAX_ADDRESSES, _MAX_GROWTH = 20_000, 8  # characters of links, and how many more for each character of a document
_INDEX_NAMES = ("index", "README")
_NO_DOCUMENTS = frozenset(
    {"LICENSE", "LICENCE", "COPYING", "NOTICE", "CODE_OF_CONDUCT", "PULL_REQUEST_TEMPLATE", "ISSUE_TEMPLATE", "SUMMARY"}
)


class MarkdownParser:
    """The `Parser` of plain Markdown; dialects override what differs.

    A page's path is its file's path without the extension. The index of a folder (`index.md`, `README.md`) has the
    folder's path, as sites publish it, and that of the root is `index`.
    """

    flavor: ClassVar[Flavor] = GITHUB
    directory_urls: ClassVar[bool] = False
    """Whether a page is published as a folder, where its relative links begin."""
    docs_root: str = ""
    """The folder of the source that is published, where somebody found it out: empty, or with a slash at its end."""

    def is_page(self, path: str) -> bool:
        """Markdown files, but not partials (in folders whose name starts with `_`) and licences."""
        stem, extension = posixpath.splitext(posixpath.basename(path))
        folders = path.split("/")[:-1]
        return (
            extension.lower() in EXTENSIONS
            and stem.upper() not in _NO_DOCUMENTS
            and not any(part.startswith(("_", ".")) or part == "node_modules" for part in (*folders, stem))
        )

    def parse(self, path: str, data: bytes, context: ParseContext) -> ParsedPage | None:
        """The page, or None for a redirect (`redirect_to`) and for a document without any content."""
        text, warnings = decode(data)
        front_matter, body = self.front_matter(text, path, context)
        page_path = self.page_path(path, context.paths)
        if page_path is None or front_matter.fields.get("redirect_to"):
            return None
        body, more_warnings = self.prepare(body, path, front_matter, context)
        body, comment_warnings = without_comments(body)
        body, length_warnings = _within_bounds(body)
        links = LinkResolver(
            path,
            page_path,
            self.root(context.paths),
            context,
            lambda file: self.page_path(file, context.paths),
            file_of=self.file_of,
            directory_urls=self.directory_urls,
            max_characters=_MAX_ADDRESSES + _MAX_GROWTH * len(body),
        )
        environment: Environment = {}
        nodes = parse_markdown(body, self.flavor, environment)
        title = plain_text(front_matter.text("title") or "") or first_heading(nodes) or _title_of(path)
        builder = SectionBuilder(page_path, title, TokenRenderer(links.target, environment), self.slugger())
        builder.add_messages(front_matter.messages())
        builder.add(nodes)
        if len(builder.sections) == 1 and not builder.sections[0].blocks:
            return None
        title = builder.sections[0].heading = without_numbers(path, title, builder.sections)
        warnings += (
            *front_matter.warnings,
            *more_warnings,
            *comment_warnings,
            *length_warnings,
            *builder.warnings,
            *_faults(nodes, body),
        )
        return self.finish(
            ParsedPage(
                path=page_path,
                title=title,
                sections=builder.sections,
                summary=front_matter.text("summary") or front_matter.text("description"),
                section=page_path.split("/", 1)[0] if "/" in page_path else None,
                aliases=self.aliases(path, page_path, front_matter),
                links=links.pages,
                warnings=tuple(dict.fromkeys(warnings)),
            ),
            context,
        )

    # What dialects change

    def root(self, paths: frozenset[str]) -> str:
        """The folder of the source that is published: empty, or a path with a slash at its end."""
        return self.docs_root

    def page_path(self, file: str, paths: frozenset[str]) -> str | None:
        """The path under which a file of the source is published, or None where it is no page."""
        root = self.root(paths)
        if not file.startswith(root) or not self.is_page(file):
            return None
        folder, name = posixpath.split(file.removeprefix(root))
        stem = posixpath.splitext(name)[0]
        if not self.is_folder_index(file, paths):
            return posixpath.join(folder, stem)
        return folder or "index"

    def is_folder_index(self, file: str, paths: frozenset[str]) -> bool:
        """Whether a file is published as the folder that it is in."""
        folder, name = posixpath.split(file)
        stem = posixpath.splitext(name)[0]
        if stem not in _INDEX_NAMES or f"{folder}.md" in paths:
            return False
        return stem == "index" or posixpath.join(folder, "index.md") not in paths

    def slugger(self) -> Slugger:
        """What names the headings of a page."""
        return self.flavor.slugger()

    def file_of(self, path: str) -> str | None:
        """The file that is published under a path below the root, where the path alone does not tell."""
        return None

    def front_matter(self, text: str, path: str, context: ParseContext) -> tuple[FrontMatter, str]:
        """The fields of a document and its text below them."""
        return split_front_matter(text)

    def prepare(
        self, text: str, path: str, front_matter: FrontMatter, context: ParseContext
    ) -> tuple[str, tuple[str, ...]]:
        """The document's text as plain Markdown, and warnings."""
        return text, ()

    def aliases(self, path: str, page_path: str, front_matter: FrontMatter) -> tuple[str, ...]:
        """Other paths under which the page can be asked for, as the front matter's `redirect_from` spells them."""
        others = [redirect.strip("/") for redirect in front_matter.texts("redirect_from")]
        return tuple(dict.fromkeys(other for other in others if other and other != page_path))

    def finish(self, page: ParsedPage, context: ParseContext) -> ParsedPage:
        """The page with what a dialect knows about its content."""
        return page


def _within_bounds(text: str) -> tuple[str, tuple[str, ...]]:
    """The lines of a text that are read, and a warning where that is not all of them."""
    if text.count("\n") < MAX_LINES:
        return text, ()
    return "\n".join(text.split("\n", MAX_LINES)[:MAX_LINES]), (f"what follows line {MAX_LINES:,} is left out",)


def _title_of(path: str) -> str:
    """A title made from a file's name, or from the folder's for its index."""
    folder, name = posixpath.split(path)
    stem = posixpath.splitext(name)[0]
    if stem in _INDEX_NAMES:
        stem = posixpath.basename(folder) or "overview"
    words = re.sub(r"[-_\s]+", " ", stem).strip() or stem
    return words[:1].upper() + words[1:]


def _faults(nodes: list[Node], text: str) -> list[str]:
    """What is wrong with a document's blocks."""
    faults = []
    nodes = [node for node in nodes if node.type != "footnote_block"]
    if nodes and nodes[-1].type == "fence" and not _is_closed(nodes[-1], text):
        first, _ = nodes[-1].token.map or (0, 0)
        faults.append(f"the code block that starts in line {first + 1} of the text is never closed")
    if _is_too_deep(nodes):
        faults.append(f"what is nested deeper than {MAX_NESTING} levels is left out")
    if text.count("[") > MAX_BRACKETS < sum(part.count("[") for part, is_code in split_code(text) if not is_code):
        faults.append(f"links beyond the first {MAX_BRACKETS} brackets are text")
    return faults


def _is_closed(fence: Node, text: str) -> bool:
    first, end = fence.token.map or (0, 0)
    last_line = text.split("\n")[end - 1].strip()
    mark = fence.token.markup
    return end - first > 1 and last_line.startswith(mark) and not last_line.strip(mark[0])


def _is_too_deep(nodes: list[Node]) -> bool:
    return any(node.token.level >= MAX_NESTING - 2 or _is_too_deep(node.children) for node in nodes)
