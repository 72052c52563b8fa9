"""Reference of functions that stands in front matter (`api_details`) as Markdown."""

from collections.abc import Iterator

from docs_search.parsing.dialects.mdx.components import joined
from docs_search.parsing.text.writing import code_block, code_span

_PARAMETERS = (("required", "Required arguments"), ("optional", "Optional arguments"), ("returns", "Returns"))
_COLUMNS = (
    ("name", "Name"),
    ("column", "Column"),
    ("type", "Type"),
    ("default", "Default"),
    ("description", "Description"),
)


def api_markdown(details: object, level: int) -> str:
    """Summary, signatures, parameters and examples, under headings of this level. Empty where there is nothing."""
    if not isinstance(details, dict):
        return ""
    mark = "#" * level
    blocks = [_text(details.get("summary"))]
    blocks += [_code(signature, "sql") for signature in _mappings(details.get("signatures"))]
    parameters = details.get("parameters")
    if isinstance(parameters, dict):
        for name, title in _PARAMETERS:
            if table := _table(list(_mappings(parameters.get(name)))):
                blocks += [f"{mark} {title}", table]
    if examples := [_example(example) for example in _mappings(details.get("examples"))]:
        blocks += [f"{mark} Examples", *examples]
    return joined(*blocks)


def _mappings(value: object) -> Iterator[dict[str, object]]:
    for entry in value if isinstance(value, list) else [value]:
        if isinstance(entry, dict):
            yield entry


def _text(value: object) -> str:
    return value.strip("\n") if isinstance(value, str) else ""


def _code(value: object, language: str) -> str:
    if not isinstance(value, dict):
        return ""
    named = value.get("language")
    blocks = code_block(_text(value.get("code")), named if isinstance(named, str) and named.isalnum() else language)
    return blocks[0].markdown if blocks else ""


def _example(example: dict[str, object]) -> str:
    return joined(
        _text(example.get("description")), _code(example.get("command"), "sql"), _code(example.get("return"), "")
    )


def _table(rows: list[dict[str, object]]) -> str:
    columns = [(key, title) for key, title in _COLUMNS if any(isinstance(row.get(key), str) for row in rows)]
    if not columns:
        return ""
    lines = [[title for _, title in columns], ["---"] * len(columns)]
    lines += [[_cell(key, row.get(key)) for key, _ in columns] for row in rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(key: str, value: object) -> str:
    text = " ".join(value.split()) if isinstance(value, str) else ""
    if key in ("name", "column", "default") and text and "`" not in text:
        text = code_span(text)
    return text.replace("|", r"\|")
