"""What MongoDB's generator (Snooty) adds to reStructuredText: constants, tabs in YAML, steps, code with its output."""

import re
from collections.abc import Mapping

from docutils import nodes
from docutils.statemachine import StringList

from docs_search.parsing.dialects.site_fields import read_fields
from docs_search.parsing.rst import containers
from docs_search.parsing.rst.directive_block import DirectiveBlock

CONFIGURATION = "snooty.toml"

_CONSTANT = re.compile(r"\{\+[ ]?(?P<name>[\w-]{1,80})[ ]?\+\}")
_TAB = re.compile(r"[ ]*-[ ]+id:[ ]*(?P<name>[^\n]+)|[ ]*(?:-[ ]+)?(?P<key>name|title):[ ]*(?P<title>[^\n]+)")
_CONTENT = re.compile(r"(?P<indent>[ ]*)content:[ ]*\|[-+]?[ ]*")


def with_constants(text: str, constants: Mapping[str, str]) -> str:
    """Text whose `{+name+}` are the constants of the project; unknown ones keep their names."""
    if "{+" not in text:
        return text
    return _CONSTANT.sub(lambda match: constants.get(match["name"], match["name"]), text)


def read_constants(data: bytes) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """The constants and the substitutions in the configuration of a project."""
    fields = read_fields(data, ".toml")
    constants = _texts(fields.get("constants"))
    constants = {name: with_constants(value, constants) for name, value in constants.items()}
    substitutions = _texts(fields.get("substitutions"))
    return constants, {name: with_constants(value, constants) for name, value in substitutions.items()}


def _texts(value: object) -> dict[str, str]:
    entries = value.items() if isinstance(value, Mapping) else ()
    return {str(name): text for name, text in entries if isinstance(text, str)}


def tabs(block: DirectiveBlock) -> list[nodes.Node]:
    """Tabs that are directives themselves, or entries in YAML with content in reStructuredText."""
    if not any(_TAB.fullmatch(line) for line in block.content[:5]):
        return containers.content(block)
    found: list[nodes.Node] = []
    title = ""
    lines = iter(range(len(block.content)))
    for at in lines:
        line = block.content[at]
        if match := _TAB.fullmatch(line):
            title = (match["name"] or match["title"]).strip("\"' ")
        elif match := _CONTENT.fullmatch(line):
            end = _end_of(block.content, at + 1, len(match["indent"]))
            content = block.content[at + 1 : end]
            content.trim_left(min((len(text) - len(text.lstrip()) for text in content if text.strip()), default=0))
            node = nodes.container("", nodes.rubric("", "", *block.inline(title))) if title else nodes.container()
            block.parse(content, node)
            found.append(node)
            title = ""
            for _ in range(at + 1, end):
                next(lines, None)
    return found


def _end_of(lines: StringList, start: int, indent: int) -> int:
    """The first line behind a text that is indented more than its key."""
    for at in range(start, len(lines)):
        if lines[at].strip() and len(lines[at]) - len(lines[at].lstrip()) <= indent:
            return at
    return len(lines)


def card(block: DirectiveBlock) -> list[nodes.Node]:
    """A card whose title is an option."""
    title = block.argument or block.options.get("headline", "")
    heading: list[nodes.Node] = [nodes.rubric("", "", *block.inline(title))] if title else []
    return heading + block.replace_by(block.content, block.source)
