"""How the Tiger docs are published from their repository: which file is behind which address, and which pages are made.

The navigation (`{folder}/page-index/page-index.js`) decides. Addresses follow it, while files may lie flat in the first
folder. Pages that it calls placeholders have no file: they are put together from `_troubleshooting` and
`api/_hyperfunctions`. Such a page is parsed where the first of its files is, its host.
"""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass

from docs_search.documents import ParseContext
from docs_search.parsing.dialects.mdx.javascript import entries, literal
from docs_search.parsing.markdown.front_matter import FrontMatter, split_front_matter
from docs_search.parsing.text.decoding import decode

INDEX = "page-index/page-index.js"
TROUBLESHOOTING = "_troubleshooting/"
HYPERFUNCTIONS = "api/_hyperfunctions/"
MAX_NAVIGATION = 20_000
MAX_REDIRECTS = 5

_TOPIC_FOLDERS = {"jobs": "user-defined-actions", "queries": "query-data", "query": "query-data"}
_CONSOLE_PATHS = re.compile(r"^cloud_ui:[ \t]*\n(?:[ \t]+[^\n]*\n)+", re.MULTILINE)
_VERSION_SEGMENTS = frozenset({"latest", ":currentVersion:", ":version:"})


@dataclass(frozen=True, slots=True)
class NavigationEntry:
    """One page of the navigation: its address without `latest`, and what stands there about it."""

    path: str
    title: str | None
    excerpt: str | None
    kind: str
    file: str | None = None


def without_version(path: str) -> str:
    """The path of a page from that of an address: without the version behind the first folder, and without slashes."""
    parts = [part for part in path.split("/") if part]
    if len(parts) > 1 and parts[1] in _VERSION_SEGMENTS:
        del parts[1]
    return "/".join(parts)


def without_console_paths(text: str) -> str:
    """A document without the paths of the console in its front matter: `:serviceId` there is no YAML."""
    return _CONSOLE_PATHS.sub("", text, count=1)


class TigerSite:
    """What one version of the repository publishes."""

    def __init__(self, context: ParseContext) -> None:
        self._context = context
        self._paths = context.paths
        self.pages: dict[str, NavigationEntry] = {}
        self._page_of: dict[str, str] = {}
        self._aliases: dict[str, list[str]] = {}
        self._parts: dict[str, tuple[str, ...]] = {}
        self._redirects: dict[str, str] = {}
        for index in sorted(path for path in self._paths if path.count("/") == 2 and path.endswith(f"/{INDEX}")):
            data = context.read(index)
            self._walk(literal(decode(data)[0]) if data else None, "")
        self._add_generated()

    def page_path(self, file: str) -> str | None:
        """The path under which a file is published, or None where it is none or only part of other pages."""
        if (page := self._page_of.get(file)) is not None:
            return page
        folder, name = posixpath.split(file)
        stem = posixpath.splitext(name)[0]
        if not folder or any(part.startswith(("_", ".", "OLD")) for part in (*folder.split("/"), stem)):
            return None
        path = folder if stem == "index" else f"{folder}/{stem}"
        return None if path in self.pages and self.pages[path].file not in (None, file) else path

    def file_of(self, path: str) -> str | None:
        """The file that is published under a path, or under the first page below it that it redirects to."""
        for _ in range(MAX_REDIRECTS):
            path = self._redirects.get(path, path)
        entry = self.pages.get(path)
        if entry is not None and entry.file is not None:
            return entry.file
        for candidate in (f"{path}.md", f"{path}.mdx", f"{path}/index.md"):
            if candidate in self._paths and self.page_path(candidate) is not None:
                return candidate
        return None

    def parts_of(self, file: str) -> tuple[str, ...]:
        """The files that the page of a host is put together from; none for other files."""
        return self._parts.get(file, ())

    def aliases(self, file: str) -> tuple[str, ...]:
        """Other paths of a file's page: further places in the navigation, and where the file lies."""
        return tuple(self._aliases.get(file, ()))

    def read(self, file: str) -> tuple[FrontMatter, str]:
        """A file of the repository, in its parts."""
        return split_front_matter(without_console_paths(decode(self._context.read(file) or b"")[0]))

    def _walk(self, navigation: object, parent: str) -> None:
        waiting = [(entry, parent) for entry in entries(navigation)]
        while waiting and len(self.pages) < MAX_NAVIGATION:
            entry, parent = waiting.pop(0)
            href = entry.get("href")
            if not isinstance(href, str) or not href.strip("/") or "://" in href:
                continue
            path = f"{parent}/{href.strip('/')}".strip("/")
            kind, title, excerpt = (_text(entry.get(name)) for name in ("type", "title", "excerpt"))
            file = self._file(path) if kind != "placeholder" else None
            if file in self._page_of:
                self._redirects.setdefault(path, self._page_of[file])
                self._aliases.setdefault(file, []).append(path)
                file = None
            elif file is not None:
                self._page_of[file] = path
                self._note_place(file, path)
            if path not in self._redirects:
                self.pages.setdefault(path, NavigationEntry(path, title, excerpt, kind or "", file))
            children = entries(entry.get("children"))
            if file is None and kind != "placeholder" and children:
                first = _text(children[0].get("href"))
                if first:
                    self._redirects.setdefault(path, f"{path}/{first.strip('/')}")
            waiting[:0] = [(child, path) for child in children]

    def _file(self, path: str) -> str | None:
        """The file of a page: where its path says, or by its name in a folder above."""
        folder, name = posixpath.split(path)
        for candidate in (f"{path}.md", f"{path}/index.md", f"{path}.mdx"):
            if candidate in self._paths:
                return candidate
        while folder:
            if (candidate := f"{folder}/{name}.md") in self._paths:
                return candidate
            folder = posixpath.dirname(folder)
        return None

    def _note_place(self, file: str, path: str) -> None:
        stem = posixpath.splitext(file)[0].removesuffix("/index")
        if stem != path:
            self._aliases.setdefault(file, []).append(stem)

    def _add_generated(self) -> None:
        found: list[tuple[str, tuple[str, ...]]] = []
        troubles = {
            file: self.read(file)[0]
            for file in sorted(self._paths)
            if file.startswith(TROUBLESHOOTING) and _is_text(file)
        }
        functions = sorted(file for file in self._paths if file.startswith(HYPERFUNCTIONS) and _is_text(file))
        families = {file: self.read(file)[0] for file in functions if "/" not in file.removeprefix(HYPERFUNCTIONS)}
        for entry in self.pages.values():
            if entry.kind != "placeholder":
                continue
            name = posixpath.basename(entry.path)
            if name == "troubleshooting":
                parts = tuple(file for file, fields in troubles.items() if _is_about(file, fields, entry.path))
            else:
                parts = _function_files(name, functions, families)
            if parts:
                found.append((entry.path, parts))
        for path, parts in sorted(found, key=lambda page: (len(page[1]), page[0])):
            host = next((file for file in parts if file not in self._parts), None)
            if host is None:
                continue
            entry = self.pages[path]
            self._parts[host] = parts
            self._page_of[host] = path
            self.pages[path] = NavigationEntry(path, entry.title, entry.excerpt, entry.kind, host)


def _is_text(file: str) -> bool:
    return file.endswith((".md", ".mdx"))


def _text(value: object) -> str | None:
    return " ".join(value.split()) or None if isinstance(value, str) else None


def _is_about(file: str, fields: FrontMatter, page: str) -> bool:
    """Whether an entry of `_troubleshooting` belongs on a page called `…/troubleshooting`."""
    section, _, topic = posixpath.dirname(page).partition("/")
    folder = posixpath.dirname(file.removeprefix(TROUBLESHOOTING))
    if not topic:
        return folder == section
    products = fields.texts("products")
    if folder == "mst" or (section != "self-hosted" and products == ["self_hosted"]):
        return False
    topics = [name.casefold().replace(" ", "-") for name in fields.texts("topics")]
    return any(f"/{topic}".endswith(f"/{_TOPIC_FOLDERS.get(name, name)}") for name in topics)


def _function_files(name: str, files: list[str], families: Mapping[str, FrontMatter]) -> tuple[str, ...]:
    """The files of a group of hyperfunctions: its introduction, its functions, its examples."""
    folder = f"{HYPERFUNCTIONS}{name}/"
    found = [file for file in files if file.startswith(folder)]
    if not found:
        family = name.replace("-", " ")
        intro = f"{HYPERFUNCTIONS}{name}-intro.md"
        found = [file for file, fields in families.items() if file == intro or _family_of(fields) == family]
    main = f"{folder}{name}.md"

    def place(file: str) -> tuple[int, str]:
        stem = posixpath.splitext(posixpath.basename(file))[0]
        return (0 if stem.endswith("intro") else 1 if file == main else 3 if stem == "examples" else 2, file)

    return tuple(sorted(found, key=place))


def _family_of(fields: FrontMatter) -> str | None:
    value = fields.fields.get("hyperfunction")
    family = value.get("family") if isinstance(value, dict) else None
    return family.casefold() if isinstance(family, str) else None
