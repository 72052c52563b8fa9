"""Holds markdown-it to linear time and to blocks that end, where some of its rules go further."""

from collections.abc import Callable

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

MAX_BRACKETS = 20_000
"""Opening brackets of one document that may begin a link; what stands in further ones is text."""

_MAX_LABEL = 200  # characters of a footnote's name
_MAX_LAZY_RUNS = 3

_InlineRule = Callable[[StateInline, bool], bool]
_BlockRule = Callable[[StateBlock, int, int, bool], bool]


def bounds_plugin(parser: MarkdownIt) -> None:
    """Bound the rules of a parser that has all its plugins already."""
    for rule in list(parser.inline.ruler.__rules__):
        if rule.name in ("link", "image", "footnote_inline"):
            parser.inline.ruler.at(rule.name, _closed_later(rule.fn))
        elif rule.name == "footnote_ref":
            parser.inline.ruler.at(rule.name, _closed_soon(rule.fn))
    for block_rule in list(parser.block.ruler.__rules__):
        if block_rule.name == "blockquote":
            parser.block.ruler.at(block_rule.name, _few_lazy_lines(block_rule.fn), {"alt": block_rule.alt})
        elif block_rule.name == "footnote_def":
            parser.block.ruler.at(block_rule.name, _not_nested(block_rule.fn), {"alt": block_rule.alt})


def _closed_later(rule: _InlineRule) -> _InlineRule:
    """Only tries what a closing bracket follows, and not without end."""

    def bounded(state: StateInline, silent: bool) -> bool:
        if state.src[state.pos] not in "[!^":
            return False
        if -1 not in state.cache:  # a place of the state's own, where no position is
            state.cache[-1] = state.src.rfind("]")
            state.env["brackets"] = state.env.get("brackets", 0) + state.src.count("[")
        if state.cache[-1] < state.pos or state.env["brackets"] > MAX_BRACKETS:
            return False
        return rule(state, silent)

    return bounded


def _closed_soon(rule: _InlineRule) -> _InlineRule:
    def bounded(state: StateInline, silent: bool) -> bool:
        if not state.src.startswith("[^", state.pos) or state.src.find("]", state.pos, state.pos + _MAX_LABEL) < 0:
            return False
        return rule(state, silent)

    return bounded


def _not_nested(rule: _BlockRule) -> _BlockRule:
    """Reads no footnote inside another: the plugin would lose the ends of the blocks around it."""

    def bounded(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if silent:
            return rule(state, start, end, silent)
        if state.env.get("in_footnote"):
            return False
        state.env["in_footnote"] = True
        found = rule(state, start, end, silent)
        state.env["in_footnote"] = False
        return found

    return bounded


def _few_lazy_lines(rule: _BlockRule) -> _BlockRule:
    """Lets lines without a mark continue a quote only a few times before it ends.

    The rule looks for all of them before it knows whether the quote ends in a paragraph, which they could continue.
    """

    def bounded(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if silent or not state.src.startswith(">", state.bMarks[start] + state.tShift[start]):
            return rule(state, start, end, silent)
        last, runs, was_lazy = start + 1, 0, False
        while last < end and not state.isEmpty(last):
            is_lazy = not state.src.startswith(">", state.bMarks[last] + state.tShift[last])
            if was_lazy and not is_lazy:
                runs += 1
                if runs == _MAX_LAZY_RUNS:
                    break
            was_lazy = is_lazy
            last += 1
        return rule(state, start, last, silent)

    return bounded
