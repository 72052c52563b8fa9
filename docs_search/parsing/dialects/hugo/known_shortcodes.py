"""What the shortcodes of Hugo's usual themes become in Markdown: Docsy, Hextra, Relearn, Book, Kubernetes, Grafana.

One that nobody has heard of keeps its inner text and loses its tags.
"""

import posixpath
import re
from collections.abc import Callable, Mapping

from docs_search.parsing.dialects.hugo.shortcodes import Replacement, Shortcode
from docs_search.parsing.markdown.boxes import ADMONITIONS, admonition, label_of, titled
from docs_search.parsing.text.writing import code_block, code_span, escape

TITLES = ("title", "heading", "header", "summary", "label")

_BOXES = frozenset({"admonition", "alert", "callout", "notice", "hint", "pageinfo", "blockquote-alert", "message"})
_TYPES = ("type", "style", "kind", "level", "color", "severity", "context", "class", "status")
_COLORS = {
    "primary": "Note",
    "secondary": "Note",
    "default": "Note",
    "light": "Note",
    "dark": "Note",
    "blue": "Note",
    "red": "Danger",
    "orange": "Warning",
    "yellow": "Warning",
    "green": "Tip",
    "tldr": "TL;DR",
}
_HEADINGS = {
    "whatsnext": "What's next",
    "prerequisites": "Before you begin",
    "beforeyoubegin": "Before you begin",
    "objectives": "Objectives",
    "cleanup": "Cleaning up",
    "discussion": "Discussion",
    "options": "Options",
    "seealso": "See also",
    "synopsis": "Synopsis",
    "overview": "Overview",
    "body": "Details",
    "subscribe": "Subscribe",
    "feedback": "Feedback",
}
_DIAGRAMS = {"mermaid": "mermaid", "plantuml": "plantuml", "graphviz": "dot", "goat": "text", "diagram": "text"}
_FENCE = re.compile(r"^[ \t]*+(?:```|~~~)", re.MULTILINE)
_LANGUAGE = re.compile(r"[\w+#.-]{1,30}")
_REFERENCE = re.compile(r"""^(\[[^\]\n]+\]:)[ \t]*"[^"\n]*?->[ \t]*([^"\n]+?)[ \t]*"[ \t]*$""", re.MULTILINE)
_NAME_SEPARATORS = re.compile(r"[-_]+")


def render_known(code: Shortcode) -> Replacement:
    """A shortcode that needs nothing but itself, known or not."""
    name = code.name.casefold()
    if name.endswith(".inline"):
        return Replacement("")
    if known := _KNOWN.get(name.replace("_", "-")):
        return known(code)
    if name in ADMONITIONS:
        return _block(_named_admonition(code, name))
    if name.removesuffix("-heading").removesuffix("_heading") in _HEADINGS and name.endswith("heading"):
        return Replacement(_HEADINGS[name[: -len("_heading")]])
    return _unknown(code)


def fenced(code: str, language: str) -> Replacement:
    """Code in a fence; what is fenced already stays as it is."""
    return _block(code) if _FENCE.search(code) else fence(code, language)


def fence(code: str, language: str) -> Replacement:
    """Code in a fence, also where there are fences in it."""
    language = language if _LANGUAGE.fullmatch(language) else ""
    return _block("".join(block.markdown for block in code_block(code, language)))


def _block(text: str) -> Replacement:
    return Replacement(text, is_block=True)


def _unknown(code: Shortcode) -> Replacement:
    """Title and inner text, or what is given as text; the title leads to where the shortcode links."""
    title = code.value(*TITLES)
    if code.inner is None:
        if title and (target := _target(code)):
            text = code.value("subtitle", "description", "text")
            return _block(f"[{escape(title)}]({target})" + (f": {text}" if text else ""))
        return Replacement(escape(code.value("text", "label")))
    if title:
        return _block(titled(title, code.inner))
    return Replacement(code.inner, is_block="\n" in code.inner)


def _target(code: Shortcode) -> str:
    target = code.value("link", "href", "url", "relref", "ref", "to")
    return "".join(target.split()) if not re.search(r"[()<>]", target) else ""


def _box(code: Shortcode) -> Replacement:
    """A box whose type is an argument: `{{< alert color="warning" title="Mind" >}}`, `{{% notice tip "Mind" %}}`."""
    kind = code.value(*_TYPES).casefold()
    positional = [part for part in code.positional if part.strip()]
    if not kind and positional and (positional[0].casefold() in ADMONITIONS or positional[0].casefold() in _COLORS):
        kind, positional = positional[0].casefold(), positional[1:]
    content = code.inner if code.inner is not None else code.value("text", "content", "message")
    if code.inner is None and not content and positional:
        content = positional.pop()
    own = {"hint": "Hint"}.get(code.name.casefold(), "Note")
    label = _COLORS.get(kind) or (label_of(kind) if kind in ADMONITIONS else own)
    return _block(admonition(code.value(*TITLES) or (positional[0] if positional else "") or label, content))


def _named_admonition(code: Shortcode, name: str) -> str:
    title, text = code.value(*TITLES, position=0), code.inner
    if text is None:
        text, title = code.value("text", "content", position=0), code.value(*TITLES)
    return admonition(title or _COLORS.get(name) or label_of(name), text)


def _tab(code: Shortcode) -> Replacement:
    parent = code.parent
    title = code.value("header", "name", "title", "label", "tabname", position=0)
    if not title and parent:
        names = [item.strip() for item in parent.value("items", "names").split(",")]
        title = names[code.ordinal] if code.ordinal < len(names) else ""
    content = code.inner or ""
    language = code.value("codelang", "lang", "language")
    if parent and parent.name == "tabpane":
        language = language or parent.value("lang", "language")
        if not language and parent.value("langequalsheader") == "true":
            language = title.casefold()
        if not code.is_markdown and "true" not in (code.value("text"), parent.value("text")):
            is_code = parent.value("code") != "false" and content.strip() != "" and not _is_rendered(content)
            content = fenced(content, language).text if is_code else content
    elif language and content.strip():
        content = fenced(content, language).text
    return _block(titled(title, content))


def _is_rendered(content: str) -> bool:
    """Whether a tab holds what other shortcodes made of themselves, and no code."""
    return bool(_FENCE.search(content)) or content.lstrip().startswith("**")


def _details(code: Shortcode) -> Replacement:
    return _block(titled(code.value(*TITLES, "name", position=0), code.inner or ""))


def _figure(code: Shortcode) -> Replacement:
    alt = code.value("alt")
    caption = code.value("caption", "title") or (code.inner or "").strip()
    if not alt and not caption and len(code.positional) > 1:
        alt = code.positional[1]
    alone = [escape(alt)] if alt and alt.casefold() not in caption.casefold() else []
    return _block("\n\n".join(part for part in (*alone, caption) if part.strip()))


def _highlight(code: Shortcode) -> Replacement:
    language = code.value("lang", "language", "type", position=0)
    if code.inner is None:
        return Replacement(code_span(code.value("code", position=0)) if code.positional or code.named else "")
    if "inline=true" in code.value("options", position=1).replace(" ", ""):
        return Replacement(code_span(code.inner))
    return fenced(code.inner, language)


def _code(code: Shortcode) -> Replacement:
    """`{{< code file="a/b.html" >}}`: its file is a title above the code."""
    file = code.value("file", "filename", "title")
    language = code.value("lang", "language") or posixpath.splitext(file)[1].lstrip(".")
    content = fenced(code.inner or "", language).text
    return _block(titled(code_span(file), content) if file and content else content)


def _code_toggle(code: Shortcode) -> Replacement:
    return fenced(code.inner or "", "toml" if re.match(r"\s*\[?[\w.]+\]?\s*(?:=|\n)", code.inner or "") else "yaml")


def _diagram(code: Shortcode) -> Replacement:
    return fenced(code.inner or "", _DIAGRAMS[code.name.casefold()])


def _math(code: Shortcode) -> Replacement:
    inner = code.inner or ""
    return fenced(inner, "latex") if "\n" in inner else Replacement(code_span(inner) if inner else "")


def _video(code: Shortcode) -> Replacement:
    name = code.value("id", position=0)
    if not re.fullmatch(r"[\w-]{3,40}", name):
        return Replacement("")
    place = "https://vimeo.com/" if code.name.casefold() == "vimeo" else "https://www.youtube.com/watch?v="
    return _block(f"[{escape(code.value('title') or 'Video')}]({place}{name})")


def _glossary_tooltip(code: Shortcode) -> Replacement:
    term = _NAME_SEPARATORS.sub(" ", code.value("term_id", "term", position=0))
    return Replacement(code.value("text") or (code.inner or "").strip() or escape(term))


def _heading(code: Shortcode) -> Replacement:
    name = code.value("name", position=0)
    return Replacement(_HEADINGS.get(name.casefold()) or label_of(name))


def _feature_state(code: Shortcode) -> Replacement:
    version, state = code.value("for_k8s_version", "version"), code.value("state", position=0)
    if gate := code.value("feature_gate_name"):
        return _block(f"Feature gate: {code_span(gate)}")
    words = " ".join(part for part in (escape(version), f"[{escape(state)}]" if state else "") if part)
    return _block(f"Feature state: {words}" if words else "")


def _since(code: Shortcode) -> Replacement:
    version = code.value("version", position=0)
    word = "New" if code.name.casefold().startswith("new") else "Deprecated"
    note = f"{word} in version {escape(version)}" if version else ""
    if code.inner is None:
        return Replacement(f"({note})" if note else "")
    return _block(titled(note, code.inner))


def _link(code: Shortcode) -> Replacement:
    target = _target(code)
    text = (code.inner or "").strip() or escape(code.value("text", "title", "label", "button", position=0))
    return Replacement(f"[{text}]({target})" if text and target and "\n" not in text else text)


def _card(code: Shortcode) -> Replacement:
    title, target = code.value(*TITLES, position=0), _target(code)
    content = code.inner or ""
    if content and (code.value("code") or (code.parent and code.parent.value("code"))) == "true":
        content = fenced(content, code.value("lang")).text
    if title and target:
        title = f"[{title}]({target})"
    parts = [code.value("subtitle"), content, code.value("footer")]
    return _block(titled(title, "\n\n".join(part for part in parts if part.strip())))


def _file_tree(code: Shortcode) -> Replacement:
    name = code.value("name", position=0)
    inner = "\n".join(f"  {line}" for line in (code.inner or "").split("\n") if line.strip())
    return _block(f"- {escape(name)}\n{inner}".rstrip())


def _definition_references(code: Shortcode) -> Replacement:
    """`[label]: "/here/ -> /there/"`: the first place that each label leads to."""
    return _block(_REFERENCE.sub(r"\1 \2", code.inner or ""))


def _nothing(code: Shortcode) -> Replacement:
    return Replacement("")


def _badge(code: Shortcode) -> Replacement:
    return Replacement((code.inner or "").strip() or escape(code.value("content", "text", "title", position=0)))


def _table(code: Shortcode) -> Replacement:
    return _block(titled(code.value("caption", "title"), code.inner or ""))


def _api_reference(code: Shortcode) -> Replacement:
    return Replacement(escape(code.value("text") or posixpath.basename(code.value("page", position=0).strip("/"))))


Known = Callable[[Shortcode], Replacement]
_KNOWN: Mapping[str, Known] = {
    **dict.fromkeys(_BOXES, _box),
    **dict.fromkeys(("tab", "tab-content", "tab-pane", "tab-item", "tabitem", "codetab", "tabs/tab"), _tab),
    **dict.fromkeys(
        (
            "details",
            "expand",
            "collapse",
            "collapsible",
            "accordion",
            "accordion-item",
            "spoiler",
            "toggle",
            "faq-item",
        ),
        _details,
    ),
    **dict.fromkeys(("figure", "img", "image", "imgproc", "picture", "screenshot", "lightbox", "imagecard"), _figure),
    **dict.fromkeys(("highlight", "codeblock", "code-block", "command", "terminal"), _highlight),
    **dict.fromkeys(_DIAGRAMS, _diagram),
    **dict.fromkeys(("katex", "math", "mathjax", "latex"), _math),
    **dict.fromkeys(("youtube", "vimeo", "youtube-lite", "youtubepl"), _video),
    **dict.fromkeys(("glossary-tooltip", "tooltip", "abbr", "term"), _glossary_tooltip),
    **dict.fromkeys(("new-in", "new", "deprecated-in"), _since),
    **dict.fromkeys(("button", "link", "btn", "a", "docs-link", "kat-button"), _link),
    **dict.fromkeys(("card", "linkcard", "link-card", "feature-card", "hextra/feature-card"), _card),
    **dict.fromkeys(("filetree/folder", "filetree/file"), _file_tree),
    **dict.fromkeys(("comment", "todo", "hidden"), _nothing),
    "api-reference": _api_reference,
    "badge": _badge,
    "code": _code,
    "code-toggle": _code_toggle,
    "docs/reference": _definition_references,
    "feature-state": _feature_state,
    "heading": _heading,
    "table": _table,
}
