"""Bytes of an HTML or XHTML document to an element tree, whatever state they are in."""

import contextlib
import re

from lxml import etree
from lxml.etree import _Element

from docs_search.parsing.text.decoding import decode

# The written forms of what `decode` drops: hints where a long name may be broken.
_BREAK_HINTS = re.compile(r"&(?:#(?:173|8203|8288)|#[xX]0*(?:[aA][dD]|200[bB]|2060)|shy|ZeroWidthSpace);|<wbr\s*/?>")
_DECLARED_ENCODING = re.compile(rb"(?:encoding|charset)\s*=\s*[\"']?\s*([A-Za-z][\w.:-]*)", re.IGNORECASE)


def parse_html(data: bytes) -> tuple[_Element | None, list[str]]:
    """The root element of a document, and warnings about its state. None where there is no element at all.

    Elements that are written as empty (`<div/>`) are empty, as in XHTML; comments are left out.
    """
    text, warnings = _decode(data)
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(text.encode(), parser)
    except etree.LxmlError as error:
        return None, [*warnings, f"not readable as HTML: {error}"]
    error_log = parser.error_log
    if len(error_log) and error_log[-1].type == etree.ErrorTypes.ERR_RESOURCE_LIMIT:
        warnings.append("elements are nested too deeply: what follows is left out")
    if root is not None and "</html" not in text[-200:].lower():
        warnings.append("ends without </html>, so it may be truncated")
    return root, warnings


def text_of(element: _Element) -> str:
    """All text inside an element, as it stands there."""
    return etree.tostring(element, encoding="unicode", method="text", with_tail=False)


def _decode(data: bytes) -> tuple[str, list[str]]:
    """UTF-8 where it is valid, whatever the document says; else the encoding that it declares, if that fits."""
    text, warnings = decode(data)
    if warnings and (declared := _DECLARED_ENCODING.search(data[:2048])):
        name = declared[1].decode("ascii").lower()
        with contextlib.suppress(LookupError, UnicodeError):
            text, warnings = decode(data.decode(name).encode())
    return _BREAK_HINTS.sub("", text), list(warnings)
