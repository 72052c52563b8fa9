"""Directives that show code."""

import textwrap

from docutils import nodes

from docs_search.parsing.rst import inclusion
from docs_search.parsing.rst.directive_block import DirectiveBlock

_PYTHON = frozenset({"testcode", "ipython", "jupyter-execute", "plot", "exec_code"})
LANGUAGES = {
    "console": "console",
    "doctest": "pycon",
    "ditaa": "",
    "graphviz": "dot",
    "mermaid": "mermaid",
    "plantuml": "plantuml",
    "prompt": "console",
    "testoutput": "",
    "uml": "plantuml",
    "productionlist": "",
} | dict.fromkeys(_PYTHON, "python")


def code(block: DirectiveBlock) -> list[nodes.Node]:
    """Code whose language is the directive's argument, or that of the code before."""
    words = block.argument.split()
    return _code(block, words[0] if words else block.document.language)


def code_of_option(block: DirectiveBlock) -> list[nodes.Node]:
    """Code whose language is an option, which may stand in a file instead."""
    if block.argument and not len(block.content):
        return inclusion.literal_include(block)
    return _code(block, block.options.get("language", block.document.language))


def code_of_directive(block: DirectiveBlock) -> list[nodes.Node]:
    """Code in the language that the directive stands for."""
    return _code(block, LANGUAGES[block.name])


def code_tab(block: DirectiveBlock) -> list[nodes.Node]:
    """Code under a tab: the argument is the language, then the tab's title."""
    language, _, title = block.argument.partition(" ")
    return [*_title(block, title.strip()), *_code(block, language)]


def parsed_literal(block: DirectiveBlock) -> list[nodes.Node]:
    """Code with markup in it, which is left out."""
    return [nodes.literal_block("", "", *block.inline("\n".join(block.body())), language="")]


def math(block: DirectiveBlock) -> list[nodes.Node]:
    """Formulas."""
    return [nodes.math_block("", "\n".join(filter(None, (block.argument, *block.content))))]


def highlight(block: DirectiveBlock) -> list[nodes.Node]:
    """The language of the code that follows."""
    words = block.argument.split()
    block.document.language = words[0] if words else ""
    return []


def _code(block: DirectiveBlock, language: str) -> list[nodes.Node]:
    # The first line of the content is the least indented of all, unless the directive is misused.
    text = textwrap.dedent("\n".join(block.content))
    if block.name in ("doctest", "productionlist", "prompt") and not text.strip():
        text = block.argument
    return [*_title(block, block.options.get("caption", "")), nodes.literal_block("", text, language=language)]


def _title(block: DirectiveBlock, title: str) -> list[nodes.Node]:
    return [nodes.rubric("", "", *block.inline(title))] if title else []
