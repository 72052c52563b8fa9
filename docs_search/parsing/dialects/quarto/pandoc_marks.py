"""The marks of Pandoc's Markdown within text: spans, references, citations, lists of examples, captions of tables."""

import re
from collections.abc import Callable

from docs_search.parsing.markdown.code_regions import split_code

_SPAN = re.compile(r"(?<![\]\w!\\])\[(?P<text>[^\[\]\n]*)\]\{(?P<attributes>[^{}\n]*)\}")
_REFERENCE = re.compile(
    r"\\@ref\((?P<old>[\w:.-]+)\)"
    r"|(?P<open>\[-?)?(?<![\w@\\/.])-?@"
    r"(?P<label>(?P<kind>sec|fig|tbl|eq|lst|thm|lem|cor|exm|exr|def|nte|tip|wrn)-[\w-]+)(?(open)\])"
)
_KINDS = {"fig": "the figure", "tbl": "the table", "eq": "the equation", "lst": "the listing", "sec": "the section"}
_CITATION = re.compile(r"(?<![\]\w\\])\[(?P<text>(?:[^\[\]@\n]{0,200}[ ;-])?-?@[A-Za-z_][^\[\]\n]{0,500})\](?![(\[{:])")
_KEY = re.compile(r"-?(?<![\w.])@(?=[A-Za-z_])")
_EXAMPLE = re.compile(r"^(?P<indent>[ \t]*)\(@[\w-]*\)[ \t]+", re.MULTILINE)
_CAPTION = re.compile(r"^(?:Table)?:[ \t]+(?P<caption>\S[^\n]{0,1000}?)(?:[ \t]*\{#[^{}\n]*\})?[ \t]*$", re.MULTILINE)
_TABLE_END = re.compile(r"(?:\||-|\+)[ \t]*\n\s*\Z")
_UNNUMBERED = re.compile(r"^(?P<heading>#{1,6}[ \t][^\n]{0,300}?)[ \t]*\{-\}[ \t]*$", re.MULTILINE)
_LATEX_LINE = re.compile(
    r"^[ \t]*\\(?:newpage|pagebreak|clearpage|cleardoublepage|appendix|bigskip|medskip|smallskip|noindent"
    r"|vspace\{[^{}\n]*\})[ \t]*$",
    re.MULTILINE,
)
_TABLE_LABEL = re.compile(r"\(\\?#(?:tab|fig|eq|thm):[\w-]+\)[ \t]*")
_LINE_BLOCK = re.compile(r"^\|[ \t]+(?P<text>[^|\n]+)$(?P<next>(?=\n\|[ \t]+[^|\n]+$))?", re.MULTILINE)


def resolve_marks(markdown: str, link: Callable[[str], str | None]) -> str:
    """Markdown without the marks that Pandoc and Quarto resolve. `link` gives a link to the heading of a label."""

    def reference(match: re.Match[str]) -> str:
        if match["old"]:
            return link(match["old"]) or ""
        return link(match["label"]) or _KINDS.get(match["kind"], "the box")

    def resolved(text: str) -> str:
        text = _UNNUMBERED.sub(r"\g<heading>", _LATEX_LINE.sub("", text))
        text = _LINE_BLOCK.sub(_line, _EXAMPLE.sub(r"\g<indent>1. ", text))
        text = _CAPTION.sub(_caption, _TABLE_LABEL.sub("", text))
        if "]{" in text:
            text = _SPAN.sub(_span, text)
        if "@" in text:
            text = _CITATION.sub(lambda match: f"({_KEY.sub('', match['text'])})", _REFERENCE.sub(reference, text))
        return text

    return "".join(part if is_code else resolved(part) for part, is_code in split_code(markdown))


def _line(match: re.Match[str]) -> str:
    return match["text"].rstrip() + ("\\" if match["next"] is not None else "")


def _span(match: re.Match[str]) -> str:
    anchor = re.match(r"[ \t]*#([\w:.-]+)", match["attributes"])
    return f'<a id="{anchor[1]}"></a>{match["text"]}' if anchor else match["text"]


def _caption(match: re.Match[str]) -> str:
    """A line behind a table as a paragraph; elsewhere it defines a term."""
    before = match.string[max(0, match.start() - 500) : match.start()]
    if match[0].startswith(":") and not _TABLE_END.search(before):
        return match[0]
    return f"\n{match['caption']}"
