"""What documents in MyST Markdown can refer to: titles, labels, and the substitutions of the configuration."""

import ast
import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from docutils.nodes import fully_normalize_name, make_id

from docs_search.documents import ParseContext
from docs_search.parsing.dialects.site_fields import read_fields
from docs_search.parsing.markdown.front_matter import FrontMatter, split_front_matter
from docs_search.parsing.text.decoding import decode
from docs_search.parsing.text.plain_text import plain_text

MAX_CHARACTERS = 1_000_000  # what is longer is not searched for labels

_CONFIGURATIONS = ("conf.py", "myst.yml", "_config.yml", "_toc.yml")
_DOCSETS = ("docset.yml", "_docset.yml")
_LABEL = re.compile(
    r"^[ \t]*\((?P<label>[^()\n]{1,200})\)=[ \t]*\n(?:[ \t]*\n)*(?:#{1,6}[ \t]+(?P<title>[^\n]+))?", re.MULTILINE
)
_NAME = re.compile(r"^[ \t]*:?(?:name|label):[ \t]*(?P<label>[^\s{}\[\]]{1,200})[ \t]*$", re.MULTILINE)
_HEADING = re.compile(r"^#[ \t]+(?P<title>[^\n]+)$", re.MULTILINE)
_SUBSTITUTION = re.compile(r"\{\{[ \t]*(?P<name>[^{}\n]{1,200}?)[ \t]*\}\}")
_ATTRIBUTES = re.compile(r"[ \t]*\{[^{}]*\}[ \t]*$")
_BRACKETED = re.compile(r"[ \t]*\[#?[\w-]+\][ \t]*$")


@dataclass(frozen=True, slots=True)
class Label:
    """Where a label leads: the file, the anchor in it, and the title there, if any."""

    file: str
    anchor: str
    title: str | None


class MystProject:
    """One source. Its `root` is the folder of the configuration."""

    def __init__(self, context: ParseContext, docs_root: str = "") -> None:
        self.paths = context.paths
        self._context = context
        self.root = _root(context.paths, docs_root)
        self.has_html_names = context.url_for("x").endswith(".html")
        self._labels: Mapping[str, Label] | None = None
        self._substitutions: Mapping[str, str] | None = None

    def label(self, name: str) -> Label | None:
        """Where a label leads in the whole source. All documents are searched at the first call."""
        if self._labels is None:
            self._labels = dict(self._all_labels())
        return self._labels.get(fully_normalize_name(name))

    def document(self, name: str, folder: str) -> str | None:
        """The file of a document that is named from a folder, or from the root with a slash at its start."""
        base = self.root if name.startswith("/") else folder
        path = posixpath.normpath(posixpath.join(base, name.lstrip("/")))
        return next(
            (file for file in (path, f"{path}.md", f"{path}.rst", f"{path}/index.md") if file in self.paths), None
        )

    def title(self, file: str) -> str | None:
        """The title of a document in Markdown."""
        front_matter, body = split_front_matter(self._text(file))
        match = _HEADING.search(body)
        values = {**self.substitutions, **page_substitutions(front_matter)}
        title = match["title"] if match else ""
        title = _BRACKETED.sub("", title) if self.has_bracketed_anchors else title
        return front_matter.text("title") or _words(title, values) or None

    @property
    def has_bracketed_anchors(self) -> bool:
        """Whether headings have their anchors in brackets, as those of Elastic's documentation."""
        return any(f"{self.root}{name}" in self.paths for name in _DOCSETS)

    @property
    def substitutions(self) -> Mapping[str, str]:
        """The values of the configuration's substitutions by name."""
        if self._substitutions is None:
            self._substitutions = dict(self._all_substitutions())
        return self._substitutions

    def _text(self, file: str) -> str:
        return decode((self._context.read(file) or b"")[:MAX_CHARACTERS])[0] if file in self.paths else ""

    def _all_labels(self) -> Iterator[tuple[str, Label]]:
        for file in sorted((path for path in self.paths if path.endswith(".md")), reverse=True):
            text = self._text(file)
            for match in _NAME.finditer(text):
                yield fully_normalize_name(match["label"]), Label(file, make_id(match["label"]), None)
            values = self.substitutions
            if "{{" in text:
                values = {**values, **page_substitutions(split_front_matter(text)[0])}
            for match in _LABEL.finditer(text):
                title = _words(match["title"], values) if match["title"] else None
                yield fully_normalize_name(match["label"]), Label(file, make_id(match["label"]), title)

    def _all_substitutions(self) -> Iterator[tuple[str, str]]:
        yield from (("version", self._context.version), ("release", self._context.version))
        for name in ("myst.yml", "_config.yml", *_DOCSETS):
            if (path := f"{self.root}{name}") in self.paths:
                fields = read_fields(self._context.read(path) or b"", ".yml")
                for keys in (("project",), ("parse",), ()):
                    yield from substitutions_of(fields, *keys)
        if (path := f"{self.root}conf.py") in self.paths:
            yield from _python_substitutions(self._text(path))


def substitutions_of(fields: Mapping[str, object], *keys: str) -> Iterator[tuple[str, str]]:
    """The texts in `substitutions` or `myst_substitutions` below these keys."""
    value: object = fields
    for key in keys:
        value = value.get(key) if isinstance(value, Mapping) else None
    for name in ("substitutions", "myst_substitutions", "subs", "sub"):
        entries = value.get(name) if isinstance(value, Mapping) else None
        for key, text in entries.items() if isinstance(entries, Mapping) else ():
            if isinstance(text, str):
                yield str(key), text


def _python_substitutions(source: str) -> Iterator[tuple[str, str]]:
    """Those of a `conf.py`, which is read and never run."""
    try:
        statements = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for statement in statements:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if not isinstance(statement, ast.Assign) or not isinstance(target, ast.Name):
            continue
        if target.id != "myst_substitutions" or not isinstance(statement.value, ast.Dict):
            continue
        for key, value in zip(statement.value.keys, statement.value.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield str(key.value), value.value


def substituted(text: str, values: Mapping[str, str]) -> str:
    """Text with its substitutions filled in; those that nothing is known of leave nothing."""
    return _SUBSTITUTION.sub(lambda match: values.get(match["name"], ""), text) if "{{" in text else text


def page_substitutions(front_matter: FrontMatter) -> Mapping[str, str]:
    """The substitutions of one document by name."""
    return dict((*substitutions_of(front_matter.fields), *substitutions_of(front_matter.fields, "myst")))


def _words(heading: str, values: Mapping[str, str]) -> str:
    return " ".join(plain_text(_ATTRIBUTES.sub("", substituted(heading, values))).split())


def _root(paths: frozenset[str], docs_root: str) -> str:
    """The folder of the configuration nearest to the top that has documents beside it."""
    folders = sorted(
        {posixpath.dirname(path) for path in paths if posixpath.basename(path) in _CONFIGURATIONS},
        key=lambda folder: (folder.count("/") + bool(folder), folder),
    )
    for folder in folders:
        prefix = f"{folder}/" if folder else ""
        if any(f"{prefix}{name}" in paths for name in ("index.md", "index.rst", "intro.md", "README.md")):
            return prefix
    return docs_root
