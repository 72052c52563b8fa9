"""Exact names in documentation and in queries: settings, functions, options, error codes, files, paths, error texts.

A name is recognised by its shape alone, the same way on both sides. What has no shape (`create index`, `vacuum`) is
known only where a section says that it defines it; `query_names` gives the word groups to look up among those.
Identifiers are normalised: case-folded, without quotes and call arguments, `{id}` in a path written `:id`.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from operator import itemgetter

from docs_search.documents import Role
from docs_search.parsing.text.plain_text import plain_text
from docs_search.stop_words import STOP_WORDS

MAX_PER_PASSAGE = 200
MAX_LENGTH = 100
MAX_NAMED_WORDS = 12
MAX_PHRASES = 5
MAX_PHRASE_LENGTH = 200

# One linear pass over the text. Addresses are consumed and dropped.
_TOKEN = re.compile(
    r"""
    (?P<address>\b[A-Za-z][\w+.-]{1,15}+://\S++)
    | (?<![\w-])(?P<option>--[A-Za-z][\w-]*+)
    | (?<![\w.:/])(?P<path>/(?:[\w:{}~.-]++/)+[\w:{}~.-]*+)
    | (?P<word>[^\W\d][\w$]*+(?:[.-][\w$]++)*)(?P<call>\((?!e?s\)))?
    | (?<![\w.-])(?P<code>\d[0-9A-Z]{4})(?![\w.-])
    | (?<![^\s\w"'`(\[,)\]])(?P<operator>[-+*/<>=~!@\#%^&|?]{2,5})(?![^\s\w"'`(\[,)\]])
    """,
    re.VERBOSE,
)
_SHORT_OPTION = re.compile(r"(?<!\S)-[A-Za-z](?=[\s=,;.?!)]|$)")
_SET_OFF = re.compile(r"`([^\W\d][\w-]++)`|\"([^\W\d][\w-]++)\"")
_KEBAB = re.compile(r"(?<![\w-])[^\W\d]\w*+(?:-\w++)+(?![\w-]|\.\w)")
_EXTENSION = re.compile(r"[a-z][a-z0-9]{1,4}")
_CODE_WORD = re.compile(r"[A-Z]{1,5}-?\d[0-9A-Z]{2,5}|(?=[A-Z]*\d)[0-9A-Z]{5}")
_HUMP = re.compile(r"[a-z0-9][A-Z]")
_CALL_ARGUMENTS = re.compile(r"\s*\(.*", re.DOTALL)
_PATH_PARAMETER = re.compile(r"\{([^{}/]*)\}")
_SECTION_NUMBER = re.compile(r"(?:[A-Z]?\d+(?:\.\d+)*\.?|[A-Z](?:\.\d+)+\.?)\s+")
_QUOTES = "\"'`\u201c\u201d\u2018\u2019"
_EDGE = _QUOTES + ".,;:!?()[]{}<>\u2026"

_QUOTED = re.compile(r"\"([^\"\n]++)\"|\u201c([^\u201c\u201d\n]++)\u201d|`([^`\n]++)`|(?<!\w)'([^'\n]++)'(?!\w)")
_ERROR_MARK = re.compile(r"(?:\b(?:ERROR|FATAL|PANIC|WARNING)|(?:\b|(?<=[a-z]))(?:[Ee]rror|[Ee]xception)):\s*+(.+)")
_VALUE = re.compile(r"\"[^\"]++\"|(?<!\w)'[^']++'(?!\w)|`[^`]++`|\([^()]++\)|[:;]")
_VALUE_WORD = re.compile(r"[\d/\\]")


def passage_identifiers(
    markdown: str, names: Sequence[str], heading: str, *, text: str | None = None
) -> dict[str, Role]:
    """The identifiers of a passage, at most 200: those that its section defines, then those it mentions: by their
    shape, or as a single word in backticks or double quotes.

    A section defines its `names`, and what its heading is (`max_connections (integer)`) or plainly names (`The
    pg_stat_activity View`); a mere camel-case word in a longer heading ("Installing PostgreSQL") does not count.
    `text` is the passage without markup, where it is at hand.
    """
    found: dict[str, Role] = {}
    for name in [*(normalise_identifier(name) for name in names), *_heading_identifiers(heading)]:
        if 2 <= len(name) <= MAX_LENGTH:
            found[name] = Role.SUBJECT
    set_off = (match[match.lastindex or 0].casefold() for match in _SET_OFF.finditer(markdown))
    shaped = (name for name, _ in _shaped(plain_text(markdown) if text is None else text))
    for name in chain(shaped, set_off):
        if len(found) >= MAX_PER_PASSAGE:
            break
        if 2 <= len(name) <= MAX_LENGTH:
            found.setdefault(name, Role.MENTION)
    return dict(list(found.items())[:MAX_PER_PASSAGE])


def query_identifiers(query: str) -> list[str]:
    """The words of a query that may be identifiers, in order and without repeats: those that have the shape of one,
    short options, hyphened words (found only where documentation writes them as code), and single words in quotes.
    """
    found = [(start, name) for name, start in _shaped(query)]
    for pattern in (_SHORT_OPTION, _KEBAB):
        found += [(match.start(), normalise_identifier(match[0])) for match in pattern.finditer(query)]
    for match in _QUOTED.finditer(query):
        text = match[match.lastindex or 0].strip()
        if len(text.split()) == 1:
            found.append((match.start(), normalise_identifier(text)))
    found.sort(key=itemgetter(0))
    return [name for name in dict.fromkeys(name for _, name in found) if 2 <= len(name) <= MAX_LENGTH]


def query_names(query: str) -> list[str]:
    """Every group of one to three neighbouring words that could be a name without a shape (`create index`).

    Empty for a query of more than 12 words, where a match would be chance. A function word counts alone only in
    capitals (`DO`). The last part of a dotted word is a name too (`information_schema.columns` → `columns`).
    """
    words = query.split()
    if len(words) > MAX_NAMED_WORDS:
        return []
    plain = [normalise_identifier(word.strip(_EDGE)) for word in words]
    names: dict[str, None] = {}
    for size in (3, 2, 1):
        for start in range(len(words) - size + 1):
            group = plain[start : start + size]
            named = all(any(map(str.isalnum, word)) for word in group)
            if named and not (size == 1 and group[0] in STOP_WORDS and not words[start].strip(_EDGE).isupper()):
                names[" ".join(group)] = None
    names.update((word.rpartition(".")[2], None) for word in plain if _is_dotted(word))
    return [name for name in names if 2 <= len(name) <= MAX_LENGTH]


def query_phrases(query: str) -> list[str]:
    """The parts of a query that documentation may hold word for word, at most 5: quoted text of three or more words,
    and error texts (after `ERROR:` and the like), cut where they carry values: names, numbers, files.
    """
    texts = [match[match.lastindex or 0] for match in _QUOTED.finditer(query)]
    phrases = [text for text in texts if len(text.split()) >= 3]
    for match in _ERROR_MARK.finditer(query):
        parts = _without_values(match[1])
        # What is left of a text with values is often short and common ("does not exist"): ask for one word more.
        enough = 3 if len(parts) == 1 else 4
        phrases += [part for part in parts if len(part.split()) >= enough]
    trimmed = (" ".join(phrase.split())[:MAX_PHRASE_LENGTH].strip(_EDGE + " ") for phrase in phrases)
    return list(dict.fromkeys(phrase for phrase in trimmed if phrase))[:MAX_PHRASES]


def _without_values(error: str) -> list[str]:
    """The stretches of an error text between its values."""
    parts: list[list[str]] = [[]]
    for word in _VALUE.sub(" / ", error).split():
        if _VALUE_WORD.search(word):
            parts.append([])
        else:
            parts[-1].append(word)
    return [" ".join(words) for words in parts]


def normalise_identifier(name: str) -> str:
    """The form in which identifiers are stored and compared."""
    name = " ".join(name.replace("\0", " ").split()).strip(_QUOTES)
    if not name.startswith("("):
        name = _CALL_ARGUMENTS.sub("", name)
    if "/" in name:
        name = _PATH_PARAMETER.sub(r":\1", name)
    return name.casefold().strip(_QUOTES + ",;")


def _heading_identifiers(heading: str) -> list[str]:
    text = _SECTION_NUMBER.sub("", plain_text(heading), count=1) if heading[:1].isalnum() else plain_text(heading)
    whole = normalise_identifier(text)
    return [name for name, start in _shaped(text) if name == whole or not _is_weak(text, start, name)]


def _is_weak(text: str, start: int, name: str) -> bool:
    """Whether only capitals make this a name; brands are written like that too."""
    return name.isalnum() and text[start + len(name) : start + len(name) + 1] != "("


def _shaped(text: str) -> Iterator[tuple[str, int]]:
    """Normalised identifiers with their offsets in `text`, repeats included."""
    for match in _TOKEN.finditer(text):
        start = match.start()
        match match.lastgroup:
            case "word" | "call":
                for name, offset in _word_identifiers(match["word"], match["call"] is not None):
                    yield name, start + offset
            case "operator":
                if not _is_drawing(match[0]):
                    yield match[0], start
            case "option" | "path" | "code":
                name = normalise_identifier(match[0].rstrip(".:-"))
                if 2 < len(name) <= MAX_LENGTH:
                    yield name, start


@lru_cache(maxsize=100_000)
def _word_identifiers(word: str, called: bool) -> tuple[tuple[str, int], ...]:
    """The identifiers in a run of letters, digits, dots and hyphens, with their offsets: the whole, and its parts."""
    if len(word) > MAX_LENGTH:
        return ()
    if "-" in word and _CODE_WORD.fullmatch(word):
        return ((word.casefold(), 0),)
    found = [(word.casefold(), 0)] if _is_dotted(word) else []
    offset = 0
    parts = re.split(r"([.-])", word)
    for number, part in enumerate(parts):
        last = number == len(parts) - 1
        if len(part) > 1 and (_has_shape(part) or (called and last)):
            found.append((part.casefold(), offset))
        offset += len(part)
    return tuple(found)


def _is_dotted(word: str) -> bool:
    """`pg_stat_activity.query`, `pg_hba.conf`, `docker-compose.yml`; not `e.g`, `v1.2` or `left-hand`."""
    parts = word.split(".")
    if len(parts) == 1 or any(len(part) < 2 or part.isdigit() for part in parts):
        return False
    return "-" not in word or _EXTENSION.fullmatch(parts[-1]) is not None


def _has_shape(word: str) -> bool:
    """`max_connections`, `ST_DWithin`, `dashboardId`, `42P01`; not `word`, `WORD` or `Word`."""
    if "_" in word:
        return word.strip("_") != ""
    return bool(_HUMP.search(word) or _CODE_WORD.fullmatch(word))


def _is_drawing(operator: str) -> bool:
    """Whether it is no operator but a rule or an ellipsis (`----`, `===`; `&&` is one) or a part of a tag (`</`)."""
    signs = set(operator)
    if "/" in signs and signs & set("<>"):
        return True
    return not signs & set("<>=~!@#&|?") or (len(signs) == 1 and operator not in ("&&", "||", "@@"))
