"""The documents are contracts: what they describe exists, and what exists is described."""

import ast
import re
import shlex
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from django.core.management import get_commands, load_command_class
from django.core.management.base import BaseCommand, CommandParser
from django.test import Client
from markdown_it import MarkdownIt
from markdown_it.token import Token

from docs_search.corpora import KEYS, REQUIRED, CorpusDeclaration, parse_corpora
from docs_search.errors import DocentError
from docs_search.parsing.markdown.front_matter import split_front_matter
from docs_search.parsing.registry import PARSER_NAMES
from docs_search.parsing.text.slugs import Slugger
from docs_search.versions import SCHEMES

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
PAGES = sorted([ROOT / "README.md", *DOCS.glob("*.md")])
APPS = ("config", "docs_search", "answers", "skills", "feedback")
MARKDOWN = MarkdownIt("commonmark").enable("table")
DJANGO_OPTIONS = [
    (action.option_strings, type(action)) for action in BaseCommand().create_parser("manage.py", "any")._actions
]


@dataclass(frozen=True)
class Heading:
    """A heading of a page, and the text below it down to the next one of the same or a higher level."""

    level: int
    text: str
    body: str

    @property
    def code(self) -> str:
        """What a heading that is nothing but code names; blank for other headings."""
        match = re.fullmatch(r"`([^`]+)`", self.text)
        return match[1] if match else ""


@cache
def page_text(page: Path) -> str:
    """A page without its front matter."""
    return split_front_matter(page.read_text())[1]


@cache
def page_tokens(page: Path) -> list[Token]:
    return MARKDOWN.parse(page_text(page))


@cache
def page_headings(page: Path) -> list[Heading]:
    lines = page_text(page).splitlines()
    found = [
        (int(token.tag[1]), page_tokens(page)[index + 1].content, token.map)
        for index, token in enumerate(page_tokens(page))
        if token.type == "heading_open" and token.map
    ]
    headings = []
    for position, (level, text, place) in enumerate(found):
        end = next((other[2][0] for other in found[position + 1 :] if other[0] <= level), len(lines))
        headings.append(Heading(level, text, "\n".join(lines[place[1] : end])))
    return headings


def described(page: str) -> dict[str, str]:
    """The bodies of a page's headings that are nothing but code, by that code."""
    return {heading.code: heading.body for heading in page_headings(DOCS / page) if heading.code}


# --- Settings -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Setting:
    """An environment variable as the source reads it. `default` is what an operator would write, blank for none."""

    default: str
    choices: tuple[str, ...] = ()


def environment_reads(source: str) -> Iterator[tuple[str, Setting]]:
    """Every `env.reader("NAME", default, …)` in Python source."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="env"), attr=reader),
                args=[ast.Constant(value=str(name)), *arguments],
            ):
                choices = ast.literal_eval(arguments[1]) if reader == "choice" else ()
                yield name, Setting(_written(arguments[0]) if arguments else "", tuple(choices))


def _written(default: ast.expr) -> str:
    match default:
        case ast.Constant(value=bool(value)):
            return str(int(value))
        case ast.Constant(value=float(value)):
            return f"{value:g}"
        case ast.Constant(value=value):
            return str(value)
        case ast.JoinedStr(values=parts):
            return "".join(_written(part) for part in parts)
        case ast.FormattedValue(value=ast.Call(func=ast.Attribute(value=ast.Name(id="env")), args=[_, other])):
            return _written(other)  # the default of another variable
        case ast.List(elts=elements):
            return ",".join(_written(element) for element in elements)
        case ast.Call(func=ast.Name(id="str"), args=[ast.BinOp(op=ast.Div(), right=ast.Constant(value=str(name)))]):
            return name  # a path below the checkout
    raise AssertionError(f"a default that no document can state: {ast.dump(default)}")


@cache
def settings_in_source() -> dict[str, Setting]:
    sources = [path for app in APPS for path in (ROOT / app).rglob("*.py")]
    return {name: setting for path in sources for name, setting in environment_reads(path.read_text())}


def test_every_environment_variable_is_described_and_none_that_does_not_exist() -> None:
    assert set(described("settings.md")) == set(settings_in_source())


@pytest.mark.parametrize("name", sorted(settings_in_source()))
def test_a_setting_is_described_with_its_default_and_an_example(name: str) -> None:
    body = described("settings.md")[name]
    setting = settings_in_source()[name]
    written = re.search(r"^Default: (?:`([^`]*)`|none)", body, re.MULTILINE)
    assert written is not None
    assert (written[1] or "") == setting.default
    assert f"\nExample: `{name}=" in body
    assert [choice for choice in setting.choices if f"`{choice}`" not in body] == []


# --- Commands -------------------------------------------------------------------------------------------------------


def own_commands() -> list[str]:
    return sorted(name for name, app in get_commands().items() if isinstance(app, str) and app in APPS)


def command_parser(name: str) -> CommandParser:
    app = get_commands()[name]
    command = app if isinstance(app, BaseCommand) else load_command_class(app, name)
    return command.create_parser("manage.py", name)


def command_arguments(name: str) -> tuple[set[str], set[str]]:
    """The options of a command of ours, beyond those that all of Django's commands have, and its arguments."""
    actions = [
        action
        for action in command_parser(name)._actions
        if (action.option_strings, type(action)) not in DJANGO_OPTIONS
    ]
    options = {option for action in actions for option in action.option_strings}
    return options, {action.dest.upper() for action in actions if not action.option_strings}


def test_every_command_is_described_and_none_that_does_not_exist() -> None:
    assert [name for name in described("commands.md") if not name.startswith("-")] == own_commands()


@pytest.mark.parametrize("name", own_commands())
def test_a_command_is_described_with_its_arguments_and_options(name: str) -> None:
    options, arguments = command_arguments(name)
    body = described("commands.md")[name]
    items = re.findall(r"^- `([^`]+)`", body, re.MULTILINE)
    assert {item.split()[0] for item in items if item.startswith("-")} == options
    assert {item for item in items if not item.startswith("-")} == arguments


# --- HTTP API -------------------------------------------------------------------------------------------------------


@cache
def operations() -> dict[str, Mapping[str, Any]]:
    """The operations of the OpenAPI document by what the manual calls them: `GET /v1/search`."""
    document = Client().get("/v1/openapi.json").json()
    return {
        f"{method.upper()} {path}": operation
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    }


def test_every_operation_of_the_api_is_described_and_none_that_does_not_exist() -> None:
    assert set(described("http-api.md")) == set(operations())


def test_operations_are_described_with_their_parameters() -> None:
    rows = {
        name: set(re.findall(r"^\| `([^`]+)` \| [^|]+ \|$", body.split("The response", 1)[0], re.MULTILINE))
        for name, body in described("http-api.md").items()
    }
    assert rows == {
        name: {parameter["name"] for parameter in operation.get("parameters", []) if parameter["in"] != "header"}
        for name, operation in operations().items()
    }


def test_every_field_of_a_response_is_named() -> None:
    document = Client().get("/v1/openapi.json").json()
    text = page_text(DOCS / "http-api.md")
    fields = {name for schema in document["components"]["schemas"].values() for name in schema.get("properties", {})}
    assert [name for name in sorted(fields) if f"`{name}`" not in text] == []


def test_every_error_code_is_described() -> None:
    def codes(error: type[DocentError]) -> Iterator[str]:
        yield error.code
        for kind in error.__subclasses__():
            yield from codes(kind)

    errors = next(heading.body for heading in page_headings(DOCS / "http-api.md") if heading.text == "Errors")
    assert [code for code in sorted(set(codes(DocentError))) if f"`{code}`" not in errors] == []


# --- corpora.toml ---------------------------------------------------------------------------------------------------


def test_every_key_of_a_corpus_is_described_and_none_that_does_not_exist() -> None:
    assert set(described("corpora.md")) == set(KEYS)


@pytest.mark.parametrize("key", KEYS)
def test_a_key_is_described_with_its_default(key: str) -> None:
    default = CorpusDeclaration(slug="a", title="A", url="https://a/{path}")
    body = described("corpora.md")[key].strip()
    if key in REQUIRED:
        assert body.startswith("Required. ")
    else:
        assert body.startswith(f"Default: `{value}`. " if (value := getattr(default, key)) else "Default: none")


def test_schemes_parsers_and_shipped_corpora_are_described() -> None:
    text = page_text(DOCS / "corpora.md")
    assert [name for name in SCHEMES if f"`{name}`" not in text] == []
    formats = re.findall(r"^\| `(\w+)` \|", page_text(DOCS / "formats.md"), re.MULTILINE)
    assert sorted(formats) == sorted(PARSER_NAMES)
    start = next(heading.body for heading in page_headings(DOCS / "corpora.md") if "from the start" in heading.text)
    described_corpora = set(re.findall(r"^\| `(\w+)` \|", start, re.MULTILINE))
    assert described_corpora == {"docent", "metabase", "postgres", "postgis", "tiger"}
    # The owner of the checkout may have declared more.
    assert described_corpora <= tomllib.loads((ROOT / "corpora.toml").read_text()).keys()


def test_spellings_of_versions_are_understood_as_described() -> None:
    rows = re.findall(
        r"^\| `([^`]+)` \| `([^`]+)`[^|]*\| ([^|]+) \|$", described("corpora.md")["version_scheme"], re.MULTILINE
    )
    assert {scheme for scheme, _, _ in rows} == {name for name, scheme in SCHEMES.items() if scheme.versioned}
    for scheme, name, spellings in rows:
        for spelling in re.findall(r"`([^`]+)`", spellings):
            release = SCHEMES[scheme].parse(spelling)
            assert release is not None, spelling
            assert release.name == name


# --- Examples -------------------------------------------------------------------------------------------------------


def code_blocks(language: str) -> list[str]:
    return [
        token.content
        for page in PAGES
        for token in page_tokens(page)
        if token.type == "fence" and token.info == language
    ]


def test_examples_of_corpora_are_valid_declarations() -> None:
    examples = [block for block in code_blocks("toml") if re.search(r"^title =", block, re.MULTILINE)]
    assert examples
    for example in examples:
        assert parse_corpora(example)


def test_commands_in_examples_exist_with_their_options() -> None:
    lines = [line for block in code_blocks("sh") for line in block.splitlines() if " manage.py " in line]
    assert lines
    for line in lines:
        name, *arguments = shlex.split(line, comments=True)[2:]
        assert name in get_commands(), line
        if "[" not in line:  # a synopsis, not an example
            command_parser(name).parse_args(arguments)


def test_messages_in_troubleshooting_are_those_of_the_program() -> None:
    sources = [path.read_text() for app in APPS for path in (ROOT / app).rglob("*.py")]
    texts = [node.value for source in sources for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)]
    program = "\n".join(text for text in texts if isinstance(text, str)) + (ROOT / "Makefile").read_text()
    headings = page_headings(DOCS / "troubleshooting.md")
    start, end = (next(i for i, one in enumerate(headings) if one.text == name) for name in ("Starting", "Searching"))
    messages = [heading.text for heading in headings[start:end] if heading.level == 3]
    parts = [part.strip() for message in messages for part in message.split("…")]
    assert [part for part in parts if part not in program] == []


# --- Links and form -------------------------------------------------------------------------------------------------


def page_links(page: Path) -> list[str]:
    return [
        str(child.attrs["href"])
        for token in page_tokens(page)
        for child in token.children or []
        if child.type == "link_open"
    ]


def page_anchors(page: Path) -> set[str]:
    slugger = Slugger()
    return {slugger.slug(heading.text.replace("`", "")) for heading in page_headings(page)}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_and_anchors_lead_somewhere(page: Path) -> None:
    broken = []
    for link in page_links(page):
        parts = urlsplit(link)
        if parts.scheme:
            continue
        target = page.parent / unquote(parts.path) if parts.path else page
        if not target.exists() or (parts.fragment and parts.fragment not in page_anchors(target)):
            broken.append(link)
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_of_the_project_that_a_page_names_exist(page: Path) -> None:
    inside = DOCS / "architecture.md"
    names = re.findall(r"`((?:docs_search|tests|config)/[\w/.]+)`", page_text(page))
    names += [f"docs_search/{name}" for name in re.findall(r"`(\w+\.py)`", page_text(page)) if page == inside]
    assert [name for name in names if not (ROOT / name).exists()] == []


def test_every_page_is_reached_from_the_index() -> None:
    linked = {link.partition("#")[0] for link in page_links(DOCS / "index.md")}
    assert linked >= {page.name for page in DOCS.glob("*.md")} - {"index.md"}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_has_one_title_and_lines_of_a_readable_length(page: Path) -> None:
    assert [heading.level for heading in page_headings(page)].count(1) == 1
    assert page_headings(page)[0].level == 1
    fenced = {line for token in page_tokens(page) if token.type == "fence" and token.map for line in range(*token.map)}
    lines = enumerate(page_text(page).splitlines())
    long = [line for number, line in lines if len(line) > 120 and number not in fenced and not line.startswith("|")]
    assert long == []


def test_the_readme_stays_under_two_screens_and_names_the_two_commands() -> None:
    text = (ROOT / "README.md").read_text()
    assert len(text.splitlines()) < 70
    assert "\nmake run\n" in text
    assert "\nmake test\n" in text
