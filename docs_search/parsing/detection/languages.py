"""Translations that stand side by side: one of them is the documentation, the others say the same again."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

CODES = frozenset(
    """
    ar az be bg bn ca cs da de el en es et fa fi fr he hi hr hu hy id it ja ka kk km ko lt lv mn ms my ne nl nb no pl
    pt ro ru si sk sl sr sv ta te th tr uk ur uz vi zh
    """.split()
)
PREFERRED = "en"
MAX_DEPTH = 4  # folders above the folder of a language
MAX_REASONS = 5

_LANGUAGE = re.compile(r"(?P<code>[a-z]{2})(?:[-_](?:[a-z]{2}|[a-z]{4}|\d{3}))?", re.IGNORECASE)


@dataclass(slots=True)
class Translations:
    """What is left out because it is a translation. `root` is the folder of the language that is kept, if it has one.

    `reasons` say what was left out, and of what it is a translation.
    """

    left_out: frozenset[str] = frozenset()
    root: str | None = None
    reasons: list[str] = field(default_factory=list)


def find_translations(documents: Iterable[str], default: str | None = None) -> Translations:
    """The documents that are translations of others: in sibling folders named by languages, with mostly equal names,
    or beside the others with the language in their own name (`start.de.md`). Of sibling folders English is kept, else
    the `default` language of the site, else the one with the most documents.
    """
    documents = list(documents)
    found = Translations()
    left_out = _named_translations(documents)
    if left_out:
        found.reasons.append(
            f"{len(left_out)} documents are left out as translations: their names end with the code of a language,"
            f" such as {min(left_out)}"
        )
    groups = _language_folders(documents)
    beside = _documents_beside(groups, documents)
    for parent, folders in sorted(groups.items()):
        left_out |= _judge(parent, folders, beside[parent], default, found)
    if len(found.reasons) > MAX_REASONS:
        found.reasons[MAX_REASONS:] = [f"… and translations in {len(found.reasons) - MAX_REASONS} more folders"]
    found.left_out = frozenset(left_out)
    return found


def language_code(name: str) -> str | None:
    """The two letters of the language that a folder is named by (`zh-CN`, `pt_br`), or None."""
    match = _LANGUAGE.fullmatch(name)
    return code if match and (code := match["code"].lower()) in CODES else None


def _language_folders(documents: Iterable[str]) -> Mapping[str, dict[str, set[str]]]:
    """By the folder above: the folders named by languages, each with the paths inside it."""
    groups: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for path in documents:
        parts = path.split("/")
        for depth, part in enumerate(parts[:-1][: MAX_DEPTH + 1]):
            if language_code(part):
                parent = "".join(f"{folder}/" for folder in parts[:depth])
                groups[parent][part].add("/".join(parts[depth + 1 :]))
                break
    return groups


def _documents_beside(groups: Mapping[str, Mapping[str, set[str]]], documents: Iterable[str]) -> Mapping[str, set[str]]:
    """By the folder above: the paths inside it that are in no folder of a language."""
    beside: dict[str, set[str]] = defaultdict(set)
    for path in documents:
        parts = path.split("/")
        for depth in range(min(len(parts), MAX_DEPTH + 1)):
            parent = "".join(f"{folder}/" for folder in parts[:depth])
            if parent in groups and parts[depth] not in groups[parent]:
                beside[parent].add("/".join(parts[depth:]))
    return beside


def _judge(
    parent: str, folders: Mapping[str, set[str]], beside: set[str], default: str | None, found: Translations
) -> set[str]:
    """The documents below `parent` that are translations; what is found out is added to `found`."""
    original = _original(folders, default)
    if translations := {name for name, inside in folders.items() if _is_translation(inside, beside, len(folders))}:
        kept = parent or "the root"
    else:
        kept, originals = f"{parent}{original}/", folders[original]
        others = {name: inside for name, inside in folders.items() if name != original}
        translations = {name for name, inside in others.items() if _is_translation(inside, originals, len(folders))}
        if translations and len(originals) > 4 * len(beside):
            found.root = kept
    if not translations:
        return set()
    names = ", ".join(f"{parent}{name}/" for name in sorted(translations))
    found.reasons.append(f"{names} are left out as translations of {kept}: the names of their files are mostly equal")
    return {f"{parent}{name}/{path}" for name in translations for path in folders[name]}


def _original(folders: Mapping[str, set[str]], default: str | None) -> str:
    preferred = (PREFERRED, default)

    def rank(name: str) -> tuple[int, int, str]:
        code = language_code(name)
        return preferred.index(code) if code in preferred else len(preferred), -len(folders[name]), name

    return min(folders, key=rank)


def _is_translation(inside: set[str], originals: set[str], languages: int) -> bool:
    """Whether at least half of a folder's documents have one of the same name among the originals. A single index does
    not count where there is one such folder: `id/` may be a topic.
    """
    equal = len(inside & originals)
    return 2 * equal >= len(inside) and equal >= (1 if languages > 1 else 2)


def _named_translations(documents: list[str]) -> set[str]:
    """Documents such as `start.de.md` beside `start.md` or `start.en.md`."""
    known = set(documents)
    found = set()
    for path in documents:
        stem, extension = posixpath.splitext(path)
        original, _, language = stem.rpartition(".")
        originals = {f"{original}{extension}", f"{original}.{PREFERRED}{extension}"}
        if language_code(language) not in {None, PREFERRED} and originals & known:
            found.add(path)
    return found
