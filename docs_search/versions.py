"""How a corpus numbers its releases, and which indexed release answers for the one that a reader names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from docs_search.errors import InvalidRequest, UnknownVersion

NEWEST = frozenset({"", "latest", "current"})
COMMON = ("cloud", "shared")  # names of the versions whose pages apply to every release
MAX_LENGTH = 90  # characters of a version or of corpus and version in one, as they are stored


@dataclass(frozen=True, slots=True)
class Release:
    """A release by its numbers, to order by, and the name that its docs give it."""

    numbers: tuple[int, ...]
    name: str


@dataclass(frozen=True, slots=True)
class Scheme:
    """How the releases of a product are numbered.

    `pattern` reads a release as readers write it, in lower case: its groups are the numbers that tell one set of docs
    from another; what stands outside them (a patch, a pre-release) does not. `name_format` writes the docs' own name,
    and `example` is such a name.
    """

    name: str
    pattern: re.Pattern[str]
    name_format: str
    example: str

    @property
    def versioned(self) -> bool:
        """Whether there are releases at all; the docs of an unversioned product are one version without a name."""
        return bool(self.name_format)

    def parse(self, text: str) -> Release | None:
        """The release that `text` names, or None where it is no release under this scheme."""
        if len(text) > MAX_LENGTH or not (match := self.pattern.fullmatch(text.strip().lower())):
            return None
        numbers = tuple(int(number) for number in match.groups() if number is not None)
        return Release(numbers, self.name_format.format(".".join(map(str, numbers))))


_PATCH = r"(?:\.[0-9]{1,6}){0,3}"
_PRE_RELEASE = r"(?:[-.]?(?:alpha|beta|rc|dev)[-.]?[0-9]{0,3})?"


def _scheme(name: str, numbers: str, example: str, name_format: str = "{}") -> Scheme:
    return Scheme(name, re.compile(f"v?{numbers}{_PATCH}{_PRE_RELEASE}"), name_format, example)


SCHEMES: dict[str, Scheme] = {
    scheme.name: scheme
    for scheme in (
        Scheme("none", re.compile(r"(?!)"), "", ""),
        # The leading 0 is the open-source edition and the leading 1 the paid one; their docs are the same.
        _scheme("metabase", r"(?:[01]\.([1-9][0-9]{0,3})|([1-9][0-9]{1,3}))", "v0.63", "v0.{}"),
        _scheme("major", r"([1-9][0-9]{0,3})", "17"),
        _scheme("major.minor", r"([0-9]{1,4})\.([0-9]{1,4})", "3.5"),
        # Docs of other products: each set is known by as many numbers as its publisher gives it.
        Scheme(
            "numbers",
            re.compile(
                rf"v?([0-9]{{1,6}})(?:\.([0-9]{{1,6}}))?(?:\.([0-9]{{1,6}}))?(?:\.([0-9]{{1,6}}))?{_PRE_RELEASE}"
            ),
            "{}",
            "1.2.3",
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Fallback:
    """That another release was searched than the one asked for, and why."""

    requested: str
    used: str
    note: str


@dataclass(frozen=True, slots=True)
class Resolution:
    """The name of the indexed release that answers, and, where that is not what was asked for, why."""

    version: str
    fallback: Fallback | None = None


def source_slug(corpus: str, version: str) -> str:
    """Corpus and version in one name: `postgres_17`, `metabase_cloud`; the corpus alone where it is unversioned."""
    return f"{corpus}_{version}" if version else corpus


def resolve(requested: str | None, *, corpus: str, scheme: Scheme, available: Sequence[Release]) -> Resolution:
    """The indexed release for what a reader asked: itself, else the nearest older one, else the nearest newer.

    None, blank, `latest` and `current` mean the newest. Releases are the same where one has the numbers that the
    other begins with, so that 1.2 is answered by 1.2.5 and 1.2.5 by 1.2.
    Raises UnknownVersion where nothing is available or the text is no release, and InvalidRequest where it is absurdly
    long.
    """
    releases = sorted(available, key=lambda release: release.numbers, reverse=True)
    names = [release.name for release in releases]
    if not releases:
        raise UnknownVersion(f"No version of {corpus} is indexed.", names)
    text = (requested or "").strip()
    if len(text) > MAX_LENGTH:
        raise InvalidRequest(f"A version has at most {MAX_LENGTH} characters.")
    if text.lower() in NEWEST:
        return Resolution(names[0])
    wanted = scheme.parse(text)
    if wanted is None:
        choice = f"versions are {', '.join(names)}" if scheme.versioned else "it has no versions"
        raise UnknownVersion(f"{text!r} is no version of {corpus}: {choice}.", names if scheme.versioned else [])
    same = [release for release in releases if _same(release.numbers, wanted.numbers)]
    if same:
        # Of 1.2 and 1.2.5 the exact one, else the one that says most.
        return Resolution(max(same, key=lambda release: (release == wanted, release.numbers)).name)
    older = next((release for release in releases if release.numbers < wanted.numbers), None)
    used = older or releases[-1]
    relation = "older" if older else "newer"
    note = f"{corpus} {wanted.name} is not indexed; {used.name} is the nearest {relation} version that is."
    return Resolution(used.name, Fallback(wanted.name, used.name, note))


def _same(some: tuple[int, ...], other: tuple[int, ...]) -> bool:
    shared = min(len(some), len(other))
    return some[:shared] == other[:shared]
