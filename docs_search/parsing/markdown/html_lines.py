"""HTML blocks of Markdown that end with their tags, so that Markdown around and inside them is read.

CommonMark takes everything up to a blank line for HTML. Here a line of nothing but tags of layout
(`<div align="center">`, `</details>`) is a block by itself, and a table, list or heading goes from its first tag to its
last one, blank lines included.
"""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

_LAYOUT = "article|aside|center|details|div|figure|figcaption|footer|form|header|main|nav|p|section"
_TAG = r"(?:\s[^<>]*+)?>"
_LAYOUT_LINE = re.compile(
    rf"(?:</?(?:{_LAYOUT}|br|hr){_TAG}\s*+|<summary{_TAG}[^\n]*?</summary\s*>\s*+|</?(?:picture|source|img|span|font){_TAG}\s*+)+",
    re.IGNORECASE,
)
_INTERRUPTS = re.compile(rf"</?(?:{_LAYOUT}|hr|summary|table|ul|ol|dl|blockquote|h[1-6])(?:\s|/?>|$)", re.IGNORECASE)
_WHOLE_LINE = re.compile(rf"<(?P<name>{_LAYOUT}|summary){_TAG}[^\n]*</(?P=name)\s*>", re.IGNORECASE)
_REGIONS = ("table", "ul", "ol", "dl", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6")
_REGION = re.compile(rf"<({'|'.join(_REGIONS)})(?:\s|>|$)", re.IGNORECASE)
_FENCE = r"(?P<fence>^[ \t>]*+(?:`{3,}+|~{3,}+))"
_TAGS = {name: re.compile(rf"<(?P<end>/?){name}(?:\s|/?>)|{_FENCE}", re.IGNORECASE | re.MULTILINE) for name in _REGIONS}


def html_plugin(parser: MarkdownIt) -> None:
    """Teach a parser to end HTML blocks so."""
    parser.block.ruler.before(
        "html_block", "html_lines", _html_lines, {"alt": ["paragraph", "reference", "blockquote"]}
    )


def _html_lines(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    position = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("<", position) or state.is_code_block(start):
        return False
    line = state.src[position : state.eMarks[start]].rstrip()
    if silent and not _INTERRUPTS.match(line):
        return False
    if region := _REGION.match(line):
        last = _region_end(state, start, end, region[1].lower())
    elif _WHOLE_LINE.fullmatch(line) or (_LAYOUT_LINE.fullmatch(line) and not _is_indented(state, start + 1, end)):
        last = start + 1
    else:
        return False
    if last is None:
        return False
    if silent:
        return True
    token = state.push("html_block", "", 0)
    token.map = [start, last]
    token.content = state.getLines(start, last, state.blkIndent, True)
    state.line = last
    return True


def _is_indented(state: StateBlock, line: int, end: int) -> bool:
    """Whether a line would be taken for code, which it is not inside an element."""
    return line < end and not state.isEmpty(line) and state.is_code_block(line)


def _region_end(state: StateBlock, start: int, end: int, name: str) -> int | None:
    """The line behind the one that closes an element, or None where that is not in the same block."""
    position, limit = state.bMarks[start] + state.tShift[start], state.eMarks[end - 1]
    # What is scanned in vain is counted, since elements that are never closed could each be looked for to the end.
    scanned = state.env.setdefault("html_scanned", 0)
    if scanned > 4 * len(state.src) + 10_000:
        return None
    depth = 0
    is_code = False
    for match in _TAGS[name].finditer(state.src, position, limit):
        if match["fence"]:
            is_code = not is_code
        elif not is_code:
            depth += -1 if match["end"] else 1
            if depth <= 0:
                return _line_of(state, match.end(), start, end) + 1
    state.env["html_scanned"] = scanned + limit - position
    return None


def _line_of(state: StateBlock, position: int, start: int, end: int) -> int:
    line = start
    while line + 1 < end and state.eMarks[line] < position:
        line += 1
    return line
