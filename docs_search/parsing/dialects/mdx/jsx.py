"""The tags of JSX: a component's name and what its attributes say."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from html import unescape

from docs_search.parsing.dialects.mdx.javascript import Expressions, string_value

MAX_ATTRIBUTES = 200

_NAME = re.compile(r"<(?P<close>/[ \t]*)?(?P<name>[A-Za-z$][\w$.:-]*)?")
_ATTRIBUTE = re.compile(
    r"(?P<blank>\s*)(?:(?P<end>/?>)|(?P<spread>\{)"
    r"|(?P<name>[A-Za-z_@:#][\w:.@-]*)(?:\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<braces>\{)"
    r"|(?P<bare>[^\s\"'<>={}`]+)))?)"
)

_ELEMENT = re.compile(r"\s*<[\w.]*(?:[\s>]).*>\s*", re.DOTALL)
_TAG = re.compile(r"</?[\w.]*(?:\s[^<>]*)?>")


@dataclass(frozen=True, slots=True)
class Tag:
    """One tag of a text. A fragment (`<>`) has no name.

    `attributes` are what is text, also as a string or template in braces; `expressions` everything else in braces, as
    it is written. `end` is the position behind the tag.
    """

    name: str
    end: int
    closes: bool = False
    closes_itself: bool = False
    attributes: Mapping[str, str] = field(default_factory=dict)
    expressions: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_component(self) -> bool:
        """Whether this can only be a component: its name is no word in lower case."""
        return not self.name or self.name[0].isupper() or self.name[0] == "$" or "." in self.name

    def text(self, *names: str) -> str | None:
        """The first of these attributes that says something, on one line."""
        for name in names:
            if words := " ".join(self.attributes.get(name, "").split()):
                return words
        return None


def read_tag(text: str, start: int, expressions: Expressions) -> Tag | None:
    """The tag whose `<` stands at `start`, or None where that is something else."""
    opening = _NAME.match(text, start)
    if opening is None:
        return None
    name, position = opening["name"] or "", opening.end()
    if not name:
        return Tag("", position + 1, closes=bool(opening["close"])) if text.startswith(">", position) else None
    attributes: dict[str, str] = {}
    unknown: dict[str, str] = {}
    for _ in range(MAX_ATTRIBUTES):
        part = _ATTRIBUTE.match(text, position)
        if part is None or (not part["blank"] and part["name"]):
            break
        if part["end"]:
            return Tag(
                name,
                part.end(),
                closes=bool(opening["close"]),
                closes_itself=part["end"] == "/>",
                attributes=attributes,
                expressions=unknown,
            )
        position = part.end()
        if part["spread"] or part["braces"]:
            end = expressions.end(position - 1)
            if end is None:
                return None
            if part["name"]:
                inner = text[position : end - 1]
                value = string_value(inner)
                if value is None:
                    value = _words(inner)
                if value is None:
                    unknown.setdefault(part["name"], inner)
                else:
                    attributes.setdefault(part["name"], value)
            position = end
        elif part["name"]:
            value = next((v for v in (part["double"], part["single"], part["bare"]) if v is not None), "")
            attributes.setdefault(part["name"], unescape(value) if "&" in value else value)
    expressions.spend(position - start)
    return None


def _words(expression: str) -> str | None:
    """The text of an element that is given as an attribute: `<span>Title</span>`; None of what is none, or more."""
    if not _ELEMENT.fullmatch(expression):
        return None
    words = " ".join(_TAG.sub("", expression).split())
    return words if words and not set(words) & set("{}<>") else None
