"""Attributes in braces that say how something looks: `{ .card }`, `{.cls width=50%}`, `{target=_blank}`.

Those of a heading may hold its anchor. Blocks of attributes with a colon on a line of their own are left to the parser.
"""

import re

from docs_search.parsing.markdown.code_regions import split_code

_VALUE = r"""[\w:-]+=(?:"[^"\n]*"|'[^'\n]*'|[^\s"'{}]+)"""
_ATTRIBUTES = re.compile(
    rf"[ \t]*(?P<list>\{{:?[ \t]*(?:[.#][\w:.-]+|{_VALUE}|data-[\w-]+)"
    rf"(?:[ \t]*[.#][\w:-]+|[ \t]+(?:{_VALUE}|[\w-]+))*[ \t]*\}})"
)
_ID = re.compile(r"#([\w:.-]+)")
_EMPTY_LINK = re.compile(r"\[\]\([ \t]*\)\Z")
_CELL_OR_LINE_END = re.compile(r"[ \t]*+(?:\||$)", re.MULTILINE)
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]")
_ENDS_OF_SPANS = ")]`*_>:\"'"


def without_attributes(text: str) -> str:
    """Markdown without attributes outside code. A heading keeps its anchor as `{#id}`, an empty link becomes one."""
    if "{" not in text:
        return text
    parts: list[str] = []
    for piece, is_code in split_code(text):
        parts.append(piece if is_code or "{" not in piece else _without(piece, follows_code=bool(parts)))
    return "".join(parts)


def _without(text: str, *, follows_code: bool) -> str:
    parts: list[str] = []
    end = 0
    for match in _ATTRIBUTES.finditer(text):
        start = match.start("list")
        line_start = text.rfind("\n", end, start) + 1 or end
        before = text[line_start:start]
        is_attached = text[start - 1] in _ENDS_OF_SPANS if start else follows_code
        ends_line = bool(_CELL_OR_LINE_END.match(text, match.end()))
        is_alone = not before.strip() and ends_line and not (start == 0 and follows_code)
        if not (is_attached or ends_line):
            continue
        identifier = _ID.search(match["list"])
        if is_alone and match["list"].startswith("{:"):
            continue
        parts.append(text[end : match.start()])
        if identifier and ends_line and _HEADING.match(before):
            parts.append(f" {{#{identifier[1]}}}")
        elif identifier and (link := _EMPTY_LINK.search(parts[-1])):
            parts[-1] = parts[-1][: link.start()]
            parts.append(f'<a id="{identifier[1]}"></a>')
        end = match.end()
    parts.append(text[end:])
    return "".join(parts)
