"""What a page may bring along, whatever its parser made of the document: nothing of it may fail a whole publish.

PostgreSQL stores neither NUL nor surrogates, and an entry of an index has at most 2,700 bytes. A heading stands in
every passage below it.
"""

from collections.abc import Sequence
from dataclasses import replace

from docs_search.documents import Block, BlockType, ParsedPage, Section
from docs_search.storable_text import storable

MAX_PATH_BYTES = 1000
MAX_HEADING_LENGTH = 400  # the longest of PostgreSQL's manual has 379
MAX_ANCHOR_LENGTH = 1000
MAX_PLAN_LENGTH = 40


def is_too_long(path: str) -> bool:
    """Whether a page of this path could not be found by it."""
    return len(path.encode(errors="replace")) > MAX_PATH_BYTES


def bounded(page: ParsedPage) -> ParsedPage:
    """The page as it can be stored. What was too long is left out or shortened, each with a warning.

    A heading beyond 400 characters, mostly a paragraph that was marked as one by mistake, is also kept as text.
    """
    warnings = list(page.warnings)
    if any(len(section.heading) > MAX_HEADING_LENGTH for section in page.sections):
        warnings.append(f"a heading is longer than {MAX_HEADING_LENGTH} characters, and was shortened")
    if len(page.title) > MAX_HEADING_LENGTH:
        warnings.append(f"the title is longer than {MAX_HEADING_LENGTH} characters, and was shortened")
    return replace(
        page,
        path=storable(page.path),
        title=_shortened(storable(page.title)),
        sections=[_section(section, warnings) for section in page.sections],
        summary=_optional(page.summary),
        section=_optional(page.section),
        plan=_plan(page.plan, warnings),
        deployment=_plan(page.deployment, warnings),
        aliases=_paths(page.aliases, "an old path", warnings),
        links=_paths(page.links, "a link", warnings),
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _section(section: Section, warnings: list[str]) -> Section:
    heading = storable(section.heading)
    blocks = [Block(block.type, storable(block.markdown)) for block in section.blocks]
    if len(heading) > MAX_HEADING_LENGTH:
        blocks.insert(0, Block(BlockType.PARAGRAPH, heading))
    anchor = _optional(section.anchor)
    if anchor and len(anchor) > MAX_ANCHOR_LENGTH:
        warnings.append(f"an anchor is longer than {MAX_ANCHOR_LENGTH} characters, and was left out")
        anchor = None
    return replace(
        section,
        heading=_shortened(heading),
        anchor=anchor,
        blocks=blocks,
        plan=_plan(section.plan, warnings),
        deployment=_plan(section.deployment, warnings),
        names=tuple(map(storable, section.names)),
    )


def _shortened(heading: str) -> str:
    if len(heading) <= MAX_HEADING_LENGTH:
        return heading
    return heading[: MAX_HEADING_LENGTH - 1].rstrip() + "…"


def _optional(text: str | None) -> str | None:
    return None if text is None else storable(text)


def _plan(name: str | None, warnings: list[str]) -> str | None:
    if name is not None and len(name) > MAX_PLAN_LENGTH:
        warnings.append(f"{name[:MAX_PLAN_LENGTH]}… is too long for a plan, and was left out")
        return None
    return _optional(name)


def _paths(paths: Sequence[str], what: str, warnings: list[str]) -> tuple[str, ...]:
    kept = tuple(storable(path) for path in paths if not is_too_long(path))
    if len(kept) < len(paths):
        warnings.append(f"{what} is longer than {MAX_PATH_BYTES} bytes, and was left out")
    return kept
