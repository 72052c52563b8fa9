"""Numbers of chapters in front of titles, which mean nothing to who searches and change from release to release."""

import posixpath
import re
from collections.abc import Sequence

from docs_search.documents import Kind, Section

_NUMBER = re.compile(
    r"(?P<word>(?:chapter|part|section|appendix)\s+)?(?P<number>\d{1,3}(?:\.\d{1,3}){0,5})(?P<mark>\s*[.:)–—-])?\s+(?=[^\W\d_])",
    re.IGNORECASE,
)
_MIN_PAIRS = 2


def without_numbers(path: str, title: str, sections: Sequence[Section]) -> str:
    """The title without the number of its chapter. Takes those of the sections' headings away, too.

    They are numbers of chapters only where several headings continue the number of what they are part of (2, 2.1,
    2.2), in order from the first one on. A title alone loses its number when its file has the same one: `02-setup.md`,
    *2. Setup*. So *7 ways to fail*, *Step 2* and the releases of a changelog stay as they are.
    """
    if not sections or sections[0].kind is Kind.RELEASE_NOTE:
        return title
    number = _number_of(title)
    pairs = 0
    above: list[tuple[int, tuple[int, ...]]] = [(1, number)] if number else []
    counts: dict[tuple[int, ...], int] = {}
    for section in sections[1:]:
        own = _number_of(section.heading)
        while above and above[-1][0] >= section.level:
            above.pop()
        if own and above and own[:-1] == above[-1][1]:
            if own[-1] != counts.get(own[:-1], 0) + 1:
                return _named_like_its_file(path, title)
            counts[own[:-1]] = own[-1]
            pairs += 1
        if own:
            above.append((section.level, own))
    if pairs < _MIN_PAIRS:
        return _named_like_its_file(path, title)
    for section in sections[1:]:
        section.heading = _NUMBER.sub("", section.heading, count=1) if _number_of(section.heading) else section.heading
    return _NUMBER.sub("", title, count=1) if number and number in counts else _named_like_its_file(path, title)


def _number_of(heading: str) -> tuple[int, ...]:
    match = _NUMBER.match(heading)
    return tuple(map(int, match["number"].split("."))) if match else ()


def _named_like_its_file(path: str, title: str) -> str:
    match = _NUMBER.match(title)
    if match is None or "." in match["number"] or not (match["mark"] or match["word"]):
        return title
    stem = posixpath.splitext(posixpath.basename(path))[0]
    has_same = re.match(rf"(?:\D{{0,20}}[-_])?0*{int(match['number'])}(?=[-_.]|\Z)", stem)
    return title[match.end() :] if has_same else title
