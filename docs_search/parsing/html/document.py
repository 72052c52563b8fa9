"""Bytes of an HTML or XHTML document to an element tree, whatever state they are in."""

import contextlib
import re

from lxml import etree
from lxml.etree import _Element

from docs_search.parsing.text.decoding import decode

# The written forms of what `decode` drops: hints where a long name may be broken.
_BREAK_HINTS = re.compile(r"&(?:#(?:173|8203|8288)|#[xX]0*(?:[aA][dD]|200[bB]|2060)|shy|ZeroWidthSpace);|<wbr\s*/?>")
_DECLARED_ENCODING = re.compile(rb"(?:encoding|charset)\s*=\s*[\"']?\s*([A-Za-z][\w.:-]*)", re.IGNORECASE)
# Browsers read these as the larger encodings that documents with these names are in.
_MEANT = {
    "ascii": "cp1252",
    "big5": "big5hkscs",
    "euc-kr": "cp949",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "iso-8859-1": "cp1252",
    "ks_c_5601-1987": "cp949",
    "latin1": "cp1252",
    "shift_jis": "cp932",
    "us-ascii": "cp1252",
    "x-sjis": "cp932",
}
_CLOSED = re.compile(r"(?:</[a-zA-Z][\w-]*\s*>|<br\s*/?>|/>)\s*\Z")


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
    if root is not None and _may_be_truncated(text):
        warnings.append("ends without </html>, so it may be truncated")
    return root, warnings


def classes_of(element: _Element) -> list[str]:
    """The classes of an element, in the order in which they are written."""
    css_class = element.get("class")
    return css_class.split() if css_class else []


def text_of(element: _Element) -> str:
    """All text inside an element, as it stands there."""
    return etree.tostring(element, encoding="unicode", method="text", with_tail=False)


def _decode(data: bytes) -> tuple[str, list[str]]:
    """UTF-8 where it is valid, whatever the document says; else the encoding that it declares, if that fits."""
    text, warnings = decode(data)
    if warnings and (declared := _DECLARED_ENCODING.search(data[:2048])):
        name = declared[1].decode("ascii").lower()
        name = _MEANT.get(name, name)
        with contextlib.suppress(LookupError, UnicodeError):
            text, warnings = decode(data.decode(name).encode())
    return _BREAK_HINTS.sub("", text), list(warnings)


def _may_be_truncated(text: str) -> bool:
    """Whether the end is missing. HTML may leave out its last tags, but not in the middle of a `div`."""
    if "</html" in text[-200:].lower():
        return False
    text = text.lower()
    if "</html" in text:
        return False
    return not _CLOSED.search(text[-200:]) or text.count("<div") > text.count("</div")
