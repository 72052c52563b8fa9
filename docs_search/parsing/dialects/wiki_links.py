"""Links between notes: `[[Page]]`, `[[folder/Page#Heading|text]]`, and `![[Page]]`, which shows the page itself."""

import posixpath
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from urllib.parse import quote

from docs_search.parsing.markdown.code_regions import split_code
from docs_search.parsing.text.slugs import Slugger
from docs_search.parsing.text.writing import escape

_LINK = re.compile(r"(?P<embed>!)?\[\[(?P<target>[^\[\]|\n]{0,300})(?:\\?\|(?P<text>[^\[\]\n]{0,300}))?\]\]")
_MARKDOWN = (".md", ".markdown")

Embed = Callable[[str, str], str | None]
"""The text that takes the place of a file, or of its part below a heading; None for what is no text."""


def resolve_wiki_links(text: str, file: str, paths: frozenset[str], embed: Embed) -> str:
    """Markdown whose links to notes are links to files, outside code. A link to nothing is its text."""
    if "[[" not in text:
        return text

    def replace(match: re.Match[str]) -> str:
        target, _, heading = match["target"].rstrip("\\").partition("#")
        found = note_of(target.strip(), file, paths) if target.strip() else file
        text = (match["text"] or "").strip()
        if found is None and text and (swapped := note_of(text, file, paths)):  # as in wikis of GitHub
            found, text, heading = swapped, target.strip(), ""
        if match["embed"]:
            shown = embed(found, heading) if found else None
            return "" if shown is None else shown
        shown = escape(text or " > ".join(filter(None, (target.strip().removesuffix(".md"), heading.strip()))))
        if found is None:
            return shown
        address = "" if found == file else quote(posixpath.relpath(found, posixpath.dirname(file) or "."))
        fragment = "" if not heading or heading.startswith("^") else f"#{Slugger().base(heading.rpartition('#')[2])}"
        return f"[{shown}]({address}{fragment})" if address or fragment else shown

    return "".join(part if is_code else _LINK.sub(replace, part) for part, is_code in split_code(text))


def note_of(name: str, file: str, paths: frozenset[str]) -> str | None:
    """The file that a name means: a path, from the linking file or the root, or the name of the nearest such file."""
    folder = posixpath.dirname(file)
    for base in ("", folder):
        path = posixpath.normpath(posixpath.join(base, name.lstrip("/")))
        for candidate in (path, *(f"{path}{extension}" for extension in _MARKDOWN)):
            if candidate in paths:
                return candidate
    key = _key(name)
    ends = [path for path in _by_name(paths).get(key.rpartition("/")[2], ()) if f"/{_key(path)}".endswith(f"/{key}")]
    return min(ends, key=lambda path: (not path.startswith(folder), path.count("/"), path), default=None)


@lru_cache(maxsize=2)
def _by_name(paths: frozenset[str]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for path in sorted(paths):
        found.setdefault(_key(path).rpartition("/")[2], []).append(path)
    return {name: tuple(files) for name, files in found.items()}


def _key(path: str) -> str:
    """A path as links spell it in any way: without its extension, in lower case, with blanks for hyphens."""
    stem, extension = posixpath.splitext(path.casefold())
    return (stem if extension in _MARKDOWN else path.casefold()).replace("-", " ").strip("/")
