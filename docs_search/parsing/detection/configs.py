"""What the configuration of documentation generators says: which one it is, and where its documents are."""

import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from docs_search.parsing.detection.folders import BESIDE_DOCS, NEVER, has_part
from docs_search.parsing.text.decoding import decode

MAX_DEPTH = 4  # folders above a configuration that still speaks for the source
MAX_READ = 40  # configurations that are looked into
MAX_BYTES = 200_000
MAX_FOLDERS = 5  # that one configuration names

_LANGUAGE = re.compile(
    r"\b(?:defaultContentLanguage|defaultLocale|default_language|language)[\"']?[ \t]*[:=][ \t]*[\"']?"
    r"(?P<code>[a-z]{2})(?![a-z])",
    re.IGNORECASE,
)

Read = Callable[[str], bytes | None]


@dataclass(frozen=True, slots=True)
class Config:
    """A configuration file, the parser it asks for, and the folders that may hold its documents, likeliest first.

    Folders are empty for the whole source, or end with a slash. `language` is the code of the site's own language.
    """

    path: str
    generator: str
    parser: str
    folders: tuple[str, ...]
    language: str | None = None


@dataclass(frozen=True, slots=True)
class _Kind:
    """A generator: names of its configuration, what must stand in it, and where the documents are by default."""

    generator: str
    parser: str
    names: re.Pattern[str]
    folders: tuple[str, ...]
    contains: re.Pattern[str] | None = None
    folder_key: re.Pattern[str] | None = None
    default_first: bool = False  # where the key may name other folders than that of the documents


_KINDS = (
    _Kind(
        "MkDocs",
        "mkdocs",
        re.compile(r"(?:mkdocs.*\.ya?ml|zensical\.toml)"),
        ("docs",),
        contains=re.compile(r"^(?:site_name|nav|docs_dir|theme|INHERIT|\[project\])", re.MULTILINE),
        folder_key=re.compile(r"^docs_dir[ \t]*[:=][ \t]*[\"']?([^\"'#\n]+)", re.MULTILINE),
    ),
    _Kind(
        "Docusaurus",
        "docusaurus",
        re.compile(r"docusaurus\.config\.(?:[cm]?js|ts)"),
        ("docs", "../docs"),
        folder_key=re.compile(r"\bpath:[ \t]*[\"'`](?!\.?/?blog)([\w./-]+)[\"'`]"),
        default_first=True,
    ),
    _Kind(
        "Hugo",
        "hugo",
        re.compile(r"hugo\.(?:toml|ya?ml|json)"),
        ("content",),
        folder_key=re.compile(r"^[ \t]*\"?contentDir\"?[ \t]*[:=][ \t]*[\"']?([\w./-]+)", re.MULTILINE | re.IGNORECASE),
    ),
    _Kind(
        "Hugo",
        "hugo",
        re.compile(r"config\.(?:toml|ya?ml)"),
        ("content",),
        contains=re.compile(
            r"^[ \t]*(?:baseURL|languageCode|base_url|contentDir|theme|\[markup|\[params)", re.MULTILINE | re.IGNORECASE
        ),
        folder_key=re.compile(r"^[ \t]*contentDir[ \t]*[:=][ \t]*[\"']?([\w./-]+)", re.MULTILINE | re.IGNORECASE),
    ),
    _Kind(
        "Sphinx",
        "myst",
        re.compile(r"conf\.py"),
        ("", "source"),
        contains=re.compile(r"^(?:extensions|html_theme|master_doc|root_doc|source_suffix|project)\b", re.MULTILINE),
    ),
    _Kind("Snooty", "rst", re.compile(r"snooty\.toml"), ("source",)),
    _Kind("Jupyter Book", "myst", re.compile(r"myst\.yml|_toc\.yml"), ("",)),
    _Kind(
        "Jupyter Book", "myst", re.compile(r"_config\.yml"), ("",),
        contains=re.compile(r"^(?:execute|launch_buttons|sphinx|parse):", re.MULTILINE),
    ),
    _Kind("Fumadocs", "mdx", re.compile(r"source\.config\.(?:[cm]?js|ts)"), ("content/docs", "content")),
    _Kind(
        "Starlight", "mdx", re.compile(r"astro\.config\.(?:[cm]?js|ts)"), ("src/content/docs", "src/content"),
        contains=re.compile("starlight", re.IGNORECASE),
    ),
    _Kind("Mintlify", "mdx", re.compile(r"mint\.json"), ("",)),
    _Kind(
        "Mintlify", "mdx", re.compile(r"docs\.json"), ("",), contains=re.compile(r"mintlify|\"navigation\"")
    ),
    _Kind(
        "Nextra", "mdx", re.compile(r"next\.config\.(?:[cm]?js|ts)"), ("content", "pages", "src/content", "src/pages"),
        contains=re.compile("nextra"),
    ),
    _Kind(
        "VitePress", "vitepress", re.compile(r"package\.json"), ("docs", "src", ""),
        contains=re.compile(r"\"(?:vitepress|vuepress)\""),
    ),
    _Kind("mdBook", "mdbook", re.compile(r"book\.toml"), ("src",), contains=re.compile(r"^\[book\]", re.MULTILINE),
          folder_key=re.compile(r"^src[ \t]*=[ \t]*[\"']([\w./-]+)", re.MULTILINE)),
    _Kind("Quarto", "quarto", re.compile(r"_quarto\.ya?ml|_bookdown\.ya?ml"), ("",)),
    _Kind("Jekyll", "jekyll", re.compile(r"_config\.ya?ml"), ("",)),
)  # fmt: skip


def find_configs(paths: Iterable[str], read: Read) -> list[Config]:
    """The configurations of a source, those nearest to its root first."""
    named = [
        (path, kind)
        for path in paths
        if path.count("/") <= MAX_DEPTH and not has_part(path, NEVER | BESIDE_DOCS)
        for kind in _KINDS
        if kind.names.fullmatch(posixpath.basename(path))
    ]
    named.sort(key=lambda found: (found[0].count("/"), found[0], _KINDS.index(found[1])))
    return list(_configs(named[:MAX_READ], read))


def _configs(named: Sequence[tuple[str, _Kind]], read: Read) -> Iterator[Config]:
    for path, kind in named:
        text = decode((read(path) or b"")[:MAX_BYTES])[0]
        if kind.contains is not None and not kind.contains.search(text):
            continue
        base = posixpath.dirname(path)
        given = kind.folder_key.findall(text)[:MAX_FOLDERS] if kind.folder_key else []
        names = (*kind.folders[:1], *given, *kind.folders) if kind.default_first else (*given, *kind.folders)
        folders = (_folder(base, name.strip()) for name in names)
        named_folders = tuple(dict.fromkeys(folder for folder in folders if folder is not None))
        language = _LANGUAGE.search(text)
        yield Config(path, kind.generator, kind.parser, named_folders, language["code"].lower() if language else None)


def _folder(base: str, name: str) -> str | None:
    """The folder that a configuration in `base` names, from the root of the source; None where it leads out of it."""
    folder = posixpath.normpath(posixpath.join(base, name.lstrip("/")))
    if folder == "." or not folder:
        return ""
    return None if folder.startswith("..") else f"{folder}/"
