"""What a section documents, judged by its heading and where it stands."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from docs_search.documents import Kind


class Entry(NamedTuple):
    """The part of a Section that its heading decides; see `documents.Section`."""

    kind: Kind = Kind.SECTION
    own: bool = False
    names: tuple[str, ...] = ()


_MAX_HEADING = 300  # characters; what is longer names nothing, and could keep the expressions busy for hours

_CODE = re.compile(r"~*(`++) ?(.+?) ?\1~*")
_ENVIRONMENT_VARIABLE = re.compile(r"(`*)([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?: *[\[(].*[\])])?\1(?: *[\[(].*[\])])?")
_OPERATION = re.compile(r"(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS) +(/\S*)")
_OPTION = re.compile(r"--?[A-Za-z][\w-]*")
_COMMAND = re.compile(r"[a-z][\w.-]*")
_CALL = re.compile(r"([A-Za-z_][\w.:]*)\([^()]*\)")
_IDENTIFIER = re.compile(r"[\w.:$@-]*[A-Za-z_][\w.:$@/-]*")

_RELEASE_NOTES_PATH = re.compile(
    r"(?:[\w-]*[-_])?change-?logs?|changes|releases?|(?:[\w-]*[-_])?release[-_]?notes?|what-?s-?new|release[-_]v?\d[\w.-]*"
    r"|release-prior",
    re.IGNORECASE,
)
_RELEASE_NOTES_TITLE = re.compile(r"\b(?:change ?logs?|release notes?|what['’]s new)\b", re.IGNORECASE)
_FAQ = re.compile(r"\bfaqs?\b|\bfrequently asked\b", re.IGNORECASE)
_SETTINGS = re.compile(
    r"\b(?:settings?|configuration|config|parameters?|options?|keys|environment variables)\b", re.IGNORECASE
)
_COMMANDS = re.compile(r"\b(?:commands?|cli|command[- ]line)\b", re.IGNORECASE)
_TROUBLESHOOTING = re.compile(r"\b(?:troubleshooting|errors?|error messages?|known issues|problems)\b", re.IGNORECASE)
_ERROR_TEXT = re.compile(
    r"[\"“`][^\"”`]*\b(?i:denied|failed|invalid|cannot|could not|not found|refused|timed out|error|exception)\b"
    r"|\b[A-Z]\w*(?:Error|Exception)s?\b"
    r"|^[45]\d\d\b"
    r"|^(?:ERROR|FATAL|WARNING|PANIC)\b"
    r"|^Error\b.*:"
    r"|\b(?i:cannot|could not|failed to|unable to)\b"
)


def classify(heading: str, *, path: str, title: str, ancestors: Sequence[str] = ()) -> Entry:
    """The kind of a section, whether it is an entry of its own, and the identifiers it defines.

    `heading` is Markdown, so that code can be told from words; `path` and `title` are the page's, `ancestors` the
    headings above. What is not clear is a plain section.
    """
    title, *ancestors = (text[:_MAX_HEADING] for text in (title, *ancestors))
    if is_release_notes(path, title):
        return Entry(Kind.RELEASE_NOTE)
    if len(heading) > _MAX_HEADING:
        return Entry()
    code_span = _CODE.fullmatch(heading.strip())
    code = code_span[2].strip() if code_span else ""
    if operation := _OPERATION.fullmatch(code or heading.strip()):
        return Entry(Kind.API, own=True, names=(f"{operation[1]} {operation[2]}", operation[2]))
    if variable := _ENVIRONMENT_VARIABLE.fullmatch(heading.strip()):
        return Entry(Kind.SETTING, own=True, names=(variable[2],))
    context = " ".join((_words_of(path), title, *ancestors))
    if code:
        return _code_entry(code, context)
    if any(_FAQ.search(text) for text in (_words_of(path), title, heading, *ancestors)):
        return Entry(Kind.FAQ)
    if _TROUBLESHOOTING.search(context) and _ERROR_TEXT.search(heading):
        return Entry(Kind.ERROR)
    return Entry()


def is_release_notes(path: str, title: str) -> bool:
    """Whether a page tells what changed from release to release."""
    segments = path.rsplit(".", 1)[0].split("/") if path.endswith((".html", ".md")) else path.split("/")
    return any(_RELEASE_NOTES_PATH.fullmatch(segment) for segment in segments) or bool(
        _RELEASE_NOTES_TITLE.search(title)
    )


def _code_entry(code: str, context: str) -> Entry:
    """An entry whose heading is nothing but code, such as `--jobs` or `reset-password email-address`."""
    if options := _OPTION.findall(code) if code.startswith("-") else []:
        return Entry(Kind.SETTING, own=True, names=tuple(options))
    if call := _CALL.fullmatch(code):
        return Entry(Kind.FUNCTION, own=True, names=(call[1],))
    if _COMMANDS.search(context):
        first_words = (usage.split(maxsplit=1)[0] for usage in code.split("|") if usage.strip())
        if names := tuple(dict.fromkeys(word for word in first_words if _COMMAND.fullmatch(word))):
            return Entry(Kind.COMMAND, own=True, names=names)
    if not _IDENTIFIER.fullmatch(code):
        return Entry()
    if _SETTINGS.search(context):
        return Entry(Kind.SETTING, own=True, names=(code,))
    return Entry(names=(code,))


def _words_of(path: str) -> str:
    return re.sub(r"[-_/.]+", " ", path)
