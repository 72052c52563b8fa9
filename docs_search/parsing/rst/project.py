"""The documents of a source as Sphinx publishes them: which are pages, at which paths, and how they are referred to."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass

from docutils.nodes import fully_normalize_name, make_id

from docs_search.documents import ParseContext
from docs_search.parsing.rst.configuration import Configuration, read_configuration
from docs_search.parsing.rst.labels import Labels, find_labels
from docs_search.parsing.rst.snooty import CONFIGURATION, read_constants
from docs_search.parsing.text.decoding import decode

EXTENSIONS = (".rst", ".rest")
TEXT_EXTENSION = ".txt"

_ROOT_DOCUMENTS = ("index", "contents")
_README = "README"
_NO_DOCUMENTS = frozenset({"LICENSE", "LICENCE", "COPYING", "NOTICE", "CODE_OF_CONDUCT", "AUTHORS", "REQUIREMENTS"})


def is_document(path: str) -> bool:
    """Whether a file may be a page, by its name alone: no part of a theme or template, no licence, no build."""
    *folders, name = path.split("/")
    stem, extension = posixpath.splitext(name)
    if extension.lower() not in (*EXTENSIONS, TEXT_EXTENSION) or stem.upper() in _NO_DOCUMENTS:
        return False
    # `.inc` and `.rst.inc` are for inclusion, and so is what some call `.inc.rst`.
    return not stem.endswith(".inc") and not any(part.startswith(("_", ".")) for part in (*folders, stem))


@dataclass(frozen=True, slots=True)
class Reference:
    """Where a label leads: the file, the anchor (empty for the document itself), and the title there, if any."""

    file: str
    anchor: str
    title: str | None


class Project:
    """One source. Its `root` is the folder of the Sphinx configuration, or empty where there is none."""

    def __init__(self, context: ParseContext) -> None:
        self._context = context
        self.paths = context.paths
        self.snooty = _snooty(context.paths)
        self.constants, self.substitutions = (
            ({}, {}) if self.snooty is None else read_constants(context.read(self.snooty) or b"")
        )
        self.root = _root(context.paths) if self.snooty is None else f"{self.snooty.removesuffix(CONFIGURATION)}source/"
        conf = context.read(f"{self.root}conf.py") if f"{self.root}conf.py" in context.paths else None
        self.is_sphinx = conf is not None
        self.configuration = read_configuration(conf) if conf is not None else Configuration()
        # Sphinx's usual builder publishes `a/b.rst` as `a/b.html`, its other one as the folder `a/b/`.
        self._has_html_names = context.url_for("x").endswith(".html")
        self._labels: dict[str, Reference] | None = None
        self._titles: dict[str, str | None] = {}

    def _is_source(self, extension: str) -> bool:
        """Whether files of an extension are documents: those that the configuration names; text if the index is one."""
        if self.snooty is not None:  # its other files are for inclusion
            return extension == TEXT_EXTENSION
        if suffixes := self.configuration.suffixes:
            return extension in suffixes
        return extension != TEXT_EXTENSION or any(
            f"{self.root}{name}{TEXT_EXTENSION}" in self.paths for name in _ROOT_DOCUMENTS
        )

    def page_path(self, file: str) -> str | None:
        """The path under which a file is published, or None where it is no page."""
        if not file.startswith(self.root) or not is_document(file.removeprefix(self.root)):
            return None
        path = file.removeprefix(self.root)
        stem, extension = posixpath.splitext(path)
        if not self._is_source(extension):
            return None
        if any(pattern.fullmatch(path) or pattern.fullmatch(stem) for pattern in self.configuration.excluded):
            return None
        folder, name = posixpath.split(stem)
        if self._has_html_names or not self._is_index(folder, name):
            return stem
        return folder or "index"

    def _is_index(self, folder: str, name: str) -> bool:
        if any(f"{self.root}{folder}{extension}" in self.paths for extension in (*EXTENSIONS, TEXT_EXTENSION)):
            return False
        if name == _README and not self.is_sphinx:
            return all(f"{posixpath.join(self.root, folder, 'index')}{end}" not in self.paths for end in EXTENSIONS)
        return name == "index"

    def url(self, file: str, anchor: str = "") -> str | None:
        """The published address of a file, or None where it is no page."""
        path = self.page_path(file)
        if path is None:
            return None
        return f"{self._context.url_for(path)}#{anchor}" if anchor else self._context.url_for(path)

    def resolve(self, path: str, file: str) -> str:
        """The path of what a document names: from the root with a slash at its start, else from its own folder."""
        folder = self.root if path.startswith("/") else posixpath.dirname(file)
        return posixpath.normpath(posixpath.join(folder, path.lstrip("/")))

    def document(self, name: str, file: str) -> str | None:
        """The file of the document that another one names, with or without its extension."""
        path = self.resolve(name, file)
        candidates = (path, *(f"{path}{extension}" for extension in (*EXTENSIONS, TEXT_EXTENSION)))
        return next((found for found in candidates if found in self.paths and self.page_path(found) is not None), None)

    def title(self, file: str) -> str | None:
        """The title of a document."""
        if file not in self._titles:
            self._titles[file] = self._labels_of(file).title
        return self._titles[file]

    def label(self, name: str) -> Reference | None:
        """Where a label leads in the whole source. All documents are searched for labels at the first call."""
        if self._labels is None:
            self._labels = dict(self._all_labels())
        return self._labels.get(fully_normalize_name(name))

    def _all_labels(self) -> Iterator[tuple[str, Reference]]:
        for file in sorted(self.paths, reverse=True):  # of two documents with one label the first counts
            if self.page_path(file) is not None:
                labels = self._labels_of(file)
                self._titles[file] = labels.title
                for label, title in labels.sections.items():
                    yield label, Reference(file, make_id(label), title)

    def _labels_of(self, file: str) -> Labels:
        return find_labels(decode(self._context.read(file) or b"")[0])


def _snooty(paths: frozenset[str]) -> str | None:
    """The configuration of a project for MongoDB's generator that is nearest to the top, if its documents are there."""
    found = (path for path in paths if path == CONFIGURATION or path.endswith(f"/{CONFIGURATION}"))
    path = min(found, key=_depth, default=None)
    folder = f"{path.removesuffix(CONFIGURATION)}source/" if path else ""
    return path if folder and any(file.startswith(folder) for file in paths) else None


def _root(paths: frozenset[str]) -> str:
    """The folder of the configuration nearest to the top that has an index beside it; empty for the source itself."""
    folders = sorted((path.removesuffix("conf.py") for path in paths if _is_configuration(path)), key=_depth)
    for folder in folders:
        extensions = (*EXTENSIONS, TEXT_EXTENSION, ".md")
        if any(f"{folder}{name}{extension}" in paths for name in _ROOT_DOCUMENTS for extension in extensions):
            return folder
    return ""


def _is_configuration(path: str) -> bool:
    return path == "conf.py" or path.endswith("/conf.py")


def _depth(folder: str) -> tuple[int, str]:
    return folder.count("/"), folder
