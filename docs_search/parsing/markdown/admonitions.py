"""Admonitions, in one form whatever the dialect writes.

A dialect replaces the lines that begin and end an admonition (`:::tip`, `!!! note`, `<Highlight type="warning">`,
`{{< caution >}}`) by `opening(label)` and `closing()`, each on a line of its own and indented as what it replaces. The
parser knows the two wherever a block may stand: in lists, in quotes, inside each other. They are made of noncharacters,
which decoding removes from documents, so that no document can write them.
"""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

_OPEN, _CLOSE = "\ufdd3", "\ufdd4"
_CONTROL = re.compile(r"[\n\ufdd0-\ufdef]+")


def opening(label: str) -> str:
    """The line that begins an admonition; `label` is what readers see: `Note`, or a title of its own."""
    return f"{_OPEN}{_CONTROL.sub(' ', label).strip() or 'Note'}"


def closing() -> str:
    """The line that ends the innermost admonition."""
    return _CLOSE


def admonition_plugin(parser: MarkdownIt) -> None:
    """Teach a parser both marks. The token's `info` is the label."""
    ends = ["paragraph", "reference", "blockquote", "list"]
    parser.block.ruler.before("fence", "admonition", _admonition, {"alt": ends})
    parser.block.ruler.before("fence", "stray_admonition_end", _stray_end, {"alt": ends})


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _admonition(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if not _line(state, start).startswith(_OPEN):
        return False
    if silent:
        return True
    last = _end_of(state, start, end)
    token = state.push("admonition_open", "", 1)
    token.info = _line(state, start).removeprefix(_OPEN).strip()
    token.map = [start, last]
    parent, line_max, indent = state.parentType, state.lineMax, state.blkIndent
    state.parentType, state.lineMax, state.blkIndent = "admonition", last, state.sCount[start]
    state.md.block.tokenize(state, start + 1, last)
    state.parentType, state.lineMax, state.blkIndent = parent, line_max, indent
    state.push("admonition_close", "", -1)
    state.line = min(last + 1, end)
    return True


def _end_of(state: StateBlock, start: int, end: int) -> int:
    """The line of the mark that closes the admonition, or the end of what surrounds it."""
    depth = 1
    for line in range(start + 1, end):
        text = _line(state, line)
        depth += text.startswith(_OPEN) - text.startswith(_CLOSE)
        if not depth:
            return line
        if not state.isEmpty(line) and state.sCount[line] < state.blkIndent:
            return line
    return end


def _stray_end(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if not _line(state, start).startswith(_CLOSE):
        return False
    if not silent:
        state.line = start + 1
    return True
