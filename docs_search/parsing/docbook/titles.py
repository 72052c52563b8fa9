"""Titles, ids and names of the sections of a DocBook page."""

import re
from dataclasses import dataclass

from lxml.etree import _Element

from docs_search.documents import Kind
from docs_search.parsing.docbook.markup import DocBookRenderer, without_number
from docs_search.parsing.html.document import text_of
from docs_search.parsing.html.rendering import HEADINGS

_GENERATED_ID = re.compile(r"id-?[\d.]+|ftn\..*")
_SETTING = re.compile(r"[a-z]\w*\.[a-z]\w*")
_NAME_CLASSES = frozenset({"command", "envar", "function", "literal", "option", "structname", "symbol", "varname"})
_BETWEEN_NAMES = re.compile(r"(?:and|or|[,/()\s])*")
_MODULE_TITLE = re.compile(r"([\w-]+) — .")


@dataclass(frozen=True, slots=True)
class ReferenceEntry:
    """What stands at the top of a reference entry: "ST_DWithin — Tests if ..."."""

    names: tuple[str, ...]
    purpose: str
    kind: Kind


def is_reference_entry(element: _Element) -> bool:
    """Whether this is one entry of a reference manual: a function, a command."""
    return element.get("class") == "refentry"


def section_title(element: _Element, renderer: DocBookRenderer) -> str:
    """The title of a section or reference entry as plain text, without its number; empty where it has none."""
    if is_reference_entry(element):
        spans = (span for div in _name_divisions(element) for span in div.iter("span"))
        title = next((renderer.plain(span) for span in spans if span.get("class") == "refentrytitle"), "")
        return title or ", ".join(read_reference_entry(element, renderer).names)
    heading = heading_of(element)
    if heading is None:
        return ""
    title = without_number(renderer.plain(heading))
    page = title_page(element)
    subtitles = () if page is None else (child for child in page.iter(*HEADINGS) if child.get("class") == "subtitle")
    return ": ".join([title, *map(renderer.plain, subtitles)])


def heading_of(element: _Element) -> _Element | None:
    """The element that holds the title of a section."""
    page = title_page(element)
    if page is not None and (heading := next(page.iter(*HEADINGS), None)) is not None:
        return heading
    return next(element.iterchildren(*HEADINGS), None)


def stable_id(element: _Element) -> str | None:
    """The id that the authors gave an element; None for a generated one, which the next release shifts.

    The HTML 4 output puts it into an `<a name>` before the content, XHTML on the element itself.
    """
    identifier = element.get("id")
    if not identifier:
        first = next(iter(element), None)
        if first is not None and first.tag == "a" and not first.get("href"):
            identifier = first.get("id") or first.get("name")
    return identifier if identifier and not _GENERATED_ID.fullmatch(identifier) else None


def section_id(element: _Element) -> str | None:
    """The stable id of a section, which may stand in its title."""
    if identifier := stable_id(element):
        return identifier
    heading = heading_of(element)
    return None if heading is None else stable_id(heading)


def title_page(element: _Element) -> _Element | None:
    """The title page of a section, which every section but a reference section has."""
    return next((child for child in element.iterchildren("div") if child.get("class") == "titlepage"), None)


def read_reference_entry(element: _Element, renderer: DocBookRenderer) -> ReferenceEntry:
    """Names, purpose and kind of a reference entry.

    Functions have prototypes in their synopsis, commands anything else; a setting has none, but a dotted name.
    """
    text = next((renderer.plain(p) for div in _name_divisions(element) for p in div.iterchildren("p")), "")
    head, _, purpose = text.partition(" — ")
    head = re.sub(r"\s*\([^()]*\)$", "", head)
    names = tuple(filter(None, (name.strip() for name in re.split(r",\s|/(?=\w)", head))))
    synopses = [child for child in element.iterchildren("div") if child.get("class") == "refsynopsisdiv"]
    return ReferenceEntry(names, purpose.strip(), _kind_of_entry(names, synopses))


def _kind_of_entry(names: tuple[str, ...], synopses: list[_Element]) -> Kind:
    if any(div.get("class") == "funcsynopsis" for synopsis in synopses for div in synopsis.iter("div")):
        return Kind.FUNCTION
    code = "\n".join(text_of(pre) for synopsis in synopses for pre in synopsis.iter("pre"))
    # Not of a keyword: VALUES is followed by a parenthesis, too.
    if any(re.search(rf"(?<!\w){re.escape(name)}\s*\(", code) for name in names if not name.isupper()):
        return Kind.FUNCTION
    if synopses:
        return Kind.COMMAND
    return Kind.SETTING if any(map(_SETTING.fullmatch, names)) else Kind.SECTION


def names_in_title(element: _Element, title: str) -> tuple[tuple[str, ...], Kind | None]:
    """The identifiers that a section is about by its title, and its kind where the title says nothing else.

    "`digest()`" and "`armor()`, `dearmor()`" are functions; "pgcrypto — cryptographic functions" is a whole module.
    """
    if module := _MODULE_TITLE.match(title):
        return (module[1],), None
    heading = heading_of(element)
    codes = [] if heading is None else [code for code in heading.iter("code") if code.get("class") in _NAME_CLASSES]
    texts = [" ".join(text_of(code).split()) for code in codes]
    rest = title
    for text in texts:
        rest = rest.replace(text, "", 1)
    if not texts or not _BETWEEN_NAMES.fullmatch(rest):
        return (), None
    are_functions = all(code.get("class") == "function" for code in codes)
    return tuple(dict.fromkeys(text.split("(")[0] for text in texts)), Kind.FUNCTION if are_functions else Kind.SECTION


def _name_divisions(element: _Element) -> list[_Element]:
    return [child for child in element.iterchildren("div") if child.get("class") == "refnamediv"]
