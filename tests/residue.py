"""What no page should have left of the syntax that its source was written in."""

import re

from docs_search.documents import ParsedPage
from docs_search.parsing.markdown.code_regions import split_code

_RESIDUE = re.compile(
    r"(?P<tag>(?<!\\)</?(?!(?:https?|ftp|mailto):)[A-Za-z][^<>\n]*>)"
    r"|(?P<comment><!--|-->)"
    r"|(?P<template>\{%|%\}|\{\{|\}\})"
    r"|(?P<container>^[ \t>]*(?::::+|!!!\s|\?\?\?\+?\s|///+(?:\s|$)|--8<--|={3,}\s*\"))"
    r"|(?P<footnote>\[\^)"
    r"|(?P<link>\]\\?\((?!(?:https?|ftp|mailto|tel|vscode):)[^\s)]|\]\[[^\]\n]*\])"
    r"|(?P<attributes>\{#|\{:[ \t]*[.#]|\{:[\w-]+=|\{\.[\w-]+)"
    r"|(?P<emphasis>\\\*\\\*\w|\w\\\*\\\*)"
    r"|(?P<expression>\{/\*|\*/\}|\b(?:className|style)=\{|^[ \t>]*(?:import|export)\s[^\n]*\sfrom\s+[\"'])"
    r"|(?P<field>^(?:title|sidebar_(?:label|position)|slug|layout|weight|permalink|nav_order):\s+\S)"
    r"|(?P<directive>^[ \t>]*\.\.\s[\w-]+::|(?<![\w:]):[a-z][\w:-]*:(?=\Z))"
    r"|(?P<place>\[TOC\]|\[\[_TOC_\]\])"
    r"|(?P<mark>[\ufdd0-\ufdef])",
    re.MULTILINE,
)
_CONTEXT = 40  # characters


def residue(page: ParsedPage) -> list[str]:
    """The suspicious leftovers outside the code of a page, each as `kind: text around it`."""
    texts = [page.title, *(section.heading for section in page.sections)]
    texts += [block.markdown for section in page.sections for block in section.blocks]
    return [
        f"{match.lastgroup}: {part[max(0, match.start() - _CONTEXT) : match.end() + _CONTEXT]!r}"
        for text in texts
        for part, is_code in split_code(text)
        if not is_code
        for match in _RESIDUE.finditer(part)
    ]
