"""Readable text of normalised Markdown: what is embedded, tokenised for BM25 and shown in snippets.

A Markdown parser reads about 1 MB/s; this is a fixed number of regular expressions, each linear in its input,
because it runs over every passage of every version.
"""

import re
import string
from html import unescape

from docs_search.parsing.html.elements import HTML_ELEMENTS

# Text that must survive unchanged (code, escaped characters) has its punctuation and blanks moved to Unicode
# noncharacters, where no later expression can mistake them for markup, and back at the end. There are exactly as
# many of them between U+FDD0 and U+FDEF as there is ASCII punctuation.
_PUNCTUATION = string.punctuation
_SHIELDED = "".join(chr(0xFDD0 + offset) for offset in range(len(_PUNCTUATION))) + "\ufffe\uffff"
_SHIELD = str.maketrans(_PUNCTUATION + " \t", _SHIELDED)
_UNSHIELD = dict(zip(_SHIELDED, _PUNCTUATION + " \t", strict=True))
_SHIELDED_CHARACTER = re.compile("[\ufdd0-\ufdef\ufffe\uffff]")

_FENCED_CODE = re.compile(
    r"^(?P<indent>[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*)(?P<fence>`{3,}+|~{3,}+)[^`\n]*+(?:\n|\Z)"
    r"(?P<code>.*?)"
    r"(?:^[ \t>]*+(?P=fence)[`~]*+[ \t]*+$|\Z)",
    re.DOTALL | re.MULTILINE,
)
_QUOTE_MARK = re.compile(r"^[ \t]*+>[ \t]?", re.MULTILINE)
# One expression, so that whatever starts first wins: a tag inside code is code, a backtick inside a tag is not.
# The text of a code span ends at a blank line; a span of several backticks is bounded to keep the scan linear.
_LITERAL = re.compile(
    r"\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|\\(?P<break>\n)"
    r"|(?<!`)`(?!`)(?P<code>[^`\n]*+(?:\n(?![ \t]*+\n)[^`\n]*+)*)`(?!`)"
    r"|(?<!`)(?P<ticks>``++)(?P<long>(?:[^`\n]|\n(?![ \t]*+\n)|(?!(?P=ticks)(?!`))`++){1,1000})(?P=ticks)(?!`)"
    r"|(?P<comment><!--[^<-]*+(?:(?!<!--|-->)[<-][^<-]*+)*-->)"
    r"|</?(?P<tag>[A-Za-z][A-Za-z0-9]*+)(?:[\s/][^<>]*+)?>"
    r"|<(?P<url>(?:https?|ftp|mailto):[^\s<>]++)>",
    re.DOTALL,
)
_TARGET = r"\([ \t]*+(?:<[^<>\n]*+>|[^\s()]*+(?:\([^\s()]*+\)[^\s()]*+)*)(?:\s++(?:\"[^\"\n]*+\"|'[^'\n]*+'))?\s*+\)"
_IMAGE = re.compile(r"!\[([^\[\]]*+(?:\[[^\[\]]*+\][^\[\]]*+)*)\]" + _TARGET)
_LINK = re.compile(r"\[([^\[\]]*+(?:\[[^\[\]]*+\][^\[\]]*+)*)\]" + _TARGET)
_RULE = re.compile(r"^[ \t>]*+(?:(?:-[ \t]*+){3,}|(?:\*[ \t]*+){3,}|(?:_[ \t]*+){3,})$", re.MULTILINE)
_TABLE_RULE = re.compile(r"^[ \t>]*+\|(?:[ \t]*+:?-++:?[ \t]*+\|?)+[ \t]*+\n?", re.MULTILINE)
_TABLE_ROW = re.compile(r"^[ \t>]*+\|.*+$", re.MULTILINE)
_CELL_BORDER = re.compile(r"[ \t]*+\|[ \t|]*+")
_LINE_MARK = re.compile(
    r"^[ \t>]*+(?:(?:[-*+]|\d{1,3}[.)])(?:[ \t]++|$)(?:\[[ xX]\][ \t]++)?)*(?:#{1,6}(?:[ \t]++|$))?", re.MULTILINE
)
_BEGINS_MARK = " \t>-*+#0123456789"
_HEADING_END = re.compile(r"(?<=\S)[ \t]++#++[ \t]*+$", re.MULTILINE)
_STRONG = re.compile(r"\*\*(?=[^\s*])([^*\n]++(?:(?:\*(?!\*)|\n(?![ \t]*+\n))[^*\n]*+)*)(?<=\S)\*\*")
_EMPHASIS = re.compile(r"\*(?=[^\s*).,;:])([^*\n]++(?:\n(?![ \t]*+\n)[^*\n]*+)*)(?<=\S)\*")
# `__init__` in running text is far more often a name than a bold word.
_UNDERSCORE = re.compile(
    r"(?<!\w)(?!__[a-z0-9]++__)(__?)(?=[^\s_])([^_\n]++(?:(?:(?<=\w)_++(?=\w)|\n(?!\n))[^_\n]*+)*)(?<=\S)\1(?!\w)"
)
_STRIKE = re.compile(r"~~(?=\S)([^~\n]++)~~")
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_LINE_END = re.compile(r"[ \t]++$", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n{3,}+")


def plain_text(markdown: str) -> str:
    """The words of normalised Markdown, without marks, link targets and tags; code stays as it is.

    Tables are expected with a pipe at the start of each row, code in fences or backticks, as our parsers write them.
    Most blocks are a line of plain words, so each expression waits for a character that it needs.
    """
    text = markdown
    if "```" in text or "~~~" in text:
        text = _FENCED_CODE.sub(_fenced_code, text)
    if "`" in text or "<" in text or "\\" in text:
        text = _LITERAL.sub(_literal, text)
    if "](" in text:
        text = _LINK.sub(r"\1", _IMAGE.sub(r"\1", text))
    if "\n" in text or not text.strip(" \t>-*_"):
        text = _RULE.sub("", text)
    if "|" in text:
        text = _TABLE_ROW.sub(_table_row, _TABLE_RULE.sub("", text))
    if "\n" in text or text[:1] in _BEGINS_MARK:
        text = _LINE_MARK.sub("", text)
    if "#" in text:
        text = _HEADING_END.sub("", text)
    text = _without_emphasis(text)
    if "&" in text:
        text = _ENTITY.sub(lambda match: unescape(match[0]), text)
    if "\n" in text:
        text = _BLANK_LINES.sub("\n\n", _LINE_END.sub("", text))
    if not text.isascii():
        text = _SHIELDED_CHARACTER.sub(lambda match: _UNSHIELD[match[0]], text)
    return text.strip()


def _without_emphasis(text: str) -> str:
    if "*" in text:
        text = _EMPHASIS.sub(r"\1", _STRONG.sub(r"\1", text))
    if "_" in text:
        text = _UNDERSCORE.sub(r"\2", text)
    if "~~" in text:
        text = _STRIKE.sub(r"\1", text)
    return text


def _fenced_code(match: re.Match[str]) -> str:
    code = match["code"]
    if ">" in match["indent"]:
        code = _QUOTE_MARK.sub("", code)
    return code.rstrip("\n").translate(_SHIELD)


def _literal(match: re.Match[str]) -> str:
    if code := match["code"] or match["long"]:
        return _code_span(code, match)
    if name := match["tag"]:
        return _tag(name.lower(), match[0])
    if kept := match["escaped"] or match["url"]:
        return kept.translate(_SHIELD)
    return "\n" if match["break"] else ""


def _tag(name: str, tag: str) -> str:
    if name not in HTML_ELEMENTS:
        return tag.translate(_SHIELD)
    return " " if name in ("br", "td", "th") else ""


def _code_span(code: str, match: re.Match[str]) -> str:
    if r"\|" in code:
        line_start = match.string.rfind("\n", 0, match.start()) + 1
        if match.string[line_start : match.start()].lstrip(" \t>").startswith("|"):
            code = code.replace(r"\|", "|")
    if code.startswith(" ") and code.endswith(" ") and not code.isspace():
        code = code[1:-1]
    return code.translate(_SHIELD)


def _table_row(match: re.Match[str]) -> str:
    return _CELL_BORDER.sub(" ", match[0].lstrip(" \t>")).strip()
