"""The Liquid templates in Jekyll's Markdown, resolved without Jekyll.

What can be known is filled in (variables, includes); what cannot be known is removed from running text and left in
code, where double braces are far more often the product's own syntax than a forgotten template.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from docs_search.parsing.markdown.code_regions import split_code

# Stand in for the braces of `{% raw %}` text and for its ends until it is known what is code. Documents cannot hold
# them: decoding removes noncharacters.
_BRACE, _RAW, _END_RAW = "\ufdd0", "\ufdd1", "\ufdd2"

# Each ends its search where another one begins, which keeps it linear in text that never closes what it opens.
_RAW_BLOCK = re.compile(r"\{%-?\s*+raw\s*+-?%\}((?:(?!\{%-?\s*+raw\b).)*?)\{%-?\s*+endraw\s*+-?%\}", re.DOTALL)
_COMMENT_BLOCK = re.compile(
    r"\{%-?\s*+comment\s*+-?%\}(?:(?!\{%-?\s*+comment\b).)*?\{%-?\s*+endcomment\s*+-?%\}", re.DOTALL
)
_TAG = re.compile(r"\{%-?\s*+(?P<name>\w++)(?P<content>[^{%]*+(?:(?!\{%|%\})[{%][^{%]*+)*)%\}")
_OUTPUT = re.compile(r"\{\{-?(?P<expression>[^{}]*+)\}\}")
_HIGHLIGHT = re.compile(
    r"(?P<indent>^[ \t]*+)?\{%-?\s*+highlight\s++(?P<language>[\w+#.-]*+)[^%}]*+%\}"
    r"(?P<code>(?:(?!\{%-?\s*+highlight\b).)*?)\{%-?\s*+endhighlight\s*+-?%\}",
    re.DOTALL | re.MULTILINE,
)
_ASSIGN = re.compile(r"""\{%-?\s*+assign\s++([\w-]++)\s*+=\s*+(?:"([^"\n]*+)"|'([^'\n]*+)'|([\w.-]+?))\s*+-?%\}""")
_CAPTURE = re.compile(
    r"\{%-?\s*+capture\s++(?P<name>[\w-]++)\s*+-?%\}"
    r"(?P<text>(?:(?!\{%-?\s*+capture\b).){0,1000}?)\{%-?\s*+endcapture\s*+-?%\}",
    re.DOTALL,
)
# Blanks that a hyphen inside a mark takes away.
_BLANKS_AROUND = re.compile(r"(?<!\s)\s++(?=\{[%{]-)|(?<=-[%}]\})\s++")
_ARGUMENT = re.compile(r"""(?<![\w-])([\w-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"']+))""")
_TARGET = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|(\S+))""")
_FILTER = re.compile(r"""\s*(\w+)\s*(?::\s*(.*))?""", re.DOTALL)
_QUOTED = re.compile(r""""([^"]*)"|'([^']*)'""")
_RAW_TEXT = re.compile(
    f"{_RAW}(?P<line>[^\n`{_RAW}{_END_RAW}]*+){_END_RAW}"
    f"|(?P<expression>{_BRACE}{_BRACE}[^\n`}}]*+}}}}|{_BRACE}%[^\n`%]*+%}})"
)
_RAW_EXPRESSION = re.compile(f"{_BRACE}{_BRACE}[^}}]*+}}}}|{_BRACE}%[^%]*+%}}")

_LINKS = frozenset({"link", "post_url"})
_MAX_CAPTURES = 200
MAX_VALUE = 1000
"""Characters of a variable, after each filter as well: templates can multiply a document without end."""

_FILTERS: dict[str, Callable[[str, list[str]], str]] = {
    "append": lambda text, arguments: text + "".join(arguments),
    "downcase": lambda text, arguments: text.lower(),
    "prepend": lambda text, arguments: "".join(arguments) + text,
    "remove": lambda text, arguments: text.replace(arguments[0], "") if arguments else text,
    "replace": lambda text, arguments: text.replace(arguments[0], arguments[1]) if len(arguments) == 2 else text,
    "strip": lambda text, arguments: text.strip(),
    "upcase": lambda text, arguments: text.upper(),
}


@dataclass(frozen=True, slots=True)
class Include:
    """An include tag: `{% include name.html feature="X" %}`. Its name is `include`, `include_relative`, and so on.

    `{% link path %}` and `{% post_url name %}` are such tags, too: an address takes their place.
    """

    name: str
    target: str
    arguments: Mapping[str, str] = field(default_factory=dict)


IncludeText = Callable[[Include], str | None]
"""The text that takes the place of an include, itself without templates; None where it is unknown."""


def resolve_liquid(text: str, variables: Mapping[str, str], include: IncludeText) -> str:
    """Markdown without templates.

    `variables` are values by their dotted names (`page.version`). `{% raw %}` text becomes code, which it nearly
    always is, so that no double braces are left outside code.
    """
    return _without_templates(expand(text, variables, include))


def expand(text: str, variables: Mapping[str, str], include: IncludeText) -> str:
    """The text with known includes and variables filled in, everything else still in place.

    For what an include brings in: its result belongs into a document that `resolve_liquid` is applied to.
    """

    text = _RAW_BLOCK.sub(lambda match: _RAW + match[1].replace("{", _BRACE) + _END_RAW, text)
    text = _COMMENT_BLOCK.sub("", text)
    text = _HIGHLIGHT.sub(_fence, text)
    text, assigned = _assigned(text, variables)

    def fill_tag(match: re.Match[str]) -> str:
        is_link = match["name"] in _LINKS
        if not is_link and not match["name"].startswith("include"):
            return match[0]
        text = include(_include(match["name"], fill_outputs(match["content"].rstrip("-")), assigned))
        return match[0] if is_link and text is None else text or ""

    def fill_outputs(part: str) -> str:
        return _OUTPUT.sub(lambda match: _output(match, assigned), part)

    return fill_outputs(_TAG.sub(fill_tag, text))


def _fence(match: re.Match[str]) -> str:
    """A block of highlighted code as a fence."""
    indent = match["indent"] or ""
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", match["code"])), default=0))
    code = match["code"].strip("\n").rstrip()
    return f"{indent}{fence}{match['language']}\n{code}\n{indent}{fence}\n"


def _assigned(text: str, variables: Mapping[str, str]) -> tuple[str, Mapping[str, str]]:
    """The variables with those that the text sets to plain values, and the text without what it captures for later."""
    values = dict(variables)
    for name, double, single, other in _ASSIGN.findall(text):
        value = double or single or values.get(other)
        if value is not None:
            values[name] = value
    captures = 0

    def capture(match: re.Match[str]) -> str:
        nonlocal captures
        captures += 1
        if captures > _MAX_CAPTURES or not re.search(rf"[={{(] *{re.escape(match['name'])}\b", text[match.end() :]):
            return match["text"]
        values[match["name"]] = match["text"].strip()
        return ""

    return _CAPTURE.sub(capture, text), values


def _include(name: str, content: str, variables: Mapping[str, str]) -> Include:
    target = _TARGET.match(content)
    if target is None:
        return Include(name, "")
    written = _ARGUMENT.findall(content[target.end() :])
    arguments = {key: double or single or variables.get(bare, bare) for key, double, single, bare in written}
    return Include(name, next(filter(None, target.groups()), ""), arguments)


def _output(match: re.Match[str], variables: Mapping[str, str]) -> str:
    name, *filters = match["expression"].strip("- \n").split("|")
    name = name.strip()
    value = variables.get(name)
    if value is None and (literal := _QUOTED.fullmatch(name)):
        value = literal[1] or literal[2] or ""
    if value is None:
        return match[0]
    for expression in filters:
        parsed = _FILTER.fullmatch(expression)
        if parsed and (apply := _FILTERS.get(parsed[1])):
            arguments = [(double or single)[:MAX_VALUE] for double, single in _QUOTED.findall(parsed[2] or "")]
            value = apply(value[:MAX_VALUE], arguments)
        elif parsed and parsed[1] in ("relative_url", "absolute_url"):
            value = f"{variables.get('site.baseurl', '').rstrip('/')}/{value.lstrip('/')}"
    return value[:MAX_VALUE]


def _without_templates(text: str) -> str:
    if "{%" not in text and "{{" not in text and _BRACE not in text and _RAW not in text:
        return text
    parts = [part if is_code else _clean(part) for part, is_code in split_code(text)]
    return "".join(parts).replace(_BRACE, "{").replace(_RAW, "").replace(_END_RAW, "")


def _clean(text: str) -> str:
    """Running text: raw templates become code, others go."""
    text = _BLANKS_AROUND.sub("", text)
    text = _OUTPUT.sub("", _TAG.sub("", text))
    return _RAW_TEXT.sub(_raw_code, text)


def _raw_code(match: re.Match[str]) -> str:
    line = match["line"]
    if line is None:
        return f"`{match['expression']}`"
    code = line.strip()
    if code.startswith(_BRACE) or code.endswith("}"):
        return line.replace(code, f"`{code}`")
    return _RAW_EXPRESSION.sub(r"`\g<0>`", line)  # a sentence
