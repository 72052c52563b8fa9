"""docutils' document tree to sections: those of the document, and one for each object that it describes."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docutils import nodes

from docs_search.documents import Section
from docs_search.parsing.rst.elements import Described
from docs_search.parsing.rst.objects import kind_of
from docs_search.parsing.rst.rendering import BlockRenderer
from docs_search.parsing.text.kinds import classify
from docs_search.parsing.text.plain_text import plain_text
from docs_search.parsing.text.writing import code_block

_DEEPEST_LEVEL = 12  # the titles of sections below that are left out
_COUNTED = re.compile(r"id\d+")


class SectionReader:
    """Collects the sections of one document in reading order.

    The first title is the document's, and its section the lead. Where more sections stand beside it, they are one
    level below. A description that has content is a section of its own, after the running text around it. One without
    content (as Django writes them) describes what follows: the section that begins after it or with it, else the
    text down to the next description.
    """

    def __init__(self, path: str, renderer: BlockRenderer, fallback_title: str) -> None:
        self._path = path
        self._renderer = renderer
        self._anchors: set[str] = set()
        self._marks: list[Described] = []  # what the next section describes
        self.sections: list[Section] = []
        self.title = fallback_title

    def read(self, document: nodes.document) -> list[Section]:
        """The sections of a document; the lead comes first, even where it is empty."""
        children = list(document.children)
        first = next((at for at, child in enumerate(children) if isinstance(child, nodes.section)), None)
        if first is not None:
            self.title = self._heading(children[first])[0] or self.title
        entry = classify(self.title, path=self._path, title=self.title)
        lead = Section(1, self.title, None, kind=entry.kind, names=entry.names)
        self.sections.append(lead)
        if first is None:
            self._fill(lead, children, (), entry=False)
        else:
            before = _without_metadata(children[:first])
            rest = [child for child in children[first].children if not isinstance(child, nodes.title)]
            self._fill(lead, [*before, *rest, *children[first + 1 :]], (), entry=False)
        self._add_described(self._marks, self.sections[-1])
        return self.sections

    # One section after the other

    def _fill(self, section: Section, children: Sequence[nodes.Node], above: tuple[str, ...], *, entry: bool) -> None:
        """The content of a section: running text first, then descriptions and sections in their order.

        `above` are the headings of the sections around, with that of the section itself; `entry` is for a description.
        """
        nested: list[_Nested] = []
        current = section
        pending: list[Described] = []  # without content, and nothing after them yet
        for child in children:
            if isinstance(child, Described) and not child.children:
                pending.append(child)
            elif isinstance(child, nodes.section):
                nested.append(_Nested(child, tuple(pending)))
                pending = []
            elif isinstance(child, Described) or (blocks := self._renderer.block(child)):
                if pending and not section.blocks and not nested:
                    self._adopt(section, pending, signatures=True)
                elif pending:
                    current = self._entry(section.level + 1, pending)
                    nested.append(_Nested(current))
                pending = []
                if isinstance(child, Described):
                    nested.append(_Nested(child))
                    current = section
                else:
                    current.blocks += blocks
        for item in nested:
            self._add(item, section.level + 1, above)
        if entry or not _are_marks(pending):
            self._add_described(pending, section)
        else:
            self._marks += pending

    def _add(self, item: "_Nested", level: int, above: tuple[str, ...]) -> None:
        if isinstance(item.content, Section):
            self.sections.append(item.content)
        elif isinstance(item.content, Described):
            section = self._entry(level, [item.content])
            self.sections.append(section)
            self._fill(section, item.content.children, above, entry=True)
        else:
            if not _are_marks(item.marks):
                self._add_described(item.marks, self.sections[-1])
            self._section(item.content, level, above, item.marks if _are_marks(item.marks) else ())

    def _section(self, node: nodes.Element, level: int, above: tuple[str, ...], marks: Sequence[Described]) -> None:
        heading, markdown = self._heading(node)
        rest = [child for child in node.children if not isinstance(child, nodes.title)]
        if not heading or level > _DEEPEST_LEVEL:
            self._fill(self.sections[-1], rest, above, entry=False)
            return
        entry = classify(markdown, path=self._path, title=self.title, ancestors=above)
        section = Section(level, heading, None, kind=entry.kind, own=entry.own, names=entry.names)
        marks = [*self._marks, *marks]
        self._marks = []
        if marks:
            section.anchor = self._free(marks[0]["anchor"])
            self._adopt(section, marks, signatures=False)
        section.anchor = section.anchor or self._free(_published_id(node))
        self.sections.append(section)
        self._fill(section, rest, (*above, heading), entry=False)

    def _add_described(self, described: Sequence[Described], section: Section) -> None:
        """Descriptions that nothing follows: they describe nothing but themselves."""
        if described and section is self.sections[-1] and not section.blocks and not section.own:
            self._adopt(section, described, signatures=True)
        elif described:
            self.sections.append(self._entry(section.level + 1, described))

    def _entry(self, level: int, described: Sequence[Described]) -> Section:
        """The section of what is described together."""
        labels = dict.fromkeys(one["label"] for one in described)
        section = Section(level, ", ".join(labels), self._free(described[0]["anchor"]))
        self._adopt(section, described, signatures=True)
        return section

    def _adopt(self, section: Section, described: Sequence[Described], *, signatures: bool) -> None:
        """Make a section that of the objects described at its beginning."""
        section.own = section.level > 1
        section.kind = kind_of(described[0])
        names = (name for one in described for name in one["object_names"])
        section.names = tuple(dict.fromkeys((*names, *section.names)))
        lines = [line for one in described for line in one["signatures"]]
        if signatures and lines != [section.heading]:
            section.blocks += code_block("\n".join(lines), described[0]["language"])

    def _heading(self, node: nodes.Node) -> tuple[str, str]:
        """A section's title as plain text and as Markdown."""
        title = next((child for child in node.children if isinstance(child, nodes.title)), None)
        markdown = self._renderer.inline(title) if title is not None else ""
        return " ".join(plain_text(markdown).split()), markdown

    def _free(self, anchor: str | None) -> str | None:
        """The anchor, unless a section has it already."""
        if not anchor or anchor in self._anchors:
            return None
        self._anchors.add(anchor)
        return anchor


@dataclass(frozen=True, slots=True)
class _Nested:
    """Something below a section, with the descriptions without content that stand right before it."""

    content: nodes.Element | Section
    marks: tuple[Described, ...] = ()


def _are_marks(described: Sequence[Described]) -> bool:
    """Whether these may describe the section after them: so do settings and commands, but not what code defines."""
    return all(one["domain"] == "std" for one in described)


def _published_id(node: nodes.Element) -> str | None:
    """The id of a section. Sphinx prefers any other id, such as a label's, to one that is only counted."""
    ids = [str(identifier) for identifier in node["ids"]]
    return next((identifier for identifier in ids if not _COUNTED.fullmatch(identifier)), ids[0] if ids else None)


def _without_metadata(children: Sequence[nodes.Node]) -> list[nodes.Node]:
    """What stands before the title, without the fields that begin a document: `:orphan:`, authors and dates."""
    first = next((at for at, child in enumerate(children) if not isinstance(child, nodes.Invisible)), None)
    if first is not None and isinstance(children[first], nodes.field_list):
        return [*children[:first], *children[first + 1 :]]
    return list(children)
