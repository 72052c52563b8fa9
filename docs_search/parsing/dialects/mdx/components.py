"""What the usual components of documentation sites become in Markdown.

Those of Docusaurus, Starlight, Nextra, Mintlify and Fumadocs differ in their names and attributes and mean the same few
things. A component that nobody has heard of keeps what readers see of it: its title, and its content.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from docs_search.parsing.dialects.mdx.javascript import entries, literal
from docs_search.parsing.dialects.mdx.jsx import Tag
from docs_search.parsing.markdown.admonitions import closing, opening
from docs_search.parsing.text.writing import code_block, code_span, escape

TITLES = ("title", "heading", "label", "summary", "header", "question", "term")
TEXTS = ("children", "text", "description", "content", "alt", "caption", "tip", "tooltip")

ADMONITION_TITLES = {
    "check": "Check",
    "caution": "Caution",
    "danger": "Danger",
    "hint": "Hint",
    "important": "Important",
    "info": "Info",
    "note": "Note",
    "success": "Success",
    "tip": "Tip",
    "warning": "Warning",
}
_OTHER_ADMONITIONS = frozenset({"admonition", "alert", "aside", "callout", "highlight", "notice"})
_TYPES = ("type", "kind", "variant", "intent", "severity", "status", "color")
_TABS = frozenset({"tab", "tabitem", "tabpanel", "tabpane", "codetab"})
_CODE = frozenset({"codeblock", "code", "codesnippet", "dynamiccodeblock", "pre"})
_IMAGES = frozenset({"image", "img", "themedimage", "screenshot", "zoom", "zoomableimage", "figure", "thumbnail"})
_BADGES = frozenset({"badge", "tag", "chip", "pill"})
_FILES = frozenset({"file", "folder", "filetreefile", "filetreefolder"})
_FIELDS = frozenset({"param", "paramfield", "responsefield", "property", "field"})
_FIELD_NAMES = ("name", "path", "query", "body", "header")
_VIDEOS = frozenset({"video", "youtube", "vimeo", "loom"})
_WHITESPACE = re.compile(r"\s+")
_VIDEO_ID = re.compile(r"[\w-]{6,20}")


@dataclass(slots=True)
class Element:
    """A component with its content. `prefix` is what stands before it on its line, None within running text.

    `literals` are the string literals that it holds in braces, `number` its place among the components of its parent.
    """

    tag: Tag
    prefix: str | None = None
    in_heading: bool = False
    in_html: bool = False
    parent: "Element | None" = None
    number: int = 0
    content: list[str] = field(default_factory=list)
    literals: list[str] = field(default_factory=list)
    children: int = 0

    @property
    def kind(self) -> str:
        """The name without what sites spell differently: `Tabs.Item` is `item`, `code-block` is `codeblock`."""
        return kind_of(self.tag)


Component = Callable[[Element, str], str]
"""Markdown for a component and its content, which is without the indentation of the component itself."""


def kind_of(tag: Tag) -> str:
    """A component's name in lower case, without the library's part and hyphens."""
    parts = tag.name.rsplit(".", 1)
    name = parts[-1]
    if len(parts) == 2 and name in ("Item", "Panel"):  # <Tabs.Item>, <Tabs.Panel>, but also <Steps.Item>
        name = f"{parts[0].removesuffix('s')}{name}"
    return name.replace("-", "").replace("_", "").removeprefix("$").casefold()


def takes_literals(element: Element) -> bool:
    """Whether string literals inside are code."""
    return element.kind in _CODE


def render_block(element: Element, content: str, components: Mapping[str, Component]) -> str:
    """A component that stands on lines of its own."""
    kind, tag = element.kind, element.tag
    if component := components.get(kind):
        return component(element, content)
    if kind in ADMONITION_TITLES or kind in _OTHER_ADMONITIONS:
        return admonition(tag, content or escape(tag.text(*TEXTS) or ""), ADMONITION_TITLES.get(kind))
    if kind in _CODE:
        return _code(element, content)
    if kind in _TABS:
        return titled(_tab_label(element), content)
    if kind in _FIELDS and (name := tag.text(*_FIELD_NAMES)):
        return titled(_field_line(tag, name), content)
    if kind in _FILES and (name := tag.text("name", "title")):
        return joined(f"- {escape(name)}", content and _indented(content))
    if kind in _BADGES:
        return content or escape(tag.text("text", "children", "label") or "")
    if kind in _VIDEOS:
        return joined(_video(tag), content)
    title = tag.text(*TITLES)
    if title and (level := tag.expressions.get("headingLevel", tag.attributes.get("headingLevel", ""))) in tuple(
        "23456"
    ):
        return joined(f"{'#' * int(level)} {escape(title)}", content)
    if kind in _IMAGES:
        return joined(escape(tag.text("alt", "caption", "title") or ""), content)
    text = tag.text(*TEXTS)
    return joined(
        f"**{_linked(tag, escape(title))}**" if title else "",
        escape(text) if text and text != title and not (text == tag.text("content") and content) else "",
        content,
    )


def render_inline(element: Element, content: str, components: Mapping[str, Component]) -> str:
    """A component within running text, or one in HTML: its text."""
    kind, tag = element.kind, element.tag
    if component := components.get(kind):
        return component(element, content)
    if kind in _BADGES and element.in_heading:
        return ""
    if kind in _CODE and element.literals:
        return code_span("".join(element.literals))
    if kind in _VIDEOS:
        return _video(tag)
    if not content.strip():
        text = tag.text("children", "text", "label", "title", "term", "alt", "content")
        if kind in _FILES:
            text = tag.text("name", "title")
        return _linked(tag, escape(text)) if text else ""
    return _linked(tag, content)


def admonition(tag: Tag, content: str, label: str | None = None) -> str:
    """An admonition with the title that the tag gives it, else its type."""
    name = tag.text(*_TYPES) or ""
    label = tag.text("title", "heading", "label") or label or (name.capitalize() if name.isalpha() else None) or "Note"
    return f"{opening(label)}\n{content}\n{closing()}" if content.strip() else ""


def titled(title: str | None, content: str) -> str:
    """Content below a line in bold type."""
    return joined(f"**{title}**" if title else "", content)


def joined(*parts: str) -> str:
    """Blocks with blank lines between them."""
    return "\n\n".join(part.strip("\n") for part in parts if part.strip())


def fenced(code: str, language: str = "") -> str:
    """Code without the indentation that all of its lines share, in a fence."""
    lines = code.expandtabs(4).split("\n")
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    code = "\n".join(line[indent:] for line in lines)
    return "".join(block.markdown for block in code_block(code, language))


def _code(element: Element, content: str) -> str:
    tag = element.tag
    title = tag.text("title", "filename")
    language = re.sub(
        r"[^\w+#.-]", "", tag.text("language", "lang") or (tag.text("className") or "").removeprefix("language-")
    )
    code = "".join(element.literals) or tag.attributes.get("children") or tag.attributes.get("code")
    if code is None:
        is_markdown = "```" in content or "~~~" in content
        body = content if is_markdown else fenced(content, language)
    else:
        body = code.strip() if code.lstrip().startswith("```") else fenced(code, language)
    return titled(escape(title) if title else None, body)


def _tab_label(element: Element) -> str | None:
    """The label of a tab, which may stand in a list at the tabs themselves."""
    tag, parent = element.tag, element.parent
    value = tag.text("value")
    if not (label := tag.text("label", "title", "name", "header")) and parent is not None:
        names = literal(parent.tag.expressions.get("items", "") or parent.tag.expressions.get("values", ""))
        if isinstance(names, list) and value is None and element.number < len(names):
            label = names[element.number] if isinstance(names[element.number], str) else None
        for entry in entries(names):
            if entry.get("value") == value and isinstance(entry.get("label"), str):
                label = str(entry["label"])
    label = label or value
    return escape(_WHITESPACE.sub(" ", label)) if label else None


def _field_line(tag: Tag, name: str) -> str:
    details = [tag.text("type") or "", "required" if "required" in {*tag.attributes, *tag.expressions} else ""]
    more = ", ".join(detail for detail in details if detail)
    return f"{code_span(name)} ({escape(more)})" if more else code_span(name)


def _linked(tag: Tag, text: str) -> str:
    """Text with the link that the tag gives it; what holds a link, a block or a line end already stays as it is."""
    href = tag.text("href", "to")
    if not href or "](" in text or "\n" in text or any(character in href for character in " <>()"):
        return text
    return f"[{text}]({href})"


def _video(tag: Tag) -> str:
    address = tag.text("url", "src", "href")
    if not address and (video := tag.text("id", "videoId", "youTubeId")) and _VIDEO_ID.fullmatch(video):
        address = f"https://www.youtube.com/watch?v={video}"
    title = escape(tag.text("title", "caption") or "Video")
    return f"[{title}]({address})" if address and address.startswith("http") and " " not in address else ""


def _indented(content: str) -> str:
    return "\n".join(f"  {line}" if line else "" for line in content.split("\n"))
