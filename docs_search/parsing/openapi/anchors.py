"""Anchors as Redoc publishes them, which many sites show their API with."""

import re
from collections.abc import Sequence

_NO_SLUG = re.compile(r"[^\w\s$*_+~.()'\"!\-:@]")
_BLANKS = re.compile(r"[\s-]+")
_SAFE = re.compile(r"[\w.~:@!$&'()*+,;=-]+")


def slug(words: str) -> str:
    """A name as a part of an anchor: letters keep their case, blanks are hyphens."""
    return _BLANKS.sub("-", _NO_SLUG.sub("", words).strip()) or words.strip().lower()


def section_anchor(headings: Sequence[str]) -> str:
    """The anchor of a heading in the description of the API, below others."""
    return "/".join(("section", *map(slug, headings)))


def tag_anchor(tag: str) -> str:
    return f"tag/{slug(tag)}"


def operation_anchor(tag: str | None, identifier: str) -> str | None:
    """The anchor of an operation; None where it has no identifier that an address can hold."""
    if not _SAFE.fullmatch(identifier):
        return None
    return f"{tag_anchor(tag)}/operation/{identifier}" if tag else f"operation/{identifier}"
