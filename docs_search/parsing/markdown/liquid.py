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
_ARGUMENT = re.compile(r"""(?<![\w-])([\w-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"']+))""")
_TARGET = re.compile(r"""\s*(?:"([^"]*)"|'([^']*)'|(\S+))""")
_FILTER = re.compile(r"""\s*(\w+)\s*(?::\s*(.*))?""", re.DOTALL)
_QUOTED = re.compile(r""""([^"]*)"|'([^']*)'""")
_RAW_TEXT = re.compile(
    f"{_RAW}(?P<line>[^\n`{_RAW}{_END_RAW}]*+){_END_RAW}"
    f"|(?P<expression>{_BRACE}{_BRACE}[^\n`}}]*+}}}}|{_BRACE}%[^\n`%]*+%}})"
)
_RAW_EXPRESSION = re.compile(f"{_BRACE}{_BRACE}[^}}]*+}}}}|{_BRACE}%[^%]*+%}}")

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
    """An include tag: `{% include name.html feature="X" %}`. Its name is `include`, `include_relative`, and so on."""

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

    def fill_tag(match: re.Match[str]) -> str:
        if not match["name"].startswith("include"):
            return match[0]
        return include(_include(match["name"], fill_outputs(match["content"].rstrip("-")))) or ""

    def fill_outputs(part: str) -> str:
        return _OUTPUT.sub(lambda match: _output(match, variables), part)

    text = _RAW_BLOCK.sub(lambda match: _RAW + match[1].replace("{", _BRACE) + _END_RAW, text)
    text = _COMMENT_BLOCK.sub("", text)
    return fill_outputs(_TAG.sub(fill_tag, text))


def _include(name: str, content: str) -> Include:
    target = _TARGET.match(content)
    if target is None:
        return Include(name, "")
    arguments = {
        key: double or single or bare for key, double, single, bare in _ARGUMENT.findall(content[target.end() :])
    }
    return Include(name, next(filter(None, target.groups()), ""), arguments)


def _output(match: re.Match[str], variables: Mapping[str, str]) -> str:
    name, *filters = match["expression"].strip("- \n").split("|")
    value = variables.get(name.strip())
    if value is None:
        return match[0]
    for expression in filters:
        parsed = _FILTER.fullmatch(expression)
        if parsed and (apply := _FILTERS.get(parsed[1])):
            arguments = [(double or single)[:MAX_VALUE] for double, single in _QUOTED.findall(parsed[2] or "")]
            value = apply(value[:MAX_VALUE], arguments)
    return value[:MAX_VALUE]


def _without_templates(text: str) -> str:
    if "{%" not in text and "{{" not in text and _BRACE not in text and _RAW not in text:
        return text
    parts = [part if is_code else _clean(part) for part, is_code in split_code(text)]
    return "".join(parts).replace(_BRACE, "{").replace(_RAW, "").replace(_END_RAW, "")


def _clean(text: str) -> str:
    """Running text: raw templates become code, others go."""
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
