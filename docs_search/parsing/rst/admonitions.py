"""Directives that set something off from the text: notes, warnings, what changed in a version."""

from docutils import nodes
from docutils.statemachine import StringList

from docs_search.parsing.rst.directive_block import DirectiveBlock
from docs_search.parsing.rst.elements import Admonition

LABELS = {
    "attention": "Attention",
    "best-practice": "Best practice",
    "caution": "Caution",
    "danger": "Danger",
    "error": "Error",
    "hint": "Hint",
    "important": "Important",
    "note": "Note",
    "see": "See",
    "seealso": "See also",
    "tip": "Tip",
    "warning": "Warning",
}
CHANGES = {
    "deprecated": "Deprecated since version {}",
    "deprecated-removed": "Deprecated since version {}",
    "versionadded": "New in version {}",
    "versionchanged": "Changed in version {}",
    "versionremoved": "Removed in version {}",
    "version-added": "New in version {}",
    "version-changed": "Changed in version {}",
    "version-deprecated": "Deprecated since version {}",
    "version-removed": "Removed in version {}",
    "soft-deprecated": "Soft deprecated since version {}",
}


def admonition(block: DirectiveBlock) -> list[nodes.Node]:
    """A note or warning, with the label that readers know it by."""
    return _labelled(block, LABELS[block.name], block.body())


def titled_admonition(block: DirectiveBlock) -> list[nodes.Node]:
    """An admonition with a title of its own."""
    title = "".join(node.astext() for node in block.inline(block.argument))
    return _labelled(block, title or "Note", block.content)


def change(block: DirectiveBlock) -> list[nodes.Node]:
    """What a version added, changed or deprecated: the argument is the version, and may go on with words."""
    version, _, words = " ".join(block.argument.split("\n")).strip().partition(" ")
    label = CHANGES[block.name].format(version).strip()
    if block.name == "deprecated-removed":
        removed, _, words = words.strip().partition(" ")
        label += f", removed in version {removed}" if removed else ""
    lines = StringList([words.strip(), ""], source=block.source) if words.strip() else StringList()
    lines.extend(block.content)
    return _labelled(block, label, lines)


def _labelled(block: DirectiveBlock, label: str, lines: StringList) -> list[nodes.Node]:
    node = Admonition(label=label)
    block.parse(lines, node)
    return [node]
