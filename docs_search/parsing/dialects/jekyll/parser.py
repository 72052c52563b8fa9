"""Documentation for Jekyll: Liquid templates with their includes, kramdown, collections, posts and permalinks."""

import posixpath
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from docs_search.documents import ParseContext, ParsedPage
from docs_search.parsing.dialects.jekyll.boxes import with_boxes
from docs_search.parsing.dialects.jekyll.liquid import Include, expand, resolve_liquid
from docs_search.parsing.dialects.jekyll.site import SPECIAL_FOLDERS, JekyllSite, post_title, read_site
from docs_search.parsing.markdown.attribute_lists import without_attributes
from docs_search.parsing.markdown.boxes import ADMONITIONS, admonition, label_of
from docs_search.parsing.markdown.file_includes import FileIncludes
from docs_search.parsing.markdown.flavor import Flavor
from docs_search.parsing.markdown.front_matter import FrontMatter
from docs_search.parsing.markdown.parser import MarkdownParser
from docs_search.parsing.markdown.per_source import PerSource
from docs_search.parsing.text.slugs import KramdownSlugger, Slugger

_TEXT_ARGUMENTS = ("content", "text", "message", "caption", "alt", "title")


@dataclass(frozen=True, slots=True)
class Templates:
    """Resolves the templates of one document. `include` gives what takes the place of an include."""

    path: str
    paths: frozenset[str]
    site: JekyllSite
    variables: Mapping[str, str]
    files: FileIncludes
    include: Callable[[Include, "Templates"], str | None]

    def resolve(self, text: str) -> str:
        """Markdown without templates."""
        return resolve_liquid(text, self.variables, lambda tag: self.include(tag, self))

    def file(self, path: str, arguments: Mapping[str, str], *, snippet: str | None = None) -> str:
        """The content of a file, or its named part, to which the arguments of its include are known."""
        values = {**self.variables, **{f"include.{name}": value for name, value in arguments.items()}}
        return self.files.text(path, snippet, lambda part: expand(part, values, lambda tag: self.include(tag, self)))


class JekyllParser(MarkdownParser):
    """The `Parser` of a Jekyll site, given as its whole repository or its folder of documents."""

    flavor: ClassVar[Flavor] = Flavor(definition_lists=True)

    def __init__(self) -> None:
        self._site = PerSource(lambda paths, read: read_site(paths, read, self.docs_root))

    def is_page(self, path: str) -> bool:
        """Markdown files that are no partials; which collections are published depends on the site."""
        *folders, name = path.split("/")
        if any(folder in SPECIAL_FOLDERS or folder == "vendor" for folder in folders):
            return False
        folders = [folder.removeprefix("_") for folder in folders]
        return super().is_page(posixpath.join(*folders, name))

    def parse(self, path: str, data: bytes, context: ParseContext) -> ParsedPage | None:
        self._site.open(context)
        return super().parse(path, data, context)

    def slugger(self) -> Slugger:
        return KramdownSlugger() if self._site.value and self._site.value.is_plain_kramdown else super().slugger()

    def root(self, paths: frozenset[str]) -> str:
        return self._site.of(paths).root

    def page_path(self, file: str, paths: frozenset[str]) -> str | None:
        return self._site.of(paths).pages.get(file) if self.is_page(file) else None

    def file_of(self, path: str) -> str | None:
        if self._site.value is None:
            return None
        site = self._site.value
        return site.files.get(path.removeprefix(site.root).strip("/").removesuffix(".html") or "index")

    def front_matter(self, text: str, path: str, context: ParseContext) -> tuple[FrontMatter, str]:
        """The fields, with a title made from the name of a post where there is none."""
        front_matter, body = super().front_matter(text, path, context)
        if not front_matter.text("title") and (title := post_title(path)) is not None:
            front_matter = FrontMatter({**front_matter.fields, "title": title}, front_matter.warnings)
        return front_matter, body

    def prepare(
        self, text: str, path: str, front_matter: FrontMatter, context: ParseContext
    ) -> tuple[str, tuple[str, ...]]:
        variables = self.variables(path, front_matter, context)
        templates = Templates(
            path, context.paths, self._site.of(context.paths), variables, FileIncludes(context, path), self.include
        )
        return without_attributes(templates.resolve(with_boxes(text))), tuple(templates.files.warnings)

    # What builds on it changes

    def variables(self, path: str, front_matter: FrontMatter, context: ParseContext) -> dict[str, str]:
        """The values that templates can name."""
        return {
            **self._site.of(context.paths).variables(),
            **{f"page.{name}": value for name, value in front_matter.fields.items() if isinstance(value, str)},
        }

    def include(self, tag: Include, templates: Templates) -> str | None:
        """What takes the place of an include or a link; None where it is unknown."""
        site = templates.site
        if tag.name in ("link", "post_url"):
            return _address(tag, templates.path, site)
        stem = posixpath.splitext(posixpath.basename(tag.target))[0].lower()
        words = next((tag.arguments[name] for name in _TEXT_ARGUMENTS if tag.arguments.get(name)), "")
        if stem in ADMONITIONS and words:
            return f"\n\n{admonition(tag.arguments.get('title') or label_of(stem), words)}\n\n"
        is_relative = tag.name == "include_relative"
        folder = posixpath.dirname(templates.path) if is_relative else f"{site.root}_includes"
        file = posixpath.normpath(posixpath.join(folder, tag.target))
        if not is_relative and file not in templates.paths:  # it may be the theme's
            return words or None
        return templates.file(file, tag.arguments)


def _address(tag: Include, path: str, site: JekyllSite) -> str | None:
    """The file that a link names, as seen from the file with the link."""
    target = posixpath.normpath(tag.target.strip("/"))
    if tag.name == "post_url":
        named = (
            file for file in site.pages if "_posts/" in file and posixpath.splitext(file)[0].endswith(f"/{target}")
        )
        file = next(named, None)
    else:
        file = f"{site.root}{target}"
    return None if file is None else posixpath.relpath(file, posixpath.dirname(path) or ".")
