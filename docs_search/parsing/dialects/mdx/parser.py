"""MDX: Markdown with components, put together from several files."""

import posixpath
import re
from collections.abc import Mapping
from typing import ClassVar

from docs_search.documents import ParseContext
from docs_search.parsing.dialects.mdx.code_meta import resolve_code_meta
from docs_search.parsing.dialects.mdx.components import Component
from docs_search.parsing.dialects.mdx.directives import resolve_directives
from docs_search.parsing.dialects.mdx.imports import MARKDOWN, Module, imported_file, read_module
from docs_search.parsing.dialects.mdx.javascript import entries, literal
from docs_search.parsing.dialects.mdx.jsx import Tag
from docs_search.parsing.dialects.mdx.text import Rules, resolve_mdx
from docs_search.parsing.markdown.code_regions import split_code, with_fences_closed
from docs_search.parsing.markdown.file_includes import FileIncludes
from docs_search.parsing.markdown.flavor import Flavor
from docs_search.parsing.markdown.front_matter import FrontMatter
from docs_search.parsing.markdown.link_targets import extract_definitions, rewrite_targets
from docs_search.parsing.markdown.parser import MarkdownParser
from docs_search.parsing.text.decoding import decode

MDX = Flavor(indented_code=False)
MAX_VALUE = 1000
"""Characters of a property that a partial is given."""
MAX_VALUES = 200_000
"""Characters that properties and constants add to one document."""

_FILE_ATTRIBUTES = ("path", "src", "file", "source")
_PARTIAL_FOLDERS = ("_partials", "partials", "_snippets", "snippets", "_includes", "includes")
_TEMPLATE = re.compile(r"\{\{[ \t]*\.(\w{1,60})[ \t]*\}\}")
_MEMBER = re.compile(r"(?:props|frontMatter|frontmatter)\.([\w$]+)|([\w$]+)")
_H1 = re.compile(r"^ {0,3}#[ \t]+\S", re.MULTILINE)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")


class MdxParser(MarkdownParser):
    """The `Parser` of MDX, and of Markdown with components in it; dialects override what differs.

    What a document imports from other Markdown files becomes part of it. In `.mdx` files, and in files that import or
    export something, braces are expressions; elsewhere they are text.
    """

    flavor: ClassVar[Flavor] = MDX
    components: ClassVar[Mapping[str, Component]] = {}
    """Components of the dialect by their kinds (`components.kind_of`)."""

    def is_page(self, path: str) -> bool:
        """Markdown and MDX files that are no partials."""
        return super().is_page(f"{path[:-4]}.md" if path.lower().endswith(".mdx") else path)

    def is_folder_index(self, file: str, paths: frozenset[str]) -> bool:
        folder, name = posixpath.split(file)
        stem = posixpath.splitext(name)[0]
        if stem not in ("index", "README") or not paths.isdisjoint({f"{folder}.md", f"{folder}.mdx"}):
            return False
        others = {posixpath.join(folder, "index.md"), posixpath.join(folder, "index.mdx")}
        return stem == "index" or paths.isdisjoint(others)

    def prepare(
        self, text: str, path: str, front_matter: FrontMatter, context: ParseContext
    ) -> tuple[str, tuple[str, ...]]:
        return Assembly(self, path, front_matter, context).text(text)

    # What dialects of MDX change

    def is_mdx(self, path: str, module: Module) -> bool:
        """Whether braces in a file are expressions."""
        return path.lower().endswith(".mdx") or module.has_statements

    def link(self, href: str, file: str, page: str, context: ParseContext) -> str:
        """The target of a link in `file` as it has to stand in the page's own file."""
        return relative_to_page(href, file, page)

    def imported(self, tag: Tag, context: ParseContext) -> str | None:
        """The file that a component stands for without an import."""
        return None

    def partial(self, text: str, path: str, context: ParseContext) -> str:
        """The text of a partial, before its components are resolved."""
        return text

    def directives(self, text: str) -> str:
        """The whole text without the dialect's syntax that is no JSX: containers, which most sites of MDX have."""
        return resolve_directives(text)


def has_title(body: str) -> bool:
    """Whether a document has a heading of level 1 outside code."""
    return any(not is_code and _H1.search(part) for part, is_code in split_code(body))


def relative_to_page(href: str, file: str, page: str) -> str:
    """A relative link of one file as a link of another one, which it becomes part of."""
    folder, target = posixpath.dirname(file), posixpath.dirname(page)
    if folder == target or not href or href.startswith(("#", "/", "?")) or _SCHEME.match(href):
        return href
    path, mark, fragment = href.partition("#")
    return (
        f"{posixpath.relpath(posixpath.normpath(posixpath.join(folder, path)) or '.', target or '.')}{mark}{fragment}"
    )


class Assembly:
    """Puts one page together from its file and the partials that it imports. Use it once."""

    def __init__(self, parser: MdxParser, page: str, front_matter: FrontMatter, context: ParseContext) -> None:
        self._parser = parser
        self._page = page
        self._front_matter = front_matter
        self._context = context
        self._files = FileIncludes(context, page)
        self._definitions: list[str] = []
        self._values_left = MAX_VALUES
        self._partials = 0

    def text(self, text: str) -> tuple[str, tuple[str, ...]]:
        """The page as plain Markdown, and warnings."""
        text = self._file(text, self._page, {})
        if self._definitions:
            text = "\n\n".join([text.rstrip("\n"), *self._definitions, ""])
        return self._parser.directives(resolve_code_meta(text)), tuple(self._files.warnings)

    def _file(self, text: str, file: str, values: Mapping[str, str]) -> str:
        """One file's text with everything that it imports."""
        text = rewrite_targets(text, lambda href: self._parser.link(href, file, self._page, self._context))
        module = read_module(text)
        imports = {
            name: imported_file(specifier, file, self._context.paths, self._parser.root(self._context.paths))
            or (posixpath.join(posixpath.dirname(file), specifier) if specifier.startswith(".") else specifier)
            for name, specifier in module.imports.items()
        }
        values = {**module.constants, **values}
        rules = Rules(
            components=self._parser.components,
            partial=lambda tag, content: self._partial(
                imports.get(tag.name) or self._parser.imported(tag, self._context) or self._named(tag, file),
                tag,
                content,
            ),
            value=lambda expression: self._value(expression, values, module.imports, imports),
            is_mdx=self._parser.is_mdx(file, module),
        )
        return resolve_mdx(module.text, rules)

    def _named(self, tag: Tag, importer: str) -> str | None:
        """The Markdown file that an attribute of a component names, from its folder, the root, or one for partials."""
        values = (tag.attributes.get(name, "") for name in _FILE_ATTRIBUTES)
        name = next((value for value in values if value.endswith(MARKDOWN)), None)
        if name is None or not tag.is_component:
            return None
        root = self._parser.root(self._context.paths)
        specifiers = (f"./{name}", f"/{name}", *(f"/{folder}/{name.lstrip('/')}" for folder in _PARTIAL_FOLDERS))
        found = (imported_file(specifier, importer, self._context.paths, root) for specifier in specifiers)
        return next(filter(None, found), None)

    def _partial(self, file: str | None, tag: Tag, content: str) -> str | None:
        if file is None or not file.lower().endswith(MARKDOWN):
            return None
        values = {name: " ".join(value.split())[:MAX_VALUE] for name, value in tag.attributes.items()}
        for given in entries([literal(tag.expressions.get("variables", ""))]):
            values |= {str(name): str(value)[:MAX_VALUE] for name, value in given.items()}
        values["children"] = content[:MAX_VALUES]
        self._partials += 1
        prefix = f"{self._partials}:"

        def expand(text: str) -> str:
            part = self._parser.partial(text, file, self._context)
            part = _TEMPLATE.sub(lambda match: values.get(match[1], match[0]), part)
            text, definitions = extract_definitions(with_fences_closed(part), prefix)
            if definitions:
                link = self._parser.link
                self._definitions.append(
                    rewrite_targets(definitions, lambda href: link(href, file, self._page, self._context))
                )
            return self._file(text, file, values)

        return self._files.text(file, None, expand)

    def _value(
        self, expression: str, values: Mapping[str, str], specifiers: Mapping[str, str], imports: Mapping[str, str]
    ) -> str | None:
        """The text of `{props.name}`, of an exported constant, a field of the front matter, or a raw file."""
        member = _MEMBER.fullmatch(expression)
        if member is None:
            return None
        name = member[1] or member[2]
        value = values.get(name)
        if value is None and expression.startswith("front"):
            value = self._front_matter.text(name)
        if value is None and (file := imports.get(name)) is not None:
            value = self._raw_file(file, specifiers[name])
        if value is None:
            return None
        self._values_left -= len(value)
        return value if self._values_left >= 0 else ""

    def _raw_file(self, file: str, specifier: str) -> str | None:
        """The content of a file that a code block imports (`raw-loader!`, `?raw`)."""
        if "raw-loader" not in specifier and not specifier.endswith("?raw"):
            return None
        data = self._context.read(file) if file in self._context.paths else None
        if data is None:
            self._files.warnings.append(f"the included file {file} is not in the source")
            return ""
        return decode(data)[0]
