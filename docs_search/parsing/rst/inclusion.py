"""Directives that bring in other files of the source: `include` and `literalinclude`."""

import textwrap

from docutils import nodes
from docutils.statemachine import StringList, string2lines

from docs_search.parsing.rst.directive_block import DirectiveBlock
from docs_search.parsing.rst.document_state import MAX_INCLUDE_DEPTH, MAX_INCLUDED, MAX_INCLUDES

_TAB_WIDTH = 8


def include(block: DirectiveBlock) -> list[nodes.Node]:
    """Another document, read in the place of the directive."""
    name = _name(block)
    if name.startswith("<"):  # docutils' own definitions of characters
        return []
    chain = block.source.split("\n")
    text, path = _read(block, name, chain)
    if text is None:
        return []
    text = _part(text, block)
    if "literal" in block.options or "code" in block.options:
        return _code(text, block.options.get("code", ""), block)
    lines = string2lines(text, tab_width=_TAB_WIDTH, convert_whitespace=True)
    return block.replace_by(StringList(lines, source="\n".join((*chain, path))), path)


def literal_include(block: DirectiveBlock) -> list[nodes.Node]:
    """A file, or some of its lines, as code."""
    text, _ = _read(block, _name(block), block.source.split("\n"))
    if text is None:
        return []
    code = _part(text, block)
    if "dedent" in block.options:
        width = block.options["dedent"]
        code = (
            textwrap.dedent(code)
            if not width.isdigit()
            else "\n".join(line[min(int(width), len(line) - len(line.lstrip())) :] for line in code.split("\n"))
        )
    return _code(code, block.options.get("language", block.document.language), block)


def _name(block: DirectiveBlock) -> str:
    return "".join(block.argument.split("\n")).strip()


def _read(block: DirectiveBlock, name: str, chain: list[str]) -> tuple[str | None, str]:
    """The text of a file, and its path. None, with a warning, where it is not there or would be too much."""
    state = block.document
    # Sphinx resolves the path against the document, docutils against the file that the directive stands in.
    candidates = dict.fromkeys(state.resolve(name, file) for file in (state.file, chain[-1]))
    for path in candidates:
        if path in chain or len(chain) > MAX_INCLUDE_DEPTH:
            state.warn(f"the include of {path} leads back to itself or too deep")
            return None, path
        text = state.read(path)
        if text is None:
            continue
        state.includes += 1
        state.included += len(text)
        if state.included > MAX_INCLUDED or state.includes > MAX_INCLUDES:
            state.warn(f"more than {MAX_INCLUDED} characters or {MAX_INCLUDES} files are included")
            return None, path
        return text, path
    path = next(iter(candidates))
    state.warn(f"the included file {path} is not in the source")
    return None, path


def _code(text: str, language: str, block: DirectiveBlock) -> list[nodes.Node]:
    caption = block.options.get("caption", "")
    title: list[nodes.Node] = [nodes.rubric("", "", *block.inline(caption))] if caption else []
    return [*title, nodes.literal_block("", text, language=language)]


def _part(text: str, block: DirectiveBlock) -> str:
    """What the options choose of a text: lines by number, or those between two others."""
    options = block.options
    lines = text.split("\n")
    if "lines" in options:
        lines = _numbered(lines, options["lines"])
    first, last = _number(options.get("start-line")), _number(options.get("end-line"))
    lines = lines[first:last] if first is not None or last is not None else lines
    start, end = 0, len(lines)
    for option, offset in (("start-after", 1), ("start-at", 0)):
        if mark := options.get(option):
            start = next((at + offset for at in range(len(lines)) if mark in lines[at]), start)
    for option, offset in (("end-before", 0), ("end-at", 1)):
        if mark := options.get(option):
            end = next((at + offset for at in range(start, len(lines)) if mark in lines[at]), end)
    return "\n".join(lines[start:end])


def _numbered(lines: list[str], choice: str) -> list[str]:
    """Lines by their numbers from 1, such as `1,3,5-10,20-`."""
    chosen: list[str] = []
    for part in choice.split(",")[:100]:
        first, dash, last = part.strip().partition("-")
        start = _number(first) or 1
        end = (_number(last) or len(lines)) if dash else start
        chosen += lines[start - 1 : end]
    return chosen[: 2 * len(lines)]


def _number(text: str | None) -> int | None:
    text = (text or "").strip()
    negative = text.removeprefix("-")
    return int(text) if negative.isascii() and negative.isdigit() and len(negative) < 9 else None
