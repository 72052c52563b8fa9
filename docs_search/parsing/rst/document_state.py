"""What the directives and roles of one document share while it is read."""

from collections.abc import Callable
from dataclasses import dataclass, field

from docs_search.parsing.rst.configuration import Configuration

MAX_INCLUDED = 2_000_000  # characters
MAX_INCLUDES = 500
MAX_INCLUDE_DEPTH = 8
MAX_NESTING = 30
"""Blocks inside each other; what is nested deeper is kept as plain text."""


@dataclass(slots=True)
class DocumentState:
    """The state of one document. `read` gives another file of the source as text, `resolve` its path."""

    file: str
    configuration: Configuration
    is_sphinx: bool
    read: Callable[[str], str | None]
    resolve: Callable[[str, str], str]
    default_role: str = ""
    language: str = ""  # of code that names none
    program: str = ""  # whose options are described
    module: str = ""
    objects: list[str] = field(default_factory=list)  # the classes around, by name
    described: set[str] = field(default_factory=set)  # anchors that objects have taken
    custom_roles: dict[str, str] = field(default_factory=dict)  # role → the role that it is based on
    metadata: dict[str, str] = field(default_factory=dict)
    toctree: list[str] = field(default_factory=list)  # names of documents below this one
    nesting: int = 0
    included: int = 0
    includes: int = 0
    warnings: dict[str, None] = field(default_factory=dict)

    def warn(self, message: str) -> None:
        """Note a fault of the document, once."""
        self.warnings[message] = None
