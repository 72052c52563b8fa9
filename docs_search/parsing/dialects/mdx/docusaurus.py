"""Docusaurus: MDX with admonitions, paths from front matter, and several versions in one repository."""

import posixpath
import re
from urllib.parse import unquote, urlsplit

from docs_search.documents import ParseContext
from docs_search.parsing.dialects.mdx.docusaurus_site import DocusaurusSite, without_number
from docs_search.parsing.dialects.mdx.imports import MARKDOWN, Module, imported_file
from docs_search.parsing.dialects.mdx.parser import MdxParser, has_title
from docs_search.parsing.markdown.front_matter import FrontMatter

_MDX_FENCE = re.compile(
    r"^[ \t]*```mdx-code-block[ \t]*\n(?P<mdx>(?:(?![ \t]*```)[^\n]*\n)*)[ \t]*```[ \t]*$", re.MULTILINE
)


class DocusaurusParser(MdxParser):
    """The `Parser` of a Docusaurus site, given as its repository or as the folder of its documents.

    The documents of the corpus's version come from `versioned_docs/version-…` where the site keeps it there, else from
    `docs`.
    """

    def __init__(self) -> None:
        self._site: DocusaurusSite | None = None
        self._site_of: ParseContext | None = None

    def root(self, paths: frozenset[str]) -> str:
        return self._site.root if self._site is not None else ""

    def page_path(self, file: str, paths: frozenset[str]) -> str | None:
        return self._site.page_path(file) if self._site is not None and self.is_page(file) else None

    def file_of(self, path: str) -> str | None:
        if self._site is None or not path.startswith(self._site.root):
            return None
        return self._site.file_of(path.removeprefix(self._site.root))

    def front_matter(self, text: str, path: str, context: ParseContext) -> tuple[FrontMatter, str]:
        """With the label of the sidebar, or the file's name, as title where the document has none."""
        self._site_for(context)
        front_matter, body = super().front_matter(text, path, context)
        if front_matter.text("title") or has_title(body):
            return front_matter, body
        stem = without_number(posixpath.splitext(posixpath.basename(path))[0])
        if stem.casefold() in ("index", "readme"):
            stem = without_number(posixpath.basename(posixpath.dirname(path))) or "overview"
        title = front_matter.text("sidebar_label") or " ".join(stem.replace("-", " ").replace("_", " ").split())
        fields = {**front_matter.fields, "title": title[:1].upper() + title[1:]}
        return FrontMatter(fields, front_matter.warnings), body

    def prepare(
        self, text: str, path: str, front_matter: FrontMatter, context: ParseContext
    ) -> tuple[str, tuple[str, ...]]:
        return super().prepare(_without_mdx_fences(text), path, front_matter, context)

    def partial(self, text: str, path: str, context: ParseContext) -> str:
        return _without_mdx_fences(text)

    def is_mdx(self, path: str, module: Module) -> bool:
        """Braces are expressions in `.md` files, too, where Docusaurus would refuse others."""
        return True

    def link(self, href: str, file: str, page: str, context: ParseContext) -> str:
        """Links to files, from any place where Docusaurus looks for them, and to addresses on the site."""
        parts = _path_of(href)
        if parts is None or parts[0].startswith("//") or not parts[0]:
            return href
        path, rest = parts
        site = self._site_for(context)
        target = self._linked_file(path, file, site, context) or self._linked_page(path, file, site, context)
        if target is None:
            return super().link(href, file, page, context)
        return f"{posixpath.relpath(target, posixpath.dirname(page) or '.')}{rest}"

    def _site_for(self, context: ParseContext) -> DocusaurusSite:
        if self._site is None or self._site_of is not context:
            self._site, self._site_of = DocusaurusSite(context, self.docs_root), context
        return self._site

    def _linked_file(self, path: str, file: str, site: DocusaurusSite, context: ParseContext) -> str | None:
        if not path.lower().endswith(MARKDOWN):
            return None
        if path.startswith(("@site/", "/")):
            return imported_file(path, file, context.paths, f"{site.folder}/" if site.folder else "") or (
                _existing(f"{site.root}{path.lstrip('/')}", context.paths)
            )
        beside = posixpath.normpath(posixpath.join(posixpath.dirname(file), path))
        return _existing(beside, context.paths) or _existing(posixpath.normpath(f"{site.root}{path}"), context.paths)

    def _linked_page(self, path: str, file: str, site: DocusaurusSite, context: ParseContext) -> str | None:
        """The file behind an address, which is relative to the address of the page or begins at the host."""
        if path.startswith("/"):
            base = urlsplit(context.url_for("page")).path.removesuffix("page")
            unversioned = base.replace(f"/{context.version}/", "/") if context.version else base
            for start in (base, unversioned):
                if path.startswith(start) and (target := site.file_of(path.removeprefix(start))):
                    return target
            return None
        page = site.page_path(file)
        if page is None:
            return None
        folder = "" if page == "index" else posixpath.dirname(page)
        for start in (folder, "" if page == "index" else page):
            if target := site.file_of(_normal(posixpath.join(start, path))):
                return target
        return None


def _without_mdx_fences(text: str) -> str:
    """Text with MDX in the place of the fences around it, which hide it from other tools."""
    return _MDX_FENCE.sub(lambda match: match["mdx"], text) if "```mdx-code-block" in text else text


def _path_of(href: str) -> tuple[str, str] | None:
    """The path of a link without scheme and host, and the query and fragment behind it; None for other links."""
    try:
        parts = urlsplit(href)
    except ValueError:
        return None
    if parts.scheme or parts.netloc:
        return None
    return unquote(parts.path), href[len(parts.path) :]


def _existing(path: str, paths: frozenset[str]) -> str | None:
    return path if path in paths else None


def _normal(path: str) -> str:
    path = posixpath.normpath(path)
    return "index" if path == "." else path
