"""Code that a page of Microsoft Learn takes from files: `:::code source=…:::` and `[!code-csharp[…](…)]`."""

import posixpath
import re
from collections.abc import Mapping

from docs_search.parsing.markdown.code_languages import language_of
from docs_search.parsing.markdown.code_regions import split_code
from docs_search.parsing.markdown.file_includes import FileIncludes
from docs_search.parsing.markdown.indentation import continuation, dedent, indent, line_prefix
from docs_search.parsing.text.writing import code_block

_CODE = re.compile(
    r"(?P<prefix>^[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*)?"
    r"(?:::: *code\b(?P<attributes>[^\n]*?):::|\[!code(?:-(?P<language>[\w+#-]+))?[ \t]*\[[^\]\n]*\]"
    r"[ \t]*\((?P<target>[^()\s]+)[^()\n]*\)\])",
    re.MULTILINE,
)
_ATTRIBUTE = re.compile(r"\b([a-z-]+)=\"([^\"]*)\"")
_RANGE = re.compile(r"(\d{1,6})(?:(-)(\d{0,6}))?")
_INTERACTIVE = re.compile(r"(?P<before>[ \t>]*+(?:`{3,}|~{3,})[ \t]*[\w+#.]+)-interactive\b")
_SNIPPET_LINE = re.compile(r"^[ \t]*(?://|#|--|;|'|<!--)[ \t]*</?[\w.-]+>[ \t]*(?:-->)?[ \t]*\n?", re.MULTILINE)


def source_path(target: str, file: str) -> str:
    """The file that `~/a.md`, from the root of the repository, or `../a.md` names in another one."""
    if target.startswith(("~/", "/")):
        return posixpath.normpath(target.lstrip("~/") or ".")
    return posixpath.normpath(posixpath.join(posixpath.dirname(file), target))


def with_code(text: str, file: str, files: FileIncludes) -> str:
    """Text with the code of files of the source in the place of what names them; of others nothing is left."""
    if ":::" not in text and "[!code" not in text:
        return text

    def replace(match: re.Match[str]) -> str:
        attributes = dict(_ATTRIBUTE.findall(match["attributes"] or ""))
        path, wanted = _target(match["target"] or attributes.get("source", ""), attributes, file)
        content = files.selected(path, " ".join(wanted.values()) or None, lambda code: _part(code, wanted), _clean)
        language = attributes.get("language") or match["language"] or language_of(path)
        blocks = code_block(content, language)
        prefix = match["prefix"] or ""
        return prefix + indent(blocks[0].markdown, continuation(line_prefix(prefix))) if blocks else ""

    return "".join(part if is_code else _CODE.sub(replace, part) for part, is_code in split_code(text))


def without_interactive(code: str) -> str:
    """Code whose language is not one that a button runs it in: `azurecli-interactive` is `azurecli`."""
    return _INTERACTIVE.sub(r"\g<before>", code, count=1)


def _target(target: str, attributes: Mapping[str, str], file: str) -> tuple[str, dict[str, str]]:
    """The file, and which part of it is wanted, by `range` or `id`."""
    path, _, fragment = target.partition("#")
    path, _, query = path.partition("?")
    wanted = {name: attributes[name] for name in ("range", "id") if attributes.get(name)}
    for pair in query.split("&"):
        name, _, value = pair.partition("=")
        if value and name in ("name", "range"):
            wanted["id" if name == "name" else name] = value
    if lines := re.fullmatch(r"L(\d{1,6})(?:-L(\d{1,6}))?", fragment):
        wanted["range"] = f"{lines[1]}-{lines[2] or lines[1]}"
    elif fragment:
        wanted["id"] = fragment
    return source_path(path, file), wanted


def _part(code: str, wanted: Mapping[str, str]) -> str | None:
    if "range" in wanted:
        lines = code.split("\n")
        kept: list[str] = []
        for first, dash, last in _RANGE.findall(wanted["range"][:200]):
            end = int(last) if last else (len(lines) if dash else int(first))
            kept += lines[max(0, int(first) - 1) : end]
        return dedent("\n".join(kept))
    if "id" in wanted:
        name = re.escape(wanted["id"])
        marks = re.search(
            rf"(?:<{name}>|#region[ \t]+{name}\b)[^\n]*\n(?P<code>.*?)^[^\n]*(?:</{name}>|#endregion)",
            code,
            re.DOTALL | re.MULTILINE | re.IGNORECASE,
        )
        return dedent(marks["code"]) if marks else None
    return code


def _clean(code: str) -> str:
    """Code without the comments that name its parts."""
    return _SNIPPET_LINE.sub("", code)
