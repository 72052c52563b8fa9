"""The title and the summary of a web page, without the name of its site and without chapter numbers."""

import re
from itertools import islice

from lxml.etree import _Element

from docs_search.parsing.html.document import classes_of, text_of

_NUMBER = re.compile(
    r"(?:Chapter|Appendix|Part|Section)\s+[A-Z0-9]+(?:[.-]\d+)*[.:]\s+"
    r"|(?:[A-Z]|\d+)(?:\.\d+)+\.\s+"
    r"|\d{1,2}\.\s+(?=[^\W\da-z]|`)"
)
# Numbers without a point after them, in headings that manuals of TeX and Texinfo call by their place in the outline.
_CHAPTER_NUMBER = re.compile(r"(?:Appendix\s+)?(?:[A-Z]|\d{1,3})\s+(?=\S)")
_SECTION_NUMBER = re.compile(r"(?:[A-Z]|\d{1,3})(?:\.\d{1,3})+\s+(?=\S)")
_CHAPTERS = frozenset({"appendix", "chapter", "unnumbered"})
_PARTS_OF_CHAPTERS = frozenset("appendixsec appendixsubsec appendixsubsubsec section subsection subsubsection".split())
_EDITION = re.compile(r"\s*\([^()\s]+\s[^()]*\)\Z")  # "Commands (Pond 1.2)"
_NOT_ABOUT = re.compile(r"(?:declaration|tree): (?:module|package)\b", re.IGNORECASE)
_SEPARATORS = (" | ", " — ", " – ", " · ", " • ", " » ", " :: ", " - ")
_ANY_SEPARATOR = re.compile("|".join(map(re.escape, (*_SEPARATORS, ": "))))
_MARKS = "¶🔗 \t\u200b"
_WORD = re.compile(r"\w{4,}")
_LONGEST_HEADING = 100  # characters
_FEWEST_WORDS = 3  # of a description that says something
_OWN_WORDS = 0.6  # of a description's words that its page must have


def without_number(heading: str) -> str:
    """A heading without the number of its chapter: "19.4. Resources", "Chapter 2. Tools"; but not "7 ways to"."""
    match = _NUMBER.match(heading)
    return heading[match.end() :] if match else heading


def heading_text(element: _Element, text: str) -> str:
    """The text of a heading without the number of its chapter."""
    names = classes_of(element)
    if element.get("id") == "title-heading":  # of Confluence, which has the name of the space before it
        return text.partition(" : ")[2] or text
    if names and element.tag[0] == "h":
        if not _CHAPTERS.isdisjoint(names) and (match := _CHAPTER_NUMBER.match(text)):
            return text[match.end() :]
        if not _PARTS_OF_CHAPTERS.isdisjoint(names) and (match := _SECTION_NUMBER.match(text)):
            return text[match.end() :]
    return without_number(text)


def is_of_outline(heading: _Element) -> bool:
    """Whether a heading is called by its place in the outline of a manual, whatever its level is."""
    return not (_CHAPTERS | _PARTS_OF_CHAPTERS).isdisjoint(classes_of(heading))


def is_title(element: _Element) -> bool:
    """Whether an element that is no heading holds the title of its page, as Doxygen and Word write it."""
    parent = element.getparent()
    return (element.tag == "p" and "MsoTitle" in classes_of(element)) or (
        element.tag == "div"
        and "title" in classes_of(element)
        and parent is not None
        and "headertitle" in classes_of(parent)
    )


def is_written_heading(element: _Element) -> bool:
    """Whether a paragraph is nothing but bold and can be linked to, as old pages without headings write them."""
    if element.tag != "p" or not any(part.get("name") or part.get("id") for part in (element, *element.iter("a"))):
        return False
    text = one_line(text_of(element))
    bold = "".join(text_of(part) for part in islice(element.iter("b", "strong"), 5))
    return 0 < len(text) <= _LONGEST_HEADING and one_line(bold) == text


def one_line(text: str) -> str:
    """Text with every run of blanks as one space and without the marks of permalinks at its end."""
    return " ".join(text.split()).rstrip(_MARKS)


def head_title(document: _Element) -> str:
    """What the head of a document gives as its title, with all that the site adds to it; empty where it has none."""
    title = next((text_of(element) for element in document.iter("title") if _in_head(element)), "")
    return one_line(title) or one_line(_meta(document, "og:title"))


def document_title(document: _Element) -> str:
    """The title in the head of a document, without the name of the site."""
    title = _EDITION.sub("", head_title(document)) or head_title(document)
    announced = one_line(_meta(document, "og:title"))
    site = one_line(_meta(document, "og:site_name") or _meta(document, "application-name"))
    if site and (stripped := _without_site(title, site)):
        return without_number(stripped)
    if announced and len(announced) < len(title):
        return without_number(announced)
    for separator in _SEPARATORS:
        if separator in title:
            # Sections of the site stand between bars, too; what else has a dash in it may be the title's own.
            parts = title.split(separator, 1) if separator == _SEPARATORS[0] else title.rsplit(separator, 1)
            return without_number(parts[0].strip())
    return without_number(title)


def announces(head: str, heading: str) -> bool:
    """Whether the title in a document's head is this heading, or has it as one of its parts."""
    parts = [*_ANY_SEPARATOR.split(head), head]
    if heading and head.endswith(tuple(separator + heading for separator in (*_SEPARATORS, ": "))):
        return True
    return heading in {without_number(_EDITION.sub("", part.strip())) for part in parts} | set(map(str.strip, parts))


def document_summary(document: _Element, title: str, content: str) -> str | None:
    """The description in the head of a document where it is about this page, by the words that it has in common with
    the page's title or with `content`, its Markdown. One that is about the whole site says other things.
    """
    summary = one_line(_meta(document, "description") or _meta(document, "og:description"))
    words = _stems(summary)
    if (
        not words
        or len(summary.split()) < _FEWEST_WORDS
        or summary == head_title(document)
        or _NOT_ABOUT.match(summary)
    ):
        return None
    of_the_site = _stems(f"{head_title(document).replace(title, '', 1)} {_meta(document, 'og:site_name')}")
    if words & (_stems(title) - of_the_site):
        return summary
    return summary if len(words & _stems(content)) >= _OWN_WORDS * len(words) else None


def _stems(text: str) -> set[str]:
    return {word[:5] for word in _WORD.findall(text.casefold())}


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
