"""What an API reference documents one by one: definition lists of signatures, as Sphinx writes them for functions,
classes, options and settings."""

import re
from dataclasses import dataclass

from lxml.etree import _Element

from docs_search.documents import Kind
from docs_search.parsing.html.boilerplate import is_boilerplate
from docs_search.parsing.html.document import classes_of, text_of

_KINDS = {
    "attribute": Kind.SECTION,
    "class": Kind.FUNCTION,
    "classmethod": Kind.FUNCTION,
    "confval": Kind.SETTING,
    "cmdoption": Kind.SETTING,
    "data": Kind.SECTION,
    "decorator": Kind.FUNCTION,
    "decoratormethod": Kind.FUNCTION,
    "describe": Kind.SECTION,
    "django-admin": Kind.COMMAND,
    "django-admin-option": Kind.SETTING,
    "enum": Kind.SECTION,
    "enumerator": Kind.SECTION,
    "envvar": Kind.SETTING,
    "exception": Kind.ERROR,
    "function": Kind.FUNCTION,
    "interface": Kind.SECTION,
    "macro": Kind.FUNCTION,
    "member": Kind.SECTION,
    "method": Kind.FUNCTION,
    "module": Kind.SECTION,
    "object": Kind.SECTION,
    "option": Kind.SETTING,
    "program": Kind.COMMAND,
    "property": Kind.SECTION,
    "setting": Kind.SETTING,
    "staticmethod": Kind.FUNCTION,
    "struct": Kind.SECTION,
    "templatefilter": Kind.FUNCTION,
    "templatetag": Kind.FUNCTION,
    "type": Kind.SECTION,
    "union": Kind.SECTION,
    "var": Kind.SECTION,
}
_HTTP_METHODS = frozenset("any connect copy delete get head options patch post put trace".split())
_CALLABLE = frozenset({Kind.FUNCTION, Kind.ERROR})
_NAME_CLASSES = frozenset({"descname", "sig-name"})
_QUALIFIER_CLASSES = frozenset({"descclassname", "sig-prename"})
_OPTION = re.compile(r"(?<![\w-])(?:--?|/)[A-Za-z0-9][\w-]*")
_OBJECT_ID = re.compile(
    r"std-(?P<type>setting|confval|envvar|templatetag|templatefilter|fieldlookup|django-admin)-(?P<name>.+)"
)
_QUALIFIED = re.compile(r"[A-Za-z_][\w.:]*")
_LONGEST_HEADING = 100  # characters


@dataclass(frozen=True, slots=True)
class Signature:
    """The terms of one documented object: what it is, what it is called, and its signatures as lines of code."""

    heading: str
    anchor: str | None
    kind: Kind
    names: tuple[str, ...]
    code: str


def is_signature_list(element: _Element) -> bool:
    """Whether a definition list documents objects: its terms are signatures."""
    if element.tag != "dl":
        return False
    term = next(element.iterchildren("dt"), None)
    if term is None:
        return False
    return "sig" in classes_of(term) or (
        not _KINDS.keys().isdisjoint(classes_of(element))
        and any(not _NAME_CLASSES.isdisjoint(classes_of(part)) for part in term)
    )


def read_signature(element: _Element, terms: list[_Element]) -> Signature:
    """What consecutive terms of a list of signatures document."""
    classes = classes_of(element)
    kind = next((_KINDS[name] for name in classes if name in _KINDS), Kind.SECTION)
    lines = [_text(term) for term in terms]
    anchor = next((identifier for term in terms if (identifier := _id(term))), None)
    method = next((name for name in classes if name in _HTTP_METHODS), "")
    if method and lines and any("/" in line for line in lines):
        operations = [name for line in lines for name in _operation(method, line)]
        return Signature(operations[0], anchor, Kind.API, tuple(dict.fromkeys(operations)), "\n".join(lines))
    headings: list[str] = []
    names_of_all: list[str] = []
    for term, line in zip(terms, lines, strict=True):
        heading, names = _named(term, line, kind)
        headings.append(heading)
        names_of_all += names
    heading = ", ".join(dict.fromkeys(filter(None, headings)))
    if len(heading) > _LONGEST_HEADING:
        heading = next(filter(None, headings), "")[:_LONGEST_HEADING]
    return Signature(heading, anchor, kind, tuple(dict.fromkeys(names_of_all)), "\n".join(filter(None, lines)))


def object_of_id(identifier: str) -> tuple[Kind, str] | None:
    """The kind and the name of what an id says that it is of: `std-setting-DEBUG`. None for other ids."""
    match = _OBJECT_ID.fullmatch(identifier)
    if match is None:
        return None
    return _KINDS.get(match["type"], Kind.FUNCTION), match["name"]


def _named(term: _Element, line: str, kind: Kind) -> tuple[str, list[str]]:
    """The short form of a signature, which is its heading, and the names in it."""
    found = [part for part in term.iter("span", "code", "tt") if not _NAME_CLASSES.isdisjoint(classes_of(part))]
    if kind in (Kind.SETTING, Kind.COMMAND) and (options := _OPTION.findall(line)):
        is_option = line.lstrip().startswith(("-", "/"))
        return line, options if is_option else [text for part in found[:1] if (text := " ".join(text_of(part).split()))]
    if not found:
        return line, []
    name = " ".join(text_of(found[0]).split())
    qualifier = next(
        (text_of(part).strip() for part in term if not _QUALIFIER_CLASSES.isdisjoint(classes_of(part))), ""
    )
    names = [name]
    if qualifier.endswith((".", "::")) and _QUALIFIED.fullmatch(qualifier + name):
        names.append(qualifier + name)
    identifier = _id(term) or ""
    if identifier.endswith(name) and identifier != name and _QUALIFIED.fullmatch(identifier) and "." in identifier:
        names.append(identifier)
    call = "()" if kind in _CALLABLE and "(" in line else ""
    return f"{names[1] if qualifier and len(names) > 1 else name}{call}", names


def _operation(method: str, line: str) -> list[str]:
    path = next((word for word in line.split() if word.startswith("/")), line)
    return [f"{method.upper()} {path}", path]


def _id(term: _Element) -> str | None:
    places = (term, *term.iter("a", "span"))
    return next(filter(None, (place.get("id") or place.get("name") for place in places)), None)


def _text(term: _Element) -> str:
    """A signature on one line, without the marks that link to it and to its source."""
    parts: list[str] = []
    _collect(term, parts, 0)
    return " ".join("".join(parts).split())


def _collect(element: _Element, parts: list[str], depth: int) -> None:
    if depth > 20:
        parts.append(text_of(element))
        return
    parts.append(element.text or "")
    for child in element:
        if child.tag in ("dl", "dd", "li"):  # the parameters of a long signature stand on a line each
            parts.append(" ")
        if not is_boilerplate(child):
            _collect(child, parts, depth + 1)
        parts.append(child.tail or "")
