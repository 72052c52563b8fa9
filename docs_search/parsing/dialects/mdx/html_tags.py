"""HTML in MDX, where it is JSX: content on lines of its own is Markdown, and attributes may hold expressions."""

from html import escape

from docs_search.parsing.dialects.mdx.components import Element, joined
from docs_search.parsing.dialects.mdx.jsx import Tag

HIDDEN = frozenset({"canvas", "head", "iframe", "noscript", "object", "script", "style", "svg", "template"})
"""Elements of which readers see nothing, or nothing in words."""
LAYOUT = frozenset(
    "address article aside audio body button center div fieldset figcaption figure font footer form header html label"
    " main nav p picture section small span video".split()
)
"""Elements whose tags mean nothing in a text."""
TABLE_PARTS = frozenset({"dd", "dl", "dt", "table", "tbody", "td", "tfoot", "th", "thead", "tr"})

_KEPT_ATTRIBUTES = ("id", "name", "href", "src", "alt", "title", "colspan", "rowspan", "start")
VOID = frozenset({"br", "col", "hr", "img", "input", "source", "wbr"})
"""Elements without content and end."""


def clean_tag(tag: Tag) -> str:
    """A tag with those of its attributes that mean something, none of them an expression."""
    attributes = "".join(
        f' {name}="{escape(value)}"'
        for name in _KEPT_ATTRIBUTES
        if (value := tag.attributes.get(name) or tag.attributes.get(f"{name[:-4]}Span", "")) and "\n\n" not in value
    )
    return f"<{tag.name}{attributes}>"


def render_html(element: Element, content: str, *, is_block: bool) -> str:
    """Markdown, or simpler HTML, for an HTML element and its content."""
    tag, name = element.tag, element.tag.name.casefold()
    anchor = f'<a id="{escape(tag.attributes["id"])}"></a>' if tag.attributes.get("id", "").strip() else ""
    if name in LAYOUT:
        if is_block:
            return joined(anchor, content)
        return anchor + content + (" " if element.in_html and name in ("p", "div") else "")
    if name in VOID:
        return clean_tag(tag) if name != "input" else ""
    if name == "details" and not element.in_html:
        return joined(anchor, content)
    if name == "summary" and is_block:
        words = " ".join(content.replace("**", "").split())
        return f"**{words}**" if words else ""
    if name in ("ul", "ol") and is_block:
        return content
    if name == "li" and is_block:
        return _item(element, content)
    if name in TABLE_PARTS and name == "table":
        content = "\n".join(line for line in content.split("\n") if line.strip())
    if name == "pre" and is_block and element.literals:
        content = "".join(element.literals)
    opening, closing = clean_tag(tag), f"</{tag.name}>"
    if name == "code" and element.literals:
        content = escape("".join(element.literals), quote=False)
    return f"{opening}{content}{closing}"


def _item(element: Element, content: str) -> str:
    """An item of a list. It is numbered where its list is."""
    if not content.strip():
        return ""
    parent = element.parent
    numbered = parent is not None and parent.tag.name.casefold() == "ol"
    marker = f"{element.number + 1}. " if numbered else "- "
    first, *lines = content.strip("\n").split("\n")
    indent = " " * len(marker)
    return "\n".join([f"{marker}{first.lstrip()}", *(indent + line if line else "" for line in lines)])
