"""Which of a repository's branches and tags a location means."""

import re
from collections.abc import Callable, Iterable
from difflib import get_close_matches

from docs_search.sources.base import SourceError

_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_RELEASE = re.compile(r"(?<![A-Za-z0-9.])v?[0-9]+\.[0-9].*", re.DOTALL | re.IGNORECASE)
_NUMBER = re.compile(r"(?<![A-Za-z0-9])v?[0-9].*|[0-9].*", re.DOTALL | re.IGNORECASE)
_NUMBERS = re.compile(r"v?([0-9]{1,9}(?:\.[0-9]{1,9}){0,8})(.*)", re.DOTALL | re.IGNORECASE)
_PRE_RELEASE = re.compile(r"[-.]?(?:alpha|beta|rc|dev|pre|snapshot|nightly|canary|next|[abcm](?=[0-9]))", re.IGNORECASE)
_PART = re.compile(r"[0-9]{1,9}|[a-z]+", re.IGNORECASE)
_NAME = re.compile(r"refs/(?:heads|tags)/[^\x00-\x20\x7f~^:?*\[\\]+")  # what git lets its own users write
_MAX_NAME = 250  # characters; a longer tag is no release

Order = tuple[bool, tuple[int, ...], tuple[tuple[bool, int, str], ...]]


def parse_refs(listing: str) -> dict[str, str]:
    """Full names of branches and tags and the objects they name, from the output of `git ls-remote`.

    Servers may send what they like: names that git allows nobody to make, or that cannot be shown, are left out.
    """
    lines = (line.partition("\t") for line in listing.split("\n"))
    return {name: number for number, _, name in lines if _NAME.fullmatch(name) and name.isprintable()}


def full_name(ref: str, known: Iterable[str]) -> str:
    """What to ask the server for: the tag `ref`, or else the branch, or a commit by its whole number.

    Raises SourceError that names similar ones.
    """
    known = set(known)
    for name in (ref, f"refs/tags/{ref}", f"refs/heads/{ref}"):
        if name in known:
            return name
    if _COMMIT.fullmatch(ref):
        return ref
    short = sorted({_short(name)[:_MAX_NAME] for name in known})
    close = get_close_matches(ref, short[:20_000], n=3, cutoff=0.5)
    hint = f"Similar ones: {', '.join(close)}." if close else f"It has {', '.join(short[:5]) or 'none at all'}."
    raise SourceError(f"The repository has no branch or tag {ref!r}. {hint}")


def newest_tag(known: Iterable[str], is_release: Callable[[str], bool] | None) -> str:
    """The full name of the newest tag that is a release of the wanted version.

    A tag is offered to `is_release` as it is, then without what stands before its number (`release-3.5.1`) and with
    dots for underscores (`REL_17_2`). Pre-releases are taken only where there is no release. Raises SourceError.
    """
    if is_release is None:
        raise SourceError("The location leaves the tag open ({tag}). Name the version to index, or put a tag there.")
    tags = [name for name in known if name.startswith("refs/tags/") and len(name) <= _MAX_NAME]
    fitting = [name for name in tags if any(map(is_release, spellings(_short(name))))]
    if fitting:
        # A repository of several products gives the main one the plain tags.
        plain = [name for name in fitting if is_release(_short(name)) and age_order(_short(name))[0]]
        return max(plain or fitting, key=lambda name: (age_order(_short(name)), name))
    newest = sorted(map(_short, tags), key=lambda tag: (age_order(tag), tag), reverse=True)[:5]
    hint = f"The newest are {', '.join(newest)}." if newest else "It has no tags at all."
    raise SourceError(f"No tag of the repository is a release of this version. {hint}")


def spellings(tag: str) -> list[str]:
    """How a tag may be read as a release."""
    bare = _bare(tag)
    return list(dict.fromkeys([tag, bare, _NUMBERS.sub(r"\1\2", bare)]))


def age_order(tag: str) -> Order:
    """A key by which newer releases come later, and pre-releases before all of them."""
    match = _NUMBERS.match(_bare(tag))
    if match is None:
        return False, (), ()
    numbers = tuple(map(int, match[1].split(".")))
    rest = tuple((part.isdigit(), int(part) if part.isdigit() else 0, part.lower()) for part in _PART.findall(match[2]))
    return not _PRE_RELEASE.match(match[2]), numbers, rest


def _bare(tag: str) -> str:
    """A tag from its number on, with dots between numbers: from the first that has a dot, where there is one."""
    dotted = tag.replace("_", ".")
    match = _RELEASE.search(dotted) or _NUMBER.search(dotted)
    return match[0] if match else tag


def _short(name: str) -> str:
    return re.sub(r"^refs/(?:heads|tags)/", "", name)
