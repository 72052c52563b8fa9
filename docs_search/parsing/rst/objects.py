"""Descriptions of objects: functions, classes, settings, options, environment variables, template tags, and so on."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from docutils import nodes

from docs_search.documents import Kind
from docs_search.parsing.rst.directive_block import DirectiveBlock
from docs_search.parsing.rst.document_state import DocumentState
from docs_search.parsing.rst.elements import Described

_CALLABLES = frozenset(
    "abstractmethod awaitablefunction awaitablemethod classmethod coroutinefunction coroutinemethod decorator "
    "decoratormethod function macro method staticmethod".split()
)
_CLASSES = frozenset("class enum exception interface struct union".split())
_PYTHON_ONLY = frozenset({"attribute", "data", "property"})  # in the words of no other domain
_OPTIONS = frozenset({"cmdoption", "django-admin-option", "option"})
_MARKS = frozenset({"fieldlookup", "setting", "templatefilter", "templatetag"})
"""Types that only mark a place: Sphinx names their anchors after the domain, too."""

_STANDARD = _OPTIONS | _MARKS | {"confval", "describe", "django-admin", "envvar", "event", "object", "signal"}
_METHODS = frozenset("any delete get head options patch post put trace".split())  # of HTTP
_KINDS = {
    **dict.fromkeys(_CALLABLES | {"class", "fieldlookup", "templatefilter", "templatetag"}, Kind.FUNCTION),
    **dict.fromkeys(_OPTIONS | {"confval", "config", "envvar", "setting", "var"}, Kind.SETTING),
    **dict.fromkeys(("command", "django-admin"), Kind.COMMAND),
    **dict.fromkeys(("error", "exception"), Kind.ERROR),
}
_LANGUAGES = {"py": "python", "c": "c", "cpp": "cpp", "js": "javascript", "rb": "ruby", "php": "php", "http": "http"}
_DOMAINS_WITHOUT_ANCHORS = frozenset({"cpp", "http"})
_PREFIXES = {name: f"{name} " for name in ("class", "exception", "classmethod", "staticmethod", "property")}
_PREFIXES |= {"decorator": "@", "decoratormethod": "@"}
_UNLINKED = frozenset({"no-index", "noindex"})  # options of what is described elsewhere, too
_SHOWN_OPTIONS = {"type": "Type", "default": "Default", "required": "Required"}

_PYTHON_NAME = re.compile(r"(?:(?:async|abstract|class|classmethod|static|staticmethod|def)\s+)*@?([\w.]+)")
_CALLED_NAME = re.compile(r"([\w.:~$]+)\s*(?:[(<\[;{=]|\Z)")
_OPTION = re.compile(r"((?:-{1,2}|/|\+)?[^\s=\[<,]+)")
_DIGRAPHS = str.maketrans({"ß": "sz", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ł": "l", "ı": "i"})
MAX_HEADING = 100  # characters


@dataclass(frozen=True, slots=True)
class ObjectType:
    """What a directive describes: the type without its domain (`function`), and the domain (`py`, `std`)."""

    name: str
    domain: str


def object_type(directive: str, state: DocumentState) -> ObjectType | None:
    """What a directive of this name describes; None where it is no description."""
    domain, _, name = directive.rpartition(":")
    if domain:
        return ObjectType(name, domain.partition(":")[0])
    if name in _STANDARD:
        return ObjectType(name, "std")
    if name == "class" and not state.is_sphinx:  # docutils' own directive of that name is about style
        return None
    if name in _CALLABLES | _CLASSES:
        return ObjectType(name, state.configuration.primary_domain or "py")
    return ObjectType(name, "py") if name in _PYTHON_ONLY else None


def kind_of(described: Described) -> Kind:
    """What a described object is to a reader."""
    if described["domain"] == "http" and described["objtype"] in _METHODS:
        return Kind.API
    return _KINDS.get(described["objtype"], Kind.SECTION)


def described(block: DirectiveBlock, of: ObjectType) -> list[nodes.Node]:
    """The description of an object with its signatures, and what it says about them."""
    signatures = [line.strip() for line in block.argument.replace("\\\n", " ").split("\n") if line.strip()]
    if not signatures:
        return block.replace_by(block.content, block.source)
    state = block.document
    names = [name for signature in signatures for name in _names(signature, of, state)]
    anchor = None if _UNLINKED & set(block.options) else _anchor(of, names, state)
    anchor = None if anchor in state.described else anchor
    state.described |= {anchor} if anchor else set()
    if of.name == "django-admin" and names:
        state.program = names[0]
    prefix = {"py": _PREFIXES.get(of.name, ""), "http": f"{of.name.upper()} "}.get(of.domain, "")
    shown = [prefix + signature for signature in signatures]
    node = Described(
        objtype=of.name,
        domain=of.domain,
        signatures=shown,
        label=_label(names, signatures, of),
        object_names=_all_names(names, signatures, of, state),
        anchor=anchor,
        language=_LANGUAGES.get(of.domain, ""),
    )
    node += _facts(block)
    if len(block.content):
        is_class = of.domain in ("py", "js") and of.name in _CLASSES and names
        state.objects += names[:1] if is_class else []
        block.parse(block.content, node)
        del state.objects[len(state.objects) - bool(is_class) :]
    return [node]


def automatic(block: DirectiveBlock) -> list[nodes.Node]:
    """What is generated from code that nobody runs here: its name, and what is written beside it."""
    words = block.argument.split()
    return [nodes.paragraph("", "", nodes.literal("", words[0]))] * bool(words) + block.replace_by(
        block.content, block.source
    )


def _names(signature: str, of: ObjectType, state: DocumentState) -> list[str]:
    """The names that a signature describes, as the page spells them; of methods with their class."""
    if of.name in _OPTIONS:
        return [match[1] for part in signature.split(", ") if (match := _OPTION.match(part.strip()))]
    if of.domain == "py":
        match = _PYTHON_NAME.match(signature)
        name = match[1] if match else signature
        around = state.objects[-1] if state.objects else ""
        return [f"{around}.{name}" if around and not name.startswith(f"{around}.") else name]
    if of.domain in ("c", "cpp", "js", "php", "rb"):
        match = _CALLED_NAME.search(signature)
        return [match[1] if match else signature.rsplit(" ", 1)[-1]]
    if of.name == "django-admin":
        return signature.split(maxsplit=1)[:1]
    return [" ".join(signature.split())]


def _all_names(names: Sequence[str], signatures: Sequence[str], of: ObjectType, state: DocumentState) -> list[str]:
    if of.domain == "http":
        paths = [signature.split()[0] for signature in signatures]
        return list(dict.fromkeys(name for path in paths for name in (f"{of.name.upper()} {path}", path)))
    if of.name in ("describe", "object") or any(len(name) > MAX_HEADING for name in names):
        return []
    full = [f"{state.module}.{name}" for name in names if of.domain == "py" and state.module]
    return list(dict.fromkeys([*names, *full]))


def _label(names: Sequence[str], signatures: Sequence[str], of: ObjectType) -> str:
    """The heading of a description: a call with its parentheses, anything else as it is written where that is short."""
    if of.domain == "http":
        return f"{of.name.upper()} {signatures[0].split()[0]}"
    if of.domain == "std" and of.name != "django-admin":
        words = [" ".join(signature.split()) for signature in signatures]
        label = ", ".join(words)
        return label if len(label) <= MAX_HEADING else ", ".join(names)[:MAX_HEADING]
    call = "()" if of.name in _CALLABLES and not of.name.startswith("decorator") else ""
    return ", ".join(dict.fromkeys(f"{name}{call}" for name in names))[:MAX_HEADING]


def _anchor(of: ObjectType, names: Sequence[str], state: DocumentState) -> str | None:
    """The id that Sphinx publishes for the first name; None where it cannot be told."""
    if not names or of.domain in _DOMAINS_WITHOUT_ANCHORS or of.name in ("describe", "object"):
        return None
    if of.name in _OPTIONS:
        program = "-".join(state.program.split())
        argument = "" if names[0].startswith(("-", "/")) else "-arg"
        return node_id("-".join(filter(None, ("cmdoption", program))) + argument + "-" + names[0])
    if of.domain == "py":
        return f"{state.module}.{names[0]}" if state.module else names[0]
    if of.domain == "c":
        return node_id(f"c.{names[0]}")
    if of.domain == "js":
        return node_id(names[0])
    prefix = f"std-{of.name}" if of.name in _MARKS else of.name
    return node_id(f"{prefix}-{names[0]}")


def node_id(text: str) -> str | None:
    """An id as Sphinx makes it for anything but titles: letters keep their case, points and underscores stay."""
    ascii_text = unicodedata.normalize("NFKD", text.translate(_DIGRAPHS)).encode("ascii", "ignore").decode()
    identifier = re.sub(r"[^a-zA-Z0-9._]+", "-", " ".join(ascii_text.split()))
    return re.sub(r"\A[-0-9._]+|-+\Z", "", identifier) or None


def _facts(block: DirectiveBlock) -> list[nodes.Node]:
    """The options of a description that Sphinx shows: type and default."""
    fields = [
        nodes.field("", nodes.field_name("", label), nodes.field_body("", nodes.paragraph("", "", *block.inline(text))))
        for option, label in _SHOWN_OPTIONS.items()
        if (text := block.options.get(option))
    ]
    return [nodes.field_list("", *fields)] if fields else []


Handler = Callable[[DirectiveBlock], list[nodes.Node]]
