"""Documents with nothing to read in them: frames, and pages whose text scripts make in a browser."""

from collections.abc import Iterator

from lxml import etree
from lxml.etree import _Element

from docs_search.api_viewers import ATTRIBUTES, descriptions_in
from docs_search.parsing.html.document import text_of

_UNSEEN = frozenset({"noscript", "script", "style", "template", "title"})
_WAITING_WORDS = 8  # "Please wait until the page has been loaded"


def why_unreadable(document: _Element) -> str | None:
    """Why there is nothing to read, as the end of a sentence; None of a document with a text.

    What a page shows until its scripts have run is no text: *Loading…*
    """
    if next(document.iter("frameset"), None) is not None:
        return "is made of frames, and was left out: the pages that it shows in them are pages by themselves"
    if _has_words(document, _WAITING_WORDS) or any(text_of(part).strip() for part in _texts(document)):
        return None
    if (description := description_of(document)) is not None:
        return f"shows an API by scripts, and was left out: index the description of the API instead ({description})"
    if next(document.iter("script"), None) is not None:
        return "holds no text, since scripts make it in a browser, and was left out"
    if (frame := next(document.iter("iframe"), None)) is not None:
        return f"only shows another page in a frame ({(frame.get('src') or '')[:200]}), and was left out"
    return None


def description_of(document: _Element) -> str | None:
    """Where the OpenAPI description is that a page shows by scripts; None where it shows none."""
    for viewer, attribute in ATTRIBUTES.items():
        if (element := next(document.iter(viewer), None)) is not None and (place := element.get(attribute)):
            return place[:500]
    for script in document.iter("script"):
        if descriptions := descriptions_in(script.text or ""):
            return descriptions[0]
    return None


def _texts(document: _Element) -> Iterator[_Element]:
    """What a document has that only authors write, however short it is."""
    for element in document.iter("h1", "h2", "h3", "h4", "p", "pre", "td", "li"):
        if next(element.iterancestors("noscript"), None) is None:
            yield element


def _has_words(document: _Element, least: int) -> bool:
    """Whether a document has more than so many words, beside those that are not seen where scripts run."""
    count = 0
    walk = etree.iterwalk(document, events=("start", "end"))
    for event, element in walk:
        if event == "end":
            count += len((element.tail or "").split()) if element is not document else 0
        elif element.tag in _UNSEEN:
            walk.skip_subtree()
        else:
            count += len((element.text or "").split())
        if count > least:
            return True
    return False
