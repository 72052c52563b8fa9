"""One directive as it stands in a document: its argument, its options and its content."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from docutils import nodes
from docutils.statemachine import StringList

from docs_search.parsing.rst.document_state import DocumentState

_OPTION = re.compile(r":(?![: ])((?:[^:\\\n]|\\.|:(?![ `]|\Z)){1,80}):(?:[ ]+(.*)|[ ]*\Z)")


@dataclass(slots=True)
class DirectiveBlock:
    """A directive. `lines` are all of its lines, `content` those after the argument and the options."""

    name: str
    argument: str
    options: dict[str, str]
    content: StringList
    lines: StringList
    lineno: int
    content_offset: int
    state: Any  # docutils' state, whose type is one of many
    document: DocumentState

    @property
    def source(self) -> str:
        """The file that the directive stands in, after those that included it, each on a line."""
        source, _ = self.state.state_machine.get_source_and_line(self.lineno)
        return source or self.document.file

    def body(self) -> StringList:
        """The content together with what stands on the directive's own line, for directives that take no argument."""
        if not self.argument:
            return self.content
        head = StringList(self.argument.split("\n"), source=self.source)
        if len(self.content):
            head.extend(StringList([""], source=self.source))
            head.extend(self.content)
        return head

    def parse(self, lines: StringList, node: nodes.Element) -> None:
        """Append what the lines hold to a node."""
        self.state.nested_parse(lines, self.content_offset, node)

    def inline(self, text: str) -> list[nodes.Node]:
        """The inline nodes of a text."""
        children, _ = self.state.inline_text(text, self.lineno)
        return list(children)

    def replace_by(self, lines: StringList | Sequence[str], source: str) -> list[nodes.Node]:
        """Have the lines read in the place of the directive, as if they stood there: sections stay sections."""
        self.state.state_machine.insert_input(lines, source)
        return []


def split_block(lines: StringList, offset: int) -> tuple[str, dict[str, str], StringList, int]:
    """Argument (its lines joined by line ends), options, content, and the offset of the content.

    The lines are changed: blank ones at both ends are taken off.
    """
    if lines and not lines[0].strip():
        lines.trim_start()
        offset += 1
    while lines and not lines[-1].strip():
        lines.trim_end()
    argument: list[str] = []
    options: dict[str, str] = {}
    name = ""
    end = 0
    for line in lines:
        if not line.strip():
            break
        if match := _OPTION.fullmatch(line):
            name = match[1].lower()
            options[name] = (match[2] or "").strip()
        elif name and line.startswith(" "):
            options[name] = f"{options[name]}\n{line.strip()}".strip()
        elif name:
            break
        else:
            argument.append(line)
        end += 1
    while end < len(lines) and not lines[end].strip():
        end += 1
    return "\n".join(argument).strip(), options, lines[end:], offset + end
