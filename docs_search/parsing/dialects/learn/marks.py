"""The marks of Microsoft Learn's Markdown that bring in nothing: tabs, columns, images, references to an API."""

import re
from urllib.parse import unquote

from docs_search.parsing.markdown.code_regions import split_code
from docs_search.parsing.markdown.indentation import dedent
from docs_search.parsing.text.writing import code_span

_IMAGE = re.compile(r":::[ \t]*image\b(?P<attributes>[^\n]*?):::")
_ALT = re.compile(r"\balt-text=\"([^\"]*)\"")
_COLUMN = re.compile(
    r"^[ \t]*:::[ \t]*column\b[^\n]*?:::[ \t]*\n(?P<text>(?:(?![ \t]*:::[ \t]*column\b)[^\n]*\n)*?)"
    r"[ \t]*:::[ \t]*column-end[ \t]*:::[ \t]*$",
    re.MULTILINE,
)
_FENCE = re.compile(
    r"^(?P<indent>[ \t>]*+):::[ \t]*(?:row|column|moniker|zone|image-end|code)\b[^\n]*$", re.MULTILINE | re.IGNORECASE
)
_TAB = re.compile(r"^(?P<indent>[ \t>]*+)#{1,6}[ \t]+\[(?P<title>[^\]\n]+)\]\(#tabs?/[^()\n]*\)[ \t]*$", re.MULTILINE)
_BOX = re.compile(r"^[ \t]*+>[ \t]*\[!div\b[^\]\n]*\][ \t]*\n(?P<text>(?:[ \t]*+>[^\n]*+(?:\n|\Z))*)", re.MULTILINE)
_QUOTE_MARK = re.compile(r"^([ \t]*)>[ \t]?", re.MULTILINE)
_VIDEO = re.compile(
    r"^(?P<indent>[ \t]*+)(?:>[ \t]*)?\[!VIDEO[ \t]*\]?\(?(?P<url>https?://[^\s\])]+)[\])]", re.MULTILINE
)
_SWITCH = re.compile(
    r"^[ \t]*+>?[ \t]*+\[!(?:BEGINTABS|ENDTABS|BEGINSHADEBOX[^\]\n]*|ENDSHADEBOX)\][ \t]*$", re.MULTILINE
)
_QUOTED_TAB = re.compile(r"^(?P<indent>[ \t]*+)>?[ \t]*\[!TAB[ \t]+(?P<title>[^\]\n]+)\][ \t]*$", re.MULTILINE)
_MARKED = re.compile(r"\[!(?P<kind>UICONTROL|DNL|BADGE|Badge|PRECODE|KEY)[ \t]+(?P<text>[^\]\n]+)\](?:\{[^{}\n]*\})?")
_UNQUOTED = re.compile(
    r"^(?P<indent>[ \t]*+)\[!(?P<kind>NOTE|TIP|IMPORTANT|CAUTION|WARNING)\][ \t]*+(?=\S)", re.MULTILINE
)
_REFERENCE = re.compile(r"<xref:(?P<uid>[^<>\s?]+)(?:\?(?P<query>[^<>\s]*))?>")
_REFERENCE_LINK = re.compile(r"(?<!!)\[(?P<text>[^\[\]\n]*)\]\(xref:(?P<uid>[^()\s?]*)(?:\([^()\n]*\))?[^()\n]*\)")
_GENERIC = re.compile(r"`\d+")


def resolve_marks(text: str) -> str:
    """Markdown without the marks that only Microsoft Learn knows, outside code."""
    text = _COLUMN.sub(lambda column: f"\n{dedent(column['text'])}\n", text)
    return "".join(part if is_code else _resolved(part) for part, is_code in split_code(text))


def _resolved(text: str) -> str:
    text = _FENCE.sub(r"\g<indent>", _IMAGE.sub(_image, text))
    text = _TAB.sub(r"\g<indent>**\g<title>**", text)
    if "[!" in text:
        text = _UNQUOTED.sub(lambda match: f"{match['indent']}**{match['kind'].capitalize()}:** ", text)
        text = _BOX.sub(lambda box: "\n" + _QUOTE_MARK.sub(r"\1", box["text"]), text)
        text = _VIDEO.sub(r"\g<indent>[Video](\g<url>)", _SWITCH.sub("", text))
        text = _QUOTED_TAB.sub(r"\g<indent>**\g<title>**", text)
        text = _MARKED.sub(lambda mark: f"**{mark['text']}**" if mark["kind"] == "UICONTROL" else mark["text"], text)
    if "xref:" in text:
        text = _REFERENCE.sub(lambda match: _name(match["uid"], match["query"] or ""), text)
        text = _REFERENCE_LINK.sub(lambda match: match["text"] or _name(match["uid"], ""), text)
    return text


def _image(match: re.Match[str]) -> str:
    alt = _ALT.search(match["attributes"])
    return f"![{alt[1]}](image)" if alt and "[" not in alt[1] and "]" not in alt[1] else ""


def _name(uid: str, query: str) -> str:
    """What a reference to a type or its member shows: its last name, or all of them where it says so."""
    name = _GENERIC.sub("", unquote(uid)).rstrip("*")
    if "displayProperty=fullName" in query:
        return code_span(name)
    path, bracket, rest = name.partition("(")
    shown = ".".join(path.split(".")[-2 if "nameWithType" in query else -1 :])
    return code_span(f"{shown}{bracket}{rest}")
