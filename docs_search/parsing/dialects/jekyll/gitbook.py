"""GitBook: Markdown with blocks in Liquid's tags, a table of contents, and descriptions of an API on pages."""

import posixpath
import re
from collections.abc import Mapping

from docs_search.documents import ParseContext
from docs_search.parsing.dialects.books import BookParser
from docs_search.parsing.dialects.jekyll.boxes import with_boxes
from docs_search.parsing.dialects.jekyll.liquid import Include, resolve_liquid
from docs_search.parsing.dialects.mdx.components import joined
from docs_search.parsing.dialects.mdx.parser import relative_to_page
from docs_search.parsing.dialects.site_fields import read_fields
from docs_search.parsing.markdown.file_includes import FileIncludes
from docs_search.parsing.markdown.front_matter import FrontMatter
from docs_search.parsing.markdown.link_targets import rewrite_targets
from docs_search.parsing.text.writing import code_span, escape

_API = re.compile(
    r"^(?P<indent>[ \t]*)\{%[ \t]*(?P<name>(?:api|swagger)(?:-[a-z-]+)?)\b"
    r"(?P<arguments>(?:[^%{\n]|%(?!\})|\{(?!%)){0,2000})%\}",
    re.MULTILINE,
)
_API_END = re.compile(r"\{%[ \t]*end(?:api|swagger)(?:-[a-z-]+)?[ \t]*%\}")
_ARGUMENT = re.compile(r"""([\w-]+)[ \t]*=[ \t]*(?:"([^"]*)"|'([^']*)')""")
_PLUGIN = re.compile(r"\{%[ \t]*@[\w/-]+(?P<arguments>(?:[^%{\n]|%(?!\})|\{(?!%)){0,5000})%\}")
_EXPRESSION = re.compile(r"<code class=\"expression\">[ \t]*(?P<name>[\w.-]+)[ \t]*</code>")
_ESCAPED = re.compile(r"\\(.)")


class GitBookParser(BookParser):
    """The `Parser` of a repository that is synchronised with GitBook.

    Pages are the files that `SUMMARY.md` names, all files where there is none.
    """

    def prepare(
        self, text: str, path: str, front_matter: FrontMatter, context: ParseContext
    ) -> tuple[str, tuple[str, ...]]:
        files = FileIncludes(context, path)
        return _resolved(text, path, path, files, _variables(context)), tuple(files.warnings)


def _variables(context: ParseContext) -> Mapping[str, str]:
    """The values that expressions name: those of the whole space."""
    found: dict[str, str] = {}
    for path in (".gitbook/vars.yaml", ".gitbook/vars.yml"):
        if path in context.paths:
            fields = read_fields(context.read(path) or b"", ".yml")
            found |= {f"space.vars.{name}": value for name, value in fields.items() if isinstance(value, str)}
    return found


def _resolved(text: str, file: str, page: str, files: FileIncludes, variables: Mapping[str, str]) -> str:
    """Text without GitBook's blocks."""
    text = _EXPRESSION.sub(lambda match: escape(variables.get(match["name"], "")), text)
    if "{%" not in text and "{{" not in text:
        return text

    def include(tag: Include) -> str | None:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(file), tag.target))
        part = files.text(path, None, lambda part: _resolved(part, path, page, files, variables))
        return rewrite_targets(part, lambda href: relative_to_page(href, path, page))

    text = _PLUGIN.sub(_plugin, _API_END.sub("", _API.sub(_api, text)))
    return resolve_liquid(with_boxes(text), variables, include)


def _arguments(text: str) -> dict[str, str]:
    return {name: _ESCAPED.sub(r"\1", double or single) for name, double, single in _ARGUMENT.findall(text)}


def _plugin(match: re.Match[str]) -> str:
    """The code or the address that a block of an integration shows."""
    arguments = _arguments(match["arguments"])
    url = arguments.get("url", "")
    return f"<{url}>" if url.startswith("http") and " " not in url else ""


def _api(match: re.Match[str]) -> str:
    """What a description of an operation shows: its name and address, its parameters, its answers."""
    arguments = _arguments(match["arguments"])
    kind = match["name"].rpartition("-")[2]
    if kind in ("api", "swagger"):
        address = f"{arguments.get('baseUrl', arguments.get('host', ''))}{arguments.get('path', '')}"
        title = arguments.get("summary", "")
        line = f"{arguments.get('method', '').upper()} {address}".strip()
        shown = joined(f"## {escape(title)}" if title else "", code_span(line) if line else "")
    elif kind == "parameter":
        details = [arguments.get("in", ""), arguments.get("type", "")]
        details += ["required"] if arguments.get("required") == "true" else []
        more = ", ".join(filter(None, details))
        name = arguments.get("name", "")
        shown = f"**{code_span(name)}**{f' ({escape(more)})' if more else ''}" if name else ""
    elif kind == "response":
        words = (arguments.get("status", ""), arguments.get("description", ""))
        shown = f"**{escape(' – '.join(filter(None, words)) or 'Response')}**"
    else:
        shown = ""
    return f"\n{match['indent']}{shown}\n" if shown else ""
