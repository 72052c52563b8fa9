"""Quarto, R Markdown and what else Pandoc reads: cells of code, divs, spans, shortcodes, references."""

import posixpath
import re
from collections.abc import Iterator, Mapping
from functools import partial
from typing import ClassVar

from docs_search.documents import ParseContext, ParsedPage
from docs_search.parsing.dialects.hugo.shortcodes import Replacement, Shortcode, resolve_shortcodes
from docs_search.parsing.dialects.quarto.code_cells import resolve_cells
from docs_search.parsing.dialects.quarto.divs import resolve_divs
from docs_search.parsing.dialects.quarto.grid_tables import resolve_grid_tables
from docs_search.parsing.dialects.quarto.pandoc_marks import resolve_marks
from docs_search.parsing.dialects.site_fields import read_fields
from docs_search.parsing.markdown.attribute_lists import without_attributes
from docs_search.parsing.markdown.code_regions import split_code
from docs_search.parsing.markdown.file_includes import FileIncludes
from docs_search.parsing.markdown.flavor import Flavor
from docs_search.parsing.markdown.front_matter import FrontMatter, split_front_matter
from docs_search.parsing.markdown.parser import MarkdownParser
from docs_search.parsing.text.decoding import decode
from docs_search.parsing.text.plain_text import plain_text
from docs_search.parsing.text.slugs import PandocSlugger
from docs_search.parsing.text.writing import code_span, escape

EXTENSIONS = (".qmd", ".rmd")
MAX_FILES = 3000  # in which labels are looked for

_TITLE_BLOCK = re.compile(r"\A%[ \t]*(?P<title>[^\n]*(?:\n[ \t]+\S[^\n]*)*)\n(?:%[^\n]*\n(?:[ \t]+\S[^\n]*\n)*){0,2}")
_LABEL = re.compile(
    r"^#{1,6}[ \t]+(?P<title>[^\n]{0,300}?)[ \t]*\{[ \t]*#(?P<label>[\w:.-]+)[^{}\n]*\}[ \t]*$", re.MULTILINE
)


class QuartoParser(MarkdownParser):
    """The `Parser` of a Quarto project, of R Markdown, and of Markdown for Pandoc. Nothing is computed."""

    flavor: ClassVar[Flavor] = Flavor(slugger=PandocSlugger, definition_lists=True)

    def __init__(self) -> None:
        self._labels_of: tuple[frozenset[str], Mapping[str, tuple[str, str]]] | None = None

    def is_page(self, path: str) -> bool:
        stem, extension = posixpath.splitext(path)
        return super().is_page(f"{stem}.md" if extension.lower() in EXTENSIONS else path)

    def page_path(self, file: str, paths: frozenset[str]) -> str | None:
        """That of other Markdown; READMEs beside a Quarto project are none of its pages."""
        if posixpath.basename(file).upper() == "README.MD" and f"{self.root(paths)}_quarto.yml" in paths:
            return None
        return super().page_path(file, paths)

    def parse(self, path: str, data: bytes, context: ParseContext) -> ParsedPage | None:
        if self._labels_of is None or self._labels_of[0] is not context.paths:
            self._labels_of = context.paths, dict(_labels(context))
        return super().parse(path, data, context)

    def front_matter(self, text: str, path: str, context: ParseContext) -> tuple[FrontMatter, str]:
        """The fields in YAML, or the title at the top behind a percent sign."""
        front_matter, body = super().front_matter(text, path, context)
        if not front_matter.fields and (block := _TITLE_BLOCK.match(body)):
            front_matter, body = FrontMatter({"title": block["title"]}), body[block.end() :]
        return front_matter, body

    def prepare(
        self, text: str, path: str, front_matter: FrontMatter, context: ParseContext
    ) -> tuple[str, tuple[str, ...]]:
        files = FileIncludes(context, path)
        variables = _variables(self.root(context.paths), front_matter, context)
        text = _with_shortcodes(text, path, variables, files)
        labels = self._labels_of[1] if self._labels_of else {}

        def link(label: str) -> str | None:
            found = labels.get(label)
            if found is None:
                return None
            file, title = found
            target = "" if file == path else posixpath.relpath(file, posixpath.dirname(path) or ".")
            return f"[{title}]({target}#{label})"

        text = resolve_marks(resolve_grid_tables(resolve_divs(resolve_cells(text))), link)
        if title := front_matter.text("title"):  # so that headings of level 1 begin sections below it
            text = f"# {escape(plain_text(title))}\n\n{text}"
        return without_attributes(text), tuple(files.warnings)


def _labels(context: ParseContext) -> Iterator[tuple[str, tuple[str, str]]]:
    """The files and titles of headings by their labels."""
    documents = [path for path in context.paths if path.lower().endswith((*EXTENSIONS, ".md"))]
    for path in sorted(documents, reverse=True)[:MAX_FILES]:
        text = decode(context.read(path) or b"")[0]
        if "{#" in text:
            yield from ((match["label"], (path, match["title"])) for match in _LABEL.finditer(text))


def _variables(root: str, front_matter: FrontMatter, context: ParseContext) -> dict[str, str]:
    """The values that `var` and `meta` name."""
    file = f"{root}_variables.yml"
    fields = read_fields(context.read(file) or b"", ".yml") if file in context.paths else {}
    return dict((*_flattened(fields, "var"), *_flattened(front_matter.fields, "meta")))


def _flattened(fields: Mapping[str, object], prefix: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    for name, value in list(fields.items())[:1000]:
        if isinstance(value, str):
            yield f"{prefix} {name}" if not depth else f"{prefix}.{name}", value
        elif isinstance(value, Mapping) and depth < 4:
            yield from _flattened(value, f"{prefix} {name}" if not depth else f"{prefix}.{name}", depth + 1)


def _with_shortcodes(text: str, file: str, variables: Mapping[str, str], files: FileIncludes) -> str:
    """Text with its shortcodes replaced; those in code are shown."""
    if "{{<" not in text:
        return text

    def render(code: Shortcode) -> Replacement:
        value = code.value(position=0)
        match code.name:
            case "include":
                path = value.lstrip("/") if value.startswith("/") else posixpath.join(posixpath.dirname(file), value)
                path = posixpath.normpath(path)
                return Replacement(files.text(path, None, partial(_included, path=path)), is_block=True)
            case "var" | "meta":
                return Replacement(escape(variables.get(f"{code.name} {value}", "")))
            case "video" if value.startswith("http"):
                return Replacement(f"[{escape(code.value('title') or 'Video')}]({value})")
            case "kbd":
                return Replacement(code_span(value))
            case _:
                return Replacement(code.inner or "", is_block=bool(code.inner))

    def _included(part: str, path: str) -> str:
        return _with_shortcodes(split_front_matter(part)[1], path, variables, files)

    return "".join(part if is_code else resolve_shortcodes(part, render) for part, is_code in split_code(text))
