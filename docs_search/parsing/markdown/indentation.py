"""The indentation of Markdown that is moved: out of what enclosed it, and into where it is put."""

import re

_PREFIX = re.compile(r"[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*")
_MARKER = re.compile(r"[^ \t>]")
_QUOTE_MARK = re.compile(r"^[ \t]*+>[ \t]?", re.MULTILINE)
_INDENTATION = re.compile(r"^[ \t]*+(?=\S)", re.MULTILINE)


def line_prefix(line: str) -> str:
    """What a line begins with before its words: indentation, marks of quotes and of list items."""
    match = _PREFIX.match(line)
    return match[0] if match else ""


def continuation(prefix: str) -> str:
    """What further lines begin with that belong to the same item or quote as one with this prefix."""
    return _MARKER.sub(" ", prefix)


def dedent(text: str, quotes: int = 0) -> str:
    """Text without the blanks that all its lines begin with, and without as many marks of quotes.

    The first line is left out of the comparison where it has no indentation: it stood behind a tag. Blank lines
    around the text go.
    """
    for _ in range(quotes):
        text = _QUOTE_MARK.sub("", text)
    first, line_end, rest = text.partition("\n")
    if first.strip():
        return f"{first.strip()}{line_end}{_dedented(rest)}".rstrip()
    return _dedented(rest).strip("\n").rstrip()


def indent(text: str, prefix: str) -> str:
    """Text whose lines but the first begin with a prefix; blank lines only with its marks of quotes."""
    if not prefix:
        return text
    return "\n".join(
        [line if not number else f"{prefix}{line}".rstrip() for number, line in enumerate(text.split("\n"))]
    )


def _dedented(text: str) -> str:
    indentations = [match[0] for match in _INDENTATION.finditer(text)]
    least, most = min(indentations, default=""), max(indentations, default="")  # share what all of them share
    length = next((at for at, (a, b) in enumerate(zip(least, most, strict=False)) if a != b), len(least))
    return re.sub(rf"^{re.escape(least[:length])}", "", text, flags=re.MULTILINE) if length else text
