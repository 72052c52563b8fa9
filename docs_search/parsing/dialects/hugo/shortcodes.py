"""Hugo's shortcodes: found, paired and replaced, without Hugo.

`{{< name args >}}…{{< /name >}}` and `{{% name args %}}…{{% /name %}}` are the same here. Hugo resolves shortcodes
before it reads the Markdown, so they count inside code, too; `{{</* name */>}}` is how a document shows one.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from docs_search.parsing.markdown.code_regions import split_code
from docs_search.parsing.markdown.indentation import continuation, dedent, indent, line_prefix
from docs_search.parsing.text.writing import code_span

MAX_DEPTH = 40
"""Shortcodes inside each other; deeper ones lose their tags only."""

_START = re.compile(r"\{\{[<%]")
_NAME = re.compile(r"\{\{[<%]\s*+(?P<close>/\s*+)?(?P<name>[\w.-]++(?:/[\w.-]++)*)")
_LITERAL = re.compile(r"(?P<start>\{\{[<%])\s*+/\*")
_LITERAL_END = re.compile(r"\*/\s*+(?P<end>[>%]\}\})")
_MAX_LITERAL = 2000  # characters, so that the search stays linear
_ARGUMENT = re.compile(
    r"\s*+(?:(?P<key>[\w-]++)\s*+=\s*+)?"
    r"""(?:"(?P<quoted>[^"\\]*+(?:\\.[^"\\]*+)*)"|`(?P<raw>[^`]*+)`"""
    r"""|(?P<bare>(?:[^\s"`{}<>%/]|/(?![>%]\}\})|[%>](?!\}\}))+))""",
    re.DOTALL,
)
_END = re.compile(r"\s*+(?P<self>/?)[>%]\}\}")
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Shortcode:
    """One shortcode of a document.

    `inner` is what stands between its tags, resolved and without the indentation that it shares; None where it has no
    closing tag. `ordinal` counts the shortcodes of its name that stand before it in the same parent.
    """

    name: str
    positional: tuple[str, ...] = ()
    named: Mapping[str, str] = field(default_factory=dict)
    inner: str | None = None
    is_markdown: bool = False  # {{% %}}
    in_code: bool = False
    parent: "Shortcode | None" = None
    ordinal: int = 0

    def value(self, *names: str, position: int | None = None) -> str:
        """The first of the named arguments that is given, else the positional one; empty where there is neither."""
        for name in names:
            if value := self.named.get(name, "").strip():
                return value
        if position is not None and position < len(self.positional):
            return self.positional[position].strip()
        return ""


@dataclass(frozen=True, slots=True)
class Replacement:
    """What takes the place of a shortcode: words in its line, or blocks on lines of their own."""

    text: str
    is_block: bool = False


Render = Callable[[Shortcode], Replacement]


def resolve_shortcodes(text: str, render: Render) -> str:
    """Text with each shortcode replaced by what `render` makes of it. Takes linear time."""
    tags = list(_tags(text))
    if not tags:
        return text
    _pair(tags)
    _mark_code(text, tags)
    return _Resolver(text, render).resolve(tags)


@dataclass(slots=True)
class _Tag:
    start: int
    end: int
    name: str
    kind: str  # open, close, alone, literal
    positional: tuple[str, ...] = ()
    named: Mapping[str, str] = field(default_factory=dict)
    is_markdown: bool = False
    in_code: bool = False
    partner: "_Tag | None" = None
    is_dropped: bool = False


def _tags(text: str) -> Iterator[_Tag]:
    position = 0
    while found := _START.search(text, position):
        tag = _literal(text, found.start()) or _tag(text, found.start())
        if tag:
            yield tag
        position = tag.end if tag else found.end()


def _literal(text: str, start: int) -> _Tag | None:
    match = _LITERAL.match(text, start)
    if match is None:
        return None
    shown_end = text.find("*/", match.end(), match.end() + _MAX_LITERAL)
    last = _LITERAL_END.match(text, shown_end) if shown_end >= 0 else None
    if last is None:
        return None
    shown = text[match.end() : shown_end]
    return _Tag(start, last.end(), f"{match['start']}{shown}{last['end']}", "literal")


def _tag(text: str, start: int) -> _Tag | None:
    match = _NAME.match(text, start)
    if match is None:
        return None
    end = match.end()
    positional: list[str] = []
    named: dict[str, str] = {}
    while argument := _ARGUMENT.match(text, end):
        end = argument.end()
        quoted, key = argument["quoted"], argument["key"]
        value = _ESCAPE.sub(r"\1", quoted) if quoted is not None else argument["raw"] or argument["bare"] or ""
        if key:
            named[key.lower()] = value
        else:
            positional.append(value)
    last = _END.match(text, end)
    if last is None:
        return None
    kind = "close" if match["close"] else "alone" if last["self"] else "open"
    return _Tag(start, last.end(), match["name"], kind, tuple(positional), named, text[start + 2] == "%")


def _pair(tags: Sequence[_Tag]) -> None:
    """Mark the tags that open and close the same shortcode; those without a partner stand alone."""
    waiting: list[_Tag] = []
    count: Counter[str] = Counter()
    for tag in tags:
        if tag.kind == "open":
            waiting.append(tag)
            count[tag.name] += 1
        elif tag.kind == "close" and count[tag.name]:
            while True:
                opened = waiting.pop()
                count[opened.name] -= 1
                if opened.name == tag.name:
                    break
            opened.partner = tag
            tag.partner = opened


def _mark_code(text: str, tags: Sequence[_Tag]) -> None:
    """Find out which tags stand in code; backticks inside of tags are none of its marks."""
    parts: list[str] = []
    end = 0
    for tag in tags:
        parts += [text[end : tag.start], "x" * (tag.end - tag.start)]
        end = tag.end
    parts.append(text[end:])
    waiting = iter(tags)
    next_tag = next(waiting, None)
    position = 0
    for piece, is_code in split_code("".join(parts)):
        position += len(piece)
        while next_tag is not None and next_tag.start < position:
            next_tag.in_code = is_code
            next_tag = next(waiting, None)


@dataclass(slots=True)
class _Frame:
    """A shortcode that is open: its parts so far, and the line that its tag stands in."""

    code: Shortcode | None
    line: "_Line"
    parts: list[str] = field(default_factory=list)
    children: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class _Line:
    """What stands in a line before a tag: its indentation and markers, and whether there are words."""

    prefix: str = ""
    has_words: bool = False
    is_row: bool = False
    has_tag: bool = False


class _Resolver:
    def __init__(self, text: str, render: Render) -> None:
        self._text = text
        self._render = render
        self._line = _Line()
        self._frames = [_Frame(None, self._line)]

    def resolve(self, tags: Sequence[_Tag]) -> str:
        end = 0
        for tag in tags:
            self._pass(self._text[end : tag.start])
            self._tag(tag)
            end = tag.end
        self._pass(self._text[end:])
        return "".join(self._frames[0].parts)

    def _pass(self, text: str) -> None:
        """Copy text between tags, and see what it leaves in the line of the next one."""
        self._frames[-1].parts.append(text)
        _, line_end, last = text.rpartition("\n")
        line = _Line() if line_end else self._line
        if line.has_tag or line.has_words:
            self._line = _Line(line.prefix, line.has_words or bool(last.strip()), line.is_row, line.has_tag)
            return
        prefix = line_prefix(last)
        words = last[len(prefix) :].strip()
        self._line = _Line(prefix, bool(words), words.startswith("|"))

    def _tag(self, tag: _Tag) -> None:
        frame = self._frames[-1]
        if tag.kind == "literal":
            frame.parts.append(tag.name if tag.in_code else code_span(tag.name))
            self._line = _Line(self._line.prefix, True, self._line.is_row)
        elif tag.kind == "close":
            self._close(tag)
        else:
            self._open(tag)
        self._line = _Line(self._line.prefix, self._line.has_words, self._line.is_row, True)

    def _open(self, tag: _Tag) -> None:
        frame = self._frames[-1]
        ordinal = frame.children[tag.name]
        frame.children[tag.name] += 1
        code = Shortcode(tag.name, tag.positional, tag.named, None, tag.is_markdown, tag.in_code, frame.code, ordinal)
        if tag.partner is None:
            self._put(self._render(code), self._line, tag.in_code)
        elif len(self._frames) <= MAX_DEPTH:
            self._frames.append(_Frame(code, self._line))
        else:
            tag.partner.is_dropped = True

    def _close(self, tag: _Tag) -> None:
        if tag.partner is None or tag.is_dropped:
            return
        frame = self._frames.pop()
        assert frame.code is not None
        inner = "".join(frame.parts)
        if frame.code.in_code:
            self._put(Replacement(inner), frame.line, in_code=True)
            return
        code = replace(frame.code, inner=dedent(inner, frame.line.prefix.count(">")))
        self._put(self._render(code), frame.line, in_code=False)

    def _put(self, replacement: Replacement, line: _Line, in_code: bool) -> None:
        """Write what takes a shortcode's place behind the text before it."""
        parts, text = self._frames[-1].parts, replacement.text
        if line.is_row:
            text = " ".join(text.split())
        elif replacement.is_block and not in_code and text:
            rest = continuation(line.prefix)
            begins_line = not line.has_words and rest != line.prefix  # behind the marker of a list item
            before = "" if begins_line else f"\n\n{rest}" if line.has_words else f"\n{rest}"
            text = f"{before}{indent(text, rest)}\n\n{rest}"
        parts.append(text)
