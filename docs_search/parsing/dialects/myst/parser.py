"""Documentation in MyST Markdown, for Sphinx, Jupyter Book and MyST's own tools."""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from docutils.nodes import make_id

from docs_search.documents import ParseContext, ParsedPage, join_blocks
from docs_search.parsing.dialects.myst.directives import Directive, resolve_directives
from docs_search.parsing.dialects.myst.project import MystProject, page_substitutions, substituted
from docs_search.parsing.dialects.myst.roles import resolve_roles
from docs_search.parsing.markdown.attribute_lists import without_attributes
from docs_search.parsing.markdown.code_languages import language_of
from docs_search.parsing.markdown.code_regions import split_code
from docs_search.parsing.markdown.file_includes import FileIncludes
from docs_search.parsing.markdown.flavor import Flavor
from docs_search.parsing.markdown.front_matter import FrontMatter
from docs_search.parsing.markdown.parser import MarkdownParser
from docs_search.parsing.rst.parser import RstParser
from docs_search.parsing.text.slugs import SphinxSlugger
from docs_search.parsing.text.writing import code_block, escape

_LABEL = re.compile(r"^(?P<indent>[ \t]*)\((?P<label>[^()\n]{1,200})\)=[ \t]*$", re.MULTILINE)
_COMMENT = re.compile(r"^%[^\n]*\n?", re.MULTILINE)
_BREAK = re.compile(r"^\+\+\+(?:[ \t][^\n]*)?$", re.MULTILINE)
_LINK = re.compile(r"\[(?P<text>[^\[\]\n]*)\]\((?P<scheme>project:|path:|doc:|#)?(?P<target>[^()\s<>]+)\)")
_AUTOLINK = re.compile(r"<(?:project|path|doc):(?P<target>[^<>\s]+)>")
_BRACKETED = re.compile(r"^(?P<heading>#{1,6}[ \t][^\n]{0,300}?)[ \t]*\[#?(?P<anchor>[\w-]+)\][ \t]*$", re.MULTILINE)
_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*:|/", re.IGNORECASE)


class MystParser(MarkdownParser):
    """The `Parser` of MyST Markdown. The paths of pages are those that Sphinx publishes, without an extension."""

    flavor: ClassVar[Flavor] = Flavor(slugger=SphinxSlugger, definition_lists=True)

    def __init__(self) -> None:
        self._project_of: MystProject | None = None

    def parse(self, path: str, data: bytes, context: ParseContext) -> ParsedPage | None:
        if self._project_of is None or self._project_of.paths is not context.paths:
            self._project_of = MystProject(context, self.docs_root)
        return super().parse(path, data, context)

    def root(self, paths: frozenset[str]) -> str:
        return self._project_of.root if self._project_of else self.docs_root

    def is_folder_index(self, file: str, paths: frozenset[str]) -> bool:
        has_html_names = self._project_of is not None and self._project_of.has_html_names
        return not has_html_names and super().is_folder_index(file, paths)

    def prepare(
        self, text: str, path: str, front_matter: FrontMatter, context: ParseContext
    ) -> tuple[str, tuple[str, ...]]:
        project = self._project_of or MystProject(context, self.docs_root)
        page = _Page(path, project, context)
        if project.has_bracketed_anchors:
            text = "".join(
                part if is_code else _BRACKETED.sub(r"\g<heading> {#\g<anchor>}", part)
                for part, is_code in split_code(text)
            )
        values = {**project.substitutions, **page_substitutions(front_matter)}
        return page.resolve(text, values), tuple(page.files.warnings)


class _Page:
    """Resolves the syntax of one document."""

    def __init__(self, path: str, project: MystProject, context: ParseContext) -> None:
        self._path = path
        self._folder = posixpath.dirname(path)
        self._project = project
        self._context = context
        self.files = FileIncludes(context, path)
        self._whole = {"eval-rst": self._rst, "include": self._include, "literalinclude": self._literal_include}

    def resolve(self, text: str, values: Mapping[str, str]) -> str:
        """The document as plain Markdown."""
        text = self._directives(text)
        text = "".join(part if is_code else self._marks(part, values) for part, is_code in split_code(text))
        return without_attributes(resolve_roles(text, self._reference))

    def _directives(self, text: str) -> str:
        return resolve_directives(text, self._whole)

    def _marks(self, text: str, values: Mapping[str, str]) -> str:
        text = substituted(text, values)
        if ")=" in text:
            text = _LABEL.sub(lambda match: f'{match["indent"]}<a id="{make_id(match["label"])}"></a>\n', text)
        text = _BREAK.sub("", _COMMENT.sub("", text))
        if "](" in text:
            text = _LINK.sub(self._link, text)
        return _AUTOLINK.sub(lambda match: self._named("", match["target"]), text) if "<" in text else text

    def _link(self, match: re.Match[str]) -> str:
        if (
            not match["scheme"]
            and not self._is_document(match["target"])
            and (_ADDRESS.match(match["target"]) or match["text"])
            and not self._is_label(match["target"])
        ):
            return match[0]
        target = f"#{match['target']}" if match["scheme"] == "#" else match["target"]
        return self._named(match["text"], target)

    def _is_label(self, target: str) -> bool:
        return "." not in target and self._project.label(target) is not None

    def _is_document(self, target: str) -> bool:
        """Whether a target from the root of the project is one of its documents."""
        return target.startswith("/") and self._project.document(target.partition("#")[0], "") is not None

    def _named(self, text: str, target: str) -> str:
        """A link to a document or a label, with the title there where it has no text."""
        file, _, anchor = target.partition("#")
        label = None if file.endswith(".md") else self._project.label(anchor or file)
        if label is not None:
            return f"[{text or escape(label.title or anchor or file)}]({self._address(label.file, label.anchor)})"
        document = self._project.document(file, self._folder) if file else None
        title = self._project.title(document) if document and not text else None
        if document and file.startswith("/"):
            target = self._address(document, anchor)
        return f"[{text or escape(title or anchor or file)}]({target})"

    def _reference(self, role: str, target: str, title: str | None) -> str:
        label = self._project.label(target) if role != "doc" else None
        if label is not None:
            return f"[{escape(title or label.title or target)}]({self._address(label.file, label.anchor)})"
        document = self._project.document(target, self._folder) if role in ("doc", "any") else None
        if document is not None:
            text = title or self._project.title(document) or posixpath.basename(target)
            return f"[{escape(text)}]({self._address(document, '')})"
        return escape((title or target).replace("%s", "").strip())

    def _address(self, file: str, anchor: str) -> str:
        relative = posixpath.relpath(file, self._folder or ".").replace(" ", "%20")
        return f"{relative}#{anchor}" if anchor else relative

    # Directives that stand for something else

    def _include(self, directive: Directive, content: str) -> str:
        path = self._file(directive.argument)
        if "literal" in directive.options or "code" in directive.options:
            return self._literal_include(directive, content)
        if path.endswith((".rst", ".rest", ".txt")):
            return self._rst(directive, self.files.selected(path, None, None, lambda text: text))
        return self.files.selected(path, None, lambda text: _between(text, directive.options), self._directives)

    def _literal_include(self, directive: Directive, content: str) -> str:
        path = self._file(directive.argument)
        lines = directive.options.get("lines", "")

        def selected(text: str) -> str | None:
            return _lines(text, lines) if lines else text

        code = self.files.selected(path, lines, selected, lambda text: text)
        language = directive.options.get("language") or directive.options.get("code") or language_of(path)
        return "".join(block.markdown for block in code_block(code, language))

    def _file(self, name: str) -> str:
        base = self._project.root if name.startswith("/") else self._folder
        return posixpath.normpath(posixpath.join(base, name.lstrip("/")))

    def _rst(self, directive: Directive, content: str) -> str:
        """reStructuredText as Markdown, read by itself."""
        file = f"{posixpath.splitext(self._path)[0]}.rst"
        context = replace(self._context, paths=self._context.paths | {file})
        page = RstParser().parse(file, content.encode(), context)
        if page is None:
            return ""
        first, *others = page.sections
        parts = [join_blocks(first.blocks)]
        parts += [f"{'#' * min(part.level, 6)} {part.heading}\n\n{join_blocks(part.blocks)}" for part in others]
        return "\n\n".join(part for part in parts if part)


def _between(text: str, options: Mapping[str, str]) -> str:
    """The text after and before what `start-after` and `end-before` name, where it has them."""
    for name, is_start in (("start-after", True), ("end-before", False)):
        before, mark, after = text.partition(options[name]) if options.get(name) else ("", "", "")
        if mark:
            text = after if is_start else before
    return text


def _lines(text: str, ranges: str) -> str:
    """The lines of ranges such as `3-7, 9-`, from 1 on."""
    lines = text.split("\n")
    chosen: list[str] = []
    for part in ranges.split(",")[:100]:
        first, dash, last = part.strip().partition("-")
        if first.isdigit() and (not last or last.isdigit()):
            chosen += lines[
                int(first[:9]) - 1 if int(first[:9]) else 0 : int(last[:9])
                if last
                else None
                if dash
                else int(first[:9])
            ]
        if len(chosen) > len(lines):
            break
    return "\n".join(chosen)
