"""Obsidian, and what else writes notes like it (Foam, Quartz, Logseq, wikis of GitHub): links in double brackets."""

import re
from functools import partial

from docs_search.documents import ParseContext
from docs_search.parsing.dialects.mdx.parser import relative_to_page
from docs_search.parsing.dialects.wiki_links import resolve_wiki_links
from docs_search.parsing.markdown.code_regions import split_code
from docs_search.parsing.markdown.file_includes import FileIncludes
from docs_search.parsing.markdown.front_matter import FrontMatter
from docs_search.parsing.markdown.link_targets import rewrite_targets
from docs_search.parsing.markdown.parser import EXTENSIONS, MarkdownParser

_COMMENT = re.compile(r"%%(?:[^%]|%(?!%)){0,20000}%%")
_MARKED = re.compile(r"(?<![=\w])==(?=[^\s=])([^=\n]{1,500}?)(?<=\S)==(?![=\w])")
_BLOCK_ID = re.compile(r"(?:^|[ \t])\^[A-Za-z0-9-]{1,60}[ \t]*$", re.MULTILINE)
_QUERY = re.compile(r"[ \t>]*(?:`{3,}|~{3,})[ \t]*(?:dataview(?:js)?|tasks|query|button|meta-bind)\b")
_HEADING = re.compile(r"^(?P<marks>#{1,6})[ \t]+(?P<text>[^\n]*)$", re.MULTILINE)


class ObsidianParser(MarkdownParser):
    """The `Parser` of a vault of notes. A note that another one embeds becomes part of it."""

    def prepare(
        self, text: str, path: str, front_matter: FrontMatter, context: ParseContext
    ) -> tuple[str, tuple[str, ...]]:
        files = FileIncludes(context, path)
        return _resolved(text, path, path, context.paths, files), tuple(files.warnings)


def _resolved(text: str, file: str, page: str, paths: frozenset[str], files: FileIncludes) -> str:
    if "%%" in text or "==" in text or "^" in text:
        text = "".join(part if is_code else _without_marks(part) for part, is_code in split_code(text))
    text = "".join("" if is_code and _QUERY.match(part) else part for part, is_code in split_code(text))

    def embed(note: str, heading: str) -> str | None:
        if not note.lower().endswith(EXTENSIONS):
            return None
        select = partial(_part, name=heading) if heading and not heading.startswith("^") else None
        expand = partial(_resolved, file=note, page=page, paths=paths, files=files)
        return f"\n\n{files.selected(note, heading or None, select, expand)}\n\n"

    text = resolve_wiki_links(text, file, paths, embed)
    return rewrite_targets(text, lambda href: relative_to_page(href, file, page)) if file != page else text


def _without_marks(text: str) -> str:
    return _BLOCK_ID.sub("", _MARKED.sub(r"\1", _COMMENT.sub("", text)))


def _part(text: str, name: str) -> str | None:
    """What stands below a heading, with it, up to the next one of its level."""
    wanted = " ".join(name.rpartition("#")[2].casefold().split())
    start, level = None, 0
    for heading in _HEADING.finditer(text):
        if start is not None and len(heading["marks"]) <= level:
            return text[start : heading.start()]
        if start is None and " ".join(heading["text"].casefold().split()) == wanted:
            start, level = heading.start(), len(heading["marks"])
    return None if start is None else text[start:]
