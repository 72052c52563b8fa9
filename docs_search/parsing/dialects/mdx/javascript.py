"""JavaScript as far as documents need it: where an expression ends, and what a literal says. Nothing is run."""

import re
from collections.abc import Mapping

MAX_DEPTH = 100

_MARK = re.compile(r"[{}()\[\]\"'`]|/[*/]")
_TEMPLATE_MARK = re.compile(r"\\.|`|\$\{", re.DOTALL)
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'", re.DOTALL)
_STATEMENT_MARK = re.compile(r"[{}()\[\]\"'`\n;]|/[*/]")
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
_CONTINUED = re.compile(r"(?:[=,:?+|&.]|=>)[ \t]*$")
_LITERAL = re.compile(
    r"(?P<skip>\s+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/)"
    r"|(?P<string>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)"
    r"|(?P<mark>[{}\[\],:])"
    r"|(?P<word>[^\s{}\[\],:\"'`/]+)"
    r"|(?P<other>.)",
    re.DOTALL,
)
_QUOTED = re.compile(
    r"\s*(?:[\w.]*(?=`))?(\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`)\s*(?:\+(?=\s*[\"'`])|\Z)",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|(\n)|(.))", re.DOTALL)
_NAMED_ESCAPES = {"n": "\n", "t": "\t", "r": "", "b": "", "f": "", "v": "", "0": ""}
_OPENING = {"{": "}", "(": ")", "[": "]"}


class Expressions:
    """Finds the ends of the expressions of one text.

    A brace that is never closed costs a scan of all that follows, so such scans are limited to a few times the text;
    after that no brace is closed any more.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._budget = 4 * len(text) + 10_000
        self._last_comment_end = text.rfind("*/")
        self._last_line_end = text.rfind("\n")

    def spend(self, characters: int) -> bool:
        """Count characters that were read for nothing; False once there were too many."""
        self._budget -= characters
        return self._budget > 0

    def end(self, start: int) -> int | None:
        """The position after the `}` that closes the `{` at `start`, or None where nothing closes it."""
        if self._budget <= 0:
            return None
        end = self._closing(start)
        if end is None:
            self.spend(len(self._text) - start)
        return end

    def statement_end(self, start: int) -> int:
        """The end of the line with which the statement at `start` ends; the next blank line where it never does."""
        end = self._statement_end(start) if self._budget > 0 else None
        if end is not None:
            return end
        self.spend(len(self._text) - start)
        blank = _BLANK_LINE.search(self._text, start)
        return blank.start() + 1 if blank else len(self._text)

    def _closing(self, start: int) -> int | None:
        text = self._text
        open_marks: list[str] = []
        position = start
        while True:
            if open_marks and open_marks[-1] == "`":
                mark = _TEMPLATE_MARK.search(text, position)
                if mark is None:
                    return None
                position = mark.end()
                if mark[0] == "`":
                    open_marks.pop()
                elif mark[0] == "${":
                    open_marks.append("{")
                continue
            mark = _MARK.search(text, position)
            if mark is None:
                return None
            position = mark.end()
            match mark[0]:
                case "{" | "`":
                    open_marks.append(mark[0])
                case "}":
                    open_marks.pop()
                    if not open_marks:
                        return position
                case "'" | '"' | "/*" | "//":
                    position = self._skip(mark)

    def _skip(self, mark: re.Match[str]) -> int:
        """The end of a string or a comment. What only looks like one, such as an apostrophe, is its mark."""
        text, start = self._text, mark.start()
        if mark[0] == "/*":
            end = text.find("*/", mark.end()) if self._last_comment_end >= mark.end() else -1
            return mark.end() if end < 0 else end + 2
        if mark[0] == "//":
            is_address = start > 0 and text[start - 1] in ":\\"
            end = text.find("\n", mark.end()) if self._last_line_end >= mark.end() else -1
            return mark.end() if is_address or end < 0 else end
        string = _STRING.match(text, start)
        return string.end() if string else mark.end()

    def _statement_end(self, start: int) -> int | None:
        """The end of the line with which a statement ends; None where its brackets never close."""
        text = self._text
        open_marks: list[str] = []
        position = start
        while mark := _STATEMENT_MARK.search(text, position):
            position = mark.end()
            match mark[0]:
                case "\n":
                    line = text[max(start, text.rfind("\n", start, mark.start()) + 1) : mark.start()]
                    if not open_marks and not _CONTINUED.search(line[-100:]):
                        return position
                case "{" | "(" | "[":
                    open_marks.append(_OPENING[mark[0]])
                case "}" | ")" | "]":
                    if open_marks and open_marks[-1] == mark[0]:
                        open_marks.pop()
                case "`":
                    while (part := _TEMPLATE_MARK.search(text, position)) and part[0] != "`":
                        position = part.end()
                    position = part.end() if part else position
                case ";":
                    pass
                case _:
                    position = self._skip(mark)
        return None if open_marks else len(text)


def string_value(expression: str) -> str | None:
    """The text of an expression that is nothing but string or template literals (joined by `+`), else None.

    What a template fills in (`${x}`) stays as it is written.
    """
    if not expression.lstrip().startswith(('"', "'", "`")) and not expression.rstrip().endswith("`"):
        return None
    parts: list[str] = []
    position = 0
    while position < len(expression):
        match = _QUOTED.match(expression, position)
        if match is None:
            return None
        parts.append(unescape(match[1][1:-1]))
        position = match.end()
    return "".join(parts)


def unescape(text: str) -> str:
    """The text of a string literal, given without its quotes."""
    return _ESCAPE.sub(_escaped, text) if "\\" in text else text


def _escaped(match: re.Match[str]) -> str:
    code = match[1] or match[2] or match[3]
    if code:
        number = int(code, 16)
        is_character = number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF and not 0xFDD0 <= number <= 0xFDEF
        return chr(number) if is_character and number & 0xFFFE != 0xFFFE and number >= 32 else ""
    if match[4]:
        return ""
    return _NAMED_ESCAPES.get(match[5], match[5])


def literal(text: str) -> object:
    """The first array or object in a text: lists, dicts and strings; whatever is no such thing is left out.

    Names such as `true` or `42` are strings, too. What is nested deeper than MAX_DEPTH is left out.
    """
    root: list[object] = []
    open_values: list[tuple[list[object] | dict[str, object], list[str]]] = [(root, [])]
    too_deep = 0
    for token in _LITERAL.finditer(text):
        mark = token["mark"]
        if mark in ("[", "{"):
            if too_deep or len(open_values) > MAX_DEPTH:
                too_deep += 1
                continue
            value: list[object] | dict[str, object] = [] if mark == "[" else {}
            _put(open_values[-1], value)
            open_values.append((value, []))
        elif mark in ("]", "}"):
            if too_deep:
                too_deep -= 1
            elif len(open_values) > 1:
                open_values.pop()
                if len(open_values) == 1:
                    break
        elif too_deep or len(open_values) == 1:
            continue
        elif mark == ",":
            open_values[-1][1].clear()
        elif token["string"]:
            _put(open_values[-1], unescape(token["string"][1:-1]))
        elif token["word"] and not token["word"].startswith("..."):
            _put(open_values[-1], token["word"])
    return root[0] if root else None


def _put(container: tuple[list[object] | dict[str, object], list[str]], value: object) -> None:
    """Add a value to the array, or to the object under the name that was read before it."""
    values, names = container
    if isinstance(values, list):
        values.append(value)
    elif names:
        values.setdefault(names[-1], value)
    elif isinstance(value, str):
        names.append(value)


def entries(value: object) -> list[Mapping[str, object]]:
    """The objects of an array that `literal` has read."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []
