"""The documentation of GitHub, and what is written like it: Liquid with data files, reusable text and editions."""

import posixpath
import re
from collections.abc import Mapping

from docs_search.documents import ParseContext
from docs_search.parsing.dialects.jekyll.boxes import with_boxes
from docs_search.parsing.dialects.jekyll.liquid import resolve_liquid
from docs_search.parsing.dialects.jekyll.liquid_conditions import resolve_conditions
from docs_search.parsing.dialects.mdx.components import joined
from docs_search.parsing.dialects.site_fields import read_fields, text_at
from docs_search.parsing.markdown.file_includes import FileIncludes
from docs_search.parsing.markdown.front_matter import FrontMatter, split_front_matter
from docs_search.parsing.markdown.indentation import indent
from docs_search.parsing.markdown.link_targets import rewrite_targets
from docs_search.parsing.markdown.parser import MarkdownParser
from docs_search.parsing.text.decoding import decode

ROOT, DATA = "content/", "data/"
MAX_DEPTH = 6  # of values that name other values
MAX_CHARACTERS = 500_000  # of values in one page

_DATA = re.compile(
    r"(?P<line>^[ \t]*)?\{%-?[ \t]*(?:data|indented_data_reference)[ \t]+(?P<name>[\w.-]+)[^%\n]*?%\}", re.MULTILINE
)
_ICON = re.compile(r"\{%-?[ \t]*octicon\b[^%\n]*%\}[ \t]*")
_TITLE_LINK = re.compile(r"\[AUTOTITLE\]\((?P<target>[^()\s#]*)(?P<fragment>#[^()\s]*)?\)")
_CONDITION = re.compile(r"(?P<name>[a-z][\w.-]*)(?:\s*(?P<operator>[<>!]?=|[<>])\s*[\"']?(?P<number>[\d.]+)[\"']?)?")
_RELEASE = re.compile(r"\d+\.\d+")
_COMPARED = {">": (1,), "<": (-1,), ">=": (0, 1), "<=": (-1, 0), "!=": (-1, 1)}
_FIRST, _CLOUD, _SERVER = "fpt", "ghec", "ghes"


class GitHubDocsParser(MarkdownParser):
    """The `Parser` of the repository of docs.github.com and of others that are made like it.

    Of the editions of a page the one is read that the version names (`enterprise-cloud`, `3.12` for a server), else
    the first one that the page has.
    """

    def root(self, paths: frozenset[str]) -> str:
        return self.docs_root or (ROOT if any(path.startswith(ROOT) for path in paths) else "")

    def is_page(self, path: str) -> bool:
        return super().is_page(path) and not path.startswith(DATA)

    def front_matter(self, text: str, path: str, context: ParseContext) -> tuple[FrontMatter, str]:
        """The fields, whose templates are filled in; the introduction is the summary."""
        front_matter, body = super().front_matter(text, path, context)
        templates = _Templates(path, front_matter, context, FileIncludes(context, path))
        texts = {name: templates.resolve(front_matter.text(name) or "").strip() for name in ("title", "intro")}
        fields = {**front_matter.fields, "title": texts["title"] or None, "summary": texts["intro"] or None}
        return FrontMatter(fields, front_matter.warnings), body

    def prepare(
        self, text: str, path: str, front_matter: FrontMatter, context: ParseContext
    ) -> tuple[str, tuple[str, ...]]:
        files = FileIncludes(context, path)
        templates = _Templates(path, front_matter, context, files)
        intro, permissions = (front_matter.text(name) or "" for name in ("intro", "permissions"))
        notes = ("" if intro in text else intro, permissions)
        text = templates.resolve(joined(*notes, text))
        root = self.root(context.paths)
        text = _TITLE_LINK.sub(lambda link: _titled(link, root, path, front_matter, context), text)
        return rewrite_targets(text, lambda href: _file_link(href, root, path, context)), tuple(files.warnings)


class _Templates:
    """Resolves the templates of one document."""

    def __init__(self, path: str, front_matter: FrontMatter, context: ParseContext, files: FileIncludes) -> None:
        self._context = context
        self._files = files
        self._fields: dict[str, Mapping[str, object]] = {}
        self._depth = 0
        self._characters_left = MAX_CHARACTERS
        release = _RELEASE.search(context.version)
        editions = front_matter.fields.get("versions")
        named = [str(name) for name in editions] if isinstance(editions, Mapping) else []
        edition = _SERVER if release else _CLOUD if re.search(r"ghec|enterprise-cloud", context.version) else _FIRST
        known = [name for name in named if name in (_FIRST, _CLOUD, _SERVER)]
        self._edition = known[0] if known and edition not in known else edition
        self._release = tuple(map(int, release[0].split("."))) if release else (10**6,)

    def resolve(self, text: str) -> str:
        """Markdown without templates."""
        if "{%" not in text and "{{" not in text:
            return text
        text = _ICON.sub("", self._expand(text))
        return resolve_liquid(with_boxes(text), {}, lambda include: None)

    def _expand(self, text: str) -> str:
        return _DATA.sub(self._data, resolve_conditions(text, self._holds))

    def _data(self, match: re.Match[str]) -> str:
        kind, _, name = match["name"].partition(".")
        path = f"{DATA}{kind}/{name.replace('.', '/')}"
        line = match["line"] or ""
        if kind == "reusables":
            return f"{line}{indent(self._files.text(f'{path}.md', None, self._expand).strip(), line)}"
        folder, _, key = path.rpartition("/")
        while "/" in folder:
            if f"{folder}.yml" in self._context.paths:
                return line + self._value(text_at(self._fields_of(f"{folder}.yml"), key) or "")
            folder, _, parent = folder.rpartition("/")
            key = f"{parent}.{key}"
        return line

    def _value(self, value: str) -> str:
        self._characters_left -= len(value)
        if self._depth >= MAX_DEPTH or self._characters_left < 0:
            return ""
        self._depth += 1
        value = self._expand(value)
        self._depth -= 1
        return value

    def _fields_of(self, path: str) -> Mapping[str, object]:
        if path not in self._fields:
            self._fields[path] = read_fields(self._context.read(path) or b"", ".yml")
        return self._fields[path]

    def _holds(self, condition: str) -> bool | None:
        """Whether a condition such as `fpt or ghes > 3.9` holds for the edition that is read."""
        values = [
            all(part is not False for part in map(self._term, alternative.split(" and ")))
            for alternative in condition.split(" or ")
        ]
        return any(values)

    def _term(self, term: str) -> bool | None:
        term = term.strip()
        if term.startswith("not "):
            value = self._term(term[4:])
            return None if value is None else not value
        match = _CONDITION.fullmatch(term)
        if match is None:
            return None
        name = match["name"]
        if name in (_FIRST, _CLOUD, _SERVER, "ghae"):
            operator, number = match["operator"], match["number"]
            return name == self._edition and (not operator or self._is_release(operator, number))
        feature = f"{DATA}features/{name}.yml"
        if feature not in self._context.paths:
            return None
        versions = self._fields_of(feature).get("versions")
        if not isinstance(versions, Mapping) or self._edition not in versions:
            return False
        wanted = re.match(r"\s*([<>]=?|=)?\s*([\d.]+)", str(versions[self._edition]))
        return wanted is None or self._is_release(wanted[1] or "=", wanted[2])

    def _is_release(self, operator: str, number: str) -> bool:
        other = tuple(int(part[:6]) for part in number.split(".") if part.isdigit())
        compared = (self._release > other) - (self._release < other)
        return compared in _COMPARED.get(operator, (0,))


def _file(target: str, root: str, context: ParseContext) -> str | None:
    stem = f"{root}{target.strip('/')}".rstrip("/")
    return next((file for file in (f"{stem}.md", f"{stem}/index.md") if file in context.paths), None)


def _file_link(href: str, root: str, path: str, context: ParseContext) -> str:
    """A link from the root of the site as one to a file, where there is one."""
    target, mark, fragment = href.partition("#")
    if not target.startswith("/") or target.startswith("//") or (file := _file(target, root, context)) is None:
        return href
    return f"{posixpath.relpath(file, posixpath.dirname(path) or '.')}{mark}{fragment}"


def _titled(link: re.Match[str], root: str, path: str, front_matter: FrontMatter, context: ParseContext) -> str:
    """A link that has the title of its page for a text."""
    target, fragment = link["target"], link["fragment"] or ""
    file = _file(target, root, context)
    fields = split_front_matter(decode(context.read(file) or b"")[0])[0] if file else FrontMatter()
    title = fields.text("title") or target.rstrip("/").rpartition("/")[2].replace("-", " ")
    title = _Templates(path, front_matter, context, FileIncludes(context, path)).resolve(title)
    return f"[{title or target}]({target}{fragment})"
