"""JSON or YAML as plain values, within bounds and without ever building an object of the document's choice."""

import json
import re
from collections.abc import Iterator

import yaml

from docs_search.parsing.openapi.values import Number, Value

MAX_JSON = 64_000_000  # characters
MAX_YAML = 32_000_000
MAX_DEPTH = 200
MAX_MERGED = 100_000  # keys that `<<` copies

_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_NUMBER = re.compile(r"[-+]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:[eE][-+]?\d{1,9})?")
_MERGE = "<<"


def load(document: str) -> tuple[Value, list[str]]:
    """The value of a document, and warnings. Of a broken one everything before the fault."""
    if len(document) > MAX_JSON:
        return None, [f"is longer than {MAX_JSON} characters"]
    if document.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(document, parse_int=Number, parse_float=Number, parse_constant=Number), []
        except (ValueError, RecursionError):
            pass  # YAML, of which JSON is a part, is read up to the fault
    if len(document) > MAX_YAML:
        return None, [f"is no JSON, and as YAML it is longer than {MAX_YAML} characters"]
    builder = _Builder()
    try:
        for event in _events(document):
            if builder.add(event):
                break
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        builder.warnings[f"is not valid: {_problem(error)}; what follows is left out"] = None
    return builder.value, list(builder.warnings)


def _events(document: str) -> Iterator[yaml.Event]:
    return yaml.parse(document, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))


def _problem(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = str(getattr(error, "problem", None) or error).split("\n")[0][:200]
    return f"{problem} in line {mark.line + 1}" if mark else problem


class _Builder:
    """Values from the events of YAML, without recursion. An alias is the value that it names, not a copy.

    Scalars are those of JSON: `yes`, dates and the like stay text. Of two equal keys the last one counts.
    """

    def __init__(self) -> None:
        self.value: Value = None
        self.warnings: dict[str, None] = {}
        self._open: list[tuple[dict[str, Value] | list[Value], str | None]] = []  # containers, each with its key so far
        self._anchors: dict[str, Value] = {}
        self._skipped = 0  # levels below the deepest one that is kept
        self._merged = 0

    def add(self, event: yaml.Event) -> bool:
        """Take the next event. Returns whether the document ends with it."""
        if isinstance(event, yaml.CollectionStartEvent):
            self._start(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            if self._skipped:
                self._skipped -= 1
            else:
                self._open.pop()
        elif isinstance(event, yaml.DocumentEndEvent):
            return True
        elif not self._skipped and isinstance(event, yaml.ScalarEvent):
            value = _scalar(event)
            self._note(event.anchor, value)
            self._put(value)
        elif not self._skipped and isinstance(event, yaml.AliasEvent):
            self._put(self._anchors.get(event.anchor or ""))
        return False

    def _start(self, event: yaml.CollectionStartEvent) -> None:
        if self._skipped or len(self._open) >= MAX_DEPTH:
            self.warnings[f"what is nested deeper than {MAX_DEPTH} levels is left out"] = None
            if not self._skipped:
                self._put(None)
            self._skipped += 1
            return
        value: dict[str, Value] | list[Value] = {} if isinstance(event, yaml.MappingStartEvent) else []
        self._put(value)  # first, since its anchor may stand for it inside of it
        self._note(event.anchor, value)
        self._open.append((value, None))

    def _note(self, anchor: str | None, value: Value) -> None:
        if anchor:
            self._anchors[anchor] = value

    def _put(self, value: Value) -> None:
        if not self._open:
            self.value = value
            return
        container, key = self._open[-1]
        if isinstance(container, list):
            container.append(value)
        elif key is None:
            self._open[-1] = container, _key(value)
        else:
            self._open[-1] = container, None
            if key == _MERGE and isinstance(value, dict | list):
                self._merge(container, value)
            else:
                container[key] = value

    def _merge(self, container: dict[str, Value], value: dict[str, Value] | list[Value]) -> None:
        for source in value if isinstance(value, list) else [value]:
            if not isinstance(source, dict):
                continue
            self._merged += len(source)
            if self._merged > MAX_MERGED:
                self.warnings[f"more than {MAX_MERGED} keys are merged"] = None
                return
            for key, merged in list(source.items()):
                container.setdefault(key, merged)


def _key(value: Value) -> str:
    """A key as text; YAML allows more than JSON does."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else ""


def _scalar(event: yaml.ScalarEvent) -> Value:
    value: str = event.value
    if event.style or not event.implicit[0]:
        return value
    if value in _NULL:
        return None
    if value in _BOOLEANS:
        return _BOOLEANS[value]
    return Number(value) if _NUMBER.fullmatch(value) else value
