"""One description of an API with the files that it refers to."""

import posixpath
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from docs_search.documents import ParseContext
from docs_search.parsing.openapi.loading import load
from docs_search.parsing.openapi.values import Value, mapping, text
from docs_search.parsing.text.decoding import decode

MAX_REFERENCES = 20  # from one to the next
MAX_FILES = 500
MAX_BYTES = 64_000_000  # of all files


@dataclass(frozen=True, slots=True)
class Resolved:
    """A mapping that may have been referred to: then `key` tells it from all others, and `name` is its own."""

    value: Mapping[str, Value]
    name: str = ""
    key: str = ""


class Description:
    """The document, and what its references lead to. Faults are collected in `warnings`."""

    def __init__(self, root: Mapping[str, Value], file: str, context: ParseContext) -> None:
        self.root = root
        self.warnings: dict[str, None] = {}
        self._file = file
        self._context = context
        self._documents: dict[str, Value] = {file: root}
        self._files: dict[int, str] = {}  # the file of each mapping that is not in the document itself
        self._kept: list[Mapping[str, Value]] = []  # alive, so that their ids stay their own
        self._bytes = 0

    @property
    def is_swagger(self) -> bool:
        """Whether this is version 2, which calls many things differently."""
        return "swagger" in self.root and "openapi" not in self.root

    def resolve(self, value: Value) -> Resolved:
        """What a value is after its references. One that leads nowhere is an empty mapping with the name."""
        found = Resolved(mapping(value))
        for _ in range(MAX_REFERENCES):
            reference = found.value.get("$ref")
            if not isinstance(reference, str):
                return found
            target = self._target(text(reference), self._files.get(id(found.value), self._file))
            # What stands beside a reference adds to it since version 3.1.
            beside = {key: other for key, other in found.value.items() if key in ("description", "summary")}
            value = {**target.value, **beside} if beside and target.value else target.value
            if value is not target.value and id(target.value) in self._files:
                self._files[id(value)] = self._files[id(target.value)]
                self._kept.append(value)
            found = Resolved(value, target.name, target.key)
        self.warnings["references lead round in a circle"] = None
        return Resolved({}, found.name, found.key)

    def _target(self, reference: str, base: str) -> Resolved:
        location, _, pointer = reference.partition("#")
        name = unquote(pointer or location).rstrip("/").rpartition("/")[2].replace("~1", "/").replace("~0", "~")
        if "://" in location or location.startswith("//"):
            self.warnings[f"the reference to {location[:200]} was not followed: it leads out of the source"] = None
            return Resolved({}, name)
        file = posixpath.normpath(posixpath.join(posixpath.dirname(base), unquote(location))) if location else base
        value = self._document(file)
        for part in pointer.lstrip("/").split("/") if pointer.strip("/") else ():
            key = unquote(part).replace("~1", "/").replace("~0", "~")
            if isinstance(value, list) and key.isascii() and key.isdigit() and int(key[:9]) < len(value):
                value = value[int(key[:9])]
            else:
                value = mapping(value).get(key)
        if not isinstance(value, dict):
            self.warnings[f"the reference to {reference[:200]} leads nowhere"] = None
            return Resolved({}, name)
        stem = name if pointer else posixpath.splitext(name)[0]
        return Resolved(value, stem, f"{file}#{pointer}")

    def _document(self, file: str) -> Value:
        if file not in self._documents:
            data = self._context.read(file) if file in self._context.paths else None
            self._bytes += len(data or b"")
            if data is None or len(self._documents) > MAX_FILES or self._bytes > MAX_BYTES:
                self._documents[file] = None
                return None
            value, faults = load(decode(data)[0])
            self.warnings |= dict.fromkeys(f"{file} {fault}" for fault in faults)
            self._documents[file] = value
            self._claim(value, file)
        return self._documents[file]

    def _claim(self, value: Value, file: str) -> None:
        """Note where the mappings of a file come from; references in them are relative to it."""
        waiting = [value]
        seen: set[int] = set()
        while waiting:
            current = waiting.pop()
            if not isinstance(current, dict | list) or id(current) in seen:
                continue
            seen.add(id(current))
            if isinstance(current, dict):
                self._files.setdefault(id(current), file)
            waiting += current.values() if isinstance(current, dict) else current
