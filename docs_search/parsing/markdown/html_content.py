"""The raw HTML of a Markdown document: elements whose text may be Markdown, and headings that begin sections."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from lxml import etree
from lxml.etree import _Element

from docs_search.documents import Block, BlockType
from docs_search.parsing.html.document import parse_html
from docs_search.parsing.html.listings import code_of, language_of
from docs_search.parsing.html.rendering import HEADINGS, MAX_DEPTH, MarkdownRenderer, Structural
from docs_search.parsing.markdown.code_regions import split_code
from docs_search.parsing.markdown.indentation import dedent
from docs_search.parsing.text.plain_text import plain_text
from docs_search.parsing.text.writing import code_block, one_line

# What nobody writes in HTML without meaning Markdown. Marks of lists and headings count on lines of their own.
_MARKDOWN = re.compile(
    r"\*\*\S|(?<!\w)__\w|`|\]\(|\]\[|~~\S|^[ \t]*+\[[^\]\n]*+\]:"
    r"|\n[ \t]*+(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})[ \t]+\S|\|.*\|[ \t]*+$)"
    r"|\n[ \t]*+\n[ \t]*+\S",
    re.MULTILINE,
)
_CELL = re.compile(r"</?(?:t[dhr]|li|p|div|d[dt])\b", re.IGNORECASE)
_TAG_START = re.compile(r"<(?=[A-Za-z/!?])")


@dataclass(frozen=True, slots=True)
class HeadingBlock(Block):
    """A heading of raw HTML; where it cannot begin a section, it is the paragraph that every block of it is."""

    level: int = 1
    text: str = ""
    anchor: str | None = None


class HtmlContentRenderer(MarkdownRenderer):
    """Renders raw HTML. `markdown` gives the blocks of a text that is Markdown."""

    def __init__(self, link_target: Callable[[str], str | None], markdown: Callable[[str], list[Block]]) -> None:
        super().__init__(link_target)
        self._markdown = markdown

    def fragment(self, html: str) -> list[Block]:
        """The blocks of raw HTML."""
        protected = "".join(_protected(part) if is_code else part for part, is_code in split_code(html))
        root, _ = parse_html(protected.encode())
        body = None if root is None else root.find("body")
        return [] if body is None else self.blocks(body)

    def block(self, element: _Element, structural: Structural | None = None) -> list[Block]:
        if element.tag in HEADINGS:
            return self._heading(element)
        if element.tag == "summary":
            text = one_line(self.blocks(element)).replace("**", "")
            return [Block(BlockType.PARAGRAPH, f"**{text}**")] if text else []
        return super().block(element, structural)

    def blocks(self, element: _Element, structural: Structural | None = None) -> list[Block]:
        if self._depth < MAX_DEPTH and _is_markdown(self, element):
            return self._markdown_blocks(element, structural)
        return super().blocks(element, structural)

    def code(self, element: _Element) -> list[Block]:
        return code_block(code_of(element), language_of(element))

    def _heading(self, element: _Element) -> list[Block]:
        markdown = one_line(self.blocks(element)).replace("**", "")
        text = " ".join(plain_text(markdown).split())
        if not text:
            return []
        anchors = [element.get("id"), *(link.get("id") or link.get("name") for link in element.iter("a"))]
        return [
            HeadingBlock(
                BlockType.PARAGRAPH,
                f"**{markdown}**",
                int(str(element.tag)[1]),
                text,
                next(filter(None, anchors), None),
            )
        ]

    def _markdown_blocks(self, element: _Element, structural: Structural | None) -> list[Block]:
        """The content of an element in order: what stands between its blocks is Markdown."""
        self._depth += 1
        out: list[Block] = []
        run = [_source(element.text)]
        for child in element:
            if not self.is_dropped(child):
                if self.is_block(child):
                    out += self._markdown(dedent("".join(run)))
                    out += self.block(child, structural)
                    run = []
                else:
                    run.append(etree.tostring(child, encoding="unicode", method="html", with_tail=False))
            run.append(_source(child.tail))
        self._depth -= 1
        return out + self._markdown(dedent("".join(run)))


def _is_markdown(renderer: MarkdownRenderer, element: _Element) -> bool:
    """Whether the text that stands in an element itself, or in its inline elements, is written as Markdown."""
    texts = [element.text]
    for child in element:
        if not renderer.is_block(child) and not renderer.is_dropped(child) and child.tag not in ("code", "kbd", "samp"):
            texts += [child.text]
        texts.append(child.tail)
    return _MARKDOWN.search("".join(filter(None, texts))) is not None


def _source(text: str | None) -> str:
    """Text of an element as Markdown has it: what looks like a tag is none, but for code."""
    if not text:
        return ""
    return "".join(part if is_code else _TAG_START.sub("&lt;", part) for part, is_code in split_code(text))


def _protected(code: str) -> str:
    """Code in which nothing is taken for a tag, unless it is none, but pairs backticks of several elements."""
    if "\n" not in code and _CELL.search(code):
        return code
    return code.replace("<", "&lt;")
