"""Bytes of a text document as text."""

import codecs
import re

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it starts with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# PostgreSQL stores no NUL and no surrogate; other control characters and noncharacters mean nothing in a document. Soft
# hyphens and zero-width spaces hint where a browser may break a long name: no reader sees them, and no query has them.
_NO_TEXT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\xad\u200b\u2060\ud800-\udfff\ufeff\ufdd0-\ufdef\ufffe\uffff]")


def decode(data: bytes) -> tuple[str, tuple[str, ...]]:
    """The text with `\\n` as line end, and warnings.

    A byte order mark decides the encoding; everything else is UTF-8, in which bytes that are no UTF-8 are read as
    Windows-1252, since that is what they are in documents of mixed origin.
    """
    encoding = "utf-8"
    for mark, name in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            data, encoding = data[len(mark) :], name
            break
    warnings: tuple[str, ...] = ()
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        text = data.decode(encoding, errors=_WINDOWS_1252 if encoding == "utf-8" else "replace")
        warnings = (f"not valid {encoding.upper()} at byte {error.start}",)
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return without_controls(text), warnings


def without_controls(text: str) -> str:
    """The text without characters that nobody sees and PostgreSQL may refuse; escapes can bring them in anywhere."""
    return _NO_TEXT.sub("", text)


def _as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return error.object[error.start : error.end].decode("cp1252", errors="replace"), error.end


_WINDOWS_1252 = "docent_windows_1252"
codecs.register_error(_WINDOWS_1252, _as_windows_1252)
