"""Documentation for Hugo: shortcodes, content in several languages, page bundles, front matter that moves pages."""

import posixpath
import re
from collections.abc import Mapping
from typing import ClassVar

from docs_search.documents import ParseContext, ParsedPage
from docs_search.parsing.dialects.hugo.content import HugoContent
from docs_search.parsing.dialects.hugo.site import published_path, read_site
from docs_search.parsing.markdown.attribute_lists import without_attributes
from docs_search.parsing.markdown.code_regions import split_code
from docs_search.parsing.markdown.flavor import Flavor
from docs_search.parsing.markdown.front_matter import FrontMatter
from docs_search.parsing.markdown.parser import MarkdownParser
from docs_search.parsing.markdown.per_source import PerSource
from docs_search.parsing.text.slugs import HugoSlugger

_REFS = re.compile(r"\]\(ref:(?P<name>[\w.-]+)(?P<fragment>#[^)\s]*)?\)")
_VERSION_PLACE = re.compile(r"(?<=/)<[A-Z][A-Z0-9_ ]{0,40}VERSION>")


class HugoParser(MarkdownParser):
    """The `Parser` of a Hugo site, given as its whole repository, its content folder or a folder in that.

    One language is taken: English, else the site's default, else all of the content.
    """

    flavor: ClassVar[Flavor] = Flavor(slugger=HugoSlugger, definition_lists=True)
    directory_urls: ClassVar[bool] = True

    def __init__(self) -> None:
        self._site = PerSource(lambda paths, read: read_site(paths, read, self.docs_root))

    def is_page(self, path: str) -> bool:
        """Markdown files that are no partials; where they have to be depends on the site."""
        folder, name = posixpath.split(path)
        return super().is_page(posixpath.join(folder, re.sub(r"\A_index\b", "index", name)))

    def parse(self, path: str, data: bytes, context: ParseContext) -> ParsedPage | None:
        self._site.open(context)
        return super().parse(path, data, context)

    def root(self, paths: frozenset[str]) -> str:
        return self._site.of(paths).root

    def page_path(self, file: str, paths: frozenset[str]) -> str | None:
        return self._site.of(paths).pages.get(file) if self.is_page(file) else None

    def file_of(self, path: str) -> str | None:
        site = self._site.value
        if site is None:
            return None
        path = path.removeprefix(site.root).strip("/")
        return site.files.get(published_path("index" if path in ("", ".") else path))

    def front_matter(self, text: str, path: str, context: ParseContext) -> tuple[FrontMatter, str]:
        """The fields, with `linkTitle` in place of a title that is missing."""
        front_matter, body = super().front_matter(text, path, context)
        fields = front_matter.fields
        if not front_matter.text("title") and (title := front_matter.text("linkTitle")):
            front_matter = FrontMatter({**fields, "title": title}, front_matter.warnings)
        return front_matter, body

    def prepare(
        self, text: str, path: str, front_matter: FrontMatter, context: ParseContext
    ) -> tuple[str, tuple[str, ...]]:
        content = HugoContent(path, front_matter, self._site.of(context.paths), context)
        text = _with_refs(content.resolve(text), front_matter)
        return _with_version(without_attributes(text), context.version), content.warnings

    def aliases(self, path: str, page_path: str, front_matter: FrontMatter) -> tuple[str, ...]:
        """Old paths from `aliases`, those without a slash relative to the folder of the page."""
        folder = posixpath.dirname(page_path)
        others = []
        for alias in front_matter.texts("aliases"):
            other = alias if alias.startswith("/") else posixpath.join("/", folder, alias)
            others.append(posixpath.normpath(other).strip("/").removesuffix("/index.html").removesuffix(".html"))
        return tuple(dict.fromkeys(other for other in others if other and other != page_path))


def _with_version(text: str, version: str) -> str:
    """Addresses with a place for a version (`/docs/<PRODUCT_VERSION>/`) lead into this one."""
    if "VERSION>" not in text:
        return text
    parts = (part if is_code else _VERSION_PLACE.sub(version or "latest", part) for part, is_code in split_code(text))
    return "".join(parts)


def _with_refs(text: str, front_matter: FrontMatter) -> str:
    """Links to `ref:name` lead to the first destination that the front matter's `refs` give the name."""
    refs = front_matter.fields.get("refs")
    if not isinstance(refs, Mapping) or "(ref:" not in text:
        return text

    def target(match: re.Match[str]) -> str:
        choices = refs.get(match["name"])
        first = choices[0] if isinstance(choices, list) and choices else None
        destination = first.get("destination") if isinstance(first, Mapping) else None
        return f"]({destination}{match['fragment'] or ''})" if isinstance(destination, str) else match[0]

    return _REFS.sub(target, text)
