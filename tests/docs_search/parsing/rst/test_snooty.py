from docs_search.parsing.rst.parser import RstParser
from docs_search.parsing.rst.snooty import read_constants, with_constants
from tests.parsing import parse_context

CONFIGURATION = (
    'name = "lamps"\n[constants]\nservice = "Lamp Cloud"\nfull = "{+service+} Pro"\n'
    '[substitutions]\noil = "whale oil"\n'
)


def markdown(text: str) -> str:
    """What is below the title of a page of a project with this text."""
    files = {
        "snooty.toml": CONFIGURATION.encode(),
        "source/lamp.txt": f"Lamps\n=====\n\n{text}".encode(),
        "source/includes/part.rst": b"Part of {+service+}.",
    }
    parser, context = RstParser(), parse_context(files)
    assert parser.parse("source/includes/part.rst", files["source/includes/part.rst"], context) is None
    page = parser.parse("source/lamp.txt", files["source/lamp.txt"], context)
    assert page is not None
    assert (page.path, page.warnings) == ("lamp", ())
    return page.markdown.removeprefix("# Lamps\n\n")


def test_constants_and_substitutions_are_those_of_the_configuration() -> None:
    assert markdown("With {+full+}, |oil| and {+other+}.\n\n.. include:: /includes/part.rst") == (
        "With Lamp Cloud Pro, whale oil and other.\n\nPart of Lamp Cloud."
    )
    assert read_constants(b"not toml [") == ({}, {})
    assert with_constants("{+a+} {+ b +}", {"a": "1"}) == "1 b"


def test_steps_tabs_and_cards_stand_below_their_titles() -> None:
    text = (
        ".. facet::\n   :name: x\n\n.. tabs::\n\n   .. tab:: Linux\n      :tabid: linux\n\n      .. procedure::\n\n"
        "         .. step:: Install it\n\n            Run it.\n\n.. card-group::\n   :columns: 2\n\n   .. card::\n"
        "      :headline: Go on\n\n      There.\n"
    )
    assert markdown(text) == "**Linux**\n\n**Install it**\n\nRun it.\n\n**Go on**\n\nThere."


def test_tabs_may_be_entries_in_yaml() -> None:
    text = (
        ".. tabs-drivers::\n\n   tabs:\n     - id: shell\n       content: |\n         .. code-block:: js\n\n"
        "            lamp.on()\n\n     - id: py\n       name: Python\n       content: |\n         Use *it*.\n"
    )
    assert markdown(text) == "**shell**\n\n```js\nlamp.on()\n```\n\n**Python**\n\nUse *it*."


def test_code_stands_above_its_output() -> None:
    text = (
        ".. io-code-block::\n   :copyable: true\n\n   .. input::\n      :language: sh\n\n      lamp on\n\n"
        "   .. output::\n      :language: json\n\n      {}\n"
    )
    assert markdown(text) == "```sh\nlamp on\n```\n\n```json\n{}\n```"
