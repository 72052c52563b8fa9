"""The operations of an API, in one form for all versions of the format."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from docs_search.parsing.openapi.description import Description
from docs_search.parsing.openapi.values import Value, is_true, line, mapping, sequence, text

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
MAX_PARAMETERS = 200
MAX_RESPONSES = 60
MAX_MEDIA_TYPES = 6


@dataclass(frozen=True, slots=True)
class Content:
    """A body in one media type."""

    media_type: str
    schema: Value
    example: Value = None


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter; `schema` is that of its value."""

    name: str
    place: str
    required: bool
    description: str
    schema: Value


@dataclass(frozen=True, slots=True)
class Response:
    status: str
    description: str
    contents: list[Content]


@dataclass(frozen=True, slots=True)
class Operation:
    """A method of a path. `security` are the alternatives: each names schemes with their scopes; None where it is that
    of the whole API.
    """

    method: str
    path: str
    identifier: str
    summary: str
    description: str
    tags: tuple[str, ...]
    deprecated: bool
    parameters: list[Parameter]
    body_description: str
    body_required: bool
    body: list[Content]
    responses: list[Response]
    security: list[Mapping[str, Sequence[str]]] | None
    callbacks: list[str] = field(default_factory=list)


class OperationReader:
    """Reads the operations of one description."""

    def __init__(self, description: Description) -> None:
        self._description = description
        self._root = description.root

    def operations(self, key: str = "paths") -> Iterator[Operation]:
        """The operations of all paths in their order, or those of `webhooks`."""
        for path, value in mapping(self._root.get(key)).items():
            item = self._description.resolve(value).value
            shared = sequence(item.get("parameters"))
            for method, operation in item.items():
                if text(method).lower() in METHODS and isinstance(operation, dict):
                    yield self._operation(text(method).upper(), line(path), operation, shared, item)

    def security(self, value: Value) -> list[Mapping[str, Sequence[str]]]:
        """What authorizes a request: one of these, each by all of its schemes."""
        return [
            {line(name): [line(scope) for scope in sequence(scopes)][:50] for name, scopes in mapping(choice).items()}
            for choice in sequence(value)[:20]
        ]

    def _operation(
        self,
        method: str,
        path: str,
        operation: Mapping[str, Value],
        shared: Sequence[Value],
        item: Mapping[str, Value],
    ) -> Operation:
        parameters = self._parameters([*shared, *sequence(operation.get("parameters"))])
        body = self._swagger_body(parameters, operation) if self._description.is_swagger else self._body(operation)
        return Operation(
            method=method,
            path=path,
            identifier=line(operation.get("operationId")),
            summary=line(operation.get("summary")) or line(item.get("summary")),
            description=text(operation.get("description")) or text(item.get("description")),
            tags=tuple(filter(None, map(line, sequence(operation.get("tags"))))),
            deprecated=is_true(operation.get("deprecated")),
            parameters=[
                self._parameter(value) for value in parameters if text(value.get("in")) not in ("body", "formData")
            ],
            body_description=body[0],
            body_required=body[1],
            body=body[2],
            responses=self._responses(operation),
            security=self.security(operation["security"]) if "security" in operation else None,
            callbacks=list(self._callbacks(operation)),
        )

    def _parameters(self, values: Sequence[Value]) -> list[Mapping[str, Value]]:
        """Parameters with those of the path; the operation's own of the same name and place replace them."""
        found: dict[tuple[str, str], Mapping[str, Value]] = {}
        for value in values[:MAX_PARAMETERS]:
            parameter = self._description.resolve(value).value
            if name := line(parameter.get("name")):
                found[name, line(parameter.get("in"))] = parameter
        return list(found.values())

    def _parameter(self, value: Mapping[str, Value]) -> Parameter:
        schema = value.get("schema")
        if not isinstance(schema, dict):
            content = next(iter(mapping(value.get("content")).values()), None)
            schema = mapping(content).get("schema") if content else value  # in version 2 it is one itself
        return Parameter(
            name=line(value.get("name")),
            place=line(value.get("in")),
            required=is_true(value.get("required")),
            description=text(value.get("description")),
            schema=schema,
        )

    def _body(self, operation: Mapping[str, Value]) -> tuple[str, bool, list[Content]]:
        body = self._description.resolve(operation.get("requestBody")).value
        return text(body.get("description")), is_true(body.get("required")), self._contents(body.get("content"))

    def _contents(self, value: Value) -> list[Content]:
        contents = []
        for media_type, media in list(mapping(value).items())[:MAX_MEDIA_TYPES]:
            given = mapping(media)
            contents.append(Content(line(media_type), given.get("schema"), self._example(given)))
        return contents

    def _example(self, media: Mapping[str, Value]) -> Value:
        """The example of a body: its own, the first of several, or that of its schema."""
        if media.get("example") is not None:
            return media["example"]
        for value in mapping(media.get("examples")).values():
            example = self._description.resolve(value).value
            if example.get("value") is not None:
                return example["value"]
        schema = self._description.resolve(media.get("schema")).value
        examples = sequence(schema.get("examples"))
        return schema.get("example") if schema.get("example") is not None else (examples[0] if examples else None)

    def _swagger_body(
        self, parameters: list[Mapping[str, Value]], operation: Mapping[str, Value]
    ) -> tuple[str, bool, list[Content]]:
        """The body in version 2: one parameter is the body itself, or several are the fields of a form."""
        media_types = sequence(operation.get("consumes")) or sequence(self._root.get("consumes"))
        for parameter in parameters:
            if parameter.get("in") == "body":
                schema = parameter.get("schema")
                media_type = line(media_types[0]) if media_types else "application/json"
                example = self._example({"schema": schema})
                required = is_true(parameter.get("required"))
                return text(parameter.get("description")), required, [Content(media_type, schema, example)]
        fields = [parameter for parameter in parameters if parameter.get("in") == "formData"]
        if not fields:
            return "", False, []
        media_type = line(media_types[0]) if media_types else "application/x-www-form-urlencoded"
        required_names = [line(one.get("name")) for one in fields if is_true(one.get("required"))]
        properties = {line(one.get("name")): {**one, "required": None} for one in fields}
        form: Value = {"type": "object", "properties": properties, "required": required_names}
        return "", bool(required_names), [Content(media_type, form)]

    def _responses(self, operation: Mapping[str, Value]) -> list[Response]:
        responses = []
        produced = sequence(operation.get("produces")) or sequence(self._root.get("produces"))
        for status, value in list(mapping(operation.get("responses")).items())[:MAX_RESPONSES]:
            if text(status).startswith("x-"):
                continue
            response = self._description.resolve(value).value
            contents = self._contents(response.get("content"))
            if not contents and isinstance(response.get("schema"), dict):
                media_type = line(produced[0]) if produced else "application/json"
                examples = list(mapping(response.get("examples")).values())
                example = examples[0] if examples else self._example({"schema": response["schema"]})
                contents = [Content(media_type, response["schema"], example)]
            responses.append(Response(line(status), text(response.get("description")), contents))
        return responses

    def _callbacks(self, operation: Mapping[str, Value]) -> Iterator[str]:
        """Callbacks in short: name, method and address of each."""
        for name, value in list(mapping(operation.get("callbacks")).items())[:20]:
            for address, item in self._description.resolve(value).value.items():
                for method in mapping(item):
                    if text(method).lower() in METHODS:
                        yield f"{line(name)}: {text(method).upper()} {line(address)}"[:300]
