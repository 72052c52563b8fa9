"""The imports and exports of MDX: which files a document is put together from, and which texts it names."""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from docs_search.parsing.dialects.mdx.javascript import Expressions, string_value
from docs_search.parsing.markdown.code_regions import split_code

MARKDOWN = (".md", ".mdx", ".markdown")

_STATEMENT = re.compile(
    r"^(?:import(?:[ \t]+type)?[ \t]+(?:(?P<names>[\w$*{}\s,]{1,500}?)\s+from\s+)?"
    r"[\"'](?P<path>[^\"'\n]+)[\"'][ \t]*;?[ \t]*(?:with[ \t]*\{[^{}\n]*\}[ \t]*;?[ \t]*)?(?:\n|\Z)"
    r"|export[ \t]+(?P<export>(?:const|let|var|function|default|class|async|type|interface)\b|[{*])"
    r"(?:[ \t]+(?P<constant>[\w$]+)[ \t]*=[ \t]*)?)",
    re.MULTILINE,
)
_DEFAULT_NAME = re.compile(r"\s*([A-Za-z_$][\w$]*)")


@dataclass(slots=True)
class Module:
    """A file of MDX without its statements.

    `imports` are paths by the names that the file gives them, as they are written; `constants` the exported texts.
    """

    text: str
    imports: dict[str, str] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)
    has_statements: bool = False


def read_module(text: str) -> Module:
    """Take the statements out of a text: lines that begin with `import … "path"` or `export const`, outside code."""
    module = Module("")
    if "import" not in text and "export" not in text:
        module.text = text
        return module
    pieces: list[str] = []
    expressions = Expressions(text)
    offset = skipped = 0  # where the piece begins in the text, and up to where statements reach
    for part, is_code in split_code(text):
        end = offset + len(part)
        if is_code:
            if offset >= skipped:
                pieces.append(part)
            offset = end
            continue
        position = max(offset, skipped)
        for match in _STATEMENT.finditer(text, position, end) if position < end else ():
            if match.start() < position or not _begins_block(text, match.start(), module.has_statements, skipped):
                continue
            pieces.append(text[position : match.start()])
            module.has_statements = True
            position = _read(match, text, expressions, module)
            skipped = position
        if position < end:
            pieces.append(text[position:end])
        offset = end
    module.text = "".join(pieces)
    return module


def _begins_block(text: str, start: int, has_statements: bool, end_of_last: int) -> bool:
    """Whether a statement starts where one may: at the beginning, behind a blank line or another statement."""
    if start == 0 or (has_statements and not text[end_of_last:start].strip()):
        return True
    before = text[max(0, start - 200) : start].split("\n")
    return len(before) < 2 or not before[-2].strip() or before[-2].lstrip().startswith(("#", "<", "//", "{/*"))


def _read(match: re.Match[str], text: str, expressions: Expressions, module: Module) -> int:
    if match["export"] is None:
        names = match["names"] or ""
        if (name := _DEFAULT_NAME.match(names)) and not names.lstrip().startswith(("{", "*")):
            module.imports[name[1]] = match["path"]
        return match.end()
    end = expressions.statement_end(match.start())
    if match["constant"] and (value := string_value(text[match.end() : end].strip().rstrip(";"))) is not None:
        module.constants[match["constant"]] = value
    return max(end, match.end())


def imported_file(specifier: str, importer: str, paths: frozenset[str], root: str = "") -> str | None:
    """The file of the source that an import means, or None.

    Relative to the importing file; from the root of the source or the site (`@site/`, `/`, `~/`, `@/`); or behind an
    alias for a folder that is not known: by the path without its first part, else by the only file that ends so.
    """
    specifier = specifier.rsplit("!", 1)[-1].split("?", 1)[0]
    if specifier.startswith("."):
        return _existing(posixpath.normpath(posixpath.join(posixpath.dirname(importer), specifier)), paths)
    whole = specifier.lstrip("/")
    rest = whole.partition("/")[2]
    for candidate in (posixpath.join(root, rest), rest, posixpath.join(root, whole), whole):
        if candidate and (found := _existing(posixpath.normpath(candidate), paths)):
            return found
    if not rest:
        return None
    named = [path for path in _by_name(paths).get(posixpath.basename(rest), ()) if path.endswith(f"/{rest}")]
    return named[0] if len(named) == 1 else None


def _existing(path: str, paths: frozenset[str]) -> str | None:
    """A file under this path, with an extension where it has none, or with the other one of Markdown."""
    if path in paths:
        return path
    stem, extension = posixpath.splitext(path)
    stems = (stem, path) if extension in MARKDOWN else (path, f"{path}/index")
    return next((found for name in stems for end in MARKDOWN if (found := f"{name}{end}") in paths), None)


@lru_cache(maxsize=2)
def _by_name(paths: frozenset[str]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for path in sorted(paths):
        found.setdefault(posixpath.basename(path), []).append(path)
    return {name: tuple(files) for name, files in found.items()}
