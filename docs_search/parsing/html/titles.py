"""The title and the summary of a web page, without the name of its site and without chapter numbers."""

import re

from lxml.etree import _Element

from docs_search.parsing.html.document import text_of

_CHAPTER_NUMBER = re.compile(
    r"(?:Chapter|Appendix|Part|Section)\s+[A-Z0-9]+(?:[.-]\d+)*[.:]\s+|(?:[A-Z]\.)?\d+(?:\.\d+)+\.\s+"
)
_NUMBER = re.compile(
    r"(?:(?:Chapter|Appendix|Part|Section)\s+[A-Z0-9]+(?:[.-]\d+)*[.:]\s+|(?:[A-Z]\.)?\d+(?:\.\d+)+\.\s+)"
)
_NUMBER = re.compile(r"\d{1,2}\.\s+(?=\S)")
_SEPARATORS = (" | ", " — ", " – ", " · ", " • ", " » ", " :: ", " - ")
_MARKS = "¶#§🔗 \t\u200b"
_WORD = re.compile(r"\w{4,}")
_OWN_WORDS = 0.7  # of a description's words that its page must have


def without_number(heading: str, *, is_title: bool = False) -> str:
    """A heading without the number of its chapter: "19.4. Resources", "Chapter 2. Tools"; a title also without "3."."""
    match = _CHAPTER_NUMBER.match(heading) or (_NUMBER.match(heading) if is_title else None)
    return heading[match.end() :] if match else heading


def one_line(text: str) -> str:
    """Text with every run of blanks as one space and without the marks of permalinks at its end."""
    return " ".join(text.split()).rstrip(_MARKS)


def document_title(document: _Element) -> str:
    """The title in the head of a document, without the name of the site; empty where it has none."""
    title = next((text_of(element) for element in document.iter("title") if _in_head(element)), "")
    title = one_line(title)
    announced = one_line(_meta(document, "og:title"))
    site = one_line(_meta(document, "og:site_name") or _meta(document, "application-name"))
    title = title or announced
    if site and (stripped := _without_site(title, site)):
        return without_number(stripped, is_title=True)
    if announced and len(announced) < len(title):
        return without_number(announced, is_title=True)
    for separator in _SEPARATORS:
        if separator in title:
            first = title.split(separator)[0] if separator == " | " else title.rsplit(separator, 1)[0]
            return without_number(first.strip(), is_title=True)
    return without_number(title, is_title=True)


def document_summary(document: _Element, content: str) -> str | None:
    """The description in the head of a document where it is about this page: one of the whole site says other things
    than `content`, the page's Markdown."""
    summary = one_line(_meta(document, "description") or _meta(document, "og:description"))
    if not summary:
        return None
    words = set(_WORD.findall(summary.casefold()))
    known = words & set(_WORD.findall(content.casefold()))
    return summary if words and len(known) >= _OWN_WORDS * len(words) else None


def _without_site(title: str, site: str) -> str:
    for separator in (*_SEPARATORS, ": "):
        if title.endswith(separator + site):
            return title[: -len(separator + site)].strip()
        if title.startswith(site + separator):
            return title[len(site + separator) :].strip()
    return ""


def _meta(document: _Element, name: str) -> str:
    for element in document.iter("meta"):
        if name in ((element.get("name") or "").lower(), (element.get("property") or "").lower()):
            return element.get("content") or ""
    return ""


def _in_head(element: _Element) -> bool:
    """Pictures have titles, too."""
    parent = element.getparent()
    return parent is not None and parent.tag in ("head", "html", "body")
