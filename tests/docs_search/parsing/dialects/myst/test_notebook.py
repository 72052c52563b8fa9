import json

import pytest

from docs_search.documents import ParsedPage
from docs_search.parsing.dialects.myst.notebook import NotebookParser
from docs_search.parsing.registry import parser_for
from tests.parsing import parse_context


def notebook(*cells: dict[str, object], **metadata: object) -> bytes:
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}).encode()


def parse(data: bytes, path: str = "docs/lamps.ipynb") -> ParsedPage | None:
    return NotebookParser().parse(path, data, parse_context({path: data, "docs/oil.ipynb": b"{}"}))


def test_text_and_code_stand_in_order_without_output() -> None:
    page = parse(
        notebook(
            {"cell_type": "markdown", "source": ["# Lamps\n", "\n", "See [oil](oil.ipynb)."]},
            {"cell_type": "code", "source": "lamp.on()", "outputs": [{"data": {"text/plain": ["lit"]}}]},
            {"cell_type": "code", "source": "secret()", "metadata": {"tags": ["remove-input"]}},
            {"cell_type": "raw", "source": "raw"},
            {"cell_type": "markdown", "source": "## Off\n\n:::{note}\nHot.\n:::"},
            {"cell_type": "code", "source": ""},
            language_info={"name": "Julia"},
        )
    )
    assert page is not None
    assert (page.path, page.title, page.links) == ("docs/lamps", "Lamps", ("docs/oil",))
    assert page.markdown == (
        "# Lamps\n\nSee [oil](https://docs.example/v2.0/docs/oil).\n\n```julia\nlamp.on()\n```\n\n"
        "## Off\n\n> **Note:** Hot."
    )
    assert [section.anchor for section in page.sections] == [None, "off"]


def test_older_notebooks_have_headings_and_worksheets() -> None:
    cells = [{"cell_type": "heading", "level": 1, "source": "Lamps"}, {"cell_type": "code", "input": ["lamp.on()"]}]
    page = parse(json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3}).encode())
    assert page is not None
    assert page.markdown == "# Lamps\n\n```python\nlamp.on()\n```"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b'{"cells": 3}',
        b'{"cells": [1, {}, {"cell_type": "markdown", "source": 2}]}',
        b"[" * 9999,
    ],
)
def test_what_is_no_notebook_is_no_page(data: bytes) -> None:
    assert parse(data) is None


def test_notebooks_are_read_beside_markdown() -> None:
    files = {
        "docs/index.md": b"# Home\n\nText.",
        "docs/lamps.ipynb": notebook({"cell_type": "markdown", "source": "# Lamps\n\nText."}),
    }
    parser, _ = parser_for("auto", sorted(files), files.get)
    pages = [parser.parse(path, data, parse_context(files)) for path, data in files.items() if parser.is_page(path)]
    assert [(page.path, page.title) for page in pages if page] == [("index", "Home"), ("lamps", "Lamps")]
