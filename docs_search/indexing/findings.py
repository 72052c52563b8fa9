"""What is worth knowing about the pages of a source, counted by kind, with the first examples of each."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

MAX_KINDS = 200
MAX_EXAMPLES = 3
MAX_EXAMPLE = 200  # characters
MAX_MESSAGE = 500  # characters of a warning by which it is counted

# What differs between two messages about the same fault: what is quoted, paths, numbers.
_DETAIL = re.compile(r"\"[^\"]*\"|'[^']*'|`[^`]*`|[^\s,;()]*[/.][^\s,;()]*[^\s,;().:]|\b\d+\b")


@dataclass(slots=True)
class Finding:
    """One kind of finding: how often it was made, and where first, with what was found there."""

    message: str
    count: int = 0
    examples: list[tuple[str, str]] = field(default_factory=list)

    def add(self, page: str, detail: str = "") -> None:
        """Count one more."""
        self.count += 1
        if len(self.examples) < MAX_EXAMPLES:
            self.examples.append((page, detail[:MAX_EXAMPLE]))


class Findings:
    """Findings by message, of bounded size however many pages there are."""

    def __init__(self) -> None:
        self._kinds: dict[str, Finding] = {}

    def add(self, message: str, page: str, detail: str = "") -> None:
        """Count a finding about a page; beyond so many kinds, as one of the others."""
        if message not in self._kinds and len(self._kinds) >= MAX_KINDS:
            message, detail = "other findings", message
        self._kinds.setdefault(message, Finding(message)).add(page, detail)

    def add_warning(self, page: str, message: str) -> None:
        """Count a warning with those that differ from it only in what they name."""
        self.add(_DETAIL.sub("…", message[:MAX_MESSAGE]), page, message)

    def __iter__(self) -> Iterator[Finding]:
        """The findings, the most frequent first."""
        return iter(sorted(self._kinds.values(), key=lambda finding: (-finding.count, finding.message)))
