"""Parts of a document that stand in it for some editions of a product: `{% ifversion cloud %}` … `{% endif %}`."""

import re
from collections.abc import Callable
from dataclasses import dataclass

_TAG = re.compile(
    r"\{%(?P<trim>-)?[ \t]*+(?P<name>ifversion|if|unless|elsif|else|endif|endunless|raw|endraw)\b"
    r"(?P<condition>[^%\n]{0,500}?)(?P<trim_end>-)?%\}(?P<rest>[ \t]*+(?:\n|\Z))?"
)
MAX_DEPTH = 100

Holds = Callable[[str], bool | None]
"""Whether a condition holds; None where that is not known, so that everything that depends on it stays."""


@dataclass(slots=True)
class _Branch:
    keeps: bool  # the part that is read now
    was_taken: bool | None  # whether an earlier part was the right one


def resolve_conditions(text: str, holds: Holds) -> str:
    """Text without its conditional tags and without what does not hold. Raw text is left alone, with its tags."""
    if "{%" not in text:
        return text
    parts: list[str] = []
    branches: list[_Branch] = []
    end = 0
    is_raw = False
    for tag in _TAG.finditer(text):
        name = tag["name"]
        if name in ("raw", "endraw") or is_raw:
            is_raw = name == "raw" or (is_raw and name != "endraw")
            continue
        before = text[end : tag.start()]
        starts_line = not before.rpartition("\n")[2].strip() and (not end or "\n" in before or text[end - 1] == "\n")
        stands_alone = starts_line and tag["rest"] is not None and not tag["trim"]
        if all(branch.keeps for branch in branches):
            parts.append(before.rstrip() if tag["trim"] else before.rstrip(" \t") if stands_alone else before)
        end = tag.end() if stands_alone or (tag["trim_end"] and tag["rest"]) else tag.end() - len(tag["rest"] or "")
        _follow(name, tag["condition"].strip(), branches, holds)
    if all(branch.keeps for branch in branches):
        parts.append(text[end:])
    return "".join(parts)


def _follow(name: str, condition: str, branches: list[_Branch], holds: Holds) -> None:
    if name.startswith("end"):
        if branches:
            branches.pop()
    elif name in ("if", "ifversion", "unless"):
        if len(branches) < MAX_DEPTH:
            value = holds(condition)
            value = not value if name == "unless" and value is not None else value
            branches.append(_Branch(value is not False, value))
    elif branches:
        branch = branches[-1]
        value = True if name == "else" else holds(condition)
        branch.keeps = branch.was_taken is None or (not branch.was_taken and value is not False)
        branch.was_taken = None if branch.was_taken is None or value is None else branch.was_taken or value
