"""The shortcodes of Hugo that bring in what stands elsewhere in the source: files, glossary, pages, parameters."""

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from urllib.parse import unquote, urlsplit

from docs_search.documents import ParseContext
from docs_search.parsing.dialects.hugo.known_shortcodes import fence, render_known
from docs_search.parsing.dialects.hugo.shortcodes import Replacement, Shortcode, resolve_shortcodes
from docs_search.parsing.dialects.hugo.site import MARKDOWN, HugoSite, published_path
from docs_search.parsing.dialects.site_fields import text_at
from docs_search.parsing.markdown.code_languages import language_of
from docs_search.parsing.markdown.file_includes import FileIncludes
from docs_search.parsing.markdown.front_matter import FrontMatter, split_front_matter
from docs_search.parsing.text.decoding import decode
from docs_search.parsing.text.writing import escape

_SAMPLE_FOLDERS = ("examples/", "static/examples/")
_INCLUDE_FOLDERS = ("includes/", "_includes/", "shared/", "static/", "assets/", "data/", "docs/sources/shared/")
_MORE = re.compile(r"^[ \t]*+<!--\s*more\s*-->[ \t]*+$", re.MULTILINE)
_HEADING_LINE = re.compile(r"^# [^\n]*\n", re.MULTILINE)
_RELEASE = re.compile(r"v?(\d+)\.(\d+)")
_SKEWS = {"prev": -1, "previous": -1, "next": 1, "oldest": -2}
_VERSIONS = frozenset(
    "version current-version latest-version latest-release-version latest-semver release-version product-version "
    "latest-release latest hugoversion release-branch".split()
)


class HugoContent:
    """Renders the shortcodes of one page. Faults are collected in `warnings`."""

    def __init__(self, path: str, front_matter: FrontMatter, site: HugoSite, context: ParseContext) -> None:
        self._path = path
        self._folder = posixpath.dirname(path)
        self._front_matter = front_matter
        self._site = site
        self._context = context
        self._files = FileIncludes(context, path)
        self._missing: list[str] = []
        self._cascades: dict[str, object] = {}
        self._known: Mapping[str, Callable[[Shortcode], Replacement]] = {
            **dict.fromkeys(("ref", "relref", "relurl", "absurl"), self._reference),
            **dict.fromkeys(("code-sample", "codenew", "code-new", "example", "codefile"), self._sample),
            **dict.fromkeys(
                ("include", "include-md", "includemd", "includefile", "include-file", "readfile", "read-file", "import",
                 "docs/shared", "markdown-include", "includes", "remoteinclude", "literalinclude"),
                self._include,
            ),
            "glossary-definition": self._glossary_definition,
            "param": self._parameter,
            "skew": self._skew,
            "tab": self._tab,
        }  # fmt: skip

    @property
    def warnings(self) -> tuple[str, ...]:
        """What could not be brought in."""
        return (*self._files.warnings, *self._missing)

    def resolve(self, text: str) -> str:
        """Text without shortcodes."""
        return resolve_shortcodes(text, self._render)

    def _render(self, code: Shortcode) -> Replacement:
        name = code.name.casefold().replace("_", "-")
        if known := self._known.get(name):
            return known(code)
        if code.inner is None and name in _VERSIONS:
            return Replacement(escape(self._context.version))
        return render_known(code)

    # Pages and parameters

    def _reference(self, code: Shortcode) -> Replacement:
        """The address of a page, as `ref` finds it: from the page's folder, from the root, by its name alone."""
        target = code.value("path", position=0)
        parts = urlsplit(target) if not target.startswith("//") else None
        if parts is None or parts.scheme or parts.netloc:
            return Replacement(target)
        fragment = f"#{parts.fragment}" if parts.fragment else ""
        if not parts.path:
            return Replacement(fragment)
        page = self._page_at(unquote(parts.path))
        if page is None:
            self._missing.append(f"the page {parts.path} that is referred to is not in the source")
            return Replacement(target)
        return Replacement(f"{self._context.url_for(page)}{fragment}")

    def _page_at(self, target: str) -> str | None:
        relative = posixpath.join(self._folder, target)
        rooted = target.lstrip("/")
        for path in map(posixpath.normpath, (relative, self._site.root + rooted, self._site.content + rooted)):
            stem = path.removesuffix(".md")
            for file in (path, f"{stem}.md", f"{path}/_index.md", f"{path}/index.md"):
                if page := self._site.pages.get(file):
                    return page
            published = published_path(stem.removesuffix("/_index").removeprefix(self._site.root).strip("/"))
            if published in self._site.files:
                return published
        name = posixpath.basename(target.rstrip("/")).removesuffix(".md")
        named = [page for file in self._named(f"{name}.md") if (page := self._site.pages.get(file))]
        named += [page for page in (self._site.pages.get(file) for file in self._bundles(name)) if page]
        return named[0] if len(set(named)) == 1 else None

    def _bundles(self, name: str) -> list[str]:
        indexes = (*self._named("_index.md"), *self._named("index.md"))
        return [file for file in indexes if posixpath.basename(posixpath.dirname(file)) == name]

    def _parameter(self, code: Shortcode) -> Replacement:
        name = code.value("name", position=0)
        value = next(filter(None, (text_at(fields, name) for fields in self._fields())), None)
        value = value or self._site.parameter(name)
        if value is None and "version" in name.casefold():
            value = self._context.version
        return Replacement(value if code.in_code else escape(value or "")) if value else Replacement("")

    def _fields(self) -> Iterator[Mapping[str, object]]:
        """The fields of the page, then those that the sections above hand down to it, from the nearest on."""
        yield self._front_matter.fields
        yield _mapping(self._front_matter.fields.get("params"))
        folder = self._folder
        while folder.startswith(self._site.root.rstrip("/")):
            if folder not in self._cascades:
                data = self._context.read(posixpath.join(folder, "_index.md")) or b""
                self._cascades[folder] = split_front_matter(decode(data)[0])[0].fields.get("cascade")
            handed = self._cascades[folder]
            for fields in map(_mapping, handed if isinstance(handed, list) else [handed]):
                yield fields
                yield _mapping(fields.get("params"))
            if not folder:
                return
            folder = posixpath.dirname(folder)

    def _skew(self, code: Shortcode) -> Replacement:
        """A release that is so many minor ones before or after that of these documents."""
        release = _RELEASE.match(self._context.version)
        kind = code.value("version", position=0).casefold()
        if release is None:
            return Replacement(escape(self._context.version.removeprefix("v")))
        steps = next((step for word, step in _SKEWS.items() if kind.startswith(word)), 0)
        if kind.endswith("addminor") and re.fullmatch(r"[+-]?\d{1,3}", code.value(position=1)):
            steps = int(code.value(position=1))
        return Replacement(f"{release[1]}.{max(0, int(release[2]) + steps)}")

    # Files

    def _sample(self, code: Shortcode) -> Replacement:
        """A file of examples as code."""
        target = code.value("file", "path", position=0)
        language = code.value("language", "lang") or language_of(target)
        return self._code(self._file(target, _SAMPLE_FOLDERS), target, language, code)

    def _include(self, code: Shortcode) -> Replacement:
        """A file: Markdown as if it stood here, anything else as code."""
        target = code.value("file", "path", "lookup", "name", "src", "page", position=0)
        path = self._file(target, _INCLUDE_FOLDERS)
        if "true" in (code.value("code"), code.value("highlight")) or not target.endswith((*MARKDOWN, ".html")):
            return self._code(path, target, code.value("lang", "language") or language_of(target), code)
        return self._markdown(path, target)

    def _tab(self, code: Shortcode) -> Replacement:
        """A tab, whose content may be a file."""
        if target := code.value("include"):
            path = self._file(target, _SAMPLE_FOLDERS + _INCLUDE_FOLDERS)
            content = self._files.text(path, None, self.resolve) if path else self._lost(target)
            code = Shortcode(
                code.name, code.positional, code.named, content, True, code.in_code, code.parent, code.ordinal
            )
        return render_known(code)

    def _glossary_definition(self, code: Shortcode) -> Replacement:
        term, length = code.value("term_id", position=0), code.value("length") or "all"
        found = [file for file in self._named(f"{term}.md") if "glossary" in file.split("/")[:-1]]
        found.sort(key=lambda file: not file.startswith(self._site.root))
        if not found:
            return Replacement("")
        text = self._files.text(found[0], None, self.resolve)
        short, *more = _MORE.split(text, maxsplit=1)
        text = {"short": short, "long": "".join(more)}.get(length, f"{short}{''.join(more)}").strip()
        if (prepend := code.value("prepend")) and text:
            text = f"{prepend} {text[0].lower()}{text[1:]}"
        return Replacement(text, is_block=True)

    def _code(self, path: str | None, target: str, language: str, code: Shortcode) -> Replacement:
        text = self._files.selected(path, None, None, lambda part: part) if path else self._lost(target)
        return Replacement(text) if code.in_code or not text else fence(text, language)

    def _markdown(self, path: str | None, target: str) -> Replacement:
        text = self._files.text(path, None, self.resolve) if path else self._lost(target)
        return Replacement(_HEADING_LINE.sub("", text, count=1) if text.startswith("# ") else text, is_block=True)

    def _lost(self, target: str) -> str:
        self._missing.append(f"the included file {target} is not in the source")
        return ""

    def _file(self, target: str, folders: tuple[str, ...]) -> str | None:
        """The file that is meant: beside the page, below a root, in a usual folder, else the first with such a path."""
        if not target:
            return None
        relative = target.lstrip("/")
        roots = dict.fromkeys((self._site.root, self._site.content, self._site.project, ""))
        bases = [f"{root}{folder}" for root in roots for folder in ("", *folders)]
        candidates = [base + relative for base in bases]
        if not target.startswith("/"):
            candidates.insert(0, posixpath.join(self._folder, target))
        for candidate in map(posixpath.normpath, candidates):
            if candidate in self._context.paths and candidate != self._path:
                return candidate
        ending = "/" + posixpath.normpath(relative).lstrip("./")
        found = [file for file in self._named(posixpath.basename(target)) if f"/{file}".endswith(ending)]
        return min(found, key=lambda file: (not file.startswith(self._site.root), len(file), file), default=None)

    def _named(self, name: str) -> tuple[str, ...]:
        return self._site.named.get(name, ())


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}
