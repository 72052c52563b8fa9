"""The inline nodes of docutils' document tree to inline Markdown."""

import re
from collections.abc import Mapping
from itertools import zip_longest
from urllib.parse import quote

from docutils import nodes
from docutils.nodes import fully_normalize_name

from docs_search.parsing.rst.elements import CrossReference
from docs_search.parsing.rst.links import PageLinks
from docs_search.parsing.text.writing import InlineCode, escape, join_pieces

MAX_LABEL = 60  # characters of a footnote's name
MAX_SUBSTITUTED = 100_000  # characters a document
_MAX_SUBSTITUTION_DEPTH = 4
# Roles that docutils does not take for such: inside of emphasis, with a blank or with two backticks.
_UNREAD_ROLE = re.compile(r"(?<![\w:]):[a-z][\w:+.-]{1,60}:`([^`]{1,300})`")
_ROLE_NAME = re.compile(r"(?<![\w:]):[a-z][\w:+.-]{1,60}:\Z")
_URL_SAFE = "!#$%&'*+,-./:;=?@[]_~"


class InlineRenderer:
    """Renders the text of one document. `values` are substitutions that the document need not define."""

    def __init__(self, document: nodes.document, links: PageLinks, values: Mapping[str, str]) -> None:
        self._document = document
        self._links = links
        self._values = values
        self._substituted = 0
        self._depth = 0

    def render(self, node: nodes.Node) -> str:
        """The content of a node as inline Markdown on one line."""
        pieces: list[str] = []
        self._node(node, pieces) if isinstance(node, nodes.Text) else self._children(node, pieces)
        return join_pieces(pieces)

    def verbatim(self, node: nodes.Node) -> str:
        """The text of a node with its line ends, substitutions made."""
        if isinstance(node, nodes.substitution_reference):
            definition = self._definition(node)
            return self._value(node) if definition is None else definition.astext()
        return "".join(map(self.verbatim, node.children)) if node.children else node.astext()

    def _children(self, node: nodes.Node, out: list[str]) -> None:
        for child, following in zip_longest(node.children, node.children[1:]):
            if isinstance(child, nodes.Text):
                text = _UNREAD_ROLE.sub(r"\1", child.astext())
                out.append(escape(_ROLE_NAME.sub("", text) if isinstance(following, nodes.literal) else text))
            else:
                self._node(child, out)

    def _node(self, node: nodes.Node, out: list[str]) -> None:
        match node:
            case nodes.Text():
                out.append(escape(node.astext()))
            case nodes.literal() | nodes.math():
                out.append(InlineCode(node.astext()))
            case nodes.emphasis() | nodes.title_reference() | nodes.strong():
                mark = "**" if isinstance(node, nodes.strong) else "*"
                content = self.render(node)
                out.append(f"{mark}{content}{mark}" if content else "")
            case nodes.superscript() | nodes.subscript():
                content = self.render(node)
                out.append(f"{'^' if isinstance(node, nodes.superscript) else '_'}{content}" if content else "")
            case CrossReference():
                self._cross_reference(node, out)
            case nodes.reference():
                self._reference(node, out)
            case nodes.footnote_reference() | nodes.citation_reference():
                out.append(f"[{escape(node.astext()[:MAX_LABEL])}]")
            case nodes.substitution_reference():
                self._substitution(node, out)
            case nodes.image():
                out.append(escape(str(node.get("alt") or "")))
            case nodes.raw() | nodes.system_message() | nodes.comment():
                pass
            case _:
                self._children(node, out)

    def _cross_reference(self, node: nodes.Element, out: list[str]) -> None:
        address, title = self._label(node) if node["kind"] == "label" else self._named_document(node)
        words = node.astext()
        self._link(escape(words if node["explicit"] or not title else title), address, out)

    def _label(self, node: nodes.Element) -> tuple[str | None, str | None]:
        """Where a label leads, on this page or on another one, and the title there."""
        name = fully_normalize_name(node["target"])
        if (anchor := self._document.nameids.get(name)) and self._document.nametypes.get(name):
            place = self._document.ids.get(anchor)
            children = () if place is None else place.children
            title = next(
                (" ".join(child.astext().split()) for child in children if isinstance(child, nodes.title)), None
            )
            return self._links.anchor(anchor), title
        reference = self._links.label(name)
        if reference is None:
            return None, None
        return self._links.document(reference.file, reference.anchor), reference.title

    def _named_document(self, node: nodes.Element) -> tuple[str | None, str | None]:
        file = self._links.named_document(node["target"])
        return (None, None) if file is None else (self._links.document(file), self._links.title(file))

    def _reference(self, node: nodes.Element, out: list[str]) -> None:
        anchor = node.get("refid") or self._document.nameids.get(node.get("refname", ""))
        if node.get("refuri"):
            address = self._links.target(node["refuri"])
        else:
            address = self._links.anchor(anchor) if anchor else None
        words = node.astext().strip()
        if address is not None and words in (address, node.get("refuri")) and address.startswith("http"):
            out.append(f"<{quote(address, safe=_URL_SAFE)}>")
            return
        self._link(self.render(node), address, out)

    def _link(self, label: str, address: str | None, out: list[str]) -> None:
        if address is None or not label:
            out.append(label)
            return
        if label.count("[") != label.count("]"):
            label = label.replace("[", r"\[").replace("]", r"\]")
        out.append(f"[{label}]({quote(address, safe=_URL_SAFE)})")

    def _substitution(self, node: nodes.Node, out: list[str]) -> None:
        """The text that a substitution stands for; one without a definition keeps its name."""
        definition = self._definition(node)
        if definition is None:
            out.append(escape(self._value(node)))
        elif self._depth < _MAX_SUBSTITUTION_DEPTH:
            self._depth += 1
            self._children(definition, out)
            self._depth -= 1

    def _definition(self, node: nodes.Node) -> nodes.Element | None:
        """What a substitution stands for; None without a definition, and beyond what one document may substitute."""
        name = nodes.whitespace_normalize_name(node.astext())
        defined = self._document.substitution_defs
        found = defined.get(name) or defined.get(self._document.substitution_names.get(name.lower(), ""))
        self._substituted += len(found.astext()) if found is not None else 0
        return found if self._substituted <= MAX_SUBSTITUTED else None

    def _value(self, node: nodes.Node) -> str:
        name = nodes.whitespace_normalize_name(node.astext())
        return self._values.get(name.lower(), name)
