"""What tells one dialect's Markdown from another's once its own syntax is resolved."""

from collections.abc import Callable
from dataclasses import dataclass

from docs_search.parsing.text.slugs import Slugger


@dataclass(frozen=True, slots=True)
class Flavor:
    """What a dialect reads beyond CommonMark, tables, strikethrough and footnotes, and how its site names anchors."""

    slugger: Callable[[], Slugger] = Slugger
    definition_lists: bool = False
    indented_code: bool = True


GITHUB = Flavor()
