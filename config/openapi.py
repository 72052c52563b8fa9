"""What drf-spectacular cannot say by itself, so that the OpenAPI document has the shapes of the API's contract."""

from typing import Any

SUMMARY = "Search and read documentation in the version you run."
INLINED = ("DocSection", "RelatedPage")  # objects that the contract describes where they are used


def match_contract(result: dict[str, Any], **context: Any) -> dict[str, Any]:
    """Post-processing hook of drf-spectacular: the finished document."""
    schemas = result["components"]["schemas"]
    schemas["VersionFallback"]["type"] = ["object", "null"]
    inlined = {f"#/components/schemas/{name}": schemas.pop(name) for name in INLINED}
    for methods in result["paths"].values():
        for operation in methods.values():
            del operation["tags"]
    result["info"]["summary"] = SUMMARY
    document: dict[str, Any] = _simplified(result, inlined)
    return document


def _simplified(node: Any, inlined: dict[str, Any]) -> Any:
    """A copy without drf-spectacular's own marks and refinements."""
    if isinstance(node, list):
        return [_simplified(item, inlined) for item in node]
    if not isinstance(node, dict):
        return node
    if node.get("$ref") in inlined:
        return _simplified(inlined[node["$ref"]], inlined)
    copy = {key: _simplified(value, inlined) for key, value in node.items() if key != "x-spec-enum-id"}
    if copy.get("format") == "double":
        del copy["format"]
    if "enum" in copy:
        copy.pop("minLength", None)
    return copy
