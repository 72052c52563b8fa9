"""Boxes of Jekyll themes, and of GitBook: attributes that make a block one, and pairs of tags around it."""

import re

from docs_search.parsing.markdown.admonitions import closing, opening
from docs_search.parsing.markdown.boxes import ADMONITIONS, label_of
from docs_search.parsing.markdown.code_regions import split_code
from docs_search.parsing.text.plain_text import plain_text

_ATTRIBUTES = re.compile(r"[ \t]*+\{:(?P<content>[^{}\n]*+)\}[ \t]*+\Z")
_CLASS = re.compile(
    r"\.(?:notice--|prompt-|alert-|admonition-|callout-|box-|bs-callout-)?(?P<name>[A-Za-z][\w-]*?)(?P<titled>-title)?(?=[\s.#]|\Z)"
)
_LABELS = {"notice": "Note", "primary": "Note", "new": "New", "highlight": "Highlight"}
_QUOTE_MARK = re.compile(r"[ \t]*+>[ \t]?")
_FENCE = re.compile(r"[ \t>]*+(`{3,}+|~{3,}+)")

_PAIRED = "|".join(
    sorted({*ADMONITIONS, "admonition", "alert", "aside", "callout", "hint"} - {"check", "example", "quote", "success"})
)
_CONTAINERS = "tab|code|details|step|stepper|embed|content-ref"
_OPENING_TAG = re.compile(
    rf"^(?P<indent>[ \t]*+)\{{%-?\s*+(?P<name>{_PAIRED}|{_CONTAINERS})\b(?P<content>[^%\n]*+)%\}}(?P<after>[^\n]*+)$",
    re.MULTILINE,
)
_CLOSING_TAG = re.compile(rf"\{{%-?\s*+end(?:{_PAIRED})\s*+-?%\}}")
_ARGUMENT = re.compile(r"""([\w-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'%]+))""")
_FIRST_TEXT = re.compile(r"""\s*+(?:"([^"]+)"|'([^']+)')""")


def with_boxes(text: str) -> str:
    """Markdown in which what `{: .note }` stands below or above, and what `{% hint %}` tags enclose, is an admonition.

    Titles of tabs, code and other containers of GitBook become lines in bold.
    """
    if "{%" in text:
        text = "".join(part if is_code else _with_tags(part) for part, is_code in split_code(text))
    return _with_attributes(text) if "{:" in text else text


def _with_tags(text: str) -> str:
    ends = _CLOSING_TAG.findall(text)
    if not ends and "{% " not in text:
        return text
    text = _OPENING_TAG.sub(_opened, text)
    return _CLOSING_TAG.sub(lambda match: f"\n{_indentation(match)}{closing()}\n", text)


def _indentation(match: re.Match[str]) -> str:
    line = match.string[match.string.rfind("\n", 0, match.start()) + 1 : match.start()]
    return line if not line.strip() else ""


def _opened(match: re.Match[str]) -> str:
    indent, name, content = match["indent"], match["name"], match["content"]
    arguments = {key: double or single or bare for key, double, single, bare in _ARGUMENT.findall(content)}
    first = _FIRST_TEXT.match(content)
    title = arguments.get("title") or (first[1] or first[2] if first else "")
    if name in ("stepper", "step"):
        return f"{indent}{match['after']}"
    if name in ("embed", "content-ref"):
        return f"{indent}<{arguments['url']}>\n" if name == "embed" and "url" in arguments else ""
    if name in ("tab", "code", "details"):
        return f"{indent}**{title}**\n\n{indent}{match['after'].strip()}" if title else f"{indent}{match['after']}"
    style = arguments.get("style") or arguments.get("type") or (name if name in ADMONITIONS else "note")
    label = title or label_of(style)
    return f"\n{indent}{opening(label)}\n{indent}{match['after'].strip()}"


def _with_attributes(text: str) -> str:
    lines = text.split("\n")
    out: list[str] = []
    fence = ""
    at = 0
    while at < len(lines):
        line = lines[at]
        if fence:
            fence = "" if line.strip(" \t>").startswith(fence) and not line.strip(" \t>").strip(fence[0]) else fence
        elif match := _FENCE.match(line):
            fence = match[1]
        elif box := _box(line):
            if out and out[-1].strip() and not _ATTRIBUTES.match(out[-1]):
                start = _block_start(out)
                out[start:] = _boxed(out[start:], *box)
            else:
                end = _block_end(lines, at + 1)
                out += _boxed(lines[at + 1 : end], *box)
                at = end
                continue
            at += 1
            continue
        out.append(line)
        at += 1
    return "\n".join(out)


def _box(line: str) -> tuple[str, bool] | None:
    """The label of the box that a line of attributes makes, and whether the block begins with a title of its own."""
    match = _ATTRIBUTES.match(line)
    if match is None:
        return None
    for found in _CLASS.finditer(match["content"]):
        name = found["name"].lower()
        if name in ADMONITIONS or name in _LABELS:
            return _LABELS.get(name) or label_of(name), bool(found["titled"])
    return None


def _block_start(lines: list[str]) -> int:
    start = len(lines)
    while start and lines[start - 1].strip():
        start -= 1
    return start


def _block_end(lines: list[str], start: int) -> int:
    """The line behind the block that begins with a line, which may be attributes or a fence."""
    if start < len(lines) and (match := _FENCE.match(lines[start])):
        return next(
            (at + 1 for at in range(start + 1, len(lines)) if lines[at].strip().startswith(match[1])), len(lines)
        )
    end = start
    while end < len(lines) and lines[end].strip():
        end += 1
    return end


def _boxed(block: list[str], label: str, is_titled: bool) -> list[str]:
    block = [line for line in block if not _ATTRIBUTES.match(line)]
    if not block or not "".join(block).strip() or block[0].lstrip().startswith("#"):
        return block
    indent = block[0][: len(block[0]) - len(block[0].lstrip())]
    if all(_QUOTE_MARK.match(line) for line in block):
        block = [indent + _QUOTE_MARK.sub("", line, count=1) for line in block]
    if is_titled:
        label, block = plain_text(block[0]), block[1:]
    return ["", f"{indent}{opening(label)}", *block, f"{indent}{closing()}", ""]
