"""corpora.toml: the corpora that an installation begins with.

The file creates what the database lacks; afterwards the database rules, where staff edit corpora in the admin.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from docs_search.models import Corpus
from docs_search.pages.addresses import pattern_fault
from docs_search.parsing.registry import AUTO, PARSER_NAMES
from docs_search.sources import has_password
from docs_search.versions import COMMON, SCHEMES, Scheme


class CorporaError(Exception):
    """What is wrong with a corpora file, a line for each fault."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusDeclaration:
    """One table of the file. The fields are those of `models.Corpus`, which says what they mean."""

    slug: str
    title: str
    url: str
    parser: str = AUTO
    version_scheme: str = "none"
    source: str = ""
    subfolder: str = ""
    url_exceptions: dict[str, str] = field(default_factory=dict)
    url_aliases: list[str] = field(default_factory=list)
    index_path: str = ""
    plans: list[str] = field(default_factory=list)
    cloud_prefixes: list[str] = field(default_factory=list)
    shared_prefixes: list[str] = field(default_factory=list)


KEYS = tuple(item.name for item in fields(CorpusDeclaration) if item.name != "slug")
REQUIRED = ("title", "url")
SOURCE_PLACEHOLDERS = frozenset({"{site}", "{tag}", "{version}"})
_LISTS = frozenset({"url_aliases", "plans", "cloud_prefixes", "shared_prefixes"})


@dataclass(frozen=True, slots=True)
class LoadReport:
    """Slugs by what became of them. `kept` differ from the file, and stay as the database has them."""

    created: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)


def load_corpora(path: Path, *, force: bool = False) -> LoadReport:
    """Create the corpora that the file declares and the database lacks; with `force`, also overwrite the others.

    Raises CorporaError for a file that is missing or wrong, or that gives versions another scheme; then nothing has
    changed.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise CorporaError(f"{path}: cannot be read: {fault}") from None
    declared = {declaration.slug: asdict(declaration) for declaration in parse_corpora(text, name=path.name)}
    report = LoadReport()
    with transaction.atomic():
        known = Corpus.objects.select_for_update().in_bulk(declared, field_name="slug")
        # Two processes may start at the same time, each with an empty database.
        Corpus.objects.bulk_create(
            (Corpus(**values) for slug, values in declared.items() if slug not in known), ignore_conflicts=True
        )
        for slug, values in declared.items():
            outcome = _outcome(known.get(slug), values, force=force)
            getattr(report, outcome).append(slug)
            if outcome == "updated":
                if reason := _scheme_fault(known[slug], values["version_scheme"]):
                    raise CorporaError(f"{path.name}: [{slug}] version_scheme: {reason}")
                Corpus.objects.filter(slug=slug).update(**values)
    return report


def parse_corpora(text: str, *, name: str = "corpora.toml") -> list[CorpusDeclaration]:
    """The declarations in the text of a corpora file. Raises CorporaError for all faults: file, table, key, reason."""
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise CorporaError(f"{name}: {fault}") from None
    faults: list[str] = []
    declarations = []
    for slug, table in tables.items():
        if not isinstance(table, dict):
            faults.append(f"{name}: [{slug}] expected a table with the keys of one corpus")
        elif found := corpus_faults(slug, table):
            faults += (f"{name}: [{slug}] {key}: {reason}" for key, reason in found)
        else:
            declarations.append(CorpusDeclaration(slug=slug, **table))
    if faults:
        raise CorporaError("\n".join(faults))
    return declarations


def corpus_faults(slug: str, table: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Everything that is wrong with the values of one corpus: key and reason."""
    faults = list(_type_faults(table))
    wrong = {key for key, _ in faults}
    # What is wrong already is judged no further, and must not hide what is wrong besides.
    right = dict.fromkeys(REQUIRED, "") | {key: value for key, value in table.items() if key not in wrong}
    others = _value_faults(CorpusDeclaration(slug=slug, **right))
    return [*faults, *((key, reason) for key, reason in others if key not in wrong)]


def _value_faults(corpus: CorpusDeclaration) -> Iterator[tuple[str, str]]:
    if not re.fullmatch(r"[a-z][a-z0-9-]*", corpus.slug):
        yield "slug", "a corpus is named with a-z, 0-9 and -, beginning with a letter"
    if corpus.parser not in PARSER_NAMES:
        yield "parser", _unknown("parser", corpus.parser, dict.fromkeys(PARSER_NAMES))
    if corpus.version_scheme in SCHEMES:
        yield from _address_faults(corpus, SCHEMES[corpus.version_scheme])
    else:
        hint = "'numbers' reads releases such as 1.2.3"
        yield "version_scheme", f"{_unknown('scheme', corpus.version_scheme, SCHEMES)}; {hint}"
    if unknown := set(re.findall(r"\{[^{}]*\}", corpus.source)) - SOURCE_PLACEHOLDERS:
        yield "source", f"unknown placeholder {min(unknown)}; known are {', '.join(sorted(SOURCE_PLACEHOLDERS))}"
    if has_password(corpus.source):
        yield "source", "an address is stored and shown, so it is given without user name and password; see GIT_TOKENS"
    for key in ("cloud_prefixes", "shared_prefixes"):
        if any(prefix.startswith("/") or not prefix for prefix in getattr(corpus, key)):
            yield key, "a prefix is the beginning of a page's path, without a slash before it"
    try:
        Corpus(**asdict(corpus)).clean_fields()
    except ValidationError as fault:
        for key, messages in fault.message_dict.items():
            yield key, " ".join(messages)


def _address_faults(corpus: CorpusDeclaration, scheme: Scheme) -> Iterator[tuple[str, str]]:
    if fault := pattern_fault(corpus.url, versioned=scheme.versioned):
        yield "url", fault
    for version, pattern in corpus.url_exceptions.items():
        release = scheme.parse(version)
        if version not in COMMON and (release is None or release.name != version):
            yield "url_exceptions", f"{version!r} is not the name of a version under the scheme {scheme.name!r}"
        if fault := pattern_fault(pattern, versioned="{version}" in pattern):
            yield "url_exceptions", f"{version}: {fault}"
    for pattern in corpus.url_aliases:
        if fault := pattern_fault(pattern, versioned=scheme.versioned and "{version}" in pattern):
            yield "url_aliases", f"{pattern}: {fault}"


def _type_faults(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for key, value in table.items():
        if key not in KEYS:
            yield key, _unknown("key", key, dict.fromkeys(KEYS))
        elif not _has_type(key, value):
            yield key, f"expected {_expected(key)}"
    for key in REQUIRED:
        if not table.get(key):
            yield key, "missing"


def _has_type(key: str, value: Any) -> bool:
    if key == "url_exceptions":
        return isinstance(value, dict) and all(isinstance(pattern, str) for pattern in value.values())
    if key in _LISTS:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    return isinstance(value, str)


def _expected(key: str) -> str:
    if key == "url_exceptions":
        return 'a table of patterns by version, like {"3.3" = "https://…/{path}"}'
    return 'a list of texts, like ["…", "…"]' if key in _LISTS else 'a text, like "…"'


def _unknown(what: str, value: str, known: Mapping[str, object]) -> str:
    close = get_close_matches(value, known, n=1)
    hint = f"did you mean {close[0]!r}?" if close else f"known are {', '.join(known)}"
    return f"unknown {what} {value!r}; {hint}"


def _scheme_fault(known: Corpus, scheme: str) -> str | None:
    """Versions are named and ordered by the scheme they were indexed under."""
    if known.version_scheme == scheme or not known.versions.exists():
        return None
    return (
        f"is {known.version_scheme!r}, by which its versions are named, and cannot become {scheme!r}."
        f" Remove them first: manage.py remove {known.slug}"
    )


def _outcome(known: Corpus | None, values: dict[str, Any], *, force: bool) -> str:
    if known is None:
        return "created"
    if all(getattr(known, key) == value for key, value in values.items()):
        return "unchanged"
    return "updated" if force else "kept"
