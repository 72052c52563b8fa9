"""MDX as plain Markdown: components, expressions and comments resolved, code left alone."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import escape as escape_html

from docs_search.parsing.dialects.mdx.components import Component, Element, render_block, render_inline, takes_literals
from docs_search.parsing.dialects.mdx.html_tags import HIDDEN, LAYOUT, TABLE_PARTS, VOID, clean_tag, render_html
from docs_search.parsing.dialects.mdx.javascript import Expressions, string_value
from docs_search.parsing.dialects.mdx.jsx import Tag, read_tag
from docs_search.parsing.html.elements import HTML_ELEMENTS
from docs_search.parsing.markdown.code_regions import next_code
from docs_search.parsing.text.writing import escape

MAX_DEPTH = 60
"""Components inside each other; what is nested deeper loses its tags and keeps its indentation."""

_MARK = re.compile(
    r"\\.|<!--|</?(?=[A-Za-z>]|\$[A-Za-z])|\{|\$\$[^$]{1,2000}+\$\$|\$(?=[^\s$])[^$\n]{1,300}+\$", re.DOTALL
)
_CLOSING = re.compile(r"</[ \t]*+([A-Za-z$][\w$.:-]*+)")
_PREFIX = re.compile(r"[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*")
_DIRECTIVE = re.compile(r"[ \t>]*+:::")
_HEADING = re.compile(r"[ \t]*+#{1,6}[ \t]")
_LINE_REST = re.compile(r"[ \t]*+(?:\n|\Z|</)")
_COMMENT = re.compile(r"\s*/\*(?P<words>.*)\*/\s*\Z", re.DOTALL)
_HEADING_ID = re.compile(r"\s*(#[\w:.-]+)\s*")
_ITEM = re.compile(r"[-*+\d.)]")
_QUOTED = re.compile(r"^[ \t]*+>[ \t]?", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Rules:
    """How the MDX of one file is resolved.

    `components` are those that the dialect knows itself, by their kinds; `partial` gives the text of an imported file
    where a component is one (its name, its tag, its content), `value` that of an expression. `is_mdx` says that braces
    are expressions even where nothing is known about them; elsewhere they are text.
    """

    components: Mapping[str, Component] = field(default_factory=dict)
    partial: Callable[[Tag, str], str | None] = lambda tag, content: None
    value: Callable[[str], str | None] = lambda expression: None
    is_mdx: bool = True


def resolve_mdx(text: str, rules: Rules) -> str:
    """Markdown without tags of components, expressions and comments."""
    if "<" not in text and "{" not in text:
        return text
    return _Resolver(text, rules).resolve()


class _Resolver:
    def __init__(self, text: str, rules: Rules) -> None:
        self._text = text
        self._rules = rules
        self._expressions = Expressions(text)
        self._position = 0
        self._root: list[str] = []
        self._open: list[Element] = []
        self._names: dict[str, int] = {}  # how often each name is open
        self._line = 0  # where the line begins that was looked at last
        self._looked_at = 0
        self._code: tuple[int, int] | None = (0, 0)
        self._after_block_tag = 0
        self._last_closing: dict[str, int] = {}  # where the last end of each name stands, in any case and in its own
        for closing in _CLOSING.finditer(text):
            self._last_closing[closing[1]] = self._last_closing[closing[1].casefold()] = closing.start()
        self._has_comment_ends = True

    def resolve(self) -> str:
        text = self._text
        mark: re.Match[str] | None = None
        while True:
            if mark is None or mark.start() < self._position:
                mark = _MARK.search(text, self._position)
            code = self._next_code()
            if code is not None and (mark is None or code[0] <= mark.start()):
                self._emit(text[self._position : code[1]])
                self._position = code[1]
            elif mark is None:
                break
            else:
                self._mark(mark)
        self._emit(text[self._position :])
        while self._open:
            self._abandon()
        return "".join(self._root)

    def _next_code(self) -> tuple[int, int] | None:
        if (self._code is not None and self._code[0] < self._position) or self._code == (0, 0):
            self._code = next_code(self._text, self._position)
        return self._code

    def _emit(self, text: str) -> None:
        if text:
            (self._open[-1].content if self._open else self._root).append(text)

    def _mark(self, mark: re.Match[str]) -> None:
        start = mark.start()
        match mark[0]:
            case "<" | "</":
                done = self._tag(start)
            case "<!--":
                done = self._comment(start)
            case "{":
                done = self._expression(start)
            case formula if formula.startswith("$") and not set("\\^_{").isdisjoint(formula):
                done = False
                self._emit(self._text[self._position : mark.end()])
                self._position = mark.end()
                return
            case other:
                self._emit(self._text[self._position : start + (2 if other[0] == "\\" else 1)])
                self._position = start + (2 if other[0] == "\\" else 1)
                return
        if not done:
            self._emit(self._text[self._position : start + 1])
            self._position = start + 1

    def _comment(self, start: int) -> bool:
        end = self._text.find("-->", start + 4) if self._has_comment_ends else -1
        if end < 0:
            self._has_comment_ends = False
            return False
        self._emit(self._text[self._position : start])
        self._position = end + 3
        return True

    # Expressions

    def _expression(self, start: int) -> bool:
        text = self._text
        if text.startswith(("{#", "{:", "{."), start) and not text.startswith("{:}", start):
            return False
        self._find_line(start)
        if _DIRECTIVE.match(text, self._line):  # its attributes
            return False
        end = self._expressions.end(start)
        if end is None:
            return False
        inner = text[start + 1 : end - 1]
        known = self._value(inner)
        if known is None and not self._rules.is_mdx:
            return False
        self._emit(text[self._position : start] + (known or ""))
        self._position = end
        return True

    def _value(self, inner: str) -> str | None:
        if comment := _COMMENT.match(inner):
            identifier = _HEADING_ID.fullmatch(comment["words"])
            return f"{{{identifier[1]}}}" if identifier else ""
        if (value := self._rules.value(inner.strip())) is not None:
            if self._open and takes_literals(self._open[-1]):
                self._open[-1].literals.append(value)
                return ""
            return value
        if not self._rules.is_mdx or (value := string_value(inner)) is None:
            return None
        if self._open and takes_literals(self._open[-1]):
            self._open[-1].literals.append(value)
            return ""
        if self._open and self._open[-1].in_html:
            return escape_html(value, quote=False)
        return value if not value.strip() else escape(value)

    # Tags

    def _tag(self, start: int) -> bool:
        if self._code is not None and not self._expressions.spend(0):
            return False
        tag = read_tag(self._text, start, self._expressions)
        if tag is None:
            return False
        if self._code is not None and self._code[0] < tag.end < self._code[1]:
            self._expressions.spend(self._code[1] - tag.end)  # what begins inside a tag is no code
        if tag.closes:
            return self._close(tag, start)
        name = tag.name.casefold()
        if name in HIDDEN:
            return self._hide(tag, start)
        prefix = self._prefix(start)
        if not tag.closes_itself and name not in VOID and not self._is_closed(tag):
            return self._unclosed(tag, start, prefix)
        parent = self._open[-1] if self._open else None
        line = self._text[self._line : self._line + 40].lstrip(" \t>")
        element = Element(
            tag,
            prefix,
            in_heading=bool(_HEADING.match(self._text, self._line)),
            in_html=line.startswith("|") or (parent is not None and (parent.in_html or parent.kind in TABLE_PARTS)),
            parent=parent,
        )
        if parent is not None:
            element.number = parent.children
            parent.children += 1
        before = self._text[self._position : start]
        self._emit(before[: len(before) - len(prefix)] if prefix else before)
        self._position = tag.end
        if tag.closes_itself or name in VOID:
            self._render(element)
        elif len(self._open) >= MAX_DEPTH:
            self._emit(prefix or "")
        else:
            self._open.append(element)
            self._names[name] = self._names.get(name, 0) + 1
            self._after_block_tag = tag.end if prefix is not None else 0
        return True

    def _is_closed(self, tag: Tag) -> bool:
        """Whether the text has an end for a tag, which else is a placeholder such as `<host>` or `<TABLE OR INDEX>`."""
        if not tag.name:
            return self._text.rfind("</>") >= tag.end
        name = tag.name if tag.name.isupper() else tag.name.casefold()
        return self._last_closing.get(name, -1) >= tag.end

    def _unclosed(self, tag: Tag, start: int, prefix: str | None) -> bool:
        """What readers see of a tag without an end: nothing of HTML and of a component on a line of its own."""
        self._emit(self._text[self._position : start])
        self._position = tag.end
        name = tag.name.casefold()
        has_values = any(tag.attributes.values()) or tag.expressions
        if name in HTML_ELEMENTS and not tag.name.isupper() and (has_values or not tag.attributes):
            self._emit("" if name in LAYOUT else clean_tag(tag))
        elif not has_values and not (
            tag.is_component and not tag.name.isupper() and prefix is not None and _LINE_REST.match(self._text, tag.end)
        ):
            self._emit(f"\\{' '.join(self._text[start : tag.end].split())}")
        return True

    def _hide(self, tag: Tag, start: int) -> bool:
        """Leave out an element with what it holds."""
        self._emit(self._text[self._position : start])
        self._position = tag.end
        if not tag.closes_itself and self._is_closed(tag):
            end = re.compile(rf"</[ \t]*{re.escape(tag.name)}\s*>", re.IGNORECASE).search(self._text, tag.end)
            self._position = end.end() if end else tag.end
        return True

    def _find_line(self, position: int) -> None:
        newline = self._text.rfind("\n", self._looked_at, position)
        if newline >= 0:
            self._line = newline + 1
        self._looked_at = max(self._looked_at, position)

    def _prefix(self, start: int) -> str | None:
        """What stands before a tag on its line where that makes no difference, else None."""
        self._find_line(start)
        if self._position <= self._line:
            match = _PREFIX.match(self._text, self._line, start)
            return match[0] if match and match.end() == start else None
        if self._after_block_tag == self._position and not self._text[self._position : start].strip():
            return ""
        return None

    def _close(self, tag: Tag, start: int) -> bool:
        name = tag.name.casefold()
        if not self._names.get(name):
            if not tag.is_component and name not in HTML_ELEMENTS:
                return False
            self._emit(self._text[self._position : start])
            self._position = tag.end
            return True
        self._emit(self._text[self._position : start])
        self._position = tag.end
        while self._open[-1].tag.name.casefold() != name:
            self._abandon()
        element = self._open.pop()
        self._names[name] -= 1
        self._render(element)
        return True

    def _abandon(self) -> None:
        """Leave out the innermost tag, which nothing closes where it should be closed, and keep what follows it."""
        element = self._open.pop()
        self._names[element.tag.name.casefold()] -= 1
        self._emit(element.prefix or "")
        name = element.tag.name.casefold()
        if name in HTML_ELEMENTS and name not in LAYOUT and not element.tag.is_component:
            self._emit(clean_tag(element.tag))
        for part in element.content:
            self._emit(part)

    def _render(self, element: Element) -> None:
        content = "".join(element.content)
        is_block = self._is_block(element, content)
        if is_block:
            content = _without_indentation(content, element.prefix or "")
        partial = self._rules.partial(element.tag, content) if element.tag.is_component else None
        if partial is not None:
            text = partial
            is_block = is_block or (element.prefix is not None and "\n" in partial)
        elif element.tag.name.casefold() in HTML_ELEMENTS and not element.tag.is_component:
            text = render_html(element, content, is_block=is_block)
        elif not is_block:
            text = render_inline(element, content, self._rules.components)
        else:
            text = render_block(element, content, self._rules.components)
        if is_block:
            self._emit(_placed(text, element.prefix or ""))
        else:
            self._emit((element.prefix or "") + text)

    def _is_block(self, element: Element, content: str) -> bool:
        if element.in_html or element.in_heading:
            return False
        if element.kind in ("ul", "ol", "li", "summary") and not element.tag.is_component:
            return True
        if element.prefix is None:
            return False
        return "\n" in content or bool(_LINE_REST.match(self._text, self._position))


def _without_indentation(content: str, prefix: str) -> str:
    """The content of a block without the indentation that all of its lines share, and the marks of quotes around it."""
    if ">" in prefix:
        content = _QUOTED.sub("", content)
    first, *lines = content.split("\n")
    blanks = [line[: len(line) - len(line.lstrip(" \t"))] for line in lines if line.strip()]
    least, most = min(blanks, default=""), max(blanks, default="")
    indent = next((at for at, blank in enumerate(least) if most[at : at + 1] != blank), len(least))
    return "\n".join([first.strip(), *(line[indent:] if line.strip() else "" for line in lines)]).strip("\n")


def _placed(text: str, prefix: str) -> str:
    """A block where a component stood: blank lines around it, each line indented as the component was."""
    if not text.strip():
        return ""
    first, *lines = text.strip("\n").split("\n")
    rest = _ITEM.sub(" ", prefix)
    lines = [rest + line if line.strip() else rest.rstrip() for line in lines]
    before = "" if _ITEM.search(prefix) or ">" in prefix else "\n" if prefix else "\n\n"
    return "\n".join([f"{before}{prefix}{first}", *lines, rest.rstrip() if ">" in rest else "", ""])
