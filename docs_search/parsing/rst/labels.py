"""The labels and titles of a document, found without parsing it: what other documents refer to."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from docutils.nodes import fully_normalize_name

MAX_CHARACTERS = 2_000_000  # what is longer is not searched for labels

_LABEL = re.compile(r"[ \t]*\.\. _(?!_)(?:`([^`\n]+)`|((?:[^:\\`]|\\.)+)):[ \t]*")
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*[ \t]*")
_MARKUP = re.compile(r":[\w:+.-]+:(?=`)|[`*|]|(?<=\w)_(?!\w)")
_TARGET_OF_ROLE = re.compile(r"(?<=\S)\s*<[^<>`]*>(?=`)")
_MAX_TITLE = 300


@dataclass(frozen=True, slots=True)
class Labels:
    """What a document can be referred to by: its title, and its labels with the title each stands before (or None)."""

    title: str | None
    sections: dict[str, str | None]


def find_labels(text: str) -> Labels:
    """The title and the labels of a document. Labels are normalised: lower case, single blanks."""
    if len(text) > MAX_CHARACTERS:
        return Labels(None, {})
    lines = text.split("\n")
    sections: dict[str, str | None] = {}
    pending: list[str] = []
    for number, line in enumerate(lines):
        if match := _LABEL.fullmatch(line) if ".. _" in line else None:
            pending.append(fully_normalize_name((match[1] or match[2]).replace("\\", "")))
        elif pending and line.strip() and not line.startswith((" ", "\t", ".. ")):
            sections |= dict.fromkeys(pending, title_at(lines, number))
            pending = []
    sections |= dict.fromkeys(pending)
    return Labels(next(titles(lines), None), sections)


def titles(lines: Sequence[str]) -> Iterator[str]:
    """The titles of a document's sections, in order."""
    for number, line in enumerate(lines):
        if line[:1].strip() and _ADORNMENT.fullmatch(line) and number and not lines[number - 1][:1].isspace():
            title = title_at(lines, number - 1)
            if title is None and number >= 2 and _ADORNMENT.fullmatch(lines[number - 2]):
                title = title_at(lines, number - 2)
            if title:
                yield title
        elif line[:1].isspace() and number and _ADORNMENT.fullmatch(lines[number - 1]):
            title = title_at(lines, number - 1)  # an indented title has a line above it, too
            if title:
                yield title


def title_at(lines: Sequence[str], number: int) -> str | None:
    """The words of the title that begins in a line: underlined, or between two lines. None where none does."""
    first, second, third = (*lines[number : number + 3], "", "")[:3]
    if _ADORNMENT.fullmatch(first):
        return _words(second) if second.strip() and first.rstrip() == third.rstrip() else None
    underline = second.rstrip()
    if first[:1].isspace() or not first.strip() or not _ADORNMENT.fullmatch(underline):
        return None
    return _words(first) if len(underline) >= min(4, len(first.rstrip())) else None


def _words(title: str) -> str | None:
    title = _TARGET_OF_ROLE.sub("", title[:_MAX_TITLE])
    return " ".join(_MARKUP.sub("", title).replace("\\", "").split()) or None
