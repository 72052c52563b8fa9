"""Tabs: parts of a page of which a browser shows one at a time. All of them are content, each under its label."""

from lxml.etree import _Element

from docs_search.parsing.html.document import classes_of, text_of

Tabs = list[tuple[str, _Element]]

_NEAREST = 3  # elements around a list of tabs among which its panels are looked for
_MOST = 50  # tabs of one set
_CONTROLS = frozenset({"input", "label"})


def labelled_panels(tab_list: _Element) -> Tabs:
    """The panels that belong to an element of the role `tablist`, with their labels."""
    tabs = [element for element in tab_list.iter() if element.get("role") == "tab"][:_MOST]
    container = tab_list.getparent()
    for _ in range(_NEAREST):
        if container is None or not tabs:
            break
        if panels := _panels(container):
            return _paired(tabs, panels)
        container = container.getparent()
    return []


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


def _panels(container: _Element) -> list[_Element]:
    """The outermost panels in an element."""
    panels: list[_Element] = []
    stack = list(reversed(container))
    while stack:
        element = stack.pop()
        if element.get("role") == "tabpanel" or "tab-pane" in classes_of(element):
            panels.append(element)
        else:
            stack += reversed(element)
    return panels


def _paired(tabs: list[_Element], panels: list[_Element]) -> Tabs:
    """By the ids with which tabs and panels refer to each other; where there are none, by their order."""
    by_id = {panel.get("id"): panel for panel in panels if panel.get("id")}
    by_label = {panel.get("aria-labelledby"): panel for panel in panels if panel.get("aria-labelledby")}
    pairs: Tabs = []
    for tab in tabs:
        controlled = tab.get("aria-controls") or (tab.get("data-bs-target") or tab.get("href") or "").lstrip("#")
        panel = by_id.get(controlled, by_label.get(tab.get("id")))
        if panel is not None:
            pairs.append((label_of(tab), panel))
    if not pairs and len(tabs) == len(panels):
        pairs = [(label_of(tab), panel) for tab, panel in zip(tabs, panels, strict=True)]
    return pairs
