"""Tabs: parts of a page of which a browser shows one at a time. All of them are content, each under its label."""

from collections.abc import Iterable
from itertools import islice

from lxml.etree import _Element

from docs_search.parsing.html.document import text_of

Tabs = list[tuple[str, _Element]]

_MOST = 50  # tabs of one set
_CONTROLS = frozenset({"input", "label"})


class TabLabels:
    """The labels of the panels of a document, by the roles that tell screen readers what is a tab.

    Tabs and panels refer to each other by ids; where they do not, panels follow their list of tabs in its order, and a
    panel may hold tabs of its own.
    """

    def __init__(self, document: _Element) -> None:
        self.lists: set[_Element] = set()
        self.by_panel: dict[_Element, str] = {}
        by_id: dict[str, str] = {}
        waiting: list[tuple[_Element, list[str]]] = []  # lists of tabs whose panels are still to come, innermost last
        for element in document.iter():
            role = element.get("role")
            if role == "tablist" and not any(outer.get("role") == role for outer in element.iterancestors()):
                tabs = list(islice((tab for tab in element.iterdescendants() if tab.get("role") == "tab"), _MOST))
                labels = [label_of(tab) for tab in tabs]
                for tab, label in zip(tabs, labels, strict=True):
                    by_id |= dict.fromkeys(filter(None, _ids_of_tab(tab)), label)
                waiting.append((element, labels[::-1]))
            elif role == "tabpanel":
                referred = (element.get("id"), element.get("aria-labelledby"))
                if name := next((name for name in referred if name in by_id), None):
                    self.by_panel[element] = by_id[name]
                while waiting and not waiting[-1][1]:
                    waiting.pop()
                if waiting:
                    tab_list, labels = waiting[-1]
                    self.by_panel.setdefault(element, labels.pop())
                    self.lists.add(tab_list)


def _ids_of_tab(tab: _Element) -> Iterable[str]:
    """By which ids a panel may be meant, or mean its tab."""
    target = tab.get("data-bs-target") or tab.get("href") or ""
    return (tab.get("id") or "", tab.get("aria-controls") or "", target.lstrip("#"))


def radio_tabs(element: _Element) -> Tabs:
    """The tabs of an element that switches them by radio buttons, with their labels; none for other elements."""
    controls = (control for part in (element, *element.iterchildren("div")) for control in part.iterchildren("input"))
    if not any(control.get("type") == "radio" for control in controls):
        return []
    labels: list[_Element] = []
    panels: list[_Element] = []
    for child in element:
        found = [child] if child.tag == "label" else list(child.iterchildren("label"))
        if found:
            labels += found
        elif child.tag not in _CONTROLS:
            panels.append(child)
    if len(panels) == 1 and len(labels) > 1:
        panels = [child for child in panels[0] if child.tag not in _CONTROLS]
    if not labels or len(labels) != len(panels) or len(labels) > _MOST:
        return []
    return [(label_of(label), panel) for label, panel in zip(labels, panels, strict=True)]


def label_of(element: _Element) -> str:
    """What a tab shows, or the title of one that shows a pictogram."""
    text = " ".join(text_of(element).split())
    if not any(map(str.isalnum, text)):
        text = element.get("title") or element.get("aria-label") or ""
    return text
