"""What sites show in boxes, on tabs and behind summaries, in Markdown: an admonition, or content below a bold title."""

import re

from docs_search.parsing.markdown.admonitions import closing, opening
from docs_search.parsing.text.plain_text import plain_text

_STRONG = re.compile(r"\A\s*\*\*(.*)\*\*\s*\Z", re.DOTALL)

ADMONITIONS = frozenset(
    "abstract attention bug caution check danger deprecated deprecation error example failure faq hint important info "
    "note question quote success summary tip todo tldr warning".split()
)
"""The names that admonitions have in the tools that know them; sites add their own."""


def admonition(label: str, content: str) -> str:
    """Content in a box, whose label may be Markdown; nothing where there is no content."""
    content = content.strip("\n")
    return f"{opening(' '.join(plain_text(label).split()))}\n{content}\n{closing()}" if content.strip() else ""


def titled(title: str, content: str) -> str:
    """Content below a title in bold, which may be Markdown; either of them alone where the other is empty."""
    line = " ".join(title.split())
    line = line if _STRONG.match(line) else f"**{line}**" if line else ""
    return "\n\n".join(part for part in (line, content.strip("\n")) if part.strip())


def label_of(name: str) -> str:
    """A label made from the name of an admonition's type: `best-practice` → Best practice."""
    words = " ".join(re.split(r"[-_\s]+", name)).strip()
    return words[:1].upper() + words[1:]
