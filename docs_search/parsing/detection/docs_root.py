"""The folder of a repository in which its documentation is."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from docs_search.parsing.detection.configs import Config
from docs_search.parsing.detection.families import Family
from docs_search.parsing.detection.folders import BESIDE_DOCS, has_part, is_community_file
from docs_search.parsing.detection.languages import PREFERRED, language_code

CONVENTIONAL = tuple(
    "docs/sources/ docs/ doc/ documentation/ content/ website/docs/ site/docs/ src/docs/ src/content/".split()
)
_VERSIONED = re.compile(r"(?:[^/]+/){0,4}versioned_docs/version-(?P<version>[^/]+)/")
_HOME_PAGES = ("index.md", "index.html", "index.markdown")
MINOR = 0.25  # the share of documents that a configured folder must hold, unless it is near the root


@dataclass(frozen=True, slots=True)
class DocsRoot:
    """The folder (empty, or with a slash at its end), the configuration that names it, and how it was found."""

    folder: str = ""
    config: Config | None = None
    reasons: tuple[str, ...] = ()


def find_root(
    documents: Mapping[str, Family], paths: frozenset[str], configs: Sequence[Config], version: str = ""
) -> DocsRoot:
    """Where the pages of a source come from: the folder that a configuration names, else one that is usually named so
    and holds most documents, else everything. A repository that keeps old versions has a folder for the wanted one.
    """
    manual = [path for path in documents if not is_community_file(path) and not has_part(path, BESIDE_DOCS)]
    config, folder, count = _configured(manual, configs)
    if version and (versioned := _folder_of_version(documents, version)):
        return DocsRoot(versioned, config, (f"pages come from {versioned}, which is the version that is wanted",))
    if config is not None and folder:
        share = f"{count:,} of {len(manual):,} documents"
        return DocsRoot(folder, config, (f"pages come from {folder}, as {config.path} says ({share})",))
    if config is not None and (config.generator != "Jekyll" or any(index in paths for index in _HOME_PAGES)):
        return DocsRoot("", config)
    for folder in CONVENTIONAL:
        count = sum(path.startswith(folder) for path in manual)
        if 2 * count > len(manual):
            reason = f"pages come from {folder}, which holds {count:,} of {len(manual):,} documents"
            return DocsRoot(folder, config, (reason,))
    return DocsRoot("", config)


def _folder_of_version(documents: Iterable[str], version: str) -> str | None:
    """The folder in which Docusaurus keeps the documents of a version, with or without the `v` before it."""
    found = (match for path in documents if (match := _VERSIONED.match(path)))
    folders = {match["version"].removeprefix("v"): match[0] for match in found}
    return folders.get(version.removeprefix("v"))


def _configured(manual: Sequence[str], configs: Sequence[Config]) -> tuple[Config | None, str, int]:
    """The configuration whose folder holds the most documents, with that folder and their number."""
    found: list[tuple[tuple[bool, bool, int, int], Config, str]] = []
    for config in configs:
        counts = ((sum(path.startswith(folder) for path in manual), folder) for folder in config.folders)
        count, folder = next((entry for entry in counts if entry[0]), (0, ""))
        if not count or (config.path.count("/") > 1 and count < MINOR * len(manual)):
            continue
        # One that names a folder tells more than one that takes everything below it. A site that has a configuration
        # for each language is the English one.
        is_translation = not {None, PREFERRED}.issuperset(map(language_code, config.path.split("/")))
        found.append(((bool(folder), not is_translation, count, -len(found)), config, folder))
    if not found:
        return None, "", 0
    (*_, count, _), config, folder = max(found, key=lambda entry: entry[0])
    return config, folder, count
