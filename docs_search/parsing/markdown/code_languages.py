"""The language of code: by the name of a file, and by what a fence says."""

import posixpath
import re

_LANGUAGES = {
    "cs": "csharp",
    "js": "javascript",
    "kt": "kotlin",
    "md": "markdown",
    "py": "python",
    "rb": "ruby",
    "rs": "rust",
    "sh": "bash",
    "ts": "typescript",
    "yml": "yaml",
}


# What follows the language without a blank: `js{1,3}`, `rust,ignore`, `py:main.py`; or it is a class: `{.py .wide}`.
_NAMED = re.compile(r"\{?\.(?P<name>[A-Za-z][\w+#-]*)[^{}]*\}?|(?P<plain>[A-Za-z][\w+#.-]*)[,:{(][^\n]*")


def language_named(info: str) -> str:
    """The language that the first line of a fence names."""
    info = info.strip()
    match = _NAMED.fullmatch(info)
    return (match["name"] or match["plain"]) if match else info.split(" ", 1)[0]


def language_of(path: str) -> str:
    """By the extension; empty for a file without one."""
    extension = posixpath.splitext(path)[1].lstrip(".").lower()
    return _LANGUAGES.get(extension, extension)
