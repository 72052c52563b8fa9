"""The code of computational documents: cells such as ```` ```{r setup, include=FALSE} ````, with options."""

import re

from docs_search.parsing.markdown.code_regions import split_code

_CELL = re.compile(
    r"(?P<prefix>[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*)(?P<fence>`{3,}+|~{3,}+)[ \t]*+"
    r"\{+[ \t]*(?P<mark>[.=]?)(?P<language>[A-Za-z][\w+#-]*)(?P<options>[^\n]{0,1000}?)\}+[ \t]*\n(?P<code>.*)",
    re.DOTALL,
)
_ATTRIBUTED = re.compile(
    r"(?P<before>[ \t>]*+(?:`{3,}+|~{3,}+))[ \t]*+(?P<language>[\w+#.-]*)[ \t]*"
    r"\{(?P<attributes>[^{}\n]*)\}[ \t]*(?=\n)"
)
_CLASS = re.compile(r"(?:\A|\s)\.([\w+#-]+)")
_OPTION_LINE = re.compile(r"^[ \t>]*(?:#|//|--|%%|\*)\|[ \t]*(?P<option>[^\n]*)(?:\n|\Z)", re.MULTILINE)
_CLOSED_OPTION = re.compile(r"\b(?:include|echo)[ \t]*(?:=|:)[ \t]*(?:FALSE|F\b|false|no\b)")
_TITLE = re.compile(r"\b(?:filename|title)=(?:\"([^\"\n]*)\"|'([^'\n]*)')")
_FILE_NAME = re.compile(r"(?:filename|lst-cap)[ \t]*:[ \t]*[\"']?(?P<name>[^\"'\n]+)")
_INLINE = re.compile(r"`(?:r[ \t]+|\{(?:r|python|julia|ojs)\}[ \t]*)(?P<code>[^`\n]+)`")
_RAW = re.compile(r"\{=(?P<format>[\w-]+)\}")
_LANGUAGES = {"ojs": "js"}


def resolve_cells(markdown: str) -> str:
    """Markdown whose code blocks have a plain language. A cell whose code the site does not show is left out, and so
    is raw code of other formats than HTML.
    """
    if "`" not in markdown and "~~~" not in markdown:
        return markdown
    parts: list[str] = []
    code = ""
    for part, is_code in split_code(markdown):
        if is_code:
            parts.append(_resolved(code))
            code = part
            continue
        raw = _RAW.match(part) if code else None
        if raw is None:
            parts += [_resolved(code), part]
        else:
            parts += [code.strip("`") if raw["format"].startswith("html") else "", part[raw.end() :]]
        code = ""
    return "".join([*parts, _resolved(code)])


def _resolved(code: str) -> str:
    if inline := _INLINE.fullmatch(code):
        return f"`{inline['code']}`"
    cell = _CELL.fullmatch(code)
    if cell is None:
        return _ATTRIBUTED.sub(_plain, code, count=1)
    body, prefix = cell["code"], cell["prefix"]
    if cell["mark"] == "=":
        return body.rstrip().rstrip("`~") if cell["language"].startswith("html") else ""
    named = _TITLE.search(cell["options"])
    title = next(filter(None, named.groups()), "") if named else ""
    if not cell["mark"]:
        options = "\n".join(_OPTION_LINE.findall(body))
        if _CLOSED_OPTION.search(cell["options"]) or _CLOSED_OPTION.search(options):
            return ""
        body = _OPTION_LINE.sub("", body)
        title = file["name"].strip() if (file := _FILE_NAME.search(options)) else title
    language = cell["language"]
    before = f"{prefix}**{title}**\n\n" if title and not prefix.strip() else ""
    return f"{before}{prefix}{cell['fence']}{_LANGUAGES.get(language, language)}\n{body}"


def _plain(match: re.Match[str]) -> str:
    """The first line of a block with attributes, whose language may be a class."""
    name = _CLASS.search(match["attributes"])
    return match["before"] + (match["language"] or (name[1] if name else ""))
