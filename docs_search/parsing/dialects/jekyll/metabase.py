"""Metabase's documentation: Markdown for Jekyll, with its own includes and marks for plans."""

import posixpath
import re

from docs_search.documents import BlockType, Kind, ParseContext, ParsedPage, Section
from docs_search.parsing.dialects.jekyll.liquid import Include
from docs_search.parsing.dialects.jekyll.parser import JekyllParser, Templates
from docs_search.parsing.markdown.front_matter import FrontMatter
from docs_search.parsing.markdown.parser import MarkdownParser
from docs_search.parsing.text.plain_text import plain_text

PLANS = ("pro", "enterprise")
"""Plans that a feature can be bound to, from the lowest, where the corpus does not name its own."""

_ALIAS = re.compile(r"/?(?:docs/(?:latest/|v\d[\d.]*/)?)?(?P<path>.*?)(?:\.html)?/?", re.DOTALL)
_RESTRICTION = re.compile(  # bounded, so that the scan stays linear where the words repeat
    r"\b(?:only available (?:on|for|in|to)|requires?) (?P<what>[^.]{0,300}\b(?:plans?|self-hosted|Metabase Cloud)\b)",
    re.IGNORECASE,
)
_RESTRICTED_PARAGRAPH = re.compile(r"Only available on ")
_SYNTAX = re.compile(r"^Syntax: `(?P<name>\w+)\(", re.MULTILINE)


class MetabaseParser(JekyllParser):
    """The `Parser` of Metabase's `docs` folder, given by itself or in the whole repository.

    A page's path is its file's path below `docs/` without `.md`, as the published site has it; the root's README is
    `index`. What an include or a sentence binds to a plan is the page where it stands below the title, else its
    section with those below it.
    """

    def is_page(self, path: str) -> bool:
        """Markdown files outside the folders for included snippets."""
        return MarkdownParser.is_page(self, path) and "snippets" not in path.split("/")[:-1]

    def root(self, paths: frozenset[str]) -> str:
        return "docs/" if "docs/README.md" in paths else ""

    def page_path(self, file: str, paths: frozenset[str]) -> str | None:
        return MarkdownParser.page_path(self, file, paths)

    def is_folder_index(self, file: str, paths: frozenset[str]) -> bool:
        return file == f"{self.root(paths)}README.md"

    def variables(self, path: str, front_matter: FrontMatter, context: ParseContext) -> dict[str, str]:
        return {
            **super().variables(path, front_matter, context),
            "page.version": context.version,
            "site.latest_version": context.version,
            "site.latest_enterprise": context.version.replace("v0.", "v1.", 1),
            "dirname": posixpath.dirname(path),
        }

    def include(self, tag: Include, templates: Templates) -> str | None:
        if tag.name == "include_file":
            return templates.file(tag.target, {}, snippet=tag.arguments.get("snippet"))
        return _known_include(tag)

    def aliases(self, path: str, page_path: str, front_matter: FrontMatter) -> tuple[str, ...]:
        """Old paths from `redirect_from` (also as it is misspelt on some pages), without `/docs/latest/`."""
        redirects = front_matter.texts("redirect_from") + front_matter.texts("redirect-from")
        paths = [match["path"] for redirect in redirects if (match := _ALIAS.fullmatch(redirect))]
        return tuple(dict.fromkeys(alias for alias in paths if alias and alias != page_path))

    def finish(self, page: ParsedPage, context: ParseContext) -> ParsedPage:
        plans = context.plans or PLANS
        lead = page.sections[0]
        page.plan, page.deployment = _restriction(lead, plans)
        if page.section == "cloud":
            page.deployment = "cloud"
        lead.plan, lead.deployment = page.plan, page.deployment
        above = [lead]
        for section in page.sections[1:]:
            while len(above) > 1 and above[-1].level >= section.level:
                above.pop()
            plan, deployment = _restriction(section, plans)
            section.plan = plan or above[-1].plan
            section.deployment = deployment or above[-1].deployment
            above.append(section)
        for section in page.sections:
            _mark_expression(section)
        return page


def _known_include(tag: Include) -> str | None:
    """What the published site's own includes show, in our words."""
    if tag.target == "plans-blockquote.html":
        feature = tag.arguments.get("feature") or "This feature"
        verb = "are" if tag.arguments.get("is_plural") == "true" else "is"
        hosting = "self-hosted " if tag.arguments.get("self-hosted-only") == "true" else ""
        plans = "Enterprise plan" if tag.arguments.get("enterprise-only") == "true" else "Pro and Enterprise plans"
        return f"> {feature} {verb} only available on the {hosting}{plans}."
    if tag.target == "youtube.html" and (video := tag.arguments.get("id")):
        return f"[Video](https://www.youtube.com/watch?v={video})"
    if tag.target.startswith("svg-icons/"):
        return posixpath.splitext(posixpath.basename(tag.target))[0].replace("-", " ")
    return None


def _restriction(section: Section, plans: tuple[str, ...]) -> tuple[str | None, str | None]:
    """The plan and the deployment that a section says it is bound to."""
    plan = deployment = None
    for block in section.blocks:
        is_remark = block.type is BlockType.QUOTE or (
            block.type is BlockType.PARAGRAPH and _RESTRICTED_PARAGRAPH.match(block.markdown)
        )
        if not is_remark or not (match := _RESTRICTION.search(plain_text(block.markdown))):
            continue
        words = match["what"].casefold()
        if "plan" in words:
            plan = plan or next((name for name in plans if re.search(rf"\b{re.escape(name)}\b", words)), None)
        if "self-hosted" in words:
            deployment = deployment or "self-hosted"
        elif "metabase cloud" in words:
            deployment = deployment or "cloud"
    return plan, deployment


def _mark_expression(section: Section) -> None:
    """An entry in the list of custom expressions, which names its syntax."""
    for block in section.blocks:
        match = _SYNTAX.match(block.markdown)
        if match and match["name"].casefold() == section.heading.casefold():
            section.kind, section.names = Kind.FUNCTION, (match["name"],)
            section.own = section.level > 1
            return
