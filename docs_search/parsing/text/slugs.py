"""Anchors of headings as GitHub, and Jekyll's kramdown with its GitHub input, make them."""

import re

_NO_SLUG_CHARACTER = re.compile(r"[^\w\- ]")


class Slugger:
    """Gives each heading of one page its anchor, in reading order: repeated ones get -1, -2, and so on."""

    def __init__(self) -> None:
        self._used: dict[str, int] = {}

    def slug(self, heading: str) -> str:
        """The anchor of a heading, given as plain text; empty where the heading has no letter or digit."""
        base = _NO_SLUG_CHARACTER.sub("", heading.strip().lower()).replace(" ", "-")
        slug = base
        while slug in self._used:
            self._used[base] += 1
            slug = f"{base}-{self._used[base]}"
        self._used[slug] = 0
        return slug

    def reserve(self, anchor: str) -> None:
        """Note an explicit anchor, so that no heading gets the same."""
        self._used.setdefault(anchor, 0)
