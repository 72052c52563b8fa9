"""Directives whose content counts and whose form does not: tabs, cards, sidebars, figures, glossaries."""

from docutils import nodes
from docutils.statemachine import StringList

from docs_search.parsing.rst.directive_block import DirectiveBlock


def content(block: DirectiveBlock) -> list[nodes.Node]:
    """The content in the place of the directive; the argument says how it is shown, or when."""
    return block.replace_by(block.content, block.source)


def body(block: DirectiveBlock) -> list[nodes.Node]:
    """Everything but the options, in the place of the directive."""
    return block.replace_by(block.body(), block.source)


def titled(block: DirectiveBlock) -> list[nodes.Node]:
    """The argument as a bold line, then the content."""
    title = " ".join(block.argument.split())
    heading: list[nodes.Node] = [nodes.rubric("", "", *block.inline(title))] if title else []
    return heading + block.replace_by(block.content, block.source)


def dropped(block: DirectiveBlock) -> list[nodes.Node]:
    """Nothing: navigation, layout, or instructions to a generator."""
    return []


def unknown(block: DirectiveBlock) -> list[nodes.Node]:
    """Argument and content of a directive that nobody here knows, as text."""
    if not any(character.isalpha() for character in block.argument):
        return content(block)
    return body(block)


def image(block: DirectiveBlock) -> list[nodes.Node]:
    """An image by its alternative text."""
    alt = " ".join(block.options.get("alt", "").split())
    return [nodes.image(alt=alt)]


def figure(block: DirectiveBlock) -> list[nodes.Node]:
    """An image with its caption and legend."""
    node = nodes.container("", *image(block))
    block.parse(block.content, node)
    return [node]


def quotation(block: DirectiveBlock) -> list[nodes.Node]:
    """A quotation with its author."""
    return list(block.state.block_quote(block.content, block.content_offset))


def glossary(block: DirectiveBlock) -> list[nodes.Node]:
    """Terms, each on a line of its own, with an indented definition; several terms may share one."""
    glossary_list = nodes.definition_list()
    terms: list[nodes.Node] = []
    definition = StringList()
    # A term without indentation after the last definition ends that.
    for line, (source, offset) in [*zip(block.content.data, block.content.items, strict=True), ("-", ("", 0))]:
        indented = not line.strip() or line.startswith(" ")
        if indented and terms:
            definition.append(line, source, offset)
            continue
        if any(text.strip() for text in definition):
            glossary_list += _defined(block, terms, definition)
            terms, definition = [], StringList()
        if line.strip() and not line.startswith(".."):
            terms.append(nodes.term("", "", *block.inline(line.split(" : ")[0].strip())))
    return [glossary_list]


def _defined(block: DirectiveBlock, terms: list[nodes.Node], lines: StringList) -> nodes.Node:
    width = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    lines.trim_left(width)
    definition = nodes.definition()
    block.parse(lines, definition)
    return nodes.definition_list_item("", *terms, definition)
