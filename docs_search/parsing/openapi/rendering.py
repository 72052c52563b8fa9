"""Operations and schemas to blocks of normalised Markdown."""

import json
from collections.abc import Callable, Mapping, Sequence

from docs_search.documents import Block, BlockType
from docs_search.parsing.markdown.tokens import Node, TokenRenderer, parse_markdown
from docs_search.parsing.openapi.description import Description
from docs_search.parsing.openapi.operations import Content, Operation, Parameter, Response
from docs_search.parsing.openapi.schemas import Schemas
from docs_search.parsing.openapi.values import Number, Value, text
from docs_search.parsing.text.decoding import without_controls
from docs_search.parsing.text.tables import Cell, markdown_table
from docs_search.parsing.text.writing import code_block, code_span, escape, join_pieces, one_line, paragraph

MAX_DESCRIPTION = 200_000  # characters of one
MAX_EXAMPLE = 3_000
MAX_ROWS = 60  # of a table of properties
MAX_ROWS_OF_RESPONSE = 30
MAX_ROWS_OF_LARGE = 300
MAX_EXAMPLES = 5_000_000  # of one description together
MAX_TABLES = 20_000_000
MAX_CELL = 1_000

_LANGUAGES = {"json": "json", "xml": "xml", "yaml": "yaml", "html": "html", "csv": "csv"}


class OperationRenderer:
    """Renders the operations of one description. `large` collects the schemas that tables could not hold."""

    def __init__(self, description: Description, link_target: Callable[[str], str | None]) -> None:
        self._description = description
        self._schemas = Schemas(description)
        self._markdown = TokenRenderer(link_target)
        self._examples_left = MAX_EXAMPLES
        self._tables_left = MAX_TABLES
        self._cells: dict[str, str] = {}
        self.large: dict[str, Value] = {}

    def markdown(self, words: str) -> list[Block]:
        """The blocks of a description, which is Markdown."""
        if not words.strip():
            return []
        return self._markdown.blocks(parse_markdown(words[:MAX_DESCRIPTION]))

    def node(self, node: Node) -> list[Block]:
        """The blocks of one piece of Markdown."""
        return self._markdown.block(node)

    def operation(self, operation: Operation) -> list[Block]:
        """Everything about an operation but its heading."""
        blocks: list[Block] = []
        if operation.deprecated:
            blocks.append(Block(BlockType.QUOTE, "> **Warning:** This operation is deprecated."))
        blocks += self.markdown(operation.description)
        if operation.security is not None:
            blocks += self.security(operation.security)
        blocks += self._parameters(operation.parameters)
        blocks += self._body(operation)
        blocks += self._responses(operation.responses)
        for callback in operation.callbacks[:20]:
            blocks.append(Block(BlockType.LIST_ITEM, f"- Callback {code_span(callback)}"))
        return blocks

    def security(self, choices: Sequence[Mapping[str, Sequence[str]]]) -> list[Block]:
        """What authorizes a request, on one line."""
        named = [" and ".join(_scheme(name, scopes) for name, scopes in choice.items()) for choice in choices if choice]
        optional = " (optional)" if named and not all(choices) else ""
        return paragraph(f"**Authorization:** {' or '.join(named) or 'none'}{optional}")

    def schema(self, value: Value) -> list[Block]:
        """The properties of a schema that has a section of its own."""
        return self._properties(value, MAX_ROWS_OF_LARGE)

    # Parts of an operation

    def _parameters(self, parameters: Sequence[Parameter]) -> list[Block]:
        rows = []
        for parameter in parameters:
            resolved = self._schemas.resolved(parameter.schema).value
            words = parameter.description or text(resolved.get("description"))
            rows.append(
                [
                    code_span(parameter.name),
                    escape(parameter.place),
                    escape(self._schemas.type_of(parameter.schema)),
                    _required(parameter.required),
                    self._cell(words, self._schemas.notes(resolved)),
                ]
            )
        return _titled("Parameters", self._table(("Name", "In", "Type", "Required", "Description"), rows))

    def _body(self, operation: Operation) -> list[Block]:
        blocks = self.markdown(operation.body_description)
        blocks += self._contents(operation.body)
        return _titled("Request body" + " (required)" * operation.body_required, blocks)

    def _contents(self, contents: Sequence[Content]) -> list[Block]:
        """Bodies in each media type; the same schema is told once for all."""
        blocks: list[Block] = []
        told: list[Value] = []
        for content in contents:
            is_new = content.schema not in told
            told.append(content.schema)
            kind = self._schemas.type_of(content.schema) if content.schema is not None else ""
            blocks += paragraph(code_span(content.media_type) + (f": {escape(kind)}" if kind else ""))
            if is_new and content.schema is not None:
                blocks += self._properties(content.schema)
            blocks += self._example("Example", content)
        return blocks

    def _properties(self, value: Value, limit: int = MAX_ROWS) -> list[Block]:
        """A table of the properties of a schema; those that do not fit are found under the schemas' own names."""
        rows = self._schemas.rows(value, limit)
        cells = [
            [code_span(row.name), escape(row.type), _required(row.required), self._cell(row.description, row.notes)]
            for row in rows.rows
        ]
        blocks = self._table(("Property", "Type", "Required", "Description"), cells)
        large = dict(rows.left_out)
        if rows.is_cut:
            blocks += paragraph("More properties are left out here.")
            resolved = self._schemas.resolved(value)
            large |= {resolved.name: value} if resolved.name else {}
        for name, schema in large.items():
            self.large.setdefault(name, schema)
        return blocks

    def _responses(self, responses: Sequence[Response]) -> list[Block]:
        rows = []
        for response in responses:
            kinds = dict.fromkeys(self._schemas.type_of(content.schema) for content in response.contents)
            kind = ", ".join(kind for kind in kinds if kind != "any")
            rows.append([code_span(response.status), self._cell(response.description, ()), escape(kind)])
        blocks = _titled("Responses", self._table(("Status", "Description", "Body"), rows))
        told = [response for response in responses if response.status.startswith("2") and response.contents]
        told += [response for response in responses if response.status == "default" and response.contents]
        for response in told[:1]:
            first = response.contents[0]
            properties = self._properties(first.schema, MAX_ROWS_OF_RESPONSE)
            blocks += _titled(f"Response {escape(response.status)}", properties)
            blocks += self._example("Example response", first)
        return blocks

    def _cell(self, description: str, notes: Sequence[str]) -> str:
        """A description and what else is to be said, on one line."""
        if description not in self._cells:
            words = one_line(self.markdown(description[:MAX_CELL]))
            self._cells[description] = words + "…" * (len(description) > MAX_CELL)
        words = self._cells[description]
        if words and notes and words[-1] not in ".!?:;…":
            words += "."
        return " ".join(filter(None, (words, *notes)))

    def _table(self, header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[Block]:
        """A table; none once there were too many, since each operation can tell the same large schema again."""
        if not rows:
            return []
        self._tables_left -= sum(len(cell) for row in rows for cell in row)
        if self._tables_left < 0:
            self._description.warnings[f"tables of more than {MAX_TABLES} characters were left out"] = None
            return []
        body = [[Cell(join_pieces([cell])) for cell in row] for row in rows]
        return [Block(BlockType.TABLE, markdown_table([[Cell(name) for name in header]], body))]

    def _example(self, label: str, content: Content) -> list[Block]:
        if content.example is None or self._examples_left <= 0:
            return []
        code = example_text(content.example)
        self._examples_left -= len(code)
        language = next((name for word, name in _LANGUAGES.items() if word in content.media_type), "")
        return _titled(label, code_block(code, language))


def example_text(value: Value) -> str:
    """A value as it is sent: text as it is, anything else as JSON, cut where it is long."""
    is_text = isinstance(value, str) and not isinstance(value, Number)
    code = without_controls(str(value) if is_text else "".join(_json(value, 0, [MAX_EXAMPLE])))
    return code if len(code) <= MAX_EXAMPLE else f"{code[:MAX_EXAMPLE]}\n…"


def _json(value: Value, depth: int, left: list[int]) -> list[str]:
    """A value as indented JSON, in pieces. Ends soon after as many characters as are left: aliases multiply."""
    if left[0] <= 0 or depth > 20:
        return ["…"]
    if not isinstance(value, dict | list):
        piece = str(value) if isinstance(value, Number) else json.dumps(value, ensure_ascii=False, default=str)
        left[0] -= len(piece)
        return [piece]
    if not value:
        return ["{}" if isinstance(value, dict) else "[]"]
    pieces: list[str] = []
    indentation = "\n" + "  " * (depth + 1)
    members = value.items() if isinstance(value, dict) else ((None, item) for item in value)
    for key, item in members:
        name = "" if key is None else f"{json.dumps(key, ensure_ascii=False)}: "
        pieces += [("," if pieces else "") + indentation + name, *_json(item, depth + 1, left)]
        left[0] -= len(indentation) + len(name)
        if left[0] <= 0:
            break
    first, last = ("{", "}") if isinstance(value, dict) else ("[", "]")
    return [first, *pieces, f"\n{'  ' * depth}{last}"]


def _scheme(name: str, scopes: Sequence[str]) -> str:
    return code_span(name) + (f" ({', '.join(map(code_span, scopes))})" if scopes else "")


def _required(required: bool) -> str:
    return "yes" if required else "no"


def _titled(title: str, blocks: list[Block]) -> list[Block]:
    return [Block(BlockType.PARAGRAPH, f"**{title}**"), *blocks] if blocks else []
