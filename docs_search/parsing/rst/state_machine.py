"""reStructuredText to docutils' document tree, with our own roles and directives.

docutils looks roles and directives up in registries that the whole process shares. Here the two lookups are
overridden instead, so that no document changes how another one is read, and nothing changes for other users of
docutils. What docutils reads with recursion or in quadratic time is bounded.
"""

import re
from functools import cache
from types import SimpleNamespace
from typing import Any

from docutils import frontend, nodes, statemachine, utils
from docutils.parsers.rst import Parser, states
from docutils.statemachine import StringList
from docutils.transforms import references

from docs_search.parsing.rst.directive_block import DirectiveBlock, split_block
from docs_search.parsing.rst.directives import run_directive
from docs_search.parsing.rst.document_state import MAX_NESTING, DocumentState
from docs_search.parsing.rst.roles import role_nodes

MAX_LINE = 5_000  # characters; longer lines are broken
MAX_PARAGRAPH = 10_000  # characters; markup in longer ones is not read
MAX_WARNINGS = 20
TAB_WIDTH = 8

_WARNING = 2  # docutils' level
_TRANSFORMS = (
    references.AnonymousHyperlinks,
    references.IndirectHyperlinks,
    references.Footnotes,
    references.ExternalTargets,
    references.InternalTargets,
)
_LONG_LINE = re.compile(rf"(?P<indent>[ ]*)(?P<text>[^\n]{{{MAX_LINE},}})")


def read_document(text: str, state: DocumentState) -> nodes.document:
    """The tree of a document, its targets resolved. Faults are noted in `state`.

    Raises what docutils raises for input that it was not made for; the caller bounds the size.
    """
    document = utils.new_document(state.file, _settings())
    messages: list[nodes.system_message] = []
    document.reporter.attach_observer(messages.append)
    lines = StringList()
    for part, source in (
        (state.configuration.prolog, "conf.py"),
        (text, state.file),
        (state.configuration.epilog, "conf.py"),
    ):
        if part:
            lines.extend(StringList(source_lines(part, state), source=source))
            lines.extend(StringList([""], source=source))
    machine = states.RSTStateMachine(state_classes=_STATE_CLASSES, initial_state="Body")
    machine.run(lines, document, inliner=_Inliner(state))
    _attach_labels(document)
    document.transformer.add_transforms(_TRANSFORMS)
    document.transformer.apply_transforms()
    _note(messages, state)
    return document


def source_lines(text: str, state: DocumentState) -> list[str]:
    """The lines of a text as docutils wants them: no tabs, none too long."""
    if _LONG_LINE.search(text):
        state.warn(f"lines of more than {MAX_LINE} characters were broken")
        text = _LONG_LINE.sub(_broken, text)
    return statemachine.string2lines(text, tab_width=TAB_WIDTH, convert_whitespace=True)


def _broken(match: re.Match[str]) -> str:
    text, indent = match["text"], match["indent"][:80]
    lines: list[str] = []
    while len(text) > MAX_LINE:
        cut = text.rfind(" ", MAX_LINE // 2, MAX_LINE)
        cut = MAX_LINE if cut < 0 else cut
        lines.append(text[:cut])
        text = text[cut:].lstrip(" ")
    return "\n".join(indent + line for line in (*lines, text))


@cache
def _settings() -> Any:
    """Settings of every document: no files, no raw content, no output; ids as Sphinx makes them."""
    settings = frontend.get_default_settings(Parser())
    settings.file_insertion_enabled = False
    settings.raw_enabled = False
    settings.report_level = 5  # above all levels: messages are collected, and none is written
    settings.halt_level = 6
    settings.warning_stream = False
    settings.auto_id_prefix = "id"
    settings.tab_width = TAB_WIDTH
    return settings


class _Inliner(states.Inliner):
    """Reads inline markup with our roles, within bounds."""

    def __init__(self, state: DocumentState) -> None:
        super().__init__()
        self.document_state = state
        self._unclosed: set[re.Pattern[str]] = set()  # ends of markup that the rest of a text does not have

    def parse(
        self, text: str, lineno: int, memo: Any, parent: nodes.Element
    ) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The inline nodes of a text, and messages. docutils takes quadratic time for a long one."""
        if len(text) > MAX_PARAGRAPH:
            self.document_state.warn(f"markup in paragraphs of more than {MAX_PARAGRAPH} characters was not read")
            return [nodes.Text(text)], []
        self._unclosed.clear()
        return super().parse(text, lineno, memo, parent)

    def inline_obj(
        self, match: re.Match[str], lineno: int, end_pattern: re.Pattern[str], *args: Any, **kwargs: Any
    ) -> Any:
        """Markup up to its end. What was not found once is not sought again, nor told again."""
        end = match.end("start")
        if end_pattern in self._unclosed:
            return match.string[:end], [], match.string[end:], [], ""
        found = super().inline_obj(match, lineno, end_pattern, *args, **kwargs)
        self._note_unclosed(end_pattern, found)
        return found

    def interpreted_or_phrase_ref(self, match: re.Match[str], lineno: int) -> Any:
        """A role or the name of a link, in the same way."""
        end = match.end("backquote")
        if self.patterns.interpreted_or_phrase_ref in self._unclosed:
            return match.string[:end], [], match.string[end:], []
        found = super().interpreted_or_phrase_ref(match, lineno)
        self._note_unclosed(self.patterns.interpreted_or_phrase_ref, found)
        return found

    def _note_unclosed(self, end_pattern: re.Pattern[str], found: Any) -> None:
        _, _, remaining, messages, *_ = found
        if messages and end_pattern.search(remaining) is None:
            self._unclosed.add(end_pattern)

    def interpreted(
        self, rawsource: str, text: str, role: str, lineno: int
    ) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The nodes of a role; an unknown one keeps its text."""
        return role_nodes(role, text, self.document_state), []

    def implicit_inline(self, text: str, lineno: int) -> list[Any]:
        """Addresses that stand in the text by themselves. (docutils' own method calls itself for each.)"""
        found: list[Any] = []
        end = 0
        for match in self.patterns.uri.finditer(text) if ":" in text or "@" in text else ():
            try:
                reference = self.standalone_uri(match, lineno)
            except states.MarkupMismatch:
                continue
            found += [nodes.Text(text[end : match.start()])] if match.start() > end else []
            found += reference
            end = match.end()
        return [*found, nodes.Text(text[end:])] if end < len(text) else found


_DISPATCH: dict[str, Any] = {"`": _Inliner.interpreted_or_phrase_ref}
_Inliner.dispatch = states.Inliner.dispatch | _DISPATCH
for _name, _value in vars(states.Inliner).items():
    if isinstance(_value, str) and not _name.startswith("__"):
        setattr(_Inliner, _name, _value)  # docutils builds its expressions from what the class itself holds


class _State(states.RSTState):
    """What all our states share. Mixed in before docutils' own class of the same name."""

    state_machine: Any
    inliner: _Inliner
    nested_sm_cache: list[Any] = []  # not docutils' own: its machines have other states

    def __init__(self, state_machine: Any, debug: bool = False) -> None:
        super().__init__(state_machine, debug)
        self.nested_sm_kwargs = {"state_classes": _STATE_CLASSES, "initial_state": "Body"}

    def nested_parse(self, block: StringList, input_offset: int, node: Any = None, *args: Any, **kwargs: Any) -> Any:
        """Parse a block inside another one. Below `MAX_NESTING` its lines are one paragraph."""
        state = self.inliner.document_state
        if state.nesting >= MAX_NESTING:
            state.warn(f"what is nested deeper than {MAX_NESTING} levels is kept as plain text")
            text = " ".join(line.strip() for line in block)
            (self.parent if node is None else node).append(nodes.paragraph(text, text))
            return input_offset + len(block)
        state.nesting += 1
        try:
            return super().nested_parse(block, input_offset, node, *args, **kwargs)
        finally:
            state.nesting -= 1


class _DirectiveState(_State):
    """A state in which directives may stand."""

    def directive(self, match: re.Match[str], **presets: Any) -> tuple[list[nodes.Node], bool]:
        """The nodes of a directive, and whether a blank line follows."""
        machine = self.state_machine
        lineno = machine.abs_line_number()
        lines, _, offset, blank_finish = machine.get_first_known_indented(match.end(), strip_top=0)
        arguments, options, content, content_offset = split_block(lines, offset)
        block = DirectiveBlock(
            name=match.group(1).lower(),
            argument=arguments,
            options={**presets, **options},
            content=content,
            lines=lines,
            lineno=lineno,
            content_offset=content_offset,
            state=self,
            document=self.inliner.document_state,
        )
        return run_directive(block), blank_finish or machine.is_next_line_blank()


class _TextState(_State):
    """The second line of a text."""

    def underline(self, match: Any, context: list[str], next_state: Any) -> Any:
        """A title. Where no section can begin (in a list, in a note) it becomes a bold line."""
        title, line = context[0].rstrip(), match.string.rstrip()
        if self.state_machine.match_titles or len(line) < min(4, len(title)):
            return super().underline(match, context, next_state)  # type: ignore[misc]
        children, messages = self.inline_text(title, self.state_machine.abs_line_number() - 1)
        self.parent += [nodes.rubric(title, "", *children), *messages]
        context[:] = []
        return [], next_state, []

    def literal_block(self) -> list[nodes.Node]:
        """Code after `::`, in the language of the code before."""
        found: list[nodes.Node] = super().literal_block()  # type: ignore[misc]
        for node in found:
            if isinstance(node, nodes.literal_block):
                node["language"] = self.inliner.document_state.language
        return found


def _directive(state: _DirectiveState, match: re.Match[str]) -> tuple[list[nodes.Node], bool]:
    return state.directive(match)


def _ours(state_class: type[states.RSTState]) -> type[states.RSTState]:
    """docutils' state of this name with what we override. States are found by their names."""
    members: dict[str, Any] = {}
    mixin = _State
    if issubclass(state_class, states.Body):
        mixin = _DirectiveState
        members["explicit"] = _EXPLICIT
    elif state_class is states.Text:
        mixin = _TextState
    return type(state_class.__name__, (mixin, state_class), members)


_EXPLICIT = SimpleNamespace(
    patterns=states.Body.explicit.patterns,
    constructs=[
        (_directive if method is states.Body.directive else method, pattern)
        for method, pattern in states.Body.explicit.constructs
    ],
)
_STATE_CLASSES = tuple(map(_ours, states.state_classes))


def _attach_labels(document: nodes.document) -> None:
    """Give the ids of labels to what they stand before. (docutils' own transform takes quadratic time for many.)"""
    waiting: list[nodes.target] = []
    for node in document.findall(nodes.Element):
        if isinstance(node, nodes.target):
            is_label = not any(node.hasattr(name) for name in ("refuri", "refid", "refname"))
            if is_label and not isinstance(node.parent, nodes.TextElement):
                waiting.append(node)
        elif waiting and not isinstance(node, nodes.Invisible | nodes.system_message):
            for target in waiting if not isinstance(node, nodes.Targetable) else ():  # a footnote has one id
                for identifier in target["ids"]:
                    document.ids[identifier] = node
                    node["ids"].append(identifier)
            waiting = []


def _note(messages: list[nodes.system_message], state: DocumentState) -> None:
    faults: dict[str, None] = {}
    for message in messages:
        if message["level"] >= _WARNING and len(message):
            words = " ".join(message[0].astext().split())[:200]
            source, line = message.get("source"), message.get("line")
            place = f"line {line}" if source == state.file else f"line {line} of {str(source).split(chr(10))[-1]}"
            faults[f"{place}: {words}" if line else words] = None
    for fault in list(faults)[:MAX_WARNINGS]:
        state.warn(fault)
    if len(faults) > MAX_WARNINGS:
        state.warn(f"{len(faults) - MAX_WARNINGS} more faults of markup")
