"""Definition lists as PHP Markdown Extra, Python-Markdown and kramdown have them."""

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from mdit_py_plugins.deflist import deflist_plugin

_MAX_TERMS = 8


def definition_plugin(parser: MarkdownIt) -> None:
    """Teach a parser definition lists, also those where several terms, one a line, share what defines them."""
    parser.use(deflist_plugin)
    (deflist,) = (rule.fn for rule in parser.block.ruler.__rules__ if rule.name == "deflist")

    def terms(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if silent:
            return False
        last = start
        while last - start < _MAX_TERMS and _is_text(state, last + 1, end):
            last += 1
        if last == start or not any(_is_definition(state, line, end) for line in (last + 1, last + 2)):
            return False
        written = len(state.tokens)
        if not deflist(state, last, end, False):
            return False
        lines = (state.src[state.bMarks[line] : state.eMarks[line]].strip() for line in range(start, last + 1))
        state.tokens[written + 2].content = ", ".join(lines)  # after dl_open and dt_open
        return True

    parser.block.ruler.before("deflist", "terms", terms)


def _is_text(state: StateBlock, line: int, end: int) -> bool:
    return line < end and not state.isEmpty(line) and not _is_definition(state, line, end)


def _is_definition(state: StateBlock, line: int, end: int) -> bool:
    if line >= end or state.isEmpty(line):
        return False
    start = state.bMarks[line] + state.tShift[line]
    return state.src[start : start + 2] in (": ", ":\t") and state.sCount[line] >= state.blkIndent
