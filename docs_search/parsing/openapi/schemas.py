"""JSON schemas in short: the type of a value, and the properties of an object as rows of a table."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from docs_search.parsing.openapi.description import Description, Resolved
from docs_search.parsing.openapi.values import Value, is_true, line, mapping, sequence, text
from docs_search.parsing.text.writing import code_span

MAX_DEPTH = 4  # objects inside each other whose properties are listed
MAX_VARIANTS = 8
MAX_STEPS = 1_000_000  # schemas that are looked at for one description
MAX_VALUES = 40
MAX_VALUE = 80  # characters

_CONSTRAINTS = {
    "minimum": "Minimum",
    "maximum": "Maximum",
    "exclusiveMinimum": "Greater than",
    "exclusiveMaximum": "Less than",
    "minLength": "Minimum length",
    "maxLength": "Maximum length",
    "minItems": "Minimum items",
    "maxItems": "Maximum items",
    "pattern": "Pattern",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One property. `name` is its path (`owner.name`, `pets[].id`), `notes` are sentences in Markdown."""

    name: str
    type: str
    required: bool
    description: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """The properties of a schema, all of them unless `is_cut`. `left_out` are the schemas too deep inside, by name."""

    rows: list[Row]
    is_cut: bool
    left_out: dict[str, Value]


class Schemas:
    """Reads the schemas of one description."""

    def __init__(self, description: Description) -> None:
        self._description = description
        self._steps = MAX_STEPS

    def _step(self) -> bool:
        """Whether there is time to look at one more schema: references and aliases can multiply what is written."""
        self._steps -= 1
        if self._steps == 0:
            self._description.warnings["its schemas are too many to be told in full"] = None
        return self._steps > 0

    def resolved(self, value: Value) -> Resolved:
        """A schema after its references."""
        return self._description.resolve(value)

    def type_of(self, value: Value, depth: int = 0) -> str:
        """The type of a schema in a few words: `array of Pet`, `string (date-time)`, `Cat or Dog`."""
        if value is True:
            return "any"
        resolved = self._description.resolve(value)
        schema = resolved.value
        if resolved.name and self._is_worth_a_name(schema):
            return line(resolved.name)
        if depth >= MAX_DEPTH or not self._step():
            return "object"
        for keyword, word in (("oneOf", " or "), ("anyOf", " or "), ("allOf", " and ")):
            if variants := sequence(schema.get(keyword)):
                types = dict.fromkeys(self.type_of(variant, depth + 1) for variant in variants[:MAX_VARIANTS])
                if keyword == "allOf":
                    types = {name: None for name in types if name != "any"} or types
                more = f"{word}…" if len(variants) > MAX_VARIANTS else ""
                return word.join(filter(None, types)) + more
        return self._plain_type(schema, depth)

    def rows(self, value: Value, limit: int) -> Rows:
        """The properties of a schema, those of objects inside it under their paths."""
        found: dict[str, Row] = {}  # variants of an object share properties
        left_out: dict[str, Value] = {}
        is_cut = False
        for row in self._rows(value, "", 0, (), left_out):
            if len(found) >= limit:
                is_cut = True
                break
            found.setdefault(row.name, row)
        return Rows(list(found.values()), is_cut, left_out)

    def notes(self, schema: Mapping[str, Value]) -> tuple[str, ...]:
        """What else a schema says about a value: its default, the values that it may have, its bounds."""
        notes: list[str] = []
        if is_true(schema.get("deprecated")):
            notes.append("Deprecated.")
        if is_true(schema.get("readOnly")):
            notes.append("Read-only.")
        if is_true(schema.get("writeOnly")):
            notes.append("Write-only.")
        if (default := _short(schema.get("default"))) or schema.get("default") == "":
            notes.append(f"Default: {code_span(default or chr(34) * 2)}.")
        values = sequence(schema.get("enum")) or sequence(mapping(schema.get("items")).get("enum"))
        if not values and "const" in schema:
            values = [schema["const"]]
        if shown := [code_span(short) for value in values[:MAX_VALUES] if (short := _short(value))]:
            more = ", …" if len(values) > MAX_VALUES else ""
            notes.append(f"{'One of: ' if len(shown) > 1 else 'Always '}{', '.join(shown)}{more}.")
        notes += [
            f"{label}: {code_span(short)}."
            for key, label in _CONSTRAINTS.items()
            if (short := _short(schema.get(key))) and not isinstance(schema.get(key), bool)
        ]
        return tuple(notes)

    def _is_worth_a_name(self, schema: Mapping[str, Value]) -> bool:
        """Whether readers are helped by the name of a schema: not by that of a mere string or number."""
        kind = text(schema.get("type"))
        return kind in ("", "object", "array") or bool(mapping(schema.get("properties")))

    def _plain_type(self, schema: Mapping[str, Value], depth: int) -> str:
        given = schema.get("type")
        kinds = [line(kind) for kind in (sequence(given) or [given]) if type(kind) is str and line(kind)][:MAX_VARIANTS]
        if not kinds:
            kinds = [_implied_type(schema)]
        out: list[str] = []
        for kind in kinds:
            if kind == "array":
                item = self.type_of(schema.get("items"), depth + 1) if "items" in schema else "any"
                out.append(f"array of {item}")
            elif (
                kind == "object" and isinstance(schema.get("additionalProperties"), dict) and "properties" not in schema
            ):
                out.append(f"map of {self.type_of(schema['additionalProperties'], depth + 1)}")
            elif kind == "null":
                continue
            else:
                form = line(schema.get("format"))[:MAX_VALUE]
                out.append(f"{kind} ({form})" if form and kind not in ("object", "any") else kind)
        if "null" in kinds or is_true(schema.get("nullable")) or is_true(schema.get("x-nullable")):
            out.append("null")
        return " or ".join(dict.fromkeys(out))

    def _rows(
        self, value: Value, path: str, depth: int, above: tuple[str, ...], left_out: dict[str, Value]
    ) -> Iterator[Row]:
        """Rows of everything below a value. `above` are the schemas around it: no circle is followed."""
        for resolved in self._parts(value, above, 0):
            schema = resolved.value
            inside = (*above, resolved.key) if resolved.key else above
            required = {text(name) for name in sequence(schema.get("required"))}
            for name, property_ in mapping(schema.get("properties")).items():
                full = f"{path}.{text(name)}" if path else text(name)
                of = self._description.resolve(property_)
                yield Row(
                    full[:300],
                    self.type_of(property_),
                    text(name) in required,
                    text(of.value.get("description")) or text(of.value.get("title")),
                    self.notes(of.value),
                )
                yield from self._below(property_, full, depth + 1, inside, left_out)
        yield from self._below_items(value, path, depth, above, left_out)

    def _below(
        self, value: Value, path: str, depth: int, above: tuple[str, ...], left_out: dict[str, Value]
    ) -> Iterator[Row]:
        if depth < MAX_DEPTH:
            yield from self._rows(value, path, depth, above, left_out)
        elif name := self._description.resolve(value).name:
            left_out[name] = value

    def _below_items(
        self, value: Value, path: str, depth: int, above: tuple[str, ...], left_out: dict[str, Value]
    ) -> Iterator[Row]:
        """Rows of the items of an array, and of the values of a map."""
        resolved = self._description.resolve(value)
        if resolved.key and resolved.key in above:
            return
        inside = (*above, resolved.key) if resolved.key else above
        for key, mark in (("items", "[]"), ("additionalProperties", "{}")):
            if isinstance(resolved.value.get(key), dict):
                yield from self._below(resolved.value[key], f"{path}{mark}", depth + 1, inside, left_out)

    def _parts(self, value: Value, above: tuple[str, ...], depth: int) -> Iterator[Resolved]:
        """The schema itself, and those that it is put together from or that it may be instead."""
        resolved = self._description.resolve(value)
        if depth > MAX_DEPTH or (resolved.key and resolved.key in above) or not self._step():
            return
        yield resolved
        inside = (*above, resolved.key) if resolved.key else above
        for keyword in ("allOf", "oneOf", "anyOf"):
            for variant in sequence(resolved.value.get(keyword))[:MAX_VARIANTS]:
                yield from self._parts(variant, inside, depth + 1)


def _implied_type(schema: Mapping[str, Value]) -> str:
    if "properties" in schema or "additionalProperties" in schema:
        return "object"
    if "items" in schema:
        return "array"
    values: Sequence[Value] = [schema["const"]] if "const" in schema else sequence(schema.get("enum"))
    if values and all(isinstance(value, bool) for value in values):
        return "boolean"
    return "string" if values and all(type(value) is str for value in values) else "any"


def _short(value: Value) -> str:
    """A scalar, or a short list of them, on one line; empty for what is too long to stand in a sentence."""
    if isinstance(value, list):
        parts = [_short(part) for part in value[:5]]
        return ", ".join(parts) if all(parts) and len(value) <= 5 else ""
    short = line(value)
    return short if len(short) <= MAX_VALUE else f"{short[:MAX_VALUE]}…"
