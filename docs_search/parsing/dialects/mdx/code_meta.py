"""What documentation sites write on the first line of a code block, and into its comments: titles, marked lines."""

import re

from docs_search.parsing.markdown.code_regions import split_code

_FENCE = re.compile(
    r"(?P<prefix>[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*)"
    r"(?P<fence>`{3,}+|~{3,}+)[ \t]*+(?P<info>[^`\n]*+)(?P<code>(?:\n.*)?)",
    re.DOTALL,
)
_TITLE = re.compile(r"\b(?:title|filename|file|name)[ \t]*=[ \t]*(?:\{[ \t]*)?(?:\"([^\"]*)\"|'([^']*)'|([\w./-]+))")
_BRACKETED = re.compile(r"(?:^|\s)\[([^\[\]]+)\]\s*$")
_WORDS = re.compile(r"[ \t]+([A-Za-z][\w./-]*(?: [\w./-]+)*)$")
_META_WORDS = frozenset(
    "copy nocopy live expandable lines wrap showlinenumbers linenums linenos numberlines editable noline noinline"
    " shownumbers twoslash ignore frame icon theme active runnable".split()
)
_LANGUAGE = re.compile(r"[\w+#.-]*")
_MARKED_LINE = re.compile(
    r"^[ \t>]*(?://|#|--|;|%|<!--|/\*|\{/\*|\"|')[ \t]*"
    r"(?:highlight-(?:next-line|start|end)|prettier-ignore|\[!code [^\]\n]*\])[ \t]*(?:-->|\*/\}?)?[ \t]*\n",
    re.MULTILINE,
)
_MARK_AT_END = re.compile(
    r"(?<![ \t])[ \t]*(?://|#|--|;|%|<!--|/\*|\{/\*)[ \t]*\[!code [^\]\n]*\](?:[ \t]*\[!code [^\]\n]*\])*[ \t]*"
    r"(?:-->|\*/\}?)?[ \t]*$",
    re.MULTILINE,
)
_ITEM = re.compile(r"[-*+\d.)]")


def resolve_code_meta(markdown: str) -> str:
    """Markdown whose code blocks have a plain language; their titles stand before them as lines in bold type."""
    if "```" not in markdown and "~~~" not in markdown:
        return markdown
    return "".join(_plain_fence(part) if is_code else part for part, is_code in split_code(markdown))


def _plain_fence(code: str) -> str:
    match = _FENCE.fullmatch(code)
    if match is None:
        return code
    info = match["info"].strip()
    body = match["code"]
    if "highlight-" in body or "prettier-ignore" in body or "[!code" in body:
        body = _MARK_AT_END.sub("", _MARKED_LINE.sub("", body))
    language, title = _parts(info)
    prefix, fence = match["prefix"], match["fence"]
    if not title:
        return f"{prefix}{fence}{language}{body}"
    rest = _ITEM.sub(" ", prefix)
    before = "" if _ITEM.search(prefix) or ">" in prefix else "\n"
    return f"{before}{prefix}**{title}**\n{rest.rstrip() if '>' in rest else ''}\n{rest}{fence}{language}{body}"


def _parts(info: str) -> tuple[str, str | None]:
    """The language of a code block and its title."""
    match = _LANGUAGE.match(info)
    language = match[0] if match else ""
    meta = info[len(language) :][:1000]
    if language in ("title", "filename") and meta.startswith("="):
        language, meta = "", info[:1000]
    if named := _TITLE.search(meta):
        return language, next(filter(None, named.groups()), None)
    if bracketed := _BRACKETED.search(meta):
        return language, bracketed[1].strip()
    words = _WORDS.fullmatch(meta)
    if words and not _META_WORDS & set(words[1].casefold().split()):
        return language, words[1]
    return language, None
