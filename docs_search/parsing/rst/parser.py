"""reStructuredText documents, of Sphinx or by themselves, to pages."""

import posixpath
import re

from docs_search.documents import Block, ParseContext, ParsedPage, Section
from docs_search.parsing.rst.document_state import DocumentState
from docs_search.parsing.rst.inline import InlineRenderer
from docs_search.parsing.rst.labels import titles
from docs_search.parsing.rst.links import PageLinks
from docs_search.parsing.rst.project import TEXT_EXTENSION, Project, is_document
from docs_search.parsing.rst.rendering import BlockRenderer
from docs_search.parsing.rst.sections import SectionReader
from docs_search.parsing.rst.snooty import with_constants
from docs_search.parsing.rst.state_machine import read_document
from docs_search.parsing.text.decoding import decode
from docs_search.parsing.text.writing import escape, paragraph

MAX_CHARACTERS = 1_500_000
MAX_LINES = 30_000
"""Documents beyond these are read as plain text: docutils takes quadratic time."""

_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_LINES_OF_SECTIONS = re.compile(r"^[!-/:-@\[-`{-~]{3,}$", re.MULTILINE)


class RstParser:
    """The `Parser` of reStructuredText.

    A page's path is its file's below the Sphinx configuration, without the extension. The index of a folder has the
    folder's path, unless the site publishes files with names such as `a/index.html`.
    """

    def __init__(self) -> None:
        self._project: Project | None = None

    def is_page(self, path: str) -> bool:
        """Documents by their extension, but not what stands in `_build`, `_templates` or `_static`, nor licences.

        Whether a `.txt` file is one shows when it is read.
        """
        return is_document(path)

    def parse(self, path: str, data: bytes, context: ParseContext) -> ParsedPage | None:
        """The page, or None for text that is not reStructuredText and for a document without any content."""
        project = self._project_of(context)
        page_path = project.page_path(path)
        if page_path is None:
            return None
        text, warnings = decode(data)
        if path.endswith(TEXT_EXTENSION) and next(titles(text.split("\n", 200)[:200]), None) is None:
            return None
        state = _state(path, project, context)
        for warning in warnings:
            state.warn(warning)
        links = PageLinks(path, page_path, project, context)
        values = {**_substitutions(context), **project.substitutions}
        title, sections = _read(with_constants(text, project.constants), page_path, state, links, values)
        for name in state.toctree:
            if "://" not in name and (file := links.named_document(name)):
                links.document(file)
        if len(sections) == 1 and not sections[0].blocks:
            return None
        return ParsedPage(
            path=page_path,
            title=title,
            sections=sections,
            summary=state.metadata.get("description") or None,
            section=page_path.split("/", 1)[0] if "/" in page_path else None,
            links=links.pages,
            warnings=tuple(state.warnings),
        )

    def _project_of(self, context: ParseContext) -> Project:
        """The project of a source. It is kept for the next document, since one parser reads all of a source."""
        if self._project is None or self._project.paths is not context.paths:
            self._project = Project(context)
        return self._project


def _state(path: str, project: Project, context: ParseContext) -> DocumentState:
    def read(file: str) -> str | None:
        data = context.read(file) if file in context.paths else None
        return None if data is None else with_constants(decode(data)[0], project.constants)

    return DocumentState(
        path,
        project.configuration,
        project.is_sphinx,
        read,
        project.resolve,
        language=project.configuration.language,
    )


def _read(
    text: str, page_path: str, state: DocumentState, links: PageLinks, values: dict[str, str]
) -> tuple[str, list[Section]]:
    """Title and sections of a document; of one that docutils cannot read, its paragraphs."""
    fallback = _title_of(page_path)
    if len(text) > MAX_CHARACTERS or text.count("\n") > MAX_LINES:
        state.warn(f"is longer than {MAX_CHARACTERS} characters or {MAX_LINES} lines, and was read as plain text")
        return _plain(text, fallback)
    try:
        document = read_document(text, state)
        renderer = BlockRenderer(InlineRenderer(document, links, values))
        reader = SectionReader(page_path, renderer, fallback)
        sections = reader.read(document)
        return reader.title, sections
    except Exception as error:  # noqa: BLE001 docutils raises anything for what it was not made for
        state.warn(f"could not be read as reStructuredText, and was read as plain text: {type(error).__name__}")
        return _plain(text, fallback)


def _substitutions(context: ParseContext) -> dict[str, str]:
    return {"version": context.version, "release": context.version, "today": "", "nbsp": " "}


def _plain(text: str, fallback: str) -> tuple[str, list[Section]]:
    """A document as paragraphs, without its markup."""
    title = next(titles(text.split("\n", 200)[:200]), None) or fallback
    paragraphs = (" ".join(_LINES_OF_SECTIONS.sub("", part).split()) for part in _PARAGRAPH.split(text))
    blocks: list[Block] = [block for part in paragraphs for block in paragraph(escape(part))]
    return title, [Section(1, title, None, blocks)]


def _title_of(page_path: str) -> str:
    words = re.sub(r"[-_\s]+", " ", posixpath.basename(page_path)).strip() or page_path
    return words[:1].upper() + words[1:]
