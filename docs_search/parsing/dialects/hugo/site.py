"""What a Hugo site publishes of a source: its content folder, its language, and the path of every page."""

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from docs_search.parsing.dialects.site_fields import read_fields, text_at
from docs_search.parsing.markdown.front_matter import FrontMatter, split_front_matter
from docs_search.parsing.text.decoding import decode

MARKDOWN = (".md", ".markdown")

_LANGUAGE_CODES = frozenset(
    "af ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl he hi hr hu hy id is it ja ka kk km ko lt lv "
    "mk ml mn mr ms my nb ne nl nn no pa pl pt ro ru si sk sl sq sr sv sw ta te th tl tr uk ur uz vi zh".split()
)
_REGION = re.compile(r"[-_][A-Za-z]{2,4}\Z")
_CONFIGURATION_FOLDERS = ("", "config/_default/")
_CONFIGURATION_NAMES = ("hugo", "config", "params", "languages")
_CONFIGURATION_EXTENSIONS = (".toml", ".yaml", ".yml", ".json")
_MAX_HEAD = 8_000  # characters of a document in which the fields that move or hide it are looked for
_MOVES = re.compile(r"""^[ \t]*+["']?(?:url|slug|draft|headless|_?build)\b""", re.MULTILINE)
_INDEX = re.compile(r"\A_index\b")
_BLANKS = re.compile(r"\s+")
_HYPHENS = re.compile(r"-{2,}")

Read = Callable[[str], bytes | None]


@dataclass(frozen=True, slots=True)
class HugoSite:
    """`content` is the content folder, `root` the part of it that is in the language that is taken, both as prefixes.

    `pages` gives the published path of every page by its file, `files` the file by the path; `named` are all files of
    the source by their names.
    """

    project: str
    content: str
    root: str
    parameters: Mapping[str, object]
    pages: Mapping[str, str]
    files: Mapping[str, str]
    named: Mapping[str, tuple[str, ...]]

    def parameter(self, name: str) -> str | None:
        """A parameter of the site by its dotted name; Hugo reads names in any case."""
        return text_at(self.parameters, name)


def read_site(paths: frozenset[str], read: Read, docs_root: str = "") -> HugoSite:
    """The site that the files of a source make; `docs_root` takes the place of a content folder that is missing."""
    content = _content_folder(paths) or docs_root
    project = content.removesuffix("content/") if content.endswith("content/") else ""
    configuration = _configuration(project, paths, read)
    languages = configuration.get("languages")
    languages = languages if isinstance(languages, Mapping) else {}
    default = str(configuration.get("defaultcontentlanguage") or "en").casefold()
    root = _language_root(project, content, paths, languages, default)
    pages = _pages(root, paths, read, {*map(str, languages), *_LANGUAGE_CODES}, default)
    files: dict[str, str] = {}
    for file, path in pages.items():
        files.setdefault(path, file)
    named: dict[str, list[str]] = {}
    for file in sorted(paths):
        named.setdefault(posixpath.basename(file), []).append(file)
    parameters = configuration.get("params")
    return HugoSite(
        project,
        content,
        root,
        parameters if isinstance(parameters, Mapping) else {},
        {file: path for file, path in pages.items() if files[path] == file},
        files,
        {name: tuple(found) for name, found in named.items()},
    )


def published_path(path: str) -> str:
    """A path as Hugo writes it into addresses: lower case, hyphens for blanks."""
    return _HYPHENS.sub("-", _BLANKS.sub("-", path.strip().lower()))


def _content_folder(paths: frozenset[str]) -> str:
    """The folder `content` with the most Markdown that is not inside a theme; `docs/sources` takes its place."""
    counts: dict[str, int] = {}
    for path in paths:
        if not path.endswith(MARKDOWN):
            continue
        parts = path.split("/")[:-1]
        if "content" in parts and not {"themes", "exampleSite", "node_modules"} & set(parts):
            folder = "/".join(parts[: parts.index("content") + 1]) + "/"
            counts[folder] = counts.get(folder, 0) + 1
    if counts:
        return min(counts, key=lambda folder: (-counts[folder], folder))
    return "docs/sources/" if any(path.startswith("docs/sources/") for path in paths) else ""


def _configuration(project: str, paths: frozenset[str], read: Read) -> Mapping[str, object]:
    """The fields of the site's files of configuration, those of the top level by their names in lower case."""
    merged: dict[str, object] = {}
    for folder in _CONFIGURATION_FOLDERS:
        for name in _CONFIGURATION_NAMES:
            for extension in _CONFIGURATION_EXTENSIONS:
                path = f"{project}{folder}{name}{extension}"
                data = read(path) if path in paths else None
                if data is None:
                    continue
                fields: Mapping[str, object] = read_fields(data, extension)
                if name in ("params", "languages"):
                    fields = {name: fields}
                merged.update({key.casefold(): value for key, value in fields.items()})
    return merged


def _language_root(
    project: str, content: str, paths: frozenset[str], languages: Mapping[object, object], default: str
) -> str:
    """The folder of the language that is taken: English, else the site's default, else all of the content."""
    top = {path[len(content) :].split("/", 1)[0] for path in paths if path.startswith(content) and "/" in path}
    for language in ("en", default):
        settings = languages.get(language)
        folder = text_at(settings, "contentDir") if isinstance(settings, Mapping) else None
        candidates = [f"{project}{folder.strip('/')}/"] if folder else []
        names = [name for name in sorted(top) if _REGION.sub("", name.lower()) == language and _is_language(name)]
        candidates += [f"{content}{name}/" for name in sorted(names, key=len)]
        for candidate in candidates:
            if any(path.startswith(candidate) for path in paths):
                return candidate
    return content


def _is_language(name: str) -> bool:
    return _REGION.sub("", name).lower() in _LANGUAGE_CODES


def _pages(root: str, paths: frozenset[str], read: Read, languages: set[str], default: str) -> Mapping[str, str]:
    """The published path of each page, those in the language that is taken first."""
    bundles = {
        posixpath.dirname(path)
        for path in paths
        if _language_and_stem(path, languages)[1] == "index" and path.endswith(MARKDOWN) and path.startswith(root)
    }
    documents = [(path, *_language_and_stem(path, languages)) for path in sorted(paths) if _is_document(path, root)]
    taken = "en" if any(language == "en" for _, language, _ in documents) else default
    ranked = sorted(documents, key=lambda document: document[1] != taken)
    pages: dict[str, str] = {}
    for file, language, stem in ranked:
        if language not in (taken, None) or (language is None and taken != default):
            continue
        if not _is_resource(file, stem, bundles):
            path = _path_of(file.removeprefix(root), stem, _front_matter(file, read))
            if path is not None:
                pages[file] = path
    return pages


def _is_document(path: str, root: str) -> bool:
    """Markdown that is no partial, below the root."""
    if not path.startswith(root) or not path.endswith(MARKDOWN):
        return False
    *folders, name = path.removeprefix(root).split("/")
    return not any(part.startswith(("_", ".")) for part in (*folders, _INDEX.sub("index", name)))


def _language_and_stem(path: str, languages: set[str]) -> tuple[str | None, str]:
    """The language that a file's name ends with, as in `page.fr.md`, and the name without it."""
    stem = posixpath.splitext(posixpath.basename(path))[0]
    name, dot, language = stem.rpartition(".")
    if dot and (language in languages or (_REGION.search(language) and _is_language(language))):
        return language.lower(), name
    return None, stem


def _is_resource(file: str, stem: str, bundles: set[str]) -> bool:
    """Whether a file belongs to a page, the `index.md` of its folder or of one above, and is none itself."""
    folders = list(_ancestors(posixpath.dirname(file)))
    if stem == "index":
        folders = folders[1:]
    return any(folder in bundles for folder in folders)


def _ancestors(folder: str) -> Iterator[str]:
    while True:
        yield folder
        if not folder:
            return
        folder = posixpath.dirname(folder)


def _front_matter(file: str, read: Read) -> FrontMatter:
    """The fields of a document, read only where they may move or hide it."""
    data = read(file) or b""
    head = decode(data[:_MAX_HEAD])[0]
    return split_front_matter(head)[0] if _MOVES.search(head) else FrontMatter()


def _path_of(file: str, stem: str, front_matter: FrontMatter) -> str | None:
    """The path that a file is published under, or None where it is hidden."""
    if any(str(front_matter.fields.get(name)).casefold() == "true" for name in ("draft", "headless")):
        return None
    build = front_matter.fields.get("_build") or front_matter.fields.get("build")
    if isinstance(build, Mapping) and str(build.get("render")).casefold() in ("never", "false"):
        return None
    url = front_matter.text("url")
    if url and ":" not in url:
        return published_path(url.removesuffix("/index.html").strip("/")) or "index"
    folder = posixpath.dirname(file)
    slug = (front_matter.text("slug") or "").strip("/")
    if stem in ("index", "_index"):
        if slug and stem == "index":
            folder = posixpath.join(posixpath.dirname(folder), slug)
        return published_path(folder) or "index"
    return published_path(posixpath.join(folder, slug or stem))
