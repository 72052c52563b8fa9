"""Web pages that show the OpenAPI description of an API by scripts: where it is, since it can be read by itself."""

import re

ATTRIBUTES = {"redoc": "spec-url", "rapi-doc": "spec-url", "elements-api": "apidescriptionurl"}
"""By the name of an element, which of its attributes holds the address of the description."""

_MAX_SCRIPT = 20_000  # characters of a script that are looked at
_CALLS_VIEWER = re.compile(r"\b(?:SwaggerUIBundle|Redoc\.init|createApiReference)\b")
_DESCRIPTION = re.compile(r"""(?:\burl["']?\s*:|\bRedoc\.init\()\s*["']([^"'\s]{1,500})["']""")


def descriptions_in(script: str) -> list[str]:
    """The addresses of the descriptions that a script shows, as they are written there."""
    script = script[:_MAX_SCRIPT]
    return _DESCRIPTION.findall(script) if _CALLS_VIEWER.search(script) else []
