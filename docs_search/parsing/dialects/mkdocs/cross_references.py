"""References by name to what other pages document: mkdocstrings' `[Pot][kettle.brew.Pot]` and `[kettle.brew.Pot][]`."""

import re

from docs_search.parsing.markdown.code_regions import split_code
from docs_search.parsing.text.writing import code_span

_REFERENCE = re.compile(r"\]\[(?P<name>[A-Za-z_][\w.:/-]{0,200})\]")
_SHORT = re.compile(r"\[(?P<name>`?[A-Za-z_]\w*(?:\.\w+)+`?)\]\[\]")
_NAMELESS = re.compile(r"(?<![\w\]])\[\]\[(?P<name>[A-Za-z_][\w.:/-]{0,200})\]")
_DEFINITION = re.compile(r"^[ ]{0,3}\[(?P<name>[^\]\n]+)\]:", re.MULTILINE)


def with_cross_references(text: str, *, all_names: bool) -> str:
    """Markdown in which references that no definition belongs to are their texts.

    They get an empty definition, since their texts may be code, and before everything else, where no code is left open.
    Only names with a dot count unless the site makes such references: `a[i][j]` is none.
    """
    if "][" not in text:
        return text
    text = _NAMELESS.sub(lambda match: code_span(match["name"]), text)
    defined = {_folded(match["name"]) for match in _DEFINITION.finditer(text)}
    names: dict[str, None] = {}
    for piece, is_code in split_code(text):
        if not is_code:
            names |= dict.fromkeys(match["name"] for match in _REFERENCE.finditer(piece))
    names |= dict.fromkeys(match["name"] for match in _SHORT.finditer(text))
    missing = [name for name in names if (all_names or "." in name) and _folded(name) not in defined]
    return "".join(f"[{name}]: <>\n\n" for name in missing) + text


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()
