"""The content of a web page to sections, cut at its headings and at what it documents one by one."""

import re
from dataclasses import dataclass

from lxml.etree import _Element

from docs_search.documents import Block, BlockType, Kind, Section
from docs_search.parsing.html.anchors import AnchorFinder
from docs_search.parsing.html.boilerplate import is_phrase_of_the_site
from docs_search.parsing.html.declarations import called_in, declares, is_declaration, names_of, read_declaration
from docs_search.parsing.html.markup import SiteRenderer
from docs_search.parsing.html.rendering import HEADINGS, definition_groups
from docs_search.parsing.html.signatures import (
    Signature,
    is_signature_list,
    object_of_id,
    read_signature,
)
from docs_search.parsing.html.terms import is_term_list, read_terms
from docs_search.parsing.html.titles import heading_text, is_title, is_written_heading, one_line, without_number
from docs_search.parsing.text.kinds import Entry, classify, is_release_notes
from docs_search.parsing.text.writing import code_block

_FEW_WORDS = 15  # before the title: a category, a badge
_LINK = re.compile(r"\[[^\[\]]*+\]\([^()]*+\)")
_NAVIGATION = frozenset(
    {"contents", "feedback", "in this article", "in this section", "on this page", "page contents", "quick links"}
    | {"table of contents", "was this helpful?", "was this page helpful?"}
)
_OPEN_ENTRY = 10  # deeper than any heading: what stands below an entry without a body of its own


@dataclass(frozen=True, slots=True)
class _Mark(Block):
    """Stands in the flow of blocks where a section begins or ends; holds nothing to read."""


@dataclass(frozen=True, slots=True)
class _Heading(_Mark):
    element: _Element
    level: int


@dataclass(frozen=True, slots=True)
class _EntryStart(_Mark):
    signature: Signature
    is_open: bool  # its description follows the list rather than being in it
    is_declaration: bool = False  # it stands under a heading of its own as a rule


class _EntryEnd(_Mark):
    __slots__ = ()


class SectionReader:
    """Collects the sections of one page in reading order.

    The first heading of level 1 belongs to the lead. Levels are those of an outline: a level that the page skips is
    not skipped here, and further headings of level 1 are chapters below the lead. What is documented one by one is a
    section below the one that it stands in, whose text goes on after it.
    """

    def __init__(self, path: str, title: str, renderer: SiteRenderer, anchors: AnchorFinder) -> None:
        self._path = path
        self._title = title
        self._renderer = renderer
        self._finder = anchors
        self._anchors: set[str] = set()
        self._is_release_notes = is_release_notes(path, title)
        entry = classify(title, path=path, title=title)
        lead = Section(1, title, None, kind=entry.kind, names=entry.names)
        self.sections = [lead]
        self.warnings: list[str] = []
        self._outline = [(0, lead)]  # the open sections, with their levels on the page
        self._entries: list[int] = []  # how much of the outline is around each entry with a body
        self._has_title = False
        self._has_headings = True

    def read(self, root: _Element) -> list[Section]:
        """The sections of the content in this element; none where nothing is to read."""
        self._has_headings = next(root.iter(*HEADINGS), None) is not None
        for block in self._renderer.blocks(root, self._take):
            match block:
                case _Heading():
                    self._heading(block.element, block.level)
                case _EntryStart():
                    if block.is_declaration:
                        self._declare(block.signature)
                    else:
                        self._start_entry(block.signature, is_open=block.is_open)
                case _EntryEnd():
                    del self._outline[self._entries.pop() :]
                case _ if block.type is not BlockType.PARAGRAPH or not is_phrase_of_the_site(block.markdown):
                    self._current.blocks.append(block)
        return _without_empty(self.sections)

    @property
    def _current(self) -> Section:
        return self._outline[-1][1]

    def _take(self, element: _Element) -> list[Block] | None:
        """Puts marks into the flow where a section begins."""
        if element.tag in HEADINGS:
            return [_Heading(BlockType.PARAGRAPH, "", element, int(element.tag[1]))]
        if not self._has_headings and is_written_heading(element):
            return [_Heading(BlockType.PARAGRAPH, "", element, 2)]
        if is_title(element):
            return [_Heading(BlockType.PARAGRAPH, "", element, 1)]
        if is_declaration(element):
            anchor = next(iter(self._finder.candidates(element)), None)
            return [_EntryStart(BlockType.PARAGRAPH, "", read_declaration(element, anchor), True, True)]
        if element.get("role") == "heading" and element.tag == "div":
            level = element.get("aria-level") or "2"
            return [_Heading(BlockType.PARAGRAPH, "", element, int(level) if level in "123456" else 2)]
        is_list = is_signature_list(element)
        if not (is_list or is_term_list(element)) or self._is_release_notes:
            return None
        blocks: list[Block] = []
        for terms, definitions in definition_groups(element):
            signature = read_signature(element, terms) if is_list else read_terms(element, terms)
            content = [block for part in definitions for block in self._renderer.blocks(part, self._take)]
            blocks.append(_EntryStart(BlockType.PARAGRAPH, "", signature, is_open=not content))
            if content:
                blocks += [*content, _EntryEnd(BlockType.PARAGRAPH, "")]
        return blocks

    # Headings

    def _heading(self, element: _Element, level: int) -> None:
        text, markdown = self._renderer.heading(element)
        text = heading_text(element, one_line(text))
        candidates = self._finder.candidates(element)
        is_title = text == self._title and (not self._has_title or len(self.sections) == 2)
        if (is_title or (level == 1 and not text)) and self._says_little():
            self._first_heading(text, markdown, candidates)
            return
        if not text:
            return
        is_chapter = level == 1
        current = self._current
        entry = self._entry(text, markdown, candidates, level)
        if name := called_in(element, text):
            entry = Entry(Kind.FUNCTION, own=True, names=(name,))
        if current.own and not entry.own and not candidates and level > self._outline[-1][0]:
            current.blocks.append(Block(BlockType.PARAGRAPH, f"**{markdown}**"))
            return
        self._open(Section(1, text, self._anchor(candidates), kind=entry.kind, own=entry.own, names=entry.names), level)
        self._has_title = self._has_title or is_chapter

    def _first_heading(self, text: str, markdown: str, candidates: list[str]) -> None:
        """The title of the page. What little stands before it is the name of a category, or a badge."""
        self._has_title = True
        lead = self.sections[0]
        lead.blocks.clear()
        del self.sections[1:], self._outline[1:]
        if markdown != text and (entry := self._entry(text, markdown, candidates, 1)).names:
            lead.kind, lead.names = entry.kind, entry.names

    def _says_little(self) -> bool:
        blocks = (block.markdown for section in self.sections for block in section.blocks)
        return sum(len(_LINK.sub("", markdown).split()) for markdown in blocks) < _FEW_WORDS and not self._entries

    def _entry(self, text: str, markdown: str, candidates: list[str], level: int) -> Entry:
        ancestors = [section.heading for depth, section in self._outline[1:] if depth < level]
        entry = classify(without_number(markdown), path=self._path, title=self._title, ancestors=ancestors)
        documented = next(filter(None, map(object_of_id, candidates)), None)
        if documented is None or self._is_release_notes:
            return entry
        kind, name = documented
        return Entry(kind, own=True, names=entry.names or (name,))

    def _open(self, section: Section, level: int) -> None:
        floor = self._entries[-1] + 1 if self._entries else 1
        while len(self._outline) > floor and self._outline[-1][0] >= level:
            self._outline.pop()
        section.level = self._current.level + 1
        self._outline.append((level, section))
        self.sections.append(section)

    def _anchor(self, candidates: list[str]) -> str | None:
        for candidate in candidates:
            if candidate not in self._anchors:
                self._anchors.add(candidate)
                return candidate
        if candidates:
            self.warnings.append(f"the anchor #{candidates[0]} is used twice")
        return None

    # Entries

    def _start_entry(self, signature: Signature, *, is_open: bool) -> None:
        repeats = signature.code == signature.heading and not is_open
        code = [] if repeats else code_block(signature.code)
        current = self._current
        if is_open and self._joins(current, code):
            # The heading or the signature right before it is of the same: a signature is all that is added.
            current.names = tuple(dict.fromkeys((*current.names, *signature.names)))
            current.kind = signature.kind if current.kind is Kind.SECTION else current.kind
            current.blocks += code
            return
        anchor = self._anchor([signature.anchor] if signature.anchor else [])
        section = Section(1, signature.heading, anchor, code, signature.kind, own=True, names=signature.names)
        if is_open:
            self._open(section, _OPEN_ENTRY)
            return
        self._entries.append(len(self._outline))
        section.level = self._current.level + 1
        self._outline.append((_OPEN_ENTRY, section))
        self.sections.append(section)

    def _declare(self, signature: Signature) -> None:
        """A signature belongs to the heading right before it, or to the title; without one it begins a section."""
        current = self._current
        code = code_block(signature.code)
        is_lead = current is self.sections[0] and len(self.sections) == 1
        if not declares(signature, current.heading) or not (is_lead or self._joins(current, code)):
            if not signature.heading:
                current.blocks += code
                return
            anchor = self._anchor([signature.anchor] if signature.anchor else [])
            entry = Section(1, signature.heading, anchor, code, signature.kind, own=True, names=signature.names)
            self._open(entry, _OPEN_ENTRY)
            return
        current.blocks += code
        current.names = tuple(dict.fromkeys((*current.names, *names_of(signature, current.heading))))
        if not is_lead:
            current.kind = signature.kind
            current.own = True

    def _joins(self, current: Section, code: list[Block]) -> bool:
        return (
            self.sections[-1] is current
            and current is not self.sections[0]
            and all(block.type is BlockType.CODE and block.markdown.startswith("```\n") for block in current.blocks)
            and len(current.blocks) < 8
        )


def _without_empty(sections: list[Section]) -> list[Section]:
    """Sections that have content, or have some that do below them; the lead stays, unless all are empty."""
    kept: list[Section] = []
    for section in reversed(sections):
        if _is_navigation(section):
            continue
        if section.blocks or section.own or section is sections[0] or (kept and kept[-1].level > section.level):
            kept.append(section)
    return kept[::-1] if any(section.blocks for section in kept) else []


def _is_navigation(section: Section) -> bool:
    if section.heading.casefold() not in _NAVIGATION or section.level == 1:
        return False
    return all("](" in block.markdown or len(block.markdown) < 80 for block in section.blocks)
