"""Comments, which CommonMark leaves in the text where a blank line or a word stands at the wrong place."""

import re

from docs_search.parsing.markdown.code_regions import next_code

_START = "<!--"
_COMMENT = re.compile(r"<!--(?:-?>|.*?-->)", re.DOTALL)
_LINE_END = re.compile(r"[ \t]*+(?:\n|\Z)")


def without_comments(text: str) -> tuple[str, tuple[str, ...]]:
    """Markdown without comments outside code, and warnings.

    A comment that has lines of its own becomes an empty one, which ends a paragraph as it did. Of one that is never
    closed only the mark goes: the rest of the document would go with it.
    """
    start = text.find(_START)
    if start < 0:
        return text, ()
    parts: list[str] = []
    end = 0
    is_closed = True
    code = next_code(text, 0)
    while start >= 0:
        if code and code[1] <= start:
            code = next_code(text, code[1])
            continue
        if code and code[0] < start:
            start = text.find(_START, code[1])
            continue
        match = _COMMENT.match(text, start) if is_closed else None
        parts.append(text[end:start])
        if match is None:
            is_closed = False
            end = start + len(_START)
        else:
            end = match.end()
            parts.append(_replacement(match))
        start = text.find(_START, end)
        if code and code[0] < end:
            code = next_code(text, end)
    parts.append(text[end:])
    return "".join(parts), () if is_closed else ("a comment is never closed",)


def _replacement(match: re.Match[str]) -> str:
    text = match.string
    before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
    if before.strip(" \t>") or not _LINE_END.match(text, match.end()):
        return ""
    if "\n" not in match[0]:
        return match[0]  # the parser knows it, or takes it for code where it is indented so
    return "<!-- -->" if len(before.expandtabs(4)) < 4 or before.strip() else ""
