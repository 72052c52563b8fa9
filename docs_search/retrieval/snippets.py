"""The window of a passage that shows best why it was found, and where the query's terms stand in it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import Stemmer

from docs_search.stop_words import STOP_WORDS

WIDTH = 280
_WORD = re.compile(r"[^\W_]+")
_SENTENCE_END = re.compile(r"(?<=[.!?:])\s+|\n+")


@dataclass(frozen=True, slots=True)
class Snippet:
    """`highlights` are half-open character ranges of `text`, in order, without overlaps."""

    text: str
    highlights: tuple[tuple[int, int], ...]


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """The Snowball English stem of a case-folded word, as PostgreSQL's dictionary makes it."""
    # A Stemmer is not safe to share between threads; making one costs microseconds, and the cache keeps it rare.
    return str(Stemmer.Stemmer("english", 0).stemWord(word.lower()))


def query_stems(query: str) -> frozenset[str]:
    """The stems that count as the query's terms: without stop words, unless it holds nothing else."""
    words = [word.lower() for word in _WORD.findall(query)]
    content = [word for word in words if word not in STOP_WORDS]
    return frozenset(stem(word) for word in content or words)


def count_terms(text: str, stems: frozenset[str]) -> int:
    """How many of the query's terms occur in `text`, each counted once."""
    return len(stems & {stem(word) for word in _WORD.findall(text)})


def best_window(text: str, stems: frozenset[str], *, width: int = WIDTH) -> Snippet:
    """The stretch of about `width` characters that holds the most different terms, then the most occurrences.

    `text` is plain. White space is folded to single spaces; the window starts at a sentence where one is near.
    """
    folded = " ".join(text.split())
    matches = [
        (match.start(), match.end(), word) for match in _WORD.finditer(folded) if (word := stem(match.group())) in stems
    ]
    start = _start_of_window(folded, matches, width)
    end = len(folded) if len(folded) - start <= width else _word_end(folded, start + width)
    prefix = "… " if start else ""
    shown = prefix + folded[start:end] + (" …" if end < len(folded) else "")
    shift = len(prefix) - start
    inside = [(low + shift, high + shift) for low, high, _ in matches if low >= start and high <= end]
    return Snippet(shown, _joined(inside, shown))


def _start_of_window(text: str, matches: Sequence[tuple[int, int, str]], width: int) -> int:
    """Where the densest window begins, moved back to the beginning of its sentence or of a word."""
    if len(text) <= width or not matches:
        return 0
    best, best_value = 0, (0, 0)
    last = 0
    for first, (low, _, _) in enumerate(matches):
        last = max(last, first)
        while last + 1 < len(matches) and matches[last + 1][1] <= low + width:
            last += 1
        words = [word for _, _, word in matches[first : last + 1]]
        value = (len(set(words)), len(words))
        if value > best_value:
            best, best_value = low, value
    sentences = [match.end() for match in _SENTENCE_END.finditer(text, max(0, best - width // 3), best)]
    if sentences:
        return sentences[-1] if best - sentences[-1] > 0 else best
    if best <= width // 3:
        return 0
    return text.rfind(" ", 0, max(best - width // 6, 1)) + 1


def _word_end(text: str, position: int) -> int:
    """The last end of a word at or before `position`, so that no word is cut."""
    if position >= len(text) or text[position] == " ":
        return min(position, len(text))
    space = text.rfind(" ", 0, position)
    return space if space > position - 60 else position


def _joined(ranges: Sequence[tuple[int, int]], text: str) -> tuple[tuple[int, int], ...]:
    """Neighbouring matches that only `_`, `-` or `.` sets apart become one: `max_connections`, not two halves."""
    joined: list[tuple[int, int]] = []
    for low, high in ranges:
        if joined and text[joined[-1][1] : low] in {"_", "-", "."}:
            joined[-1] = (joined[-1][0], high)
        else:
            joined.append((low, high))
    return tuple(joined)
