"""Find out how a source is to be read: where its documents are, and in which formats."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from docs_search.parsing.detection.configs import Config, find_configs
from docs_search.parsing.detection.data_files import find_openapi, is_rst_text
from docs_search.parsing.detection.docs_root import DocsRoot, find_root
from docs_search.parsing.detection.families import TEXT_EXTENSION, UNREAD, Family, extension, family_of
from docs_search.parsing.detection.folders import NEVER, TESTS, has_part, is_repository
from docs_search.parsing.detection.languages import find_translations
from docs_search.parsing.detection.markdown_marks import Evidence, add_content_marks, add_file_marks

SAMPLE = 60  # documents that are looked into
CONFIGURED = 1.5  # points of a generator whose configuration is there
PLAIN = 0.02  # points that a dialect must exceed to stand out

DIALECTS = (
    "metabase", "tiger", "hugo", "mkdocs", "docusaurus", "mdx", "vitepress", "myst", "mdbook", "learn",
    "quarto", "githubdocs", "gitbook", "docsify", "readme", "obsidian",
    "jekyll", "markdown",
)  # fmt: skip
"""Dialects of Markdown; of two with as many points the first one is taken."""

Read = Callable[[str], bytes | None]


@dataclass(frozen=True, slots=True)
class Detection:
    """How a source is read.

    `parsers` names the parser of each family of formats that occurs; `documents` are the files that may be pages, with
    their family. `root` is the folder whose name pages do not have in their paths: empty, or with a slash at its end.
    `reasons` say in words what this was taken from.
    """

    parsers: Mapping[Family, str]
    root: str = ""
    reasons: tuple[str, ...] = ()
    documents: Mapping[str, Family] = field(default_factory=dict, repr=False)


def detect(paths: Sequence[str], read: Read, *, published: bool = False, version: str = "") -> Detection:
    """How the files at `paths` are to be read, as far as their names, configurations and some documents tell.

    `version` is the wanted one, where the source holds several.
    `published` documents were fetched from a site: they are pages at the paths that they have, and HTML where their
    names say nothing else.
    """
    paths = sorted(paths)
    configs = [] if published else find_configs(paths, read)
    known = {path: family for path in paths if (family := _family(path, published)) and not has_part(path, NEVER)}
    known |= _text_documents(paths, known, configs, read)
    root = DocsRoot() if published else find_root(known, frozenset(paths), configs, version)
    documents = _below(root, known, paths)
    language = next((config.language for config in configs if config.language), None)
    translations = find_translations(documents, language)
    documents = {path: family for path, family in documents.items() if path not in translations.left_out}
    openapi = dict.fromkeys(find_openapi(paths, read, root.folder), Family.OPENAPI)
    folder = translations.root if translations.root and not published else root.folder
    parsers: dict[Family, str] = {}
    reasons = [*root.reasons, *translations.reasons]
    counts = Counter(documents.values())
    if counts[Family.MARKDOWN]:
        markdown = [path for path, family in documents.items() if family is Family.MARKDOWN]
        parsers[Family.MARKDOWN], why = _dialect(markdown, paths, [root.config] if root.config else configs, read)
        reasons += why
    for family in (Family.RST, Family.NOTEBOOK, Family.HTML):
        if counts[family]:
            parsers[family] = family.value
            reasons.append(f"{family.value}: {_number(counts[family], 'file')}")
    if openapi:
        parsers[Family.OPENAPI] = Family.OPENAPI.value
        reasons.append(f"openapi: {_number(len(openapi), 'description')} of an API, such as {min(openapi)}")
    reasons += _unread(paths, root.folder)
    return Detection(parsers, folder, tuple(reasons), documents | openapi)


def spread(items: Sequence[str], number: int) -> list[str]:
    """At most so many of the items, evenly from the first to the last."""
    if len(items) <= number:
        return list(items)
    return [items[index * len(items) // number] for index in range(number)]


def _family(path: str, published: bool) -> Family | None:
    family = family_of(path)
    return Family.HTML if family is None and published and not _is_data(path) else family


def _is_data(path: str) -> bool:
    return extension(path) in {".json", ".yaml", ".yml", ".txt", ".xml"}


def _below(root: DocsRoot, known: Mapping[str, Family], paths: Sequence[str]) -> dict[str, Family]:
    """The documents of a root; without one, those of a repository that are not there to test the program."""
    if root.folder or root.config or not is_repository(frozenset(paths)):
        return {path: family for path, family in known.items() if path.startswith(root.folder)}
    kept = {path: family for path, family in known.items() if not has_part(path, TESTS)}
    return kept or dict(known)


def _text_documents(
    paths: Sequence[str], known: Mapping[str, Family], configs: Sequence[Config], read: Read
) -> dict[str, Family]:
    """Files named .txt that are reStructuredText, as projects that are documented by Sphinx have them."""
    texts = [path for path in paths if extension(path) == TEXT_EXTENSION and not has_part(path, NEVER)]
    folders = {config.folders[0] for config in configs if config.generator in ("Sphinx", "Snooty")}
    if folders:
        texts = [path for path in texts if path.startswith(tuple(folders))]
    elif Family.RST not in known.values() and known:
        return {}
    return {path: Family.RST for path in texts if is_rst_text(path, read)}


def _dialect(
    documents: Sequence[str], paths: Sequence[str], configs: Sequence[Config], read: Read
) -> tuple[str, list[str]]:
    """The dialect of Markdown that has the most points, and the reasons for it."""
    evidence = Evidence({}, {})
    for config in configs:
        if config.parser not in evidence.points:
            evidence.add({config.parser: CONFIGURED}, f"the configuration of {config.generator} at {config.path}")
    add_file_marks(evidence, [path for path in paths if not has_part(path, NEVER)])
    add_content_marks(evidence, spread(documents, SAMPLE), read)
    best = max(DIALECTS, key=lambda name: (evidence.points.get(name, 0.0), -DIALECTS.index(name)))
    if evidence.points.get(best, 0.0) <= PLAIN:
        best = "markdown"
    count = _number(len(documents), "file")
    return best, [f"{best}: {count}, {'; '.join(evidence.reasons.get(best, ['no mark of a dialect']))}"]


def _unread(paths: Sequence[str], root: str) -> Iterator[str]:
    counts = Counter(UNREAD[extension(path)] for path in paths if extension(path) in UNREAD and path.startswith(root))
    for name, count in counts.most_common():
        yield f"{_number(count, 'file')} of the format {name} cannot be read"


def _number(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
