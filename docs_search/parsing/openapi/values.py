"""What a description of an API holds, read without trust in its types: a wrong one counts as absent."""

from collections.abc import Mapping, Sequence

from docs_search.parsing.text.decoding import without_controls

Value = object
"""A mapping with strings as keys, a list, a string, a number, a boolean, or None."""


class Number(str):
    """A number as it is spelt; neither digits nor a trailing zero get lost."""

    __slots__ = ()


def mapping(value: Value) -> Mapping[str, Value]:
    """A mapping, or an empty one."""
    return value if isinstance(value, dict) else {}


def sequence(value: Value) -> Sequence[Value]:
    """A list, or an empty one."""
    return value if isinstance(value, list) else ()


def text(value: Value) -> str:
    """A string, a number or a boolean as one would write it; empty for anything else."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return without_controls(value) if isinstance(value, str) else ""


def line(value: Value) -> str:
    """A text on one line."""
    return " ".join(text(value).split())


def is_true(value: Value) -> bool:
    """Whether a flag is set; some write it as a string."""
    return value is True or (isinstance(value, str) and value.lower() == "true")
