"""Remains of a template or of another markup in a page's Markdown: a sign that it was read in the wrong format."""

import re
from collections.abc import Iterator

from docs_search.parsing.markdown.code_regions import split_code

_RESIDUE = (
    ("template expressions ({{ … }})", re.compile(r"\{\{(?![<%])[^{}\n]{0,200}\}\}")),
    ("template tags ({% … %})", re.compile(r"\{%[^\n]{0,200}%\}")),
    ("shortcodes ({{< … >}})", re.compile(r"\{\{\\?[<%]")),
    ("colon fences (:::)", re.compile(r"^[ >]*:{3,}", re.MULTILINE)),
    ("admonitions (!!!)", re.compile(r"^[ >]*(?:!!!|\?\?\?)[ +]", re.MULTILINE)),
    ("blocks (///)", re.compile(r"^[ >]*/{3,} ?\w", re.MULTILINE)),
    ("snippets (--8<--)", re.compile(r"-8\\?<-")),
    ("attributes ({: …} or {#…})", re.compile(r"\{(?:: ?[.#\w]|#[\w-]+\})")),
    ("imports and exports", re.compile(r"^(?:import \S.{0,200}\sfrom\s|export (?:const|default) )", re.MULTILINE)),
    ("component tags (<Name>)", re.compile(r"\\?</?[A-Z](?=\w{0,40}[a-z])\w{0,60}(?:\s[^<>\n]{0,300})?/?>")),
    (
        "HTML tags",
        re.compile(r"\\?</?(?:div|span|table|tbody|tr|td|img|details|summary|center|font|script|style|br)\b[^<>\n]*>"),
    ),
    ("comments (<!-- … -->)", re.compile(r"\\?<!--|-->")),
    ("links that lead nowhere (](…))", re.compile(r"\]\((?![a-z][a-z0-9+.-]{1,20}:)[^\s)]")),
    ("references without a target ([…][…])", re.compile(r"\]\[(?![,.\s])[^\]\n]{0,100}\]|\[\^")),
    ("emphasis that does not end (**)", re.compile(r"\\\*\\\*\w|\w\\\*\\\*")),
    (
        "front matter",
        re.compile(r"^(?:title|sidebar_(?:label|position)|slug|layout|permalink|nav_order): +\S", re.MULTILINE),
    ),
    ("places for a table of contents ([TOC])", re.compile(r"\[(?:TOC|\[_?toc_?\])\]", re.IGNORECASE)),
    ("roles of reStructuredText (:name:`…`)", re.compile(r"(?<![\w:]):[a-z][\w:+-]{1,40}:(?=\\?`)")),
    ("roles of MyST ({name}`…`)", re.compile(r"\{[a-z][\w:-]{1,40}\}(?=\\?`)")),
    ("directives of reStructuredText (.. name::)", re.compile(r"^[ >]*\.\. [\w:-]+::", re.MULTILINE)),
    ("spans of Pandoc ([…]{.name})", re.compile(r"\]\{ ?\.[\w-]")),
    ("links between notes ([[…]])", re.compile(r"(?<!\[)\[\[(?!\[)[^\[\]\n]{1,200}\]\](?!\()")),
    ("blocks of ReadMe ([block:…])", re.compile(r"\[/?block(?::[a-z-]+)?\]")),
    ("marks of Microsoft Learn ([!NAME …])", re.compile(r"\[!(?:INCLUDE|[A-Z]{3,}|div|code-\w+)\b")),
    ("tips of Docsify (?> and !>)", re.compile(r"^[?!]> ", re.MULTILINE)),
    ("undefined variables ($NAME_SHORT)", re.compile(r"\$[A-Z][A-Z0-9]*_[A-Z_]+\b")),
)
_DIRECTIVE = re.compile(r"^[ >]*(?:`{3,}|~{3,})\{[\w:-]+\}.*", re.MULTILINE)
_IN_CODE = re.compile(r"[^`\n]")  # backticks stay, since a role ends where one begins


def find_residue(markdown: str) -> Iterator[tuple[str, str]]:
    """Each kind of residue outside code, with the first line in which it occurs."""
    text = "".join(_IN_CODE.sub(" ", piece) if is_code else piece for piece, is_code in split_code(markdown))
    for name, pattern in _RESIDUE:
        if match := pattern.search(text):
            start = max(markdown.rfind("\n", 0, match.start()) + 1, match.start() - 80)
            end = markdown.find("\n", match.end())
            yield name, markdown[start : len(markdown) if end < 0 else end].strip()
    if directive := _DIRECTIVE.search(markdown):
        yield "directives of MyST (```{name})", directive[0].strip()
