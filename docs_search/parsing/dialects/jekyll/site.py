"""What a Jekyll site publishes of a source: its configuration, its collections and posts, the path of every page."""

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from docs_search.parsing.dialects.site_fields import read_fields, text_at
from docs_search.parsing.markdown.front_matter import FrontMatter, split_front_matter
from docs_search.parsing.markdown.parser import EXTENSIONS
from docs_search.parsing.text.decoding import decode

SPECIAL_FOLDERS = frozenset({"_data", "_drafts", "_includes", "_layouts", "_plugins", "_sass", "_site", "_snippets"})

_CONFIGURATIONS = ("_config.yml", "_config.yaml", "_config.toml")
_ALWAYS_COLLECTIONS = frozenset({"posts", "docs", "pages"})
_MAX_HEAD = 8_000  # characters of a document in which the fields that move or hide it are looked for
_MOVES = re.compile(
    r"^(?:permalink|published|layout|slug|redirect_to|redirect|search_exclude|categor(?:y|ies)):", re.MULTILINE
)
_POST = re.compile(r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2})-(?P<title>.+)\Z")
_POST_STYLES = {
    "date": "/:categories/:year/:month/:day/:title",
    "pretty": "/:categories/:year/:month/:day/:title",
    "ordinal": "/:categories/:year/:title",
    "none": "/:categories/:title",
}
_PLACE = re.compile(r":([a-z_]+)")
_SLASHES = re.compile(r"/{2,}")

Read = Callable[[str], bytes | None]


@dataclass(frozen=True, slots=True)
class JekyllSite:
    """`root` is the folder of the site, as a prefix; `pages` gives the published path of every page by its file."""

    root: str
    fields: Mapping[str, object]
    pages: Mapping[str, str]
    files: Mapping[str, str]

    @property
    def is_plain_kramdown(self) -> bool:
        """Whether kramdown reads its own Markdown, and not GitHub's as it does in Jekyll unless told otherwise."""
        written = (text_at(self.fields, "kramdown.input") or "GFM").casefold()
        return (text_at(self.fields, "markdown") or "kramdown").casefold() == "kramdown" and written == "kramdown"

    def variables(self) -> dict[str, str]:
        """The plain values of the configuration by their names in templates."""
        return dict(_plain_values("site", self.fields))


def read_site(paths: frozenset[str], read: Read, docs_root: str = "") -> JekyllSite:
    """The site that the files of a source make; `docs_root` is its folder where no configuration tells."""
    configuration = next(
        iter(sorted(_configurations(paths, docs_root), key=lambda path: (path.count("/"), path))), None
    )
    root = docs_root if configuration is None else posixpath.join(posixpath.dirname(configuration), "")
    data = read(configuration) if configuration else None
    fields = read_fields(data, posixpath.splitext(configuration or "")[1]) if data else {}
    pages: dict[str, str] = {}
    files: dict[str, str] = {}
    for file in sorted(paths):
        path = _page_path(file, root, fields, paths, read)
        if path is not None and path not in files:
            pages[file], files[path] = path, file
    return JekyllSite(root, fields, pages, files)


def post_title(file: str) -> str | None:
    """The title that the name of a post gives it, or None for what is no post."""
    match = _POST.match(posixpath.splitext(posixpath.basename(file))[0])
    if match is None or "_posts" not in file.split("/"):
        return None
    words = re.sub(r"[-_]+", " ", match["title"]).strip()
    return words[:1].upper() + words[1:]


def _configurations(paths: frozenset[str], docs_root: str) -> Iterator[str]:
    for path in paths:
        folder, name = posixpath.split(path)
        if name in _CONFIGURATIONS and (
            not docs_root or docs_root.startswith(posixpath.join(folder, "")) or not folder
        ):
            yield path


def _page_path(file: str, root: str, fields: Mapping[str, object], paths: frozenset[str], read: Read) -> str | None:
    """The path that a file is published under, or None where it is no page."""
    relative = file.removeprefix(root)
    if not file.startswith(root) or not relative.lower().endswith(EXTENSIONS) or _is_excluded(relative, fields):
        return None
    front_matter = _head(file, read)
    if (
        front_matter.text("published") == "false"
        or front_matter.text("layout") == "redirect"
        or front_matter.text("search_exclude") == "true"
        or front_matter.fields.get("redirect_to")
    ):
        return None
    *folders, name = relative.split("/")
    stem = posixpath.splitext(name)[0]
    collection = next((folder[1:] for folder in folders if folder.startswith("_")), None)
    permalink = front_matter.text("permalink")
    if permalink and ":" not in permalink:
        return _cleaned(permalink)
    if collection is None:
        if stem not in ("index", "README"):
            return _cleaned(posixpath.join(*folders, stem))
        others = ("README.md",) if stem == "index" else ("index.md", "index.html", "index.markdown")
        if stem == "README" and any(posixpath.join(root, *folders, other) in paths for other in others):
            return _cleaned(posixpath.join(*folders, stem))
        return _cleaned("/".join(folders))
    known = fields.get("collections")
    settings = known.get(collection) if isinstance(known, Mapping) else None
    if collection not in _ALWAYS_COLLECTIONS and not (isinstance(settings, Mapping) or _is_listed(collection, known)):
        return None
    if isinstance(settings, Mapping) and settings.get("output") == "false":
        return None
    pattern = permalink or (settings.get("permalink") if isinstance(settings, Mapping) else None)
    if not isinstance(pattern, str):
        pattern = _post_pattern(fields) if collection == "posts" else "/:collection/:path"
    return _cleaned(_filled(pattern, collection, folders, stem, front_matter))


def _is_listed(collection: str, collections: object) -> bool:
    return isinstance(collections, list) and collection in collections


def _is_excluded(relative: str, fields: Mapping[str, object]) -> bool:
    excluded = fields.get("exclude")
    patterns = [entry.strip("/") for entry in excluded if isinstance(entry, str)] if isinstance(excluded, list) else []
    return any(relative == pattern or relative.startswith(f"{pattern}/") for pattern in patterns if pattern)


def _head(file: str, read: Read) -> FrontMatter:
    """The front matter of a document that may move or hide it."""
    data = read(file)
    if not data:
        return FrontMatter()
    text = decode(data[: 2 * _MAX_HEAD])[0][:_MAX_HEAD]
    return split_front_matter(text)[0] if text.lstrip().startswith("---") and _MOVES.search(text) else FrontMatter()


def _post_pattern(fields: Mapping[str, object]) -> str:
    style = text_at(fields, "permalink") or "date"
    return _POST_STYLES.get(style, style if ":" in style else _POST_STYLES["date"])


def _filled(pattern: str, collection: str, folders: list[str], stem: str, front_matter: FrontMatter) -> str:
    inside = folders[folders.index(f"_{collection}") + 1 :]
    post = _POST.match(stem) if collection == "posts" else None
    title = front_matter.text("slug") or (post["title"] if post else stem)
    categories = [
        *folders[: folders.index(f"_{collection}")],
        *front_matter.texts("categories"),
        *front_matter.texts("category"),
    ]
    values = {
        "collection": collection,
        "path": "/".join([*inside, stem]),
        "name": title,
        "title": title,
        "slug": title,
        "categories": "/".join(categories).lower(),
        **(
            {} if post is None else {"year": post["year"], "month": post["month"].zfill(2), "day": post["day"].zfill(2)}
        ),
    }
    return _PLACE.sub(lambda match: values.get(match[1], ""), pattern)


def _cleaned(path: str) -> str:
    path = _SLASHES.sub("/", path).strip("/")
    path = path.removesuffix(".html").removesuffix("/index")
    return "index" if path in ("", "index") else path


def _plain_values(prefix: str, fields: Mapping[str, object], depth: int = 0) -> Iterator[tuple[str, str]]:
    for name, value in fields.items():
        if isinstance(value, str):
            yield f"{prefix}.{name}", value
        elif isinstance(value, Mapping) and depth < 3:
            yield from _plain_values(f"{prefix}.{name}", value, depth + 1)
