"""Interpreted text: the roles of docutils, of Sphinx and of projects, as far as a reader sees a difference."""

import re
from urllib.parse import quote

from docutils import nodes

from docs_search.parsing.rst.document_state import DocumentState
from docs_search.parsing.rst.elements import CrossReference

_EXPLICIT = re.compile(r"(?s)(?P<text>.+?)\s*(?<!\x00)<(?P<target>[^<>]*)>")
_NAME = re.compile(r"[\w.:$@~/+=*-]*\w[\w.:$@/+=*<>()\[\]-]*")
_PROSE = re.compile(r"[\w'’,-]++(?: [\w'’,-]++)+")  # several words without a sign of code
_BRACES = re.compile(r"\\?[{}]")
_ACCELERATOR = re.compile(r"&(?=\w)")

_FUNCTIONS = frozenset({"func", "meth", "function", "method"})
_REFERENCES = frozenset(  # roles whose text is a name of something, and shown as code
    "attr class const data djadmin envvar exc func jinja keyword lookup macro member meth mimetype mod obj option "
    "paramref setting signal struct template templatetag tfilter token ttag type union var enum enumerator concept "
    "expr texpr confval any".split()
)
_CODE = frozenset("code command envvar file kbd literal makevar newsgroup program regexp samp stat mailheader".split())
_PLAIN = frozenset(
    "abbr abbreviation ac acronym download eq term inline numref generic index-entry glossary manpage".split()
)
_EMPHASIS = frozenset({"emphasis", "title", "title-reference", "t", "dfn"})
_STRONG = frozenset({"strong", "guilabel", "menuselection"})
_ADDRESSES = {
    "cve": ("https://www.cve.org/CVERecord?id=CVE-%s", "CVE-%s"),
    "cwe": ("https://cwe.mitre.org/data/definitions/%s.html", "CWE-%s"),
}
_ALIASES = {
    "sup": "superscript",
    "sub": "subscript",
    "pep-reference": "pep",
    "rfc-reference": "rfc",
}


def role_nodes(role: str, text: str, state: DocumentState) -> list[nodes.Node]:
    """The nodes of interpreted text. `text` has docutils' nulls before what was escaped; an empty role is the default.

    The domain of a role (`py:func`) is dropped. What is not known is text, or code where it looks like a name.
    """
    name = _base(role.lower(), state)
    name = _ALIASES.get(name, name)
    if name in ("raw", "raw-html", "index"):
        return []
    if name in ("superscript", "subscript"):
        node = nodes.superscript if name == "superscript" else nodes.subscript
        return [node("", nodes.unescape(text))]
    if name == "math":
        return [nodes.math("", nodes.unescape(text, True))]
    if name in ("pep", "rfc"):
        return [_standard(name, nodes.unescape(text))]
    if link := state.configuration.external_links.get(name) or _ADDRESSES.get(name):
        return [_external(link, text)]
    if name in ("ref", "doc"):
        return [_reference("label" if name == "ref" else "document", text)]
    if name in _EMPHASIS:
        return [nodes.emphasis("", nodes.unescape(text))]
    if name in _STRONG:
        return [nodes.strong("", _label(name, nodes.unescape(text)))]
    if name in _CODE:
        return [nodes.literal("", _code(name, text))]
    if name in _PLAIN:
        return [nodes.Text(_title_and_target(text)[0])]
    return [_named(name, text)]


def _base(role: str, state: DocumentState) -> str:
    """The role that counts: what the default stands for, what a role of the document is made from, no domain."""
    role = role or state.default_role or state.configuration.default_role
    for _ in range(5):
        if role not in state.custom_roles:
            break
        role = state.custom_roles[role]
    return role if role in state.configuration.external_links else role.rsplit(":", 1)[-1]


def _title_and_target(text: str) -> tuple[str, str, bool]:
    """What a role shows, what it refers to, and whether the two were written apart."""
    if match := _EXPLICIT.fullmatch(text.strip()):
        return nodes.unescape(match["text"]), nodes.unescape(match["target"]).strip(), True
    words = nodes.unescape(text)
    return words, words.strip(), False


def _reference(kind: str, text: str) -> nodes.Node:
    title, target, explicit = _title_and_target(text)
    target = target.removeprefix("!") if kind == "document" else target
    return CrossReference("", title, kind=kind, target=target, explicit=explicit)


def _named(name: str, text: str) -> nodes.Node:
    """The name of something in code, a prefix such as `~` or `!` applied to it."""
    title, target, explicit = _title_and_target(text)
    if name not in _REFERENCES:
        return nodes.literal("", title) if _NAME.fullmatch(title) and not explicit else nodes.Text(title)
    if explicit:
        shown = title.removeprefix("!")
        return nodes.Text(shown) if _PROSE.fullmatch(" ".join(shown.split())) else nodes.literal("", shown)
    shown = target.removeprefix("!")
    if shown.startswith("~"):
        shown = re.split(r"\.|::", shown[1:])[-1]
    shown = shown.removeprefix(".")
    if name in _FUNCTIONS and shown and not shown.endswith(")"):
        shown += "()"
    return nodes.literal("", shown)


def _standard(kind: str, text: str) -> nodes.Node:
    title, target = text, text
    if match := _EXPLICIT.fullmatch(text):
        title, target = match["text"], match["target"]
    number, _, anchor = target.strip().partition("#")
    if not number.isascii() or not number.isdigit() or len(number) > 6:
        return nodes.Text(title)
    shown = title if title != target else f"{kind.upper()} {number}"
    if kind == "pep":
        address = f"https://peps.python.org/pep-{number:0>4}/"
    else:
        address = f"https://datatracker.ietf.org/doc/html/rfc{number}.html"
    return nodes.reference("", shown, refuri=f"{address}#{anchor}" if anchor else address)


def _external(link: tuple[str, str], text: str) -> nodes.Node:
    title, target, explicit = _title_and_target(text)
    address, caption = link
    shown = title if explicit else caption.replace("%s", target) or address.replace("%s", target)
    return nodes.reference("", shown.replace("%%", "%"), refuri=address.replace("%s", quote(target, safe="/:#?&=%@+~")))


def _label(name: str, text: str) -> str:
    text = _ACCELERATOR.sub("", text)
    return re.sub(r"\s*-->\s*", " › ", text) if name == "menuselection" else text


def _code(name: str, text: str) -> str:
    code = nodes.unescape(text, restore_backslashes=name in ("code", "literal"))
    if name in ("file", "samp"):
        code = _BRACES.sub(lambda match: "" if len(match[0]) == 1 else match[0][1:], nodes.unescape(text, True))
    return code.removeprefix("!") if name == "command" else code
