"""VitePress and VuePress: Markdown with containers, included files and Vue's templates."""

import posixpath
import re
from collections.abc import Mapping
from functools import lru_cache, partial
from typing import ClassVar

from docs_search.documents import ParseContext
from docs_search.parsing.dialects.mdx.components import joined
from docs_search.parsing.dialects.mdx.imports import Module
from docs_search.parsing.dialects.mdx.javascript import string_value
from docs_search.parsing.dialects.mdx.parser import MdxParser
from docs_search.parsing.markdown.code_regions import split_code
from docs_search.parsing.markdown.file_includes import FileIncludes
from docs_search.parsing.markdown.flavor import Flavor
from docs_search.parsing.markdown.front_matter import FrontMatter
from docs_search.parsing.text.slugs import VitePressSlugger
from docs_search.parsing.text.writing import code_block, escape

ROOTS = ("docs/", "src/", "")

_INCLUDE = re.compile(
    r"<!--[ \t]*@include:[ \t]*(?P<path>[^\s#{}<>]+)(?P<region>#[\w.-]+)?(?:\{(?P<lines>[\d,]*)\})?[ \t]*-->"
)
_CODE_IMPORT = re.compile(
    r"^(?P<prefix>[ \t>]*+)<<<[ \t]*+(?:@\[code[^\]\n]*+\]\()?(?P<path>[^\s#{}\[\]()]++)\)?(?P<region>#[\w.-]++)?"
    r"[ \t]*+(?:\{(?P<meta>[^{}\n]*+)\})?[ \t]*+(?:\[(?P<title>[^\[\]\n]*+)\])?[ \t]*+$",
    re.MULTILINE,
)
_REGION_MARK = re.compile(
    r"^[ \t]*(?:/\*|//|#|<!--|--|;|::|REM)?[ \t]*#?(?P<end>end)?region\b[ \t]*(?P<name>[\w*.-]*)[^\n]*\n?",
    re.MULTILINE | re.IGNORECASE,
)
_VERBATIM = re.compile(r"<(?P<tag>[a-z]+)[^<>]* v-pre[^<>]*>(?P<text>[^<]{0,1000})</(?P=tag)>")
_INTERPOLATION = re.compile(r"\{\{(?P<expression>[^{}]*+)\}\}")
_FIELD = re.compile(r"(?:\$?frontmatter|\$page\.frontmatter)\.(\w+)")
_LANGUAGES = {"h": "c", "htm": "html", "mjs": "js", "cjs": "js", "mts": "ts", "yml": "yaml"}


class VitePressParser(MdxParser):
    """The `Parser` of a VitePress or VuePress site, given as its repository or the folder of its documents."""

    flavor: ClassVar[Flavor] = Flavor(slugger=VitePressSlugger)

    def root(self, paths: frozenset[str]) -> str:
        return self.docs_root or _root(paths)

    def is_folder_index(self, file: str, paths: frozenset[str]) -> bool:
        name = posixpath.basename(file)
        return name == "index.md" or (name == "README.md" and _has_readme_indexes(paths))

    def is_mdx(self, path: str, module: Module) -> bool:
        return False

    def prepare(
        self, text: str, path: str, front_matter: FrontMatter, context: ParseContext
    ) -> tuple[str, tuple[str, ...]]:
        files = FileIncludes(context, path)
        root = self.root(context.paths)
        text = joined(_home(front_matter), _with_includes(text, path, root, files))
        text = _with_code(text, path, root, files)
        text = "".join(
            part if is_code else _without_templates(part, front_matter.fields) for part, is_code in split_code(text)
        )
        text, warnings = super().prepare(text, path, front_matter, context)
        return text, (*files.warnings, *warnings)

    def link(self, href: str, file: str, page: str, context: ParseContext) -> str:
        """Links that begin at the root of the site as links to files."""
        if not href.startswith("/") or href.startswith("//"):
            return href
        path, mark, rest = href.partition("#")
        target = f"{self.root(context.paths)}{path.strip('/')}"
        stem = re.sub(r"\.(?:html|md)\Z", "", target)
        for candidate in (f"{stem}.md", f"{stem}/index.md", f"{stem}/README.md", f"{target}index.md"):
            if candidate in context.paths:
                return f"{posixpath.relpath(candidate, posixpath.dirname(page) or '.')}{mark}{rest}"
        return href


@lru_cache(maxsize=4)
def _root(paths: frozenset[str]) -> str:
    """The folder of the documents: where the folder with the configuration is, else one that is usually named so."""
    configured = [path.split(mark, 1)[0] for path in paths for mark in (".vitepress/", ".vuepress/") if mark in path]
    roots = [folder for folder in configured if not folder or folder.endswith("/")]
    if roots:
        return min(roots, key=lambda folder: (folder.count("/"), folder))
    return next((root for root in ROOTS if f"{root}index.md" in paths or f"{root}README.md" in paths), "")


@lru_cache(maxsize=4)
def _has_readme_indexes(paths: frozenset[str]) -> bool:
    """Whether the site is one of VuePress, where READMEs are the indexes of folders."""
    return any(".vuepress/" in path for path in paths)


def _source_path(target: str, file: str, root: str) -> str:
    if target.startswith(("@/", "~/")):
        return f"{root}{target[2:]}"
    if target.startswith("/"):
        return f"{root}{target[1:]}"
    if target.startswith("@"):
        return f"{root}{target[1:].lstrip('/')}"
    return posixpath.normpath(posixpath.join(posixpath.dirname(file), target))


def _with_includes(text: str, file: str, root: str, files: FileIncludes) -> str:
    """Text with other Markdown files in the place of comments that name them, outside fences."""
    if "@include" not in text:
        return text

    def include(match: re.Match[str]) -> str:
        path = _source_path(match["path"], file, root)
        region, lines = match["region"], match["lines"]
        select = partial(_region, name=region[1:]) if region else partial(_lines, numbers=lines) if lines else None
        return files.selected(path, region or lines, select, lambda part: _with_includes(part, path, root, files))

    return "".join(part if is_code else _INCLUDE.sub(include, part) for part, is_code in split_code(text))


def _with_code(text: str, file: str, root: str, files: FileIncludes) -> str:
    """Text with the content of files in the place of `<<< path`, outside fences."""
    if "<<<" not in text:
        return text

    def code(match: re.Match[str]) -> str:
        path = _source_path(match["path"], file, root)
        select = partial(_region, name=match["region"][1:]) if match["region"] else None
        content = files.selected(path, match["region"], select, lambda part: _REGION_MARK.sub("", part))
        extension = posixpath.splitext(path)[1].lstrip(".")
        named = re.findall(r"[A-Za-z][\w+#-]*", (match["meta"] or "").split(":")[0])
        language = named[-1] if named else _LANGUAGES.get(extension, extension)
        blocks = [block.markdown for block in code_block(content, language)]
        title = f"**{escape(match['title'])}**" if match["title"] and blocks else ""
        indent = match["prefix"]
        return "\n".join(indent + line if line else line for line in joined(title, *blocks).split("\n"))

    return "".join(part if is_code else _CODE_IMPORT.sub(code, part) for part, is_code in split_code(text))


def _region(text: str, name: str) -> str | None:
    """The lines between the marks of a region of this name."""
    start = depth = None
    for mark in _REGION_MARK.finditer(text):
        if start is None and not mark["end"] and mark["name"] == name:
            start, depth = mark.end(), 1
        elif start is not None and depth is not None:
            depth += -1 if mark["end"] else 1
            if mark["end"] and (mark["name"] == name or depth == 0):
                return text[start : mark.start()]
    return None


def _lines(text: str, numbers: str) -> str | None:
    """Some lines of a text: `3`, `3,`, `,10` or `3,10`, counted from 1."""
    first, comma, last = numbers.partition(",")
    start = int(first[:9]) if first else 1
    end = int(last[:9].replace(",", "") or 0) if last else (None if comma else start)
    return "\n".join(text.split("\n")[max(0, start - 1) : end])


def _without_templates(text: str, fields: Mapping[str, object]) -> str:
    """Text without Vue's interpolations, but for fields of the front matter and strings."""
    if "{{" not in text:
        return text

    def interpolation(match: re.Match[str]) -> str:
        expression = match["expression"].strip()
        if field := _FIELD.fullmatch(expression):
            value = fields.get(field[1])
            return escape(value) if isinstance(value, str) else ""
        value = string_value(expression)
        return escape(value) if value else ""

    text = _VERBATIM.sub(lambda match: match[0].replace("{", "&#123;"), text)
    return _INTERPOLATION.sub(interpolation, text)


def _home(front_matter: FrontMatter) -> str:
    """What a home page shows of its front matter: the name, what it is about, and its features."""
    hero = front_matter.fields.get("hero")
    hero = hero if isinstance(hero, dict) else {}
    features = front_matter.fields.get("features")
    blocks = [f"# {escape(name)}" if (name := _text(hero.get("name"))) else ""]
    blocks += [escape(_text(hero.get(key))) for key in ("text", "tagline")]
    for feature in features if isinstance(features, list) else ():
        if isinstance(feature, dict) and (title := _text(feature.get("title"))):
            blocks += [f"**{escape(title)}**", escape(_text(feature.get("details")))]
    return joined(*blocks)


def _text(value: object) -> str:
    return " ".join(value.split()) if isinstance(value, str) else ""
