"""What docutils has no element for: references that only the whole source resolves, and what a document describes."""

from docutils import nodes


class CrossReference(nodes.Inline, nodes.TextElement):
    """A role that refers to something. Its text is what to show where nothing better is found.

    Attributes: `kind` (`label`, `document`, `code`), `target`, and `explicit` where the author wrote the text.
    """


class Described(nodes.General, nodes.Element):
    """An object that is described: a function, a setting, an option. Its children are the description.

    Attributes: `objtype` (`function`, `setting`), `domain` (`py`, `std`), `signatures`, `label` (its heading),
    `object_names`, `anchor` (None where Sphinx's cannot be told), `language` of the signatures.
    """


class Admonition(nodes.Admonition, nodes.Element):
    """A quote with a label: a note, a warning, what changed in a version. Attribute: `label`, plain text."""
