"""What the term of a variable list is the name of: a setting, an option, an environment variable, a function."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lxml.etree import _Element

from docs_search.documents import Kind
from docs_search.parsing.html.document import text_of

_OPTION = re.compile(r"\[?(--?[A-Za-z0-9?][^\s=,\[\]{}|]*)")
_META_COMMAND = re.compile(r"(\\[^\s\[\]{}]+)")
_IDENTIFIER = re.compile(r"[a-z][a-z0-9]*(?:[._][a-z0-9]+)*")
_PLAIN_WORD = re.compile(r"[a-z]+")
_FUNCTION = re.compile(r"([A-Za-z_][\w.]*)")
_WORD = re.compile(r"([A-Za-z]\S*)")
_MESSAGE = re.compile(r"([A-Z][A-Za-z0-9]*) \([FB &]+\)")
_ERROR_NUMBER = re.compile(r"(-?\d+) \(")
_NAME = re.compile(r"\\.|[^\s(){}\[\]|;,—]+(?: [\w$]+){0,3}")  # or the keywords of a clause, but no piece of syntax
_REPLACEABLE = frozenset({"parameter", "replaceable"})
_BETWEEN_CODES = frozenset({"", ",", "/", "or", "(or", "and", "("})
_NAMED_CLASSES = frozenset({"command", "filename", "structfield", "structname", "symbol", "type"})


@dataclass(frozen=True, slots=True)
class Definition:
    """What a term defines. `sure` tells that its markup alone shows it to be the name of something."""

    kind: Kind | None = None
    names: tuple[str, ...] = ()
    sure: bool = False


def definition_of(terms: list[_Element], texts: list[str], *, has_id: bool, within: Kind) -> Definition:
    """What the terms of one entry define. `texts` are the terms as plain text, `within` the kind of their section.

    DocBook marks a term semantically, and the stylesheets keep that as a class: `varname`, `option`, `envar`,
    `function`. A `literal` may be anything; what it is shows in what follows it, a type or nothing.
    """
    marked = [element for term in terms for element in term if element.get("class")]
    first = _first_class(terms[0])
    codes = [code for term in terms for code in _leading_codes(term, first)]
    typed = any(element.get("class") == "type" for element in marked)
    if first == "option":
        return Definition(
            Kind.COMMAND, _unique(_leading(_OPTION, code) or _leading(_WORD, code) for code in codes), True
        )
    if first == "envar":
        return Definition(Kind.SETTING, _unique(codes), True)
    if first == "function":
        return Definition(Kind.FUNCTION, _unique(_leading(_FUNCTION, code) for code in codes), True)
    if first == "varname":
        is_setting = typed or (has_id and within is not Kind.FUNCTION) or within is Kind.COMMAND
        return Definition(Kind.SETTING if is_setting else None, _unique(codes), is_setting)
    if first == "literal":
        return _literal(codes, typed=typed, has_id=has_id)
    if first in _NAMED_CLASSES:
        return Definition(None, _unique(codes), has_id)
    if first == "":
        return _unmarked(texts, marked, has_id=has_id)
    return Definition()


def _literal(codes: list[str], *, typed: bool, has_id: bool) -> Definition:
    if codes[0].startswith("\\"):
        return Definition(Kind.COMMAND, _unique(_leading(_META_COMMAND, code) for code in codes), True)
    if _OPTION.match(codes[0]):
        return Definition(Kind.COMMAND, _unique(_leading(_OPTION, code) for code in codes), True)
    identifiers = [code for code in codes if len(code) > 1 and _IDENTIFIER.fullmatch(code)]
    if identifiers and (typed or has_id):
        return Definition(Kind.SETTING, _unique(identifiers), True)
    # A keyword, unless it is a plain word: those are values and fields, and everyone's text is full of them.
    return Definition(None, _unique(code for code in codes if not _PLAIN_WORD.fullmatch(code)))


def _unmarked(texts: list[str], marked: list[_Element], *, has_id: bool) -> Definition:
    if number := _ERROR_NUMBER.match(texts[0]):
        symbols = [_text(element) for element in marked if element.get("class") == "symbol"]
        if symbols:
            return Definition(Kind.ERROR, (number[1], *symbols), True)
    messages = [match[1] for text in texts if (match := _MESSAGE.fullmatch(text))]
    return Definition(None, _unique(messages), has_id)


def _first_class(term: _Element) -> str:
    """The class of the element that a term begins with; empty where it begins with text."""
    if (term.text or "").strip():
        return ""
    for element in term:
        if element.tag != "a":
            return element.get("class") or ""
        if (element.tail or "").strip():
            return ""
    return ""


def _leading_codes(term: _Element, css_class: str) -> list[str]:
    """The codes of one class that a term consists of up to its operands: "`depth`, `mud.depth` (`integer`)"."""
    codes: list[str] = []
    for element in term:
        if element.get("class") == css_class:
            codes.append(_text(element))
        if codes and (element.tail or "").strip() not in _BETWEEN_CODES:
            break
    return codes


def _text(element: _Element) -> str:
    """The text of a marked element without what stands for something else."""
    parts = [element.text or ""]
    for child in element:
        parts += ["" if child.get("class") in _REPLACEABLE else text_of(child), child.tail or ""]
    return " ".join("".join(parts).split())


def _leading(pattern: re.Pattern[str], code: str) -> str:
    match = pattern.match(code)
    return match[1] if match else ""


def _unique(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if _NAME.fullmatch(name)))
