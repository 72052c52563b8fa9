"""The sections of a DocBook page: nested `div`s or `section`s, each with its title, id and content."""

import re

from lxml.etree import _Element

from docs_search.documents import Block, Kind, Section
from docs_search.parsing.docbook.entries import Entry, split_entries
from docs_search.parsing.docbook.markup import DocBookRenderer
from docs_search.parsing.docbook.titles import (
    is_reference_entry,
    names_in_title,
    read_reference_entry,
    section_id,
    section_title,
    title_page,
)
from docs_search.parsing.html.rendering import Structural

_SECTIONS = frozenset(
    "appendix article book chapter part preface refentry reference refsect1 refsect2 refsect3 refsection sect1 sect2 "
    "sect3 sect4 sect5 section set simplesect".split()
)
_INDEXES = frozenset({"bibliography", "index", "legalnotice"})
_INDEX_IDS = frozenset({"PostGIS_Special_Functions_Index"})
_TOPS = frozenset({"refnamediv", "titlepage"})
_RELEASE_NOTES_ID = re.compile(r"release(?:[-_].*)?", re.IGNORECASE)
_DEEPEST_LEVEL = 12  # below that the title of a section is left out, and its text belongs to the section above


class SectionReader:
    """Collects the sections of one page in reading order.

    What is documented one by one follows the running text of its section, under a heading of its own, and stands
    before the next section.
    """

    def __init__(self, renderer: DocBookRenderer) -> None:
        self.sections: list[Section] = []
        self._renderer = renderer
        self._anchors: set[str] = set()

    def read(self, root: _Element, title: str) -> list[Section]:
        """The sections of a page whose outermost element this is; none of an index, or where nothing has content."""
        if root.get("class") in _INDEXES:
            return []
        self._add(root, 1, Kind.RELEASE_NOTE if _holds_release_notes(root) else Kind.SECTION, title)
        return _without_empty(self.sections)

    # One section after the other

    def _add(self, element: _Element, level: int, kind: Kind, title: str) -> None:
        section = Section(level, title, self._anchor(section_id(element)), kind=kind)
        if kind is not Kind.RELEASE_NOTE:
            self._name(section, element, kind)
        self.sections.append(section)
        nested: list[_Element | Entry] = []
        section.blocks = self._abstract(element)
        section.blocks += self._renderer.blocks(element, self._take(nested, level, section.kind, inside_entry=False))
        self._add_nested(nested, level + 1, section.kind)

    def _add_entry(self, entry: Entry, level: int, within: Kind) -> None:
        kind = entry.kind or within
        section = Section(
            level, entry.heading, self._anchor(entry.anchor), entry.blocks, kind, own=entry.own, names=entry.names
        )
        self.sections.append(section)
        nested: list[_Element | Entry] = list(entry.entries)
        for element in entry.body:
            section.blocks += self._renderer.blocks(element, self._take(nested, level, kind, inside_entry=True))
        self._add_nested(nested, level + 1, within)

    def _add_nested(self, nested: list[_Element | Entry], level: int, kind: Kind) -> None:
        for item in nested:
            if isinstance(item, Entry):
                self._add_entry(item, level, kind)
            else:
                title = section_title(item, self._renderer)
                self._add(item, level, Kind.RELEASE_NOTE if _holds_release_notes(item) else kind, title)

    def _take(self, nested: list[_Element | Entry], level: int, kind: Kind, *, inside_entry: bool) -> Structural | None:
        """Sorts sections and entries out of the running text of a section, into `nested`."""
        if level >= _DEEPEST_LEVEL:
            return None

        def take(element: _Element) -> list[Block] | None:
            css_class = element.get("class")
            if css_class in _SECTIONS and section_title(element, self._renderer):
                if section_id(element) not in _INDEX_IDS:
                    nested.append(element)
                return []
            if css_class in _INDEXES:
                return []
            if kind is Kind.RELEASE_NOTE:
                return None
            split = split_entries(element, self._renderer, within=kind, inside_entry=inside_entry)
            if split is None:
                return None
            nested.extend(split[0])
            return split[1]

        return take

    def _anchor(self, identifier: str | None) -> str | None:
        if identifier is None or identifier in self._anchors:
            return None
        self._anchors.add(identifier)
        return identifier

    def _name(self, section: Section, element: _Element, kind: Kind) -> None:
        if is_reference_entry(element):
            entry = read_reference_entry(element, self._renderer)
            section.kind, section.names = entry.kind, entry.names
        else:
            section.names, title_kind = names_in_title(element, section.heading)
            section.kind = title_kind or kind
            section.own = title_kind is not None and section.level > 1

    def _abstract(self, element: _Element) -> list[Block]:
        """PostGIS puts what a section is about on its title page."""
        page = title_page(element)
        abstracts = [] if page is None else [div for div in page.iter("div") if div.get("class") == "abstract"]
        return [
            block for abstract in abstracts for p in abstract.iterchildren("p") for block in self._renderer.block(p)
        ]


def find_manual(document: _Element) -> _Element | None:
    """The outermost section that only DocBook's stylesheets can have written, whatever layout is around it."""
    return next((element for element in document.iter("div", "section", "article") if _is_certain(element)), None)


def find_root(document: _Element) -> _Element | None:
    """The outermost section of a page, the certain ones before what merely has the class of one."""
    root = find_manual(document)
    if root is not None:
        return root
    return next((element for element in document.iter("div", "section", "article") if _is_root(element)), None)


def _holds_release_notes(element: _Element) -> bool:
    return bool(_RELEASE_NOTES_ID.fullmatch(section_id(element) or ""))


def _is_root(element: _Element) -> bool:
    return element.get("class") in _SECTIONS or element.get("class") in _INDEXES


def _is_certain(element: _Element) -> bool:
    """Whether a section has a title page or the name of a reference entry, as no other generator writes them."""
    if element.get("class") == "legalnotice":
        return True
    return _is_root(element) and any(child.get("class") in _TOPS for child in element.iterchildren("div"))


def _without_empty(sections: list[Section]) -> list[Section]:
    """Sections that have content, or have some that do below them."""
    kept: list[Section] = []
    for section in reversed(sections):
        if section.blocks or (kept and kept[-1].level > section.level):
            kept.append(section)
    return kept[::-1]
