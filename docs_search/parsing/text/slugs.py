"""The anchors that publishing tools give to headings: one class each."""

import re
import unicodedata
from typing import ClassVar

from docutils.nodes import make_id

_NO_WORD = re.compile(r"[^\w\- ]")
_PYTHON_MARKDOWN_DROPS = re.compile(r"[^\w\s-]")
_VITEPRESS_HYPHENS = re.compile(r"[\s~`!@#$%^&*()\-_+=\[\]{}|\\;:\"'“”‘’<>,.?/]+")
_COMBINING = re.compile("[\u0300-\u036f]")
_COUNTED = re.compile(r"(.*)_(\d{1,9})", re.DOTALL)


class Slugger:
    """Gives each heading of one page its anchor, in reading order, as GitHub does it.

    So do Docusaurus (github-slugger) and Jekyll, whose kramdown reads GitHub's Markdown unless told otherwise. Marks
    count as letters, so that a variation selector is left of an emoji: `⚙️ Setup` is `#️-setup` on the site.
    """

    reads_source: ClassVar[bool] = False
    """Whether anchors are made from a heading's Markdown, with the addresses of links, and not from its text."""

    def __init__(self) -> None:
        self._used: dict[str, int] = {}

    def slug(self, heading: str) -> str:
        """The anchor of a heading, given as plain text; empty where it has none. Repeated ones are numbered."""
        base = self.base(heading)
        slug = base
        while slug in self._used:
            self._used[base] += 1
            slug = f"{base}-{self._used[base]}"
        self._used[slug] = 0
        return slug

    def reserve(self, anchor: str) -> None:
        """Note an explicit anchor, so that no heading gets the same."""
        self._used.setdefault(anchor, 0)

    def base(self, heading: str) -> str:
        """The anchor of the first heading with these words."""
        text = heading.strip().lower()
        if text.isascii():
            return _NO_WORD.sub("", text).replace(" ", "-")
        return "".join(c for c in text if c in "- " or _is_word(c)).replace(" ", "-")


class KramdownSlugger(Slugger):
    """kramdown's own anchors: ASCII from the first letter on. https://kramdown.gettalong.org/converter/html.html#auto-ids"""

    reads_source = True

    def base(self, heading: str) -> str:
        text = re.sub(r"[^A-Za-z0-9 -]", "", re.sub(r"\A[^A-Za-z]+", "", heading.strip()))
        return text.replace(" ", "-").lower() or "section"


class HugoSlugger(Slugger):
    """Hugo's anchors (`autoHeadingIDType: github`): letters, digits and underscores, without combining marks."""

    reads_source = True

    def base(self, heading: str) -> str:
        text = heading.strip()
        kept = (c.lower() for c in text if c in "-_ " or c.isalpha() or unicodedata.category(c) == "Nd")
        return "".join(kept).replace(" ", "-") or "heading"


class VitePressSlugger(Slugger):
    """The anchors of VitePress and VuePress (@mdit-vue): no accents, everything that is no word one hyphen."""

    def base(self, heading: str) -> str:
        text = _COMBINING.sub("", unicodedata.normalize("NFKD", heading))
        text = _VITEPRESS_HYPHENS.sub("-", text).strip("-").lower()
        return f"_{text}" if text[:1].isdecimal() and text[0].isascii() else text


class PandocSlugger(Slugger):
    """Pandoc's anchors: letters, digits, underscores, hyphens and points from the first letter on.

    https://pandoc.org/MANUAL.html#extension-auto_identifiers
    """

    def base(self, heading: str) -> str:
        kept = "".join(c for c in heading.strip() if c in "_-. " or c.isalnum()).lower()
        start = next((at for at, c in enumerate(kept) if c.isalpha()), len(kept))
        return "-".join(kept[start:].split()) or "section"


class PythonMarkdownSlugger(Slugger):
    """The anchors of Python-Markdown's `toc`, which MkDocs uses: ASCII, repeated ones with _1, _2."""

    def __init__(self) -> None:
        super().__init__()
        self._numbers: dict[str, int] = {}  # the highest number that was given to each stem

    def slug(self, heading: str) -> str:
        slug = self.base(heading)
        if not slug or slug in self._used:
            counted = _COUNTED.fullmatch(slug)
            stem, number = (counted[1], int(counted[2])) if counted else (slug, 0)
            number = max(number, self._numbers.get(stem, 0)) + 1
            while (slug := f"{stem}_{number}") in self._used:
                number += 1
            self._numbers[stem] = number
        self._used[slug] = 0
        return slug

    def base(self, heading: str) -> str:
        text = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode("ascii")
        return re.sub(r"[-\s]+", "-", _PYTHON_MARKDOWN_DROPS.sub("", text).strip().lower())


class SphinxSlugger(Slugger):
    """The anchors of docutils and Sphinx: ASCII words; repeated and empty ones are id1, id2, and so on."""

    def __init__(self) -> None:
        super().__init__()
        self._count = 0

    def slug(self, heading: str) -> str:
        slug = self.base(heading)
        while not slug or slug in self._used:
            self._count += 1
            slug = f"id{self._count}"
        self._used[slug] = 0
        return slug

    def base(self, heading: str) -> str:
        return make_id(heading)


def _is_word(character: str) -> bool:
    """Unicode's word characters as Ruby and github-slugger have them: letters, marks, decimal digits, connectors."""
    category = unicodedata.category(character)
    return category[0] in "LM" or category in ("Nd", "Nl", "Pc")
