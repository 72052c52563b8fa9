"""The targets of links in Markdown text, changed before it is parsed."""

import re
from collections.abc import Callable

from docs_search.parsing.markdown.code_regions import split_code

_TARGET = re.compile(
    r"(?P<before>\]\([ \t]*)(?:<(?P<pointed>[^<>\n]*)>|(?P<bare>[^\s()<>]+(?:\([^\s()]*\)[^\s()]*)*))(?=[\s)])"
    r"|(?P<definition>^[ \t>]*\[[^\]\n]{1,999}\]:[ \t]*)(?:<(?P<pointed_definition>[^<>\n]*)>|(?P<bare_definition>\S+))"
    r"|(?P<attribute>(?<![\w-])(?:href|to)[ \t]*=[ \t]*)(?P<quote>[\"'])(?P<quoted>[^\"'\n<>]*)(?P=quote)"
    r"|<(?P<autolink>https?://[^\s<>]+)>",
    re.MULTILINE,
)
_DEFINITION = re.compile(r"^[ \t]{0,3}\[(?!\^)(?P<label>[^\[\]\n]{1,999})\]:[ \t]*\S.*\n?", re.MULTILINE)
_REFERENCE = re.compile(r"\[(?!\^)(?P<label>[^\[\]\n]{1,999})\](?P<rest>\[\]|(?![\[(:]))")
_FULL_REFERENCE = re.compile(r"\]\[(?P<label>[^\[\]\n]{1,999})\]")


def rewrite_targets(markdown: str, change: Callable[[str], str]) -> str:
    """Markdown with each link's target changed: inline links, definitions, autolinks, and the `href` of tags.

    Code is left alone. `change` is given the target as it is written.
    """
    if "](" not in markdown and "]:" not in markdown and "=" not in markdown and "<http" not in markdown:
        return markdown

    def replace(match: re.Match[str]) -> str:
        if (target := match["autolink"]) is not None:
            return f"<{change(target)}>"
        if match["attribute"]:
            return f"{match['attribute']}{match['quote']}{change(match['quoted'])}{match['quote']}"
        before = match["before"] or match["definition"]
        pointed = match["pointed"] if match["before"] else match["pointed_definition"]
        if pointed is not None:
            return f"{before}<{change(pointed)}>"
        return f"{before}{change(match['bare'] or match['bare_definition'])}"

    return "".join(part if is_code else _TARGET.sub(replace, part) for part, is_code in split_code(markdown))


def extract_definitions(markdown: str, prefix: str) -> tuple[str, str]:
    """Markdown without its link definitions, and the definitions, under labels that begin with `prefix`.

    A text with definitions of its own can so become part of another one, which may have the same labels.
    """
    if "]:" not in markdown:
        return markdown, ""
    definitions: dict[str, str] = {}

    def take(match: re.Match[str]) -> str:
        label = _normalised(match["label"])
        definitions.setdefault(label, match[0].strip().replace(f"[{match['label']}]", f"[{prefix}{label}]", 1))
        return ""

    parts = [(part if is_code else _DEFINITION.sub(take, part), is_code) for part, is_code in split_code(markdown)]
    if not definitions:
        return markdown, ""

    def full(match: re.Match[str]) -> str:
        label = _normalised(match["label"])
        return f"][{prefix}{label}]" if label in definitions else match[0]

    def short(match: re.Match[str]) -> str:
        label = _normalised(match["label"])
        return f"[{match['label']}][{prefix}{label}]" if label in definitions else match[0]

    text = "".join(
        part if is_code else _REFERENCE.sub(short, _FULL_REFERENCE.sub(full, part)) for part, is_code in parts
    )
    return text, "\n".join(definitions.values())


def _normalised(label: str) -> str:
    return " ".join(label.split()).casefold()
