"""Where the code of a Markdown document is, without parsing it."""

import re
from collections.abc import Iterator

_CODE = re.compile(
    # A fence, which may stand in lists and quotes, up to its end or that of the document.
    r"^[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*(?P<fence>`{3,}+|~{3,}+)[^`\n]*+(?:\n|\Z)"
    r".*?(?:^[ \t>]*+(?P=fence)[`~]*+[ \t]*+$|\Z)"
    # A code span, which ends at a blank line at the latest; bounded, so that the scan stays linear.
    r"|(?<![`\\])(?P<ticks>`++)(?:[^`\n]|\n(?![ \t]*+\n)|(?!(?P=ticks)(?!`))`++){1,2000}(?P=ticks)(?!`)",
    re.DOTALL | re.MULTILINE,
)
_OPEN_FENCE = re.compile(r"[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*(`{3,}+|~{3,}+)[^`\n]*+(?:\n|\Z)")


def split_code(markdown: str) -> Iterator[tuple[str, bool]]:
    """The text in pieces that together are all of it, each with whether it is code (fences and backticks included)."""
    end = 0
    for match in _CODE.finditer(markdown):
        if match.start() > end:
            yield markdown[end : match.start()], False
        yield match[0], True
        end = match.end()
    if end < len(markdown):
        yield markdown[end:], False


def next_code(markdown: str, position: int) -> tuple[int, int] | None:
    """Where the first code at or behind a position begins and ends; None where there is none."""
    match = _CODE.search(markdown, position)
    return match.span() if match else None


def with_fences_closed(markdown: str) -> str:
    """Markdown whose last fence ends, so that what follows is not taken for code."""
    *_, (last, is_code) = [("", False), *split_code(markdown)]
    if not is_code or (fence := _OPEN_FENCE.match(last)) is None:
        return markdown
    end = last.rstrip().rsplit("\n", 1)
    if len(end) == 2 and end[1].strip(" \t>").startswith(fence[1]):
        return markdown
    return f"{markdown.rstrip()}\n{fence[1]}\n"
