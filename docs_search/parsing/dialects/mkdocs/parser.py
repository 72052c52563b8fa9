"""Documentation for MkDocs: Python-Markdown with PyMdown Extensions, as Material for MkDocs and its plugins use it."""

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar

from docs_search.documents import ParseContext, ParsedPage
from docs_search.parsing.dialects.jekyll.liquid import resolve_liquid
from docs_search.parsing.dialects.mkdocs.cross_references import with_cross_references
from docs_search.parsing.dialects.mkdocs.pymdown_blocks import resolve_blocks
from docs_search.parsing.dialects.mkdocs.pymdown_marks import resolve_marks
from docs_search.parsing.dialects.mkdocs.site import MkDocsSite, read_site
from docs_search.parsing.dialects.mkdocs.snippets import Snippets
from docs_search.parsing.markdown.attribute_lists import without_attributes
from docs_search.parsing.markdown.code_regions import split_code
from docs_search.parsing.markdown.flavor import Flavor
from docs_search.parsing.markdown.front_matter import FrontMatter
from docs_search.parsing.markdown.parser import MarkdownParser
from docs_search.parsing.markdown.per_source import PerSource
from docs_search.parsing.text.slugs import PythonMarkdownSlugger

_META = re.compile(r"(?:[A-Za-z][\w-]*:[^\n]*\n(?:[ ]{4}[^\n]*\n)*)+(?:[ \t]*\n|\Z)")
_META_FIELD = re.compile(r"^(?P<name>[A-Za-z][\w-]*):[ \t]*(?P<value>[^\n]*(?:\n {4}[^\n]*)*)", re.MULTILINE)
_META_NAMES = frozenset(
    "title subtitle description summary author authors date tags template hide keywords icon status".split()
)
_FIRST_HEADING = re.compile(r"^[ ]{0,3}#[ \t]+\S|^\S[^\n]*\n=+[ \t]*$|<h1\b", re.MULTILINE)
_LEFT_OVER = re.compile(r"\{\{(?:[^{}\n]|\{[^{}\n]{0,200}\}){0,500}\}\}|\{#(?:[ \n-])[^{}#]{0,2000}#\}")
_MAX_VARIABLES = 2000


class MkDocsParser(MarkdownParser):
    """The `Parser` of a MkDocs site, given as its whole repository or its folder of documents.

    Of a site in several languages, the English one is taken, else its default one.
    """

    flavor: ClassVar[Flavor] = Flavor(slugger=PythonMarkdownSlugger, definition_lists=True)
    directory_urls: ClassVar[bool] = True

    def __init__(self) -> None:
        self._site = PerSource(lambda paths, read: read_site(paths, read, self.docs_root))

    def parse(self, path: str, data: bytes, context: ParseContext) -> ParsedPage | None:
        self._site.open(context)
        return super().parse(path, data, context)

    def root(self, paths: frozenset[str]) -> str:
        return self._site.of(paths).root

    def page_path(self, file: str, paths: frozenset[str]) -> str | None:
        site = self._site.of(paths)
        is_part = any(len(base) > len(site.root) and file.startswith(base) for base in site.bases)
        if is_part or site.is_excluded(file.removeprefix(site.root)):
            return None
        path = super().page_path(file, paths)
        suffix = site.suffix(file)
        return path.removesuffix(f".{suffix}").removesuffix("/index") if path and suffix else path

    def front_matter(self, text: str, path: str, context: ParseContext) -> tuple[FrontMatter, str]:
        """The fields in YAML or as MultiMarkdown has them; the title is that of the navigation where there is none."""
        front_matter, body = super().front_matter(text, path, context)
        if not front_matter.fields and (match := _META.match(body)):
            fields = {field["name"].casefold(): field["value"].strip() for field in _META_FIELD.finditer(match[0])}
            if next(iter(fields)) in _META_NAMES:
                front_matter, body = FrontMatter(fields), body[match.end() :]
        title = self._site.of(context.paths).titles.get(path)
        if title and not front_matter.text("title") and not _has_first_heading(body):
            front_matter = FrontMatter({**front_matter.fields, "title": title}, front_matter.warnings)
        return front_matter, body

    def prepare(
        self, text: str, path: str, front_matter: FrontMatter, context: ParseContext
    ) -> tuple[str, tuple[str, ...]]:
        site = self._site.of(context.paths)
        snippets = Snippets(path, tuple(_bases(site)), context)
        text = snippets.resolve(text)
        if "{{" in text or "{%" in text or "{#" in text:
            text = resolve_liquid(text, _variables(site, front_matter), lambda include: None)
            text = "".join(part if is_code else _LEFT_OVER.sub("", part) for part, is_code in split_code(text))
        text = resolve_marks(without_attributes(resolve_blocks(text)))
        has_objects = any(site.has(plugin) for plugin in ("autorefs", "mkdocstrings"))
        return with_cross_references(text, all_names=has_objects), snippets.warnings

    def aliases(self, path: str, page_path: str, front_matter: FrontMatter) -> tuple[str, ...]:
        """Old paths from the redirects of the configuration, and from `redirect_from`."""
        site = self._site.value or MkDocsSite()
        others = (*site.aliases.get(path, ()), *super().aliases(path, page_path, front_matter))
        return tuple(dict.fromkeys(other for other in others if other and other != page_path))


def _has_first_heading(body: str) -> bool:
    return any(not is_code and _FIRST_HEADING.search(part) for part, is_code in split_code(body))


def _bases(site: MkDocsSite) -> Iterator[str]:
    """The folders in which paths of snippets begin."""
    yield from (*site.bases, site.project, site.root, f"{site.project}includes/", f"{site.root}includes/")


def _variables(site: MkDocsSite, front_matter: FrontMatter) -> Mapping[str, str]:
    """The values of templates by their dotted names: of the page, of the configuration, and of its `extra` alone."""
    extra = site.fields.get("extra")
    fields = {name: value for name, value in site.fields.items() if name not in ("extra", "nav", "theme", "plugins")}
    found = [
        *_flattened(extra, ""),
        *_flattened(extra, "extra."),
        *_flattened(extra, "config.extra."),
        *_flattened(fields, "config."),
        *_flattened(front_matter.fields, ""),
        *_flattened(front_matter.fields, "page.meta."),
        ("page.title", front_matter.text("title") or ""),
    ]
    return dict(found)


def _flattened(value: object, prefix: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    for name, part in list(value.items())[:_MAX_VARIABLES] if isinstance(value, Mapping) else ():
        if isinstance(part, str):
            yield f"{prefix}{name}", part
        elif depth < 4:
            yield from _flattened(part, f"{prefix}{name}.", depth + 1)
