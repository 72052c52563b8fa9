"""How Docusaurus publishes a folder of documents: https://docusaurus.io/docs/create-doc."""

import posixpath
import re
from functools import cached_property

from docs_search.documents import ParseContext
from docs_search.parsing.dialects.mdx.imports import MARKDOWN
from docs_search.parsing.markdown.front_matter import FrontMatter, split_front_matter
from docs_search.parsing.text.decoding import decode

ROOTS = ("docs/", "website/docs/", "")

_NUMBER = re.compile(r"\d+\s*[-_.]+\s*(?P<rest>[^-_.\s].*)", re.DOTALL)
_DATE_OR_VERSION = re.compile(r"\d+[-_.]\d")
_VERSIONED = re.compile(r"(?P<root>(?:.*/)?versioned_docs/version-(?P<version>[^/]+)/)")


def without_number(name: str) -> str:
    """A name without the number in front that orders it: `01-intro` is `intro`, but `2024-10-23` stays."""
    match = _NUMBER.fullmatch(name)
    return match["rest"] if match and not _DATE_OR_VERSION.match(name) else name


class DocusaurusSite:
    """One version of a site."""

    def __init__(self, context: ParseContext, docs_root: str) -> None:
        self._context = context
        self.root = self._find_root(docs_root)
        self.folder = posixpath.dirname(re.sub(r"versioned_docs/.*", "", self.root).rstrip("/"))
        self._pages: dict[str, str | None] = {}

    def page_path(self, file: str) -> str | None:
        """The path under which a file is published; None for a draft, a partial and what lies elsewhere."""
        if file not in self._pages:
            self._pages[file] = self._page_path(file)
        return self._pages[file]

    def file_of(self, path: str) -> str | None:
        """The file that is published under a path."""
        return self._files.get(path.strip("/") or "index")

    def _find_root(self, docs_root: str) -> str:
        version = self._context.version
        roots = {match["version"]: match["root"] for path in self._context.paths if (match := _VERSIONED.match(path))}
        if root := roots.get(version) or roots.get(version.removeprefix("v")) or roots.get(f"v{version}"):
            return root
        if docs_root:
            return docs_root
        found = (
            root for root in ROOTS if any(path.startswith(root) and _is_document(path) for path in self._context.paths)
        )
        return next(found, "")

    @cached_property
    def _files(self) -> dict[str, str]:
        files: dict[str, str] = {}
        for file in sorted(self._context.paths):
            if file.startswith(self.root) and _is_document(file) and (path := self.page_path(file)) is not None:
                files.setdefault(path, file)
        return files

    def _page_path(self, file: str) -> str | None:
        if not file.startswith(self.root) or not _is_document(file):
            return None
        fields = self._fields(file)
        if "true" in (fields.text("draft"), fields.text("unlisted")):
            return None
        parts = [without_number(part) for part in posixpath.splitext(file.removeprefix(self.root))[0].split("/")]
        *folders, stem = parts
        slug = fields.text("slug")
        if slug and slug.startswith("/"):
            return slug.strip("/") or "index"
        if not slug and (stem.casefold() in ("index", "readme") or folders[-1:] == [stem]):
            return "/".join(folders) or "index"
        name = slug or fields.text("id") or stem
        return posixpath.normpath(posixpath.join("/", *folders, name)).strip("/") or "index"

    def _fields(self, file: str) -> FrontMatter:
        data = self._context.read(file)
        return split_front_matter(decode(data)[0])[0] if data else FrontMatter()


def _is_document(path: str) -> bool:
    return path.lower().endswith(MARKDOWN) and not any(part.startswith(("_", ".")) for part in path.split("/"))
