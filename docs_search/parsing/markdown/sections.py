"""The blocks of a Markdown document to sections, with the anchors that the published site gives their headings."""

import re
from collections.abc import Iterable, Iterator, Sequence

from markdown_it.token import Token

from docs_search.documents import Block, BlockType, Kind, Section
from docs_search.parsing.markdown.html_content import HeadingBlock
from docs_search.parsing.markdown.inline import (
    anchor_text_of,
    anchors_in,
    heading_of,
    split_heading_attributes,
)
from docs_search.parsing.markdown.tokens import Node, TokenRenderer
from docs_search.parsing.text.kinds import classify
from docs_search.parsing.text.plain_text import plain_text
from docs_search.parsing.text.slugs import Slugger
from docs_search.parsing.text.writing import code_block

_FIRST_HTML_HEADING = re.compile(r"<h1(?:\s[^>]*+)?>([^<]*+(?:(?!</?h1\b)<[^<]*+)*)</h1\s*>", re.DOTALL | re.IGNORECASE)
_IMAGE_TEXT = re.compile(r"<img\s[^>]*?\balt=\"([^\"]*)\"[^>]*+>", re.IGNORECASE)
_ANCHOR = re.compile(r"(<a\s[^<>]*+>|<([A-Za-z][\w-]*+)\s[^<>]*+>\s*+</\2\s*>)", re.IGNORECASE)
_WORD = re.compile(r"\w+")


def first_heading(nodes: Iterable[Node]) -> str | None:
    """The text of the first heading of level 1, or None."""
    for node in nodes:
        if node.type == "heading" and node.token.tag == "h1":
            return heading_of(split_heading_attributes(node.inline)[0]) or None
        if node.type == "html_block" and (match := _FIRST_HTML_HEADING.search(node.token.content)):
            return " ".join(plain_text(_IMAGE_TEXT.sub(r"\1", match[1])).split()) or None
    return None


class SectionBuilder:
    """Cuts one document at its headings. The first heading of level 1 belongs to the lead, whose title is given.

    A document that goes on with more headings of level 1 uses them for its chapters: they and what follows are one
    level deeper. Headings below an entry of its own (the `PARAMS` of an API operation) are part of that entry.
    """

    def __init__(self, path: str, title: str, renderer: TokenRenderer, slugger: Slugger) -> None:
        self._path = path
        self._title = title
        self._renderer = renderer
        self._slugger = slugger
        self._anchors: set[str] = set()
        self._pending_anchor: str | None = None
        self._has_first_heading = False
        self._shift = 0
        self._above: list[Section] = []  # the sections that the next one may be part of, without the lead
        entry = classify(title, path=path, title=title)
        self.sections = [Section(1, title, None, kind=entry.kind, names=entry.names)]
        self.warnings: list[str] = []

    def add_messages(self, messages: Iterable[str]) -> None:
        """Begin the page with the messages that it explains."""
        for message in messages:
            self.sections[0].kind = Kind.ERROR
            self.sections[0].blocks += code_block(message)

    def add(self, nodes: Iterable[Node]) -> None:
        """Append the nodes of the document, in order. A footnote ends the section that refers to it first."""
        nodes = list(nodes)
        for node in nodes:
            if node.type == "footnote_block":
                self._renderer.add_notes(node)
        for node in nodes:
            self._node(node)
        self._end_section()

    def _node(self, node: Node) -> None:
        if node.type == "heading":
            self._end_section()
            children, anchor = split_heading_attributes(node.inline)
            anchors = [anchor] if anchor else anchors_in(children)
            slug = self._slug(node, children) if not anchor else ""
            self._heading(int(node.token.tag[1]), heading_of(children), self._renderer.heading(children), slug, anchors)
        else:
            self._block(node)

    def _end_section(self) -> None:
        self.sections[-1].blocks += self._renderer.due_notes()

    def _slug(self, node: Node, children: Sequence[Token]) -> str:
        source = node.children[0].token.content if node.children else ""
        return self._slugger.slug(source if self._slugger.reads_source else anchor_text_of(children))

    def _block(self, node: Node) -> None:
        for heading in _headings_inside(node):
            self._slug(heading, heading.inline)
        if blocks := self._renderer.block(node):
            for block in blocks:
                self._add(block)
        elif anchors := _anchors_of(node):
            self._pending_anchor = anchors[-1]

    def _add(self, block: Block) -> None:
        if not isinstance(block, HeadingBlock):
            self.sections[-1].blocks.append(block)
            self._pending_anchor = None
            return
        self._end_section()
        slug = self._slugger.slug(block.text) if not block.anchor else ""
        markdown = block.markdown.removeprefix("**").removesuffix("**")
        self._heading(block.level, block.text, markdown, slug, [block.anchor] if block.anchor else [])

    def _heading(self, level: int, text: str, markdown: str, slug: str, anchors: Sequence[str]) -> None:
        anchor = self._anchor(slug, anchors)
        if level == 1 and not self._has_first_heading:
            self._has_first_heading = True
            if len(self.sections) == 1:
                self._first_heading(text, markdown)
                return
        if level == 1:
            self._shift = 1
        level += self._shift
        current = self.sections[-1]
        if not text or (current.own and level > current.level):
            current.blocks += [Block(BlockType.PARAGRAPH, f"**{markdown}**")] if text else []
            return
        while self._above and self._above[-1].level >= level:
            self._above.pop()
        ancestors = [section.heading for section in self._above]
        entry = classify(markdown, path=self._path, title=self._title, ancestors=ancestors)
        section = Section(level, text, anchor, kind=entry.kind, own=entry.own, names=entry.names)
        self.sections.append(section)
        self._above.append(section)

    def _first_heading(self, text: str, markdown: str) -> None:
        """Keep the words of the heading where the title from the front matter is another one."""
        if not set(_words(text)) <= set(_words(self._title)):
            self.sections[0].blocks.append(Block(BlockType.PARAGRAPH, f"**{markdown}**"))

    def _anchor(self, slug: str, explicit: Sequence[str]) -> str | None:
        candidates = [*explicit, *([self._pending_anchor] if self._pending_anchor else []), slug]
        self._pending_anchor = None
        for anchor in candidates:
            if anchor and anchor not in self._anchors:
                self._anchors.add(anchor)
                self._slugger.reserve(anchor)
                return anchor
            if anchor:
                self.warnings.append(f"the anchor #{anchor} is used twice")
        return None


def _headings_inside(node: Node) -> Iterator[Node]:
    for child in node.children:
        if child.type == "heading":
            yield child
        yield from _headings_inside(child)


def _anchors_of(node: Node) -> list[str]:
    if node.type == "html_block":
        tags = [match[1] for match in _ANCHOR.finditer(node.token.content)]
        return anchors_in([Token("html_inline", "", 0, content=tag) for tag in tags])
    return anchors_in(node.inline) if node.type == "paragraph" else []


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())
