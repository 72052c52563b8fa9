"""Tell what only leads elsewhere from what is to be read."""

import re

from docs_search.documents import Block, ParsedPage, Section

# Fewer words than these outside of links make no page ("This page has moved to …").
STUB_WORDS = 8
# What stands around links that only lead elsewhere: "For more information, see …".
POINTING_WORDS = frozenset(
    "a about also and at back check details for further go here home in information learn more next on or other out "
    "page previous read refer related resources see the to top up visit".split()
)

_LINK = re.compile(
    r"\[[^\[\]]*+(?:\[[^\[\]]*+\][^\[\]]*+)*\]"
    r"\((?:<[^<>\n]*+>|[^\s()]*+(?:\([^\s()]*+\)[^\s()]*+)*)(?:\s[^()\n]*+)?\)"
)
_WORD = re.compile(r"\w(?:\S*\w)?")


def is_navigation(section: Section) -> bool:
    """Whether a section consists of links and words that point to them: contents, "See also", "Further reading"."""
    if section.own or not any("](" in block.markdown for block in section.blocks):
        return False
    return all(word.lower() in POINTING_WORDS for block in section.blocks for word in _words(block))


def is_stub(page: ParsedPage) -> bool:
    """Whether a page has nothing to read, or next to nothing beside its links and headings.

    A page that documents something of its own, or is merely short, is none.
    """
    if any(section.own for section in page.sections):
        return False
    blocks = [block for section in page.sections for block in section.blocks]
    words = 0
    for block in blocks:
        words += len(_words(block))
        if words >= STUB_WORDS:
            return False
    return words == 0 or any("](" in block.markdown for block in blocks)


def _words(block: Block) -> list[str]:
    """The words outside of links."""
    return _WORD.findall(_LINK.sub(" ", block.markdown))
