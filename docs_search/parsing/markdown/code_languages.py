"""The language of a file of code, as fences name it."""

import posixpath

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


def language_of(path: str) -> str:
    """By the extension; empty for a file without one."""
    extension = posixpath.splitext(path)[1].lstrip(".").lower()
    return _LANGUAGES.get(extension, extension)
