"""The inline content of a Markdown document, as markdown-it reads it, to normalised Markdown on one line."""

import re
from collections.abc import Callable, Iterator, Sequence
from html import unescape

from markdown_it.token import Token

from docs_search.parsing.html.elements import HTML_ELEMENTS
from docs_search.parsing.text.writing import InlineCode, escape, join_pieces

LinkTarget = Callable[[str], str | None]
"""The address for an `href`; None to keep only the text of the link."""

_TAG = re.compile(r"<(?P<close>/?)(?P<name>[A-Za-z][\w:.-]*)(?P<attributes>[^>]*)>")
_ATTRIBUTE = re.compile(r"""(?<![\w:-])([\w:-]++)\s*+=\s*+(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""")
# kramdown's attributes of a span, `[text](url){:target="_blank"}`, or of a whole block.
_SPAN_ATTRIBUTES = re.compile(r"\{:[ \t]*(?:[.#][\w-]|[\w-]+=|(?:no_)?toc\b)[^{}]*\}")
_HEADING_ATTRIBUTES = re.compile(
    r"\s*(?:\{:?\s*(?:#(?P<id>[\w:.-]+)|\.[\w-]+)[^{}]*\}|\[#(?P<bracketed>[\w:.-]+)\])\s*\Z"
)
_EMOJI = r"(?::[a-z][a-z0-9_+-]{1,40}:|[\U0001f000-\U0001faff\u2600-\u27bf\u2b50\u2b55][\ufe0f\u200d]{0,3})"
_EMOJI_BEFORE = re.compile(rf"\A(?:{_EMOJI}\s*){{1,5}}(?!\S{{0,40}}:)")
_EMOJI_BEHIND = re.compile(rf"(?:\s{{0,5}}(?<![\w:]){_EMOJI}){{1,5}}\Z")
_BLOCK_ELEMENTS = frozenset(
    "blockquote br dd details div dl dt h1 h2 h3 h4 h5 h6 hr li ol p section summary table tbody td th thead tr "
    "ul".split()
)
_HIDDEN_ELEMENTS = frozenset(
    "audio canvas iframe noscript object script select style svg template textarea video".split()
)
_CODE_ELEMENTS = frozenset({"code", "kbd", "samp", "tt"})


def html_attributes(tag: str) -> dict[str, str]:
    """The attributes of a tag by their names in lower case."""
    return {name.lower(): unescape(double or single or bare) for name, double, single, bare in _ATTRIBUTE.findall(tag)}


def anchors_in(children: Sequence[Token]) -> list[str]:
    """The ids that tags inside a paragraph or heading define: `<a id="x">`, `<a name="x">`, `<span id="x">`."""
    attributes = [html_attributes(child.content) for child in children if child.type == "html_inline"]
    return [anchor for named in attributes if (anchor := named.get("id") or named.get("name"))]


def split_heading_attributes(children: Sequence[Token]) -> tuple[list[Token], str | None]:
    """A heading's content without the `{#id}` or `[#id]` at its end, and that id."""
    if children and children[-1].type == "text" and (match := _HEADING_ATTRIBUTES.search(children[-1].content)):
        last = children[-1].copy(content=children[-1].content[: match.start()])
        return [*children[:-1], last], match["id"] or match["bracketed"]
    return list(children), None


def words_of(children: Sequence[Token]) -> str:
    """The words of inline content, without marks, on one line."""
    return " ".join(_text_of(children, placeholders=True).split())


def heading_of(children: Sequence[Token]) -> str:
    """The words of a heading without the emoji around them, unless it has nothing else."""
    words = words_of(children)
    trimmed = words
    if children and children[0].type == "text":
        trimmed = _EMOJI_BEFORE.sub("", trimmed)
    if children and children[-1].type == "text":
        trimmed = _EMOJI_BEHIND.sub("", trimmed)
    return trimmed or words


def anchor_text_of(children: Sequence[Token]) -> str:
    """The text that a heading's anchor is made from: every blank counts, `<placeholders>` do not."""
    return _text_of(children, placeholders=False)


def _text_of(children: Sequence[Token], *, placeholders: bool) -> str:
    parts: list[str] = []
    for child in children:
        if child.type in ("text", "code_inline"):
            parts.append(child.content)
        elif child.type in ("softbreak", "hardbreak"):
            parts.append(" ")
        elif child.type == "html_inline" and placeholders and is_placeholder(child.content):
            parts.append(child.content)
    return "".join(parts)


def is_placeholder(tag: str) -> bool:
    """Whether what looks like a tag is `<your-token>` in running text: no element, no attributes, not CamelCase."""
    match = _TAG.fullmatch(tag)
    if match is None or match["close"] or "=" in match["attributes"] or match["attributes"].endswith("/"):
        return False
    name = match["name"]
    return name.lower() not in HTML_ELEMENTS and (name.islower() or name.isupper())


class InlineRenderer:
    """Renders the children of one `inline` token."""

    def __init__(self, link_target: LinkTarget, note: Callable[[int], str]) -> None:
        self._link_target = link_target
        self._note = note  # gives what takes the place of a reference to a footnote, by its number from 0
        self._pieces: list[str] = []
        self._links: list[tuple[int, str | None]] = []  # where the open links begin, and where they lead
        self._in_code = False

    def render(self, children: Sequence[Token]) -> str:
        """Inline Markdown without tags, its links absolute, its images replaced by their texts."""
        previous = "softbreak"
        for child in _visible(children):
            self._token(child, previous)
            previous = child.type
        while self._links:  # an <a> that is never closed
            self._close_link()
        return join_pieces(self._pieces)

    def _token(self, token: Token, previous: str) -> None:
        match token.type:
            case "text":
                self._text(token.content, previous)
            case "code_inline":
                self._pieces.append(InlineCode(token.content))
            case "softbreak" | "hardbreak":
                self._pieces.append(" ")
            case "em_open" | "em_close" | "strong_open" | "strong_close" | "s_open" | "s_close":
                self._pieces.append(token.markup)
            case "link_open":
                self._open_link(str(token.attrs["href"]))
            case "link_close":
                self._close_link(autolink=token.markup == "autolink")
            case "image":
                self._pieces.append(escape(words_of(token.children or [])))
            case "html_inline":
                self._html(token.content)
            case "footnote_ref":
                self._pieces.append(self._note(int(token.meta["id"])))
            case _:
                self._text(token.content, previous)

    def _text(self, text: str, previous: str) -> None:
        if self._in_code:
            self._pieces.append(InlineCode(text))
            return
        if text.startswith("{:") and previous != "text":
            text = _SPAN_ATTRIBUTES.sub("", text, count=1)
        self._pieces.append(escape(text))

    def _html(self, tag: str) -> None:
        match = _TAG.fullmatch(tag)
        if match is None:  # a comment, a processing instruction
            return
        name, is_open = match["name"].lower(), not match["close"]
        if name in _CODE_ELEMENTS:
            self._in_code = is_open
        elif name == "a" and not is_open:
            self._close_link()
        elif name == "a" and (href := html_attributes(tag).get("href")):
            self._open_link(href)
        elif name == "a":
            self._links.append((len(self._pieces), None))
        elif name in _BLOCK_ELEMENTS:
            self._pieces.append(" ")
        elif name in ("sup", "sub") and is_open:  # 2^31, log_2, as those of HTML documents
            self._pieces.append("^" if name == "sup" else "_")
        elif name == "img":
            self._pieces.append(escape(html_attributes(tag).get("alt", "")))
        elif is_placeholder(tag):
            self._pieces.append(escape(tag))

    def _open_link(self, href: str) -> None:
        self._links.append((len(self._pieces), self._link_target(href)))

    def _close_link(self, *, autolink: bool = False) -> None:
        if not self._links:
            return
        start, target = self._links.pop()
        label = self._pieces[start:]
        if target is None or not any(piece.strip() for piece in label):
            return
        if autolink and not target.startswith("mailto:"):
            self._pieces[start:] = [f"<{target}>"]
            return
        words = "".join(piece for piece in label if not isinstance(piece, InlineCode))
        if words.count("[") != words.count("]"):
            label = [piece if isinstance(piece, InlineCode) else _escape_brackets(piece) for piece in label]
        address = target.replace(" ", "%20").replace("(", "%28").replace(")", "%29")
        self._pieces[start:] = ["[", *label, f"]({address})"]


def _visible(children: Sequence[Token]) -> Iterator[Token]:
    """The content without that of elements which show nothing in words. One that is never closed hides nothing."""
    tags = [_TAG.fullmatch(child.content) if child.type == "html_inline" else None for child in children]
    last_end = {tag["name"].lower(): at for at, tag in enumerate(tags) if tag and tag["close"]}
    hidden = None
    for at, (child, tag) in enumerate(zip(children, tags, strict=True)):
        name = tag["name"].lower() if tag else ""
        if hidden:
            hidden = None if tag and tag["close"] and name == hidden else hidden
        elif name in _HIDDEN_ELEMENTS and last_end.get(name, -1) > at:
            hidden = name
        else:
            yield child


def _escape_brackets(text: str) -> str:
    return text.replace("[", r"\[").replace("]", r"\]")
