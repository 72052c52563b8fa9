"""What a MkDocs site publishes of a source, as its `mkdocs.yml` says, and as its folders tell where that is missing."""

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import translate

from docs_search.parsing.dialects.site_fields import read_fields

_CONFIGURATIONS = ("mkdocs.yml", "mkdocs.yaml", "zensical.toml")
_INCLUDING_EXTENSIONS = ("pymdownx.snippets", "mdx_include", "markdown_include.include")
_OTHER_FOLDERS = frozenset({"node_modules", "test", "tests", "examples", "fixtures", "templates"})
_MAX_INHERITED = 5

Read = Callable[[str], bytes | None]


@dataclass(frozen=True, slots=True)
class MkDocsSite:
    """`project` is the folder of the configuration, `root` the one whose pages are published, both as prefixes.

    `titles` are those of the navigation by file; `aliases` the paths that redirect to a file; `languages` the suffixes
    of files in other languages than `language`.
    """

    project: str = ""
    root: str = ""
    fields: Mapping[str, object] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    excluded: tuple[tuple[re.Pattern[str], bool], ...] = ()
    language: str = "en"
    languages: frozenset[str] = frozenset()

    def is_excluded(self, path: str) -> bool:
        """Whether `exclude_docs` or another language leaves out a file, by its path below the root."""
        excluded = False
        for pattern, excludes in self.excluded:
            if pattern.match(path):
                excluded = excludes
        return excluded or self.suffix(path) in self.languages - {self.language}

    def suffix(self, path: str) -> str:
        """The language that a file's name ends with, as in `page.fr.md`; empty where it has none."""
        language = posixpath.splitext(posixpath.splitext(path)[0])[1].lstrip(".")
        return language if language in self.languages else ""

    def has(self, plugin: str) -> bool:
        """Whether the site uses a plugin."""
        return _entry(self.fields.get("plugins"), plugin) is not None

    @property
    def bases(self) -> Iterator[str]:
        """The folders in which the paths of snippets begin, as the configuration says."""
        for extension in _INCLUDING_EXTENSIONS:
            bases = (_entry(self.fields.get("markdown_extensions"), extension) or {}).get("base_path")
            for base in bases if isinstance(bases, list) else [bases]:
                if isinstance(base, str):
                    folder = posixpath.normpath(posixpath.join(self.project, base.replace("$config_dir", ".")))
                    yield "" if folder == "." else f"{folder}/"


def read_site(paths: frozenset[str], read: Read, docs_root: str = "") -> MkDocsSite:
    """The site that the files of a source make; `docs_root` is its folder where nothing else tells."""
    file = _configuration_file(paths)
    if file is None:
        return MkDocsSite(root=_folder_of_documents(paths, docs_root))
    fields = _fields(file, paths, read)
    project = posixpath.dirname(file) + "/" if "/" in file else ""
    folder = fields.get("docs_dir")
    root = posixpath.normpath(posixpath.join(project, folder if isinstance(folder, str) else "docs")) + "/"
    root = "" if root == "./" else root
    if not any(path.startswith(root) for path in paths):
        root = _folder_of_documents(paths, docs_root)
    internationalisation = _entry(fields.get("plugins"), "i18n") or {}
    codes, default = _languages(internationalisation.get("languages"))
    language = "en" if "en" in codes else default
    if internationalisation.get("docs_structure") == "folder" and language:
        root, codes = f"{root}{language}/", frozenset()
    redirects = (_entry(fields.get("plugins"), "redirects") or {}).get("redirect_maps")
    return MkDocsSite(
        project,
        root,
        fields,
        {f"{root}{path}": title for path, title in _titles(fields.get("nav"))},
        _aliases(redirects if isinstance(redirects, Mapping) else {}, root),
        tuple(_patterns(fields.get("exclude_docs"))),
        language or "en",
        codes,
    )


def _configuration_file(paths: frozenset[str]) -> str | None:
    """The configuration next to the root, that of the English site first."""
    found = [
        path
        for path in paths
        if posixpath.basename(path) in _CONFIGURATIONS and not _OTHER_FOLDERS & set(path.split("/")[:-1])
    ]
    return min(found, key=lambda path: ("/en/" not in f"/{path}", path.count("/"), path), default=None)


def _fields(file: str, paths: frozenset[str], read: Read) -> Mapping[str, object]:
    """The fields of a configuration, with those that it inherits."""
    merged: dict[str, object] = {}
    for _ in range(_MAX_INHERITED):
        fields = read_fields(read(file) or b"", posixpath.splitext(file)[1])
        if file.endswith(".toml") and isinstance(project := fields.get("project"), Mapping):
            fields = project
        merged = {**fields, **merged}
        parent = fields.get("INHERIT")
        file = posixpath.normpath(posixpath.join(posixpath.dirname(file), str(parent)))
        if file not in paths:
            break
    return merged


def _folder_of_documents(paths: frozenset[str], docs_root: str) -> str:
    for root in ("docs/en/docs/", "docs/en/", docs_root, "docs/"):
        if root and any(path.startswith(root) and path.endswith(".md") for path in paths):
            return root
    return ""


def _entry(entries: object, name: str) -> Mapping[str, object] | None:
    """The options of a plugin or extension, which are a list of names and mappings, or a mapping; None without it."""
    for entry in entries if isinstance(entries, list) else [entries]:
        if entry == name:
            return {}
        if isinstance(entry, Mapping) and name in entry:
            options = entry[name]
            return options if isinstance(options, Mapping) else {}
    return None


def _languages(entries: object) -> tuple[frozenset[str], str]:
    """The codes of a site's languages, and that of its default one."""
    found: dict[str, bool] = {}
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, Mapping) and isinstance(locale := entry.get("locale"), str):
            found[locale] = str(entry.get("default")).casefold() == "true"
    return frozenset(found), next((locale for locale, is_default in found.items() if is_default), "")


def _titles(nav: object, depth: int = 0) -> Iterator[tuple[str, str]]:
    """The files in the navigation that have a title there."""
    for entry in nav if isinstance(nav, list) else [nav]:
        for title, target in entry.items() if isinstance(entry, Mapping) else ():
            if isinstance(target, str) and isinstance(title, str) and target.endswith((".md", ".markdown")):
                yield target, title
            elif not isinstance(target, str) and depth < 10:
                yield from _titles(target, depth + 1)


def _aliases(redirects: Mapping[str, object], root: str) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for old, new in redirects.items():
        if isinstance(new, str):
            file = f"{root}{new.split('#', 1)[0]}"
            path = re.sub(r"(?:(?:\A|/)(?:index|README))?\.(?:md|html)\Z", "", old).strip("/")
            found[file] = (*found.get(file, ()), path)
    return found


def _patterns(lines: object) -> Iterator[tuple[re.Pattern[str], bool]]:
    """Patterns as in `.gitignore`, each with whether it excludes or takes back."""
    for line in lines.split("\n")[:200] if isinstance(lines, str) else []:
        pattern = line.strip()
        if not pattern or pattern.startswith("#") or len(pattern) > 200:
            continue
        excludes = not pattern.startswith("!")
        pattern = pattern.lstrip("!")
        is_anchored = "/" in pattern.rstrip("/")
        body = translate(pattern.strip("/").replace("**/", "*").replace("**", "*"))
        body = body.removeprefix("(?s:").removesuffix(")\\Z")
        ending = "/" if pattern.endswith("/") else r"(?:/|\Z)"
        yield re.compile(rf"(?s:{'' if is_anchored else '(?:.*/)?'}(?:{body}){ending})"), excludes
