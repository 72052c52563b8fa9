"""The marks of PyMdown Extensions and CriticMarkup in running text, as words."""

import re

from docs_search.parsing.markdown.code_regions import split_code

_ICON = re.compile(
    r":(?:material|octicons|fontawesome|simple|custom|bootstrap|lucide|twemoji)-(?P<name>[\w-]+):"
    r"(?P<space>[ \t](?=\S))?"
)
_SIGNS = {"check": "✓", "check-bold": "✓", "check-circle": "✓", "check-16": "✓", "close": "✗", "x-16": "✗"}
_ROW = re.compile(r"^[ \t]*\|.*$", re.MULTILINE)
_KEYS = re.compile(r"\+\+(?P<keys>(?:[\w-]+|\"[^\"\n]+\")(?:\+(?:[\w-]+|\"[^\"\n]+\")){0,5})\+\+")
_ESCAPED_BRACES = re.compile(r"\{(?P<mark>\+\+|--|==|>>)(?P<text>[^{\n]{0,2000}?)(?:\+\+|--|==|<<)\}")
_SUBSTITUTION = re.compile(r"\{~~[^{\n]{0,2000}?~>(?P<text>[^{\n]{0,2000}?)~~\}")
_MARKED = re.compile(r"(?<![=\w])==(?=[^\s=])(?P<text>[^=\n]+(?:=[^=\n]+)*)(?<=\S)==(?![=\w])")
_INSERTED = re.compile(r"(?<!\^)\^\^(?=[^\s^])(?P<text>[^^\n]+)(?<=\S)\^\^(?!\^)")
_SUPERSCRIPT = re.compile(r"(?<=[\w)])\^(?P<text>[\w+-]{1,20})\^(?!\^)")
_SUBSCRIPT = re.compile(r"(?<=[\w)])~(?P<text>[\w+-]{1,20})~(?!~)")
_DARK_IMAGE = re.compile(r"!\[[^\]\n]*\]\([^()\s]*#(?:only-dark|gh-dark-mode-only)\)")
_CODE_LANGUAGE = re.compile(r"\A(`+)(?:#!|:::)[\w+-]+ (?=[^`])")

_KEY_NAMES = {
    "cmd": "Cmd",
    "command": "Cmd",
    "control": "Ctrl",
    "ctrl": "Ctrl",
    "del": "Del",
    "esc": "Esc",
    "option": "Option",
    "page-down": "Page Down",
    "page-up": "Page Up",
}


def resolve_marks(text: str) -> str:
    """Markdown without those marks; of code, only the language that a span begins with is taken out."""
    return "".join(_CODE_LANGUAGE.sub(r"\1", part) if is_code else _resolve(part) for part, is_code in split_code(text))


def _resolve(text: str) -> str:
    if ":" in text:
        text = _ICON.sub("", _ROW.sub(lambda row: _ICON.sub(_sign, row[0]), text))
    if "{" in text:
        text = _ESCAPED_BRACES.sub(_critic, _SUBSTITUTION.sub(r"\g<text>", text))
    if "++" in text:
        text = _KEYS.sub(_keys, text)
    if "==" in text:
        text = _MARKED.sub(r"\g<text>", text)
    if "^" in text:
        text = _SUPERSCRIPT.sub(r"^\g<text>", _INSERTED.sub(r"\g<text>", text))
    if "~" in text:
        text = _SUBSCRIPT.sub(r"_\g<text>", text)
    return _DARK_IMAGE.sub("", text) if "dark" in text else text


def _sign(icon: re.Match[str]) -> str:
    """An icon that is all that a cell says."""
    sign = _SIGNS.get(icon["name"], "")
    return f"{sign}{icon['space'] or ''}" if sign else ""


def _critic(match: re.Match[str]) -> str:
    return match["text"] if match["mark"] in ("++", "==") else ""


def _keys(match: re.Match[str]) -> str:
    keys = re.findall(r"\"[^\"]+\"|[\w-]+", match["keys"])
    return "+".join(
        key.strip('"') if key[0] == '"' else _KEY_NAMES.get(key.casefold()) or key.replace("-", " ").title()
        for key in keys
    )
