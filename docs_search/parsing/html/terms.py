"""Terms of definition lists that are names and can be linked to: options of a command, functions of a manual."""

import re
from itertools import islice

from lxml.etree import _Element

from docs_search.documents import Kind
from docs_search.parsing.html.boilerplate import is_boilerplate
from docs_search.parsing.html.document import classes_of, text_of
from docs_search.parsing.html.signatures import Signature

_CODE = frozenset({"code", "kbd", "samp", "tt"})
_BOLD = frozenset({"b", "strong"})
_NAME = re.compile(r"-{0,2}[^\W\d][\w.:+-]*")
_OPTION = re.compile(r"(?<![\w-])--?[A-Za-z0-9][\w-]*")
_DEFINITION = re.compile(r"(?:first-)?(?:def|deftp|deftypefn|deffn|defvr|deftypevr|deftypeop|defop|defcv|deftypecv)")
_CATEGORY = re.compile(r"\A[^\W\d][^:()]{0,60}: ")  # "Function: "
_CALL = re.compile(r"([^\W\d][\w.:-]*) ?\(")
_MOST_TERMS = 2000  # of a list that is looked through
_LONGEST_TERM = 200  # characters
_CODE_SHARE = 0.5  # of a term that is code


def is_term_list(element: _Element) -> bool:
    """Whether all terms of a definition list are code, and have an id each."""
    if element.tag != "dl":
        return False
    terms = list(islice(element.iterchildren("dt"), _MOST_TERMS))
    if not terms or any(_id_of(term) is None for term in terms):
        return False
    return _defines(element) or all(_is_name(term) for term in terms)


def read_terms(element: _Element, terms: list[_Element]) -> Signature:
    """What consecutive terms of such a list name."""
    if _defines(element):
        return _read_definition(terms)
    lines = [_line(term) for term in terms]
    heading = ", ".join(dict.fromkeys(lines))
    options = [option for line in lines for option in _OPTION.findall(line)]
    names = options if heading.startswith("-") else [name for term in terms for name in _names_in(term)]
    anchor = next(filter(None, map(_id_of, terms)), None)
    kind = Kind.SETTING if heading.startswith("-") else Kind.FUNCTION if "(" in heading else Kind.SECTION
    # The heading says it all.
    return Signature(heading[:_LONGEST_TERM], anchor, kind, tuple(dict.fromkeys(names)), heading[:_LONGEST_TERM])


def _is_name(term: _Element) -> bool:
    line = _line(term)
    if not line or len(line) > _LONGEST_TERM:
        return False
    code = sum(len(text_of(part)) for part in term.iter(*_CODE))
    return line.startswith("-") or code >= _CODE_SHARE * len(line)


def _defines(element: _Element) -> bool:
    """Whether a list is a definition of Texinfo, whose terms read *Function: int **fill** (int level)*."""
    return any(_DEFINITION.fullmatch(name) for name in classes_of(element))


def _read_definition(terms: list[_Element]) -> Signature:
    lines = [_CATEGORY.sub("", _line(term)) for term in terms]
    calls = [match[1] for line in lines if (match := _CALL.search(line))]
    bold = [text_of(part).strip() for term in terms for part in islice(term.iter(*_BOLD), 1)]
    names = tuple(dict.fromkeys(calls or [name for name in bold if _NAME.fullmatch(name)]))
    heading = ", ".join(f"{name}()" if calls else name for name in names) or lines[0]
    anchor = next(filter(None, map(_id_of, terms)), None)
    kind = Kind.FUNCTION if calls else Kind.SECTION
    return Signature(heading[:_LONGEST_TERM], anchor, kind, names, "\n".join(lines))


def _names_in(term: _Element) -> list[str]:
    texts = (text_of(part).strip() for part in term.iter(*_CODE))
    return [match[0] for text in texts if (match := _NAME.match(text))]


def _line(term: _Element) -> str:
    """The text of a term on one line, without the mark that links to it."""
    parts = [term.text or ""]
    for child in term:
        if not is_boilerplate(child):
            parts.append(_line(child) if len(child) < 50 and child.tag == "span" else text_of(child))
        parts.append(child.tail or "")
    return " ".join("".join(parts).split()).rstrip("¶ ")


def _id_of(term: _Element) -> str | None:
    places = (term, *islice(term.iter("a", "span"), 5))
    return next(filter(None, (place.get("id") or place.get("name") for place in places)), None)
