"""A description of an API to sections: what it says about itself, then each operation under its tag."""

from collections.abc import Iterator, Mapping

from docs_search.documents import Block, BlockType, Kind, Section
from docs_search.parsing.markdown.inline import words_of
from docs_search.parsing.markdown.tokens import parse_markdown
from docs_search.parsing.openapi.anchors import operation_anchor, section_anchor, tag_anchor
from docs_search.parsing.openapi.description import Description
from docs_search.parsing.openapi.operations import Operation, OperationReader
from docs_search.parsing.openapi.rendering import MAX_DESCRIPTION, OperationRenderer
from docs_search.parsing.openapi.values import Value, line, mapping, sequence, text
from docs_search.parsing.text.plain_text import plain_text
from docs_search.parsing.text.writing import code_span, escape

MAX_SCHEMAS = 500
_HEADING_LEVEL = 3  # headings of the description below that level are bold lines


class SectionWriter:
    """Writes the sections of one description."""

    def __init__(self, description: Description, renderer: OperationRenderer, title: str) -> None:
        self._description = description
        self._root = description.root
        self._renderer = renderer
        self._reader = OperationReader(description)
        self._anchors: set[str] = set()
        self._title = title
        self.sections: list[Section] = []

    def write(self) -> list[Section]:
        """All sections, the lead first."""
        lead = Section(1, self._title, None, kind=Kind.API)
        self.sections.append(lead)
        self._about(lead)
        self._authentication()
        self._operations()
        self._webhooks()
        self._schemas()
        return self.sections

    # What the API says about itself

    def _about(self, lead: Section) -> None:
        """The description with its headings as sections, and where the API is served."""
        info = mapping(self._root.get("info"))
        words = text(info.get("description"))[:MAX_DESCRIPTION]
        above: list[tuple[int, str]] = []
        servers = list(self._servers())
        for node in parse_markdown(words):
            level = int(node.token.tag[1]) if node.type == "heading" else 0
            heading = words_of(node.inline) if 0 < level <= _HEADING_LEVEL else ""
            if not heading:
                self.sections[-1].blocks += self._renderer.node(node)
                continue
            while above and above[-1][0] >= level:
                above.pop()
            above.append((level, heading))
            anchor = self._anchor(section_anchor([name for _, name in above]))
            self.sections.append(Section(len(above) + 1, heading, anchor, kind=Kind.API))
        lead.blocks += servers

    def _servers(self) -> Iterator[Block]:
        if self._description.is_swagger:
            host = line(self._root.get("host"))
            schemes = [line(scheme) for scheme in sequence(self._root.get("schemes"))] or ["https"]
            path = line(self._root.get("basePath"))
            addresses = [(f"{scheme}://{host}{path}" if host else path, "") for scheme in schemes[:4]]
        else:
            servers = [mapping(server) for server in sequence(self._root.get("servers"))[:20]]
            addresses = [(line(server.get("url")), line(server.get("description"))) for server in servers]
        shown = [(address, words) for address, words in addresses if address]
        if shown:
            yield Block(BlockType.PARAGRAPH, "**Servers**")
        for address, words in shown:
            yield Block(BlockType.LIST_ITEM, f"- {code_span(address)}" + (f": {escape(words)}" if words else ""))

    def _authentication(self) -> None:
        components = mapping(self._root.get("components"))
        schemes = mapping(components.get("securitySchemes")) or mapping(self._root.get("securityDefinitions"))
        blocks = [block for name, value in list(schemes.items())[:50] for block in self._scheme(line(name), value)]
        if "security" in self._root and blocks:
            blocks += self._renderer.security(self._reader.security(self._root["security"]))
        if blocks:
            anchor = self._anchor("section/Authentication")
            self.sections.append(Section(2, "Authentication", anchor, blocks, Kind.API))

    def _scheme(self, name: str, value: Value) -> list[Block]:
        """A way to authorize requests: its kind, where the key goes, where tokens come from, what scopes there are."""
        scheme = self._description.resolve(value).value
        facts = [line(scheme.get("type")), line(scheme.get("scheme")), line(scheme.get("bearerFormat"))]
        place = line(scheme.get("in"))
        if key := line(scheme.get("name")):
            facts.append(f"{place} {code_span(key)}".strip())
        facts.append(line(scheme.get("openIdConnectUrl")))
        blocks = [Block(BlockType.PARAGRAPH, f"**{escape(name)}:** {', '.join(filter(None, map(_escaped, facts)))}")]
        blocks += self._renderer.markdown(text(scheme.get("description")))
        flows = mapping(scheme.get("flows")) or ({line(scheme.get("flow")): scheme} if scheme.get("flow") else {})
        for flow, given in list(flows.items())[:10]:
            details = mapping(given)
            urls = [line(details.get(key)) for key in ("authorizationUrl", "tokenUrl") if line(details.get(key))]
            words = ", ".join([escape(line(flow)), *map(code_span, urls)])
            blocks.append(Block(BlockType.LIST_ITEM, f"- Flow {words}"))
            for scope, about in list(mapping(details.get("scopes")).items())[:200]:
                item = f"- Scope {code_span(line(scope))}" + (f": {escape(line(about))}" if line(about) else "")
                blocks.append(Block(BlockType.LIST_ITEM, item))
        return blocks

    # Operations

    def _operations(self) -> None:
        tags = {line(mapping(tag).get("name")): mapping(tag) for tag in sequence(self._root.get("tags"))}
        by_tag: dict[str, list[Operation]] = {name: [] for name in tags if name}
        for operation in self._reader.operations():
            by_tag.setdefault(operation.tags[0] if operation.tags else "", []).append(operation)
        for name, operations in by_tag.items():
            tag = tags.get(name, {})
            blocks = self._renderer.markdown(text(tag.get("description")))
            if not operations and not blocks:
                continue
            heading = line(tag.get("x-displayName")) or name or "Operations"
            anchor = self._anchor(tag_anchor(name)) if name else None
            self.sections.append(Section(2, heading, anchor, blocks, Kind.API))
            for operation in operations:
                self._operation(operation, name)

    def _operation(self, operation: Operation, tag: str, prefix: str = "") -> None:
        call = f"{operation.method} {operation.path}"
        heading = f"{prefix}{call}: {operation.summary}" if operation.summary else f"{prefix}{call}"
        names = dict.fromkeys(filter(None, (call, operation.path, operation.identifier)))
        section = Section(
            3,
            heading,
            self._anchor(operation_anchor(tag or None, operation.identifier)),
            self._renderer.operation(operation),
            Kind.API,
            own=True,
            names=tuple(names),
        )
        self.sections.append(section)

    def _webhooks(self) -> None:
        key = "webhooks" if "webhooks" in self._root else "x-webhooks"
        operations = list(self._reader.operations(key))
        if operations:
            self.sections.append(Section(2, "Webhooks", None, kind=Kind.API))
        for operation in operations:
            self._operation(operation, "", "Webhook ")

    def _schemas(self) -> None:
        """The schemas that were too large for the tables of operations."""
        told: set[str] = set()
        while (new := [name for name in self._renderer.large if name not in told]) and len(told) < MAX_SCHEMAS:
            if not told:
                self.sections.append(Section(2, "Schemas", None, kind=Kind.API))
            told.add(new[0])
            blocks = self._renderer.schema(self._renderer.large[new[0]])
            heading = line(new[0])
            self.sections.append(Section(3, heading, None, blocks, Kind.API, own=True, names=(heading,)))

    def _anchor(self, anchor: str | None) -> str | None:
        if anchor is None or anchor in self._anchors:
            return None
        self._anchors.add(anchor)
        return anchor


def _escaped(fact: str) -> str:
    return fact if "`" in fact else escape(fact)


def title_of(root: Mapping[str, Value]) -> str:
    """The title of an API without markup; empty where it has none."""
    return " ".join(plain_text(line(mapping(root.get("info")).get("title"))).split())
