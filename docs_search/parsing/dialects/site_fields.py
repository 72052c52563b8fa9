"""The fields of a site generator's files of configuration, read as front matter is: within bounds, never executed."""

from collections.abc import Mapping

from docs_search.parsing.markdown.front_matter import split_front_matter
from docs_search.parsing.text.decoding import decode


def read_fields(data: bytes, extension: str) -> Mapping[str, object]:
    """The fields of a file of configuration, by its extension; those of the first document in it."""
    text = decode(data)[0].strip()
    if extension == ".toml":
        text = f"+++\n{text}\n+++\n"
    elif extension != ".json":
        text = "---\n" + text.removeprefix("---\n") + "\n---\n"
    return split_front_matter(text)[0].fields


def text_at(fields: Mapping[str, object], name: str) -> str | None:
    """The text of a field by its dotted name in any case, or None."""
    value: object = fields
    for key in name.casefold().split("."):
        if not isinstance(value, Mapping):
            return None
        value = next((part for other, part in value.items() if str(other).casefold() == key), None)
    return value if isinstance(value, str) else None
