"""Lines that tell a site generator something and readers nothing; they are taken out wherever a block may stand.

Abbreviations (`*[HTML]: HyperText Markup Language`), places of a table of contents (`[TOC]`, kramdown's list with
`{:toc}` below it), and kramdown's attributes of a block (`{: .class #id}`) and options (`{::options … /}`).
"""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

_ABBREVIATION = re.compile(r"\*\[[^\]]++\]:")
_TABLE_OF_CONTENTS = re.compile(r"\[toc\]|\[\[_?toc_?\]\]", re.IGNORECASE)
_ATTRIBUTES = re.compile(r"\{:(?:[ \t]*+(?:[.#][\w-]|[\w-]++=|(?:no_)?toc\b)|:|/)[^{}]*+\}")
_LIST_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])[ \t]")
_TOC_ATTRIBUTES = re.compile(r"\{:[^{}]*?\btoc\b[^{}]*+\}")


def instruction_plugin(parser: MarkdownIt) -> None:
    """Teach a parser to skip such lines."""
    ends = ["paragraph", "reference", "blockquote", "list"]
    parser.block.ruler.before("list", "instruction", _instruction, {"alt": ends})


def _line(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].rstrip()


def _instruction(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    if state.is_code_block(start):
        return False
    text = _line(state, start)
    lines = 0
    if text.startswith("{:"):
        lines = bool(_ATTRIBUTES.fullmatch(text))
    elif text.startswith("["):
        lines = bool(_TABLE_OF_CONTENTS.fullmatch(text))
    elif _ABBREVIATION.match(text):
        lines = 1
    elif start + 1 < end and _LIST_ITEM.match(text) and _TOC_ATTRIBUTES.fullmatch(_line(state, start + 1)):
        lines = 2
    if not lines:
        return False
    if not silent:
        state.line = start + lines
    return True
