"""The Tiger Data (Timescale) documentation as its repository has it: Markdown with components and product variables."""

import posixpath
import re
from collections.abc import Mapping
from typing import ClassVar

from docs_search.documents import Kind, ParseContext, ParsedPage
from docs_search.parsing.dialects.mdx.api_details import api_markdown
from docs_search.parsing.dialects.mdx.components import Component, Element, joined
from docs_search.parsing.dialects.mdx.imports import Module
from docs_search.parsing.dialects.mdx.jsx import Tag
from docs_search.parsing.dialects.mdx.parser import MdxParser, has_title
from docs_search.parsing.dialects.mdx.tiger_site import (
    HYPERFUNCTIONS,
    TROUBLESHOOTING,
    TigerSite,
    without_console_paths,
    without_version,
)
from docs_search.parsing.markdown.code_regions import split_code, with_fences_closed
from docs_search.parsing.markdown.flavor import GITHUB, Flavor
from docs_search.parsing.markdown.front_matter import FrontMatter
from docs_search.parsing.markdown.link_targets import extract_definitions
from docs_search.parsing.text.writing import code_block

SITE = "https://docs.tigerdata.com"

_OWN_ADDRESS = re.compile(r"(?:https?://docs\.(?:timescale|tigerdata)\.com)?(?P<path>/[^#?]*)(?P<rest>.*)", re.DOTALL)
_FOLDERS = ("about", "ai", "api", "getting-started", "integrations", "migrate", "mst", "quick-start", "self-hosted",
            "tutorials", "use-timescale")  # fmt: skip
_COMMENT = re.compile(r"<!--[^<-]*+(?:(?!<!--|-->)[<-][^<-]*+)*-->")
_VARIABLE = re.compile(r"(?<![\w$\\])\$(?P<name>[A-Z][A-Z0-9]*+(?:_[A-Z0-9]++)*)(?![\w(])")
_ENVIRONMENT = re.compile(r"(?:KEY|STRING|URI|URL|TOKEN|PASSWORD|PATH|DIR|HOME|HOST|PORT|USER|DB)\Z")
_DEPLOYMENTS: Mapping[tuple[str, ...], str] = {("cloud",): "cloud", ("self_hosted",): "self-hosted"}
_CALLED = re.compile(r"[\w.]+(?=\()")
_FUNCTION_TYPES = frozenset({"function", "procedure", "accessor", "aggregate", "rollup", "bucket", "mutator"})

VARIABLES: Mapping[str, str] = {
    "ACCOUNT_LONG": "Tiger Cloud account",
    "ACCOUNT_SHORT": "account",
    "CAGG": "continuous aggregate",
    "CHUNK": "chunk",
    "CLI_LONG": "Tiger CLI",
    "CLI_SHORT": "CLI",
    "CLOUD_LONG": "Tiger Cloud",
    "CLOUD_SHORT": "Cloud",
    "COLUMNSTORE": "columnstore",
    "COMPANY": "Tiger Data",
    "CONSOLE": "Tiger Cloud Console",
    "CONSOLE_LONG": "Tiger Cloud Console",
    "CONSOLE_SHORT": "Console",
    "ENTERPRISE": "Enterprise",
    "HA_REPLICA": "HA replica",
    "HYPERCORE": "hypercore",
    "HYPERTABLE": "hypertable",
    "JOB": "job",
    "MCP_LONG": "Tiger MCP Server",
    "MCP_SHORT": "MCP Server",
    "MST_LONG": "Managed Service for TimescaleDB",
    "MST_SHORT": "MST",
    "PG": "PostgreSQL",
    "PGVECTORSCALE": "pgvectorscale",
    "PRICING_PLAN": "pricing plan",
    "PROJECT_LONG": "Tiger Cloud project",
    "PROJECT_SHORT": "project",
    "READ_REPLICA": "read replica",
    "ROWSTORE": "rowstore",
    "SCALE": "Scale",
    "SELF_LONG": "self-hosted TimescaleDB",
    "SELF_LONG_CAP": "Self-hosted TimescaleDB",
    "SERVICE_LONG": "Tiger Cloud service",
    "SERVICE_SHORT": "service",
    "SERVICE_SHORT_CAP": "Service",
    "TIMESCALE_DB": "TimescaleDB",
    "TOOLKIT_LONG": "TimescaleDB Toolkit",
    "TOOLKIT_SHORT": "Toolkit",
    "VPC": "VPC",
}
"""What readers are to see of the variables for products, which the site fills in."""


def _dropped(element: Element, content: str) -> str:
    return ""


def _optional(element: Element, content: str) -> str:
    return "" if element.in_heading else "Optional: "


class TigerParser(MdxParser):
    """The `Parser` of the Tiger docs' repository.

    A page's path is that of its address without `latest`, such as `use-timescale/hypertables/about-hypertables`; the
    navigation tells it. Pages without a file of their own, about troubleshooting and groups of functions, are put
    together as the site does it.
    """

    flavor: ClassVar[Flavor] = GITHUB  # indented code occurs there
    components: ClassVar[Mapping[str, Component]] = {
        "experimental": lambda element, content: content or ("" if element.in_heading else "Experimental."),
        "hyperfunctiontable": _dropped,  # made from the whole reference
        "optional": _optional,
    }

    def __init__(self) -> None:
        self._site: TigerSite | None = None
        self._site_of: ParseContext | None = None
        self._file = ""  # the document that is parsed
        self._fields = FrontMatter()
        self._errors: set[str] = set()  # headings of messages on its page

    def is_page(self, path: str) -> bool:
        """Files of a section, and those that generated pages are made of; no templates and other partials."""
        if path.startswith((TROUBLESHOOTING, HYPERFUNCTIONS)):
            return path.endswith(".md")
        return "/" in path and super().is_page(path)

    def page_path(self, file: str, paths: frozenset[str]) -> str | None:
        return self._site.page_path(file) if self._site is not None and self.is_page(file) else None

    def file_of(self, path: str) -> str | None:
        return self._site.file_of(without_version(path)) if self._site is not None else None

    def front_matter(self, text: str, path: str, context: ParseContext) -> tuple[FrontMatter, str]:
        """With the title and the summary where the core looks for them. Here the repository is looked at first."""
        site = self._site_for(context)
        self._errors, self._file = set(), path
        front_matter, body = super().front_matter(without_console_paths(text), path, context)
        self._fields = front_matter
        page = site.page_path(path)
        entry = site.pages.get(page) if page is not None else None
        fields = {name: value for name, value in front_matter.fields.items() if name not in ("description", "summary")}
        is_generated = bool(site.parts_of(path))
        title = front_matter.text("title") or front_matter.text("api_name")
        if is_generated or (title is None and not has_title(body)):
            title = (entry.title if entry else None) or title
        if title:
            fields["title"] = _without_variables(title)
        excerpt = (None if is_generated else front_matter.text("excerpt")) or (entry.excerpt if entry else None)
        if excerpt:
            fields["summary"] = _without_variables(excerpt)
        if is_generated:
            fields.pop("errors", None)
        return FrontMatter(fields, front_matter.warnings), body

    def prepare(
        self, text: str, path: str, front_matter: FrontMatter, context: ParseContext
    ) -> tuple[str, tuple[str, ...]]:
        site = self._site_for(context)
        if parts := site.parts_of(path):
            text = self._generated(parts, site)
        elif details := api_markdown(front_matter.fields.get("api_details"), 3):
            text = joined(text, details)
        elif not text.strip() and (excerpt := front_matter.text("summary")):
            text = excerpt
        return super().prepare(text, path, front_matter, context)

    def is_mdx(self, path: str, module: Module) -> bool:
        """Braces in prose are text there: `{1, 2}` in tables of results."""
        return path.endswith(".mdx") or path.startswith("_partials/")

    def link(self, href: str, file: str, page: str, context: ParseContext) -> str:
        """Links to pages of the docs, with any of their hosts and versions, as links to the pages' files."""
        match = _OWN_ADDRESS.fullmatch(href)
        if match is None:
            return super().link(href, file, page, context)
        path = without_version(match["path"])
        if path.split("/")[0] not in _FOLDERS:
            return href
        if (target := self.file_of(path)) is not None:
            return f"{posixpath.relpath(target, posixpath.dirname(page) or '.')}{match['rest']}"
        folder, _, rest = path.partition("/")
        return f"{SITE}/{folder}/latest/{rest}{match['rest']}"

    def imported(self, tag: Tag, context: ParseContext) -> str | None:
        """The query that a block to try it out names."""
        query = tag.attributes.get("queryId", "")
        return f"_queries/{query}.md" if query and tag.name == "TryItOutCodeBlock" else None

    def partial(self, text: str, path: str, context: ParseContext) -> str:
        if path.startswith("_queries/"):
            return "\n".join(block.markdown for block in code_block(text, "sql"))
        if path.startswith(TROUBLESHOOTING):
            return self._trouble(path, text, self._site_for(context))
        return text

    def directives(self, text: str) -> str:
        return _without_variables(text)

    def aliases(self, path: str, page_path: str, front_matter: FrontMatter) -> tuple[str, ...]:
        return self._site.aliases(path) if self._site is not None else ()

    def finish(self, page: ParsedPage, context: ParseContext) -> ParsedPage:
        site = self._site_for(context)
        parts = site.parts_of(self._file)
        fields = [site.read(part)[0] for part in parts] or [self._fields]
        licences = {_licence(part) for part in fields} - {None}
        if len(licences) == 1:
            page.plan = next((licence for licence in licences if licence in context.plans), None)
        if not parts:
            page.deployment = _DEPLOYMENTS.get(tuple(fields[0].texts("products")))
        entries = {name: part for part in fields if (name := part.text("api_name"))}
        for section in page.sections:
            name = section.heading if parts or section is not page.sections[0] else self._fields.text("api_name")
            if name in entries and section.kind is Kind.SECTION:
                section.kind, section.names = _api_entry(name, entries[name].fields.get("api"))
                section.own = section.level > 1
            section.plan, section.deployment = section.plan or page.plan, section.deployment or page.deployment
            if section.heading in self._errors:
                section.kind = Kind.ERROR
        return page

    def _site_for(self, context: ParseContext) -> TigerSite:
        if self._site is None or self._site_of is not context:
            self._site, self._site_of = TigerSite(context), context
        return self._site

    def _generated(self, parts: tuple[str, ...], site: TigerSite) -> str:
        """The text of a page that is put together from parts."""
        blocks: list[str] = []
        definitions: list[str] = []
        for number, file in enumerate(parts):
            fields, body = site.read(file)
            if file.startswith(TROUBLESHOOTING):
                body = self._trouble(file, body, site)
            elif name := fields.text("api_name"):
                body = joined(f"## `{name}`", body, api_markdown(fields.fields.get("api_details"), 3))
            elif posixpath.basename(file) == "examples.md":
                body = joined("## Examples", body)
            body, own = extract_definitions(with_fences_closed(body), f"{number}/")
            blocks.append(body)
            definitions.append(own)
        return joined(*blocks, *definitions)

    def _trouble(self, file: str, body: str, site: TigerSite) -> str:
        """An entry of `_troubleshooting`: its title, the messages that it is about, what to do."""
        fields, _ = site.read(file)
        title = _without_variables(fields.text("title") or "")
        errors = fields.messages()
        if errors and title:
            self._errors.add(" ".join(title.replace("`", "").split()))
        messages = [block.markdown for message in errors for block in code_block(message)]
        return joined(f"## {title}" if title else "", *messages, _COMMENT.sub("", body))


def _without_variables(text: str) -> str:
    if "$" not in text:
        return text
    return "".join(part if is_code else _VARIABLE.sub(_variable, part) for part, is_code in split_code(text))


def _variable(match: re.Match[str]) -> str:
    name = match["name"]
    if name in VARIABLES:
        return VARIABLES[name]
    if "_" not in name or _ENVIRONMENT.search(name):  # a ticker symbol, a variable of the shell
        return match[0]
    return " ".join(word.capitalize() for word in name.split("_") if word not in ("LONG", "SHORT", "CAP"))


def _licence(fields: FrontMatter) -> str | None:
    api = fields.fields.get("api")
    licence = api.get("license") if isinstance(api, dict) else None
    return licence if isinstance(licence, str) else None


def _api_entry(name: str, api: object) -> tuple[Kind, tuple[str, ...]]:
    """The kind of what a page of the reference documents, and its name as it is called."""
    kind = api.get("type") if isinstance(api, dict) else None
    names = tuple(_CALLED.findall(name)) or (name.strip(),)
    if kind == "command":
        return Kind.COMMAND, names
    if "(" in name or kind in _FUNCTION_TYPES:
        return Kind.FUNCTION, names
    return Kind.SECTION, names
