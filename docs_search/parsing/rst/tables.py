"""Directives for tables, and for substitutions, as docutils reads them."""

import csv
from collections.abc import Mapping
from typing import Any

from docutils import nodes
from docutils.parsers.rst import Directive, DirectiveError
from docutils.parsers.rst.directives import misc, tables
from docutils.statemachine import StringList
from docutils.utils import SystemMessagePropagation

from docs_search.parsing.rst.directive_block import DirectiveBlock

TABLES: Mapping[str, type[Directive]] = {
    "csv-table": tables.CSVTable,
    "flat-table": tables.ListTable,
    "list-table": tables.ListTable,
    "table": tables.RSTTable,
}
SUBSTITUTIONS: Mapping[str, type[Directive]] = {"replace": misc.Replace, "unicode": misc.Unicode}
_LAYOUT = frozenset({"align", "class", "name", "width", "widths", "file", "url", "encoding"})


def table(block: DirectiveBlock) -> list[nodes.Node]:
    """A table by its title and its content. What cannot be read as one is kept as it is written."""
    if "file" in block.options and not block.content:
        path = block.document.resolve(block.options["file"], block.document.file)
        text = block.document.read(path)
        if text is None:
            block.document.warn(f"the file {path} of a table is not in the source")
            return []
        block.content = StringList(text.split("\n"), source=path)
    options = {name: value for name, value in block.options.items() if name not in _LAYOUT}
    try:
        found = _run(block, TABLES[block.name], options, block.argument)
    except csv.Error as error:
        block.document.warn(f"line {block.lineno}: a table is not CSV: {error}")
        found = []
    if any(isinstance(node, nodes.table) for node in found):
        return found
    return [nodes.literal_block("", "\n".join(block.content), language="")]


def substitution(block: DirectiveBlock) -> list[nodes.Node]:
    """What a substitution stands for."""
    content = block.body() if block.name == "replace" else block.content
    block.content = content
    return _run(block, SUBSTITUTIONS[block.name], {}, block.argument)


def _run(
    block: DirectiveBlock, directive: type[Directive], options: Mapping[str, str], argument: str
) -> list[nodes.Node]:
    converted: dict[str, Any] = {}
    for name, value in options.items():
        if convert := (directive.option_spec or {}).get(name):
            try:
                converted[name] = convert(value)
            except (ValueError, TypeError):
                continue  # a value that docutils would refuse, and the whole table with it
    arguments = [argument] if argument else []
    try:
        return list(
            directive(
                block.name, arguments, converted, block.content, block.lineno, block.content_offset,
                "\n".join(block.lines), block.state, block.state.state_machine,
            ).run()
        )  # fmt: skip
    except DirectiveError as error:
        return [block.state.reporter.system_message(error.level, error.msg, line=block.lineno)]
    except SystemMessagePropagation as error:
        return [error.args[0]]
