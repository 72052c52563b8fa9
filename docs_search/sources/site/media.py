"""Which responses are documents, by what their servers call them and, where that says little, by what they hold."""

import re
from email.message import Message

from docs_search.sources.site.addresses import extension

HTML = "html"
MARKDOWN = "markdown"
OPENAPI = "openapi"

_TYPES = {"text/html": HTML, "application/xhtml+xml": HTML, "text/markdown": MARKDOWN, "text/x-markdown": MARKDOWN}
_VAGUE = frozenset({"", "text/plain", "application/octet-stream"})  # what servers send for names they do not know
_BY_EXTENSION = {"md": MARKDOWN, "mdx": MARKDOWN, "markdown": MARKDOWN}
_STRUCTURED = re.compile(r"(?:application|text)/(?:[\w.+-]*\+)?(?:x-)?(?:json|yaml)", re.IGNORECASE)
_STRUCTURED_EXTENSIONS = frozenset({"json", "yaml", "yml"})
_OPENAPI = re.compile(rb"""(?:^|[{,\s])["']?(?:openapi|swagger)["']?\s*:\s*["']?\d""")
_LOOKED_AT = 4096  # bytes


def media_of(content_type: str, url: str, body: bytes) -> tuple[str | None, str | None]:
    """The kind of document (HTML, MARKDOWN, OPENAPI; None for what is none), and the charset that the server names."""
    header = Message()
    header["content-type"] = content_type
    name = content_type.partition(";")[0].strip().lower()
    charset = header.get_param("charset")
    return _media(name, extension(url), body), charset if isinstance(charset, str) else None


def _media(name: str, ending: str, body: bytes) -> str | None:
    if media := _TYPES.get(name):
        return media
    if name in _VAGUE and (media := _BY_EXTENSION.get(ending)):
        return media
    if _STRUCTURED.fullmatch(name) or (name in _VAGUE and ending in _STRUCTURED_EXTENSIONS):
        return OPENAPI if _OPENAPI.search(body[:_LOOKED_AT]) else None
    if not name and body[:_LOOKED_AT].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        return HTML
    return None
