"""Container directives: `:::note Title`, as Docusaurus and VitePress have them."""

import re
from collections.abc import Iterator

from docs_search.parsing.dialects.mdx.components import ADMONITION_TITLES
from docs_search.parsing.markdown.admonitions import closing, opening
from docs_search.parsing.markdown.code_regions import next_code
from docs_search.parsing.text.plain_text import plain_text

MAX_DEPTH = 100

_LINE = re.compile(
    r"^(?P<prefix>[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*)(?P<colons>:{2,}+)[ \t]*+(?P<name>[A-Za-z][\w-]*+)?"
    r"(?P<rest>[^\n]*+)$",
    re.MULTILINE,
)
_LABEL = re.compile(r"[ \t]*\[(?P<label>[^\n]*)\][ \t]*(?:\{[^{}\n]*\})?[ \t]*")
_ATTRIBUTES = re.compile(r"[ \t]*\{(?P<attributes>[^{}\n]*)\}[ \t]*\Z")
_TITLE = re.compile(r"\btitle=(?:\"([^\"]*)\"|'([^']*)')")
_OTHER_ADMONITIONS = {"error": "Error", "secondary": "Note", "todo": "To do"}
_ITEM = re.compile(r"[-*+\d.)]")


def resolve_directives(markdown: str) -> str:
    """Markdown whose containers are admonitions, or their content below a line with the title in bold type.

    A line of colons ends the innermost container that began with as many, else the innermost that began with fewer.
    """
    if "::" not in markdown:
        return markdown
    pieces: list[str] = []
    open_containers: list[tuple[int, bool]] = []  # colons, and whether it is an admonition
    end = 0
    for match in _outside_code(markdown):
        replacement = _replacement(match, open_containers)
        if replacement is not None:
            pieces += [markdown[end : match.start()], replacement]
            end = match.end()
    return "".join([*pieces, markdown[end:]])


def _outside_code(markdown: str) -> Iterator[re.Match[str]]:
    code = next_code(markdown, 0)
    for match in _LINE.finditer(markdown):
        while code is not None and code[1] <= match.start():
            code = next_code(markdown, code[1])
        if code is None or not code[0] <= match.start() < code[1]:
            yield match


def _replacement(match: re.Match[str], open_containers: list[tuple[int, bool]]) -> str | None:
    colons, name, rest = len(match["colons"]), match["name"], match["rest"]
    prefix = match["prefix"]
    if colons == 2:  # a leaf: `::video[Label]{#id}`
        leaf = _LABEL.fullmatch(rest) if name else None
        return f"{prefix}{leaf['label']}" if leaf else None
    if name is None:
        if rest.strip():
            return None
        return _ITEM.sub(" ", prefix) + _end(colons, open_containers)
    if len(open_containers) >= MAX_DEPTH:
        return ""
    title = _title(rest)
    label = ADMONITION_TITLES.get(name.casefold()) or _OTHER_ADMONITIONS.get(name.casefold())
    open_containers.append((colons, label is not None))
    if label is not None:
        return f"{prefix}{opening(plain_text(title) or label)}"
    if not title and name.casefold() == "details":
        title = "Details"
    rest_prefix = _ITEM.sub(" ", prefix).rstrip()
    return f"{prefix}**{title}**\n{rest_prefix}" if title else prefix.rstrip()


def _end(colons: int, open_containers: list[tuple[int, bool]]) -> str:
    """What stands for the end of a container, and of those inside it that have none."""
    depths = range(len(open_containers) - 1, -1, -1)
    at = next((depth for depth in depths if open_containers[depth][0] == colons), None)
    if at is None:
        at = next((depth for depth in depths if open_containers[depth][0] < colons), None)
    if at is None:
        return ""
    ended = open_containers[at:]
    del open_containers[at:]
    return "\n".join([closing()] * sum(is_admonition for _, is_admonition in ended))


def _title(rest: str) -> str:
    """The title of a container: in brackets, in an attribute, or simply behind its name."""
    attributes = _ATTRIBUTES.search(rest)
    named = _TITLE.search(attributes["attributes"]) if attributes else None
    if named:
        return (named[1] or named[2] or "").strip()
    label = _LABEL.fullmatch(rest)
    if label:
        return label["label"].strip()
    return rest[: attributes.start() if attributes else len(rest)].strip()
