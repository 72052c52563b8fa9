"""The roles of MyST Markdown, `{name}` before a code span, as words, code and links."""

import re
from collections.abc import Callable, Iterator
from itertools import pairwise

from docs_search.parsing.markdown.code_regions import split_code
from docs_search.parsing.text.writing import code_span, escape

_ROLE = re.compile(r"\{(?P<name>[A-Za-z][\w:.+-]*)\}\Z")
_TITLED = re.compile(r"(?P<title>.*?)\s*<(?P<target>[^<>]+)>\s*", re.DOTALL)
_REFERENCES = frozenset({"ref", "numref", "any", "doc", "std:ref", "std:doc", "std:numref", "myst:ref"})
_WORDS = frozenset(
    "term abbr sub sup kbd guilabel menuselection dfn eq cite cite:p cite:t download button-link button-ref strong "
    "emphasis subscript superscript title-reference std:term rfc pep cve cwe span del u smallcaps".split()
)
_NOTHING = re.compile(r"applies_to|icon|octicon|material-\w+|fa[srb]?|bdg\b|index|nb-download|far|fab|fas")

Reference = Callable[[str, str, str | None], str]
"""The Markdown of a reference, given the role's name, the target and a title of its own."""


def resolve_roles(text: str, reference: Reference) -> str:
    """Markdown without roles; code keeps what looks like them."""
    if "}`" not in text:
        return text
    return "".join(_resolved(text, reference))


def _resolved(text: str, reference: Reference) -> Iterator[str]:
    pieces = [*split_code(text), ("", False)]
    role = None
    for (piece, is_code), (following, follows_code) in pairwise(pieces):
        is_span = is_code and piece.startswith("`") and piece.endswith("`")
        if is_span and role:
            yield _role(role, piece.strip("`").strip(), reference)
        else:
            match = None
            if not is_code and follows_code and following.startswith("`"):
                match = _ROLE.search(piece, max(0, len(piece) - 60))
            yield piece[: match.start()] if match else piece
            role = match["name"].casefold() if match else None
            continue
        role = None


def _role(name: str, content: str, reference: Reference) -> str:
    titled = _TITLED.fullmatch(content)
    title, target = (titled["title"], titled["target"]) if titled and titled["title"] else (None, content)
    if name in _REFERENCES:
        return reference(name.rpartition(":")[2], target, title)
    if name.startswith("bdg"):
        return escape(content)
    if _NOTHING.fullmatch(name):
        return ""
    if name in _WORDS:
        return escape(title or content)
    shown = title or content.removeprefix("!")
    return code_span(shown.rpartition(".")[2] if shown.startswith("~") else shown)
