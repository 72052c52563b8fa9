"""Signatures that an API reference shows by themselves, under a heading or in its place: what a function takes, what a
class is. They become code, whatever a page marks them up with."""

import re

from lxml.etree import _Element

from docs_search.documents import Kind
from docs_search.parsing.html.boilerplate import is_boilerplate
from docs_search.parsing.html.document import classes_of, text_of
from docs_search.parsing.html.listings import code_of
from docs_search.parsing.html.signatures import Signature

_CLASSES = frozenset(
    "Documentation-declaration attr functionHeader member-signature memproto method-heading tsd-signature "
    "type-signature".split()
)
_TAGS = frozenset({"div", "pre"})
_NAME_CLASSES = frozenset({"element-name", "method-name", "name", "py-defname"})
_NAME = re.compile(r"[^\W\d][\w.:$!?-]*")
# "fill()", "func Fill", "func (p *Pond) Drain"
_NAMED_BY = re.compile(r"(?:(?:class|func|function|method|type) (?:\([^()]{0,100}\) )?)?([^\W\d][\w.:$!?-]*)(?:\(\))?")
_TYPES = re.compile(r"\bclass\b")
_CALL_CLASSES = frozenset({"code-header", "name", "signature"})
_CALL = re.compile(r"([\w$][\w$.:~!?]*)(?:<[^()]{0,200}>)?\(")
_LONGEST_NAME = 100  # characters
_LONGEST_SIGNATURE = 1000
_SPACES = ((" (", "("), ("( ", "("), (" )", ")"), (" ,", ","))


def is_declaration(element: _Element) -> bool:
    """Whether an element holds a signature: of Javadoc, TypeDoc, Doxygen, pdoc, pydoctor or RDoc."""
    names = classes_of(element)
    if element.tag not in _TAGS or _CLASSES.isdisjoint(names):
        return False
    return "attr" not in names or any("name" in classes_of(part) for part in element.iter("span"))


def declares(signature: Signature, heading: str) -> bool:
    """Whether a signature is of what a heading names. One whose name is not told apart is of what it stands under."""
    return not signature.names or signature.names[0] in _NAME.findall(heading)


def names_of(signature: Signature, heading: str) -> tuple[str, ...]:
    """The names that a signature under a heading defines."""
    if signature.names:
        return signature.names
    match = _NAMED_BY.fullmatch(heading)
    return (match[1],) if match else ()


def read_declaration(element: _Element, anchor: str | None) -> Signature:
    """What a signature declares. The heading is its name where it is told apart, blank otherwise."""
    code = declaration_code(element)
    name = next((text for part in element.iter("span") if (text := _name_in(part))), "")
    kind = Kind.FUNCTION if "(" in code or _TYPES.search(code.partition("(")[0]) else Kind.SECTION
    heading = f"{name}()" if name and f"{name}(" in code else name
    return Signature(heading, anchor, kind, (name,) if name else (), code)


def declaration_code(element: _Element) -> str:
    """A signature on one line, unless it is written as a listing."""
    if (listing := next(element.iter("pre"), None)) is not None:
        return code_of(listing).strip("\n")
    parts: list[str] = []
    _collect(element, parts, 0)
    code = " ".join("".join(parts).split())
    for wide, narrow in _SPACES:
        code = code.replace(wide, narrow)
    return code


def called_in(heading: _Element, text: str) -> str:
    """The name of the function whose signature a heading is, as JSDoc, YARD and rustdoc have them; blank for others."""
    if _CALL_CLASSES.isdisjoint(classes_of(heading)):
        return ""
    match = _CALL.search(text[:_LONGEST_SIGNATURE])
    return match[1] if match else ""


def _name_in(element: _Element) -> str:
    if _NAME_CLASSES.isdisjoint(classes_of(element)):
        return ""
    text = text_of(element).strip()
    return text if len(text) <= _LONGEST_NAME and _NAME.fullmatch(text) else ""


def _collect(element: _Element, parts: list[str], depth: int) -> None:
    if depth > 20:
        parts.append(text_of(element))
        return
    parts.append(element.text or "")
    for child in element:
        if not is_boilerplate(child):
            parts.append(" " if child.tag in ("td", "tr", "br") else "")
            _collect(child, parts, depth + 1)
        parts.append(child.tail or "")
