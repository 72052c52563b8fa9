"""reStructuredText documents to pages and their sections; what is wrong with them."""

import re
import time

import pytest
from docutils.parsers.rst import directives, roles
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.documents import Kind, ParsedPage, join_blocks
from docs_search.parsing.rst.parser import MAX_LINES, RstParser
from tests.parsing import parse_context
from tests.rst import rst_page, rst_pages

RESIDUE = re.compile(r":[a-z][\w:+-]*:`|^\s*\.\. \S|``|\|\w+\||^(?:=+|-+|~+)$|`_\b|::$", re.MULTILINE)
"""What only the source should have."""


def _outline(page: ParsedPage) -> list[tuple[int, str, str | None]]:
    return [(section.level, section.heading, section.anchor) for section in page.sections]


# Pages


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("index.rst", True),
        ("ref/settings.rst", True),
        ("guide.rest", True),
        ("ref/settings.txt", True),
        ("_build/html/index.rst", False),
        ("_templates/page.rst", False),
        (".github/CONTRIBUTING.rst", False),
        ("links.inc", False),
        ("links.rst.inc", False),
        ("links.inc.rst", False),
        ("LICENSE.rst", False),
        ("requirements.txt", False),
        ("index.md", False),
    ],
)
def test_documents_are_pages_unless_they_are_parts_or_licences(path: str, expected: bool) -> None:
    assert RstParser().is_page(path) is expected


def test_a_folders_index_has_the_folders_path() -> None:
    files = dict.fromkeys(
        ("index.rst", "ref/index.rst", "ref/a.rst", "b.rst", "b/index.rst"), "Title\n=====\n\nText.\n"
    )
    assert {path: page.path for path, page in rst_pages(files).items()} == {
        "index.rst": "index",
        "ref/index.rst": "ref",
        "ref/a.rst": "ref/a",
        "b.rst": "b",
        "b/index.rst": "b/index",
    }


def test_a_site_that_publishes_html_files_has_its_indexes_under_their_names() -> None:
    pages = rst_pages({"ref/index.rst": "Title\n=====\n\nText.\n"}, url="https://docs.example/{version}/{path}.html")
    assert [page.path for page in pages.values()] == ["ref/index"]


def test_the_folder_of_the_configuration_is_the_root() -> None:
    text = "Title\n=====\n\nText, see :doc:`/ref/a`.\n"
    pages = rst_pages({"docs/conf.py": "", "docs/index.rst": text, "docs/ref/a.rst": text, "README.rst": text})
    assert {path: (page.path, page.section, page.links) for path, page in pages.items()} == {
        "docs/index.rst": ("index", None, ("ref/a",)),
        "docs/ref/a.rst": ("ref/a", "ref", ()),
    }


def test_documents_that_the_configuration_excludes_are_no_pages() -> None:
    text = "Title\n=====\n\nText.\n"
    paths = ("index.rst", "drafts/a.rst", "old/b.rst", "includes/x/c.rst", "includes/d.rst")
    conf = 'exclude_patterns = ["drafts", "old/*.rst", "includes/**"]'
    assert list(rst_pages({"conf.py": conf, **dict.fromkeys(paths, text)})) == ["index.rst"]


def test_text_files_are_documents_where_the_index_is_one() -> None:
    files = {"index.txt": "Title\n=====\n\nText.\n", "words.txt": "pond\nshore\n", "conf.py": ""}
    assert list(rst_pages(files)) == ["index.txt"]
    assert list(rst_pages({"notes.txt": "Title\n=====\n\nText.\n"})) == []
    assert list(rst_pages({"conf.py": "source_suffix = '.txt'", "index.rst": "x", "a.txt": "A\n=\n\nSand.\n"})) == [
        "a.txt"
    ]


def test_a_page_has_the_first_title_and_without_one_the_name_of_the_file() -> None:
    assert rst_page("Text.\n").title == "Pond"
    assert rst_page("=======\n A ``b``\n=======\n\nText.\n").title == "A b"


def test_a_page_without_content_is_none() -> None:
    assert rst_pages({"pond.rst": "Pond\n====\n\n.. toctree::\n\n   shore\n"}) == {}


def test_metadata_is_no_content_but_a_description_is_the_summary() -> None:
    page = rst_page(
        ":orphan:\n:author: Me\n\nPond\n====\n\n.. meta::\n   :description lang=en: All\n      of it.\n\nText.\n"
    )
    assert (page.summary, page.markdown) == ("All of it.", "# Pond\n\nText.")


# Sections


def test_sections_have_the_ids_of_docutils_and_sphinx() -> None:
    page = rst_page(
        """
        Pond
        ====

        .. _deep:
        .. _deeper:

        The *depth*
        -----------

        Text.

        Notes
        ^^^^^

        Text.

        Shore
        -----

        Notes
        ^^^^^

        Text.

        .. _zoom:

        Zoom
        ----

        Text.
        """
    )
    assert _outline(page) == [
        (1, "Pond", None),
        (2, "The depth", "the-depth"),
        (3, "Notes", "notes"),
        (2, "Shore", "shore"),
        (3, "Notes", "id1"),
        (2, "Zoom", "zoom"),
    ]


def test_titles_beside_the_first_one_are_its_sections() -> None:
    page = rst_page("Pond\n====\n\nA.\n\nDepth\n-----\n\nB.\n\nShore\n=====\n\nC.\n\nSand\n----\n\nD.\n")
    assert _outline(page) == [(1, "Pond", None), (2, "Depth", "depth"), (2, "Shore", "shore"), (3, "Sand", "sand")]


def test_what_headings_name_is_classified_as_everywhere() -> None:
    section = rst_page("Settings\n========\n\n``POND_DEPTH``\n--------------\n\nText.\n").sections[1]
    assert (section.kind, section.own, section.names) == (Kind.SETTING, True, ("POND_DEPTH",))


def test_titles_inside_of_blocks_are_bold() -> None:
    page = rst_page("Pond\n====\n\n.. note::\n\n   Depth\n   -----\n\n   Text.\n")
    assert page.markdown == "# Pond\n\n> **Note:** **Depth**\n>\n> Text."


# Faults


def test_faults_of_markup_are_warnings_with_their_line() -> None:
    page = rst_page("Pond\n====\n\nA *b\n\n- c\nd\n")
    assert page.markdown == "# Pond\n\nA \\*b\n\n- c\n\nd"
    assert page.warnings == (
        "line 4: Inline emphasis start-string without end-string.",
        "line 7: Bullet list ends without a blank line; unexpected unindent.",
    )


def test_a_title_whose_lines_are_too_short_is_told_once() -> None:
    page = rst_page("Pond\n====\n\nText.\n\nA long title\n-----\n\nMore.\n")
    assert page.markdown == "# Pond\n\nText.\n\n## A long title\n\nMore."
    assert page.warnings == ("line 7: Title underline too short.",)


def test_unknown_roles_and_directives_are_no_faults() -> None:
    assert rst_page("Pond\n====\n\n.. x-y:: z\n\n:a:b:`c`\n").warnings == ()


def test_bytes_that_are_no_utf_8_are_read_with_a_warning() -> None:
    page = RstParser().parse("a.rst", b"A\n=\n\nh\xe9\n", parse_context({"a.rst": b""}))
    assert page is not None
    assert (page.markdown, page.warnings) == ("# A\n\nhé", ("not valid UTF-8 at byte 6",))


def test_a_document_that_docutils_cannot_bear_is_read_as_plain_text() -> None:
    page = rst_page("Pond\n====\n\n*Text*.\n\n" + "x\n" * MAX_LINES)
    assert page.title == "Pond"
    assert join_blocks(page.sections[0].blocks).startswith("Pond\n\n\\*Text\\*.\n\nx x x")
    assert page.warnings == ("is longer than 1500000 characters or 30000 lines, and was read as plain text",)


@pytest.mark.parametrize(
    "text",
    [
        "".join("  " * depth + "- a\n\n" for depth in range(200)),
        "".join("   " * depth + ".. note::\n\n" for depth in range(200)) + "   " * 200 + "x",
        "".join(" " * depth + "a\n\n" for depth in range(300)),
        "x" * 1_000_000,
        "*a " * 100_000,
        ("`a b " * 1500 + "\n\n") * 20,
        "".join(f".. _t{number}:\n" for number in range(10_000)) + "\nText.\n",
        "".join(f".. _t{number}: t{number + 1}_\n" for number in range(5_000)) + "\nt0_\n",
        "".join(f".. |a{n}| replace:: |a{n + 1}| |a{n + 1}| |a{n + 1}|\n" for n in range(30)) + "\nText |a0|\n",
        "[*]_\n\n.. [*] x\n\n" * 500,
        "+--" * 500 + "+\n" + ("|a " * 500 + "|\n" + "+--" * 500 + "+\n") * 5,
        "====\n" * 5_000 + "Text.",
        "http://a.example/ " * 500,
    ],
)
def test_hostile_documents_take_little_time_and_space(text: str) -> None:
    started = time.monotonic()
    page = rst_page(text)
    assert len(page.markdown) < 10 * len(text)
    assert time.monotonic() - started < 30


def _registries() -> list[dict[str, object]]:
    """What docutils has learnt in this process."""
    return [dict(vars(module)[name]) for module, name in ((directives, "_directives"), (roles, "_roles"))]


def test_documents_leave_docutils_as_it_was(capsys: pytest.CaptureFixture[str]) -> None:
    before = _registries()
    rst_page(
        ".. role:: mine\n.. default-role:: mine\n.. setting:: X\n\n`x` :mine:`y` :bad:`z\n\n.. include:: /etc/passwd\n"
    )
    assert _registries() == before
    assert capsys.readouterr() == ("", "")


FRAGMENTS = (
    "Title\n=====\n", "----\n", "\n\n", "   ", "- item\n", "1. one\n", "text ", "*em* ", "**st", "``code`` ", "`x`_ ",
    ":ref:`a` ", ":class:`~a.B` ", "|sub| ", "[1]_ ", ".. [1] note\n", ".. _label:\n", ".. _a: http://x/\n",
    "__ http://x/\n", "a__ ", ".. note:: x\n", ".. code-block:: py\n\n   x\n", ".. function:: f(x)\n",
    ".. class:: A\n\n   b\n\n", ".. setting:: S\n", ".. include:: b.rst\n", ".. only:: x\n\n   y\n\n",
    ".. tabs::\n\n   .. tab:: t\n\n      u\n\n", ".. |sub| replace:: y\n", ".. |sub| image:: z\n",
    "+---+\n| a |\n+---+\n", "=== ===\na   b\n=== ===\n", ".. list-table::\n\n   * - a\n", "::\n\n  code\n",
    ">>> x\n", "| line\n", ":field: v\n", "-a  opt\n", "term\n  def\n", ".. unknown:: z\n   :o: p\n\n   q\n", "..\n",
    "\t", "\\", "\u200b", ".. csv-table::\n\n   a,\"b\n", ".. glossary::\n\n   a\n     b\n",
    ".. raw:: html\n\n   <b>\n", ".. unicode:: 0x1F4A9\n", "é ", ".. role:: r(code)\n", ".. default-role:: r\n",
    ".. meta::\n   :a: b\n", ".. program:: p\n", ".. option:: -x\n", ".. math:: x\n",
)  # fmt: skip


@given(st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=8), max_size=25).map("".join))
@settings(max_examples=100, deadline=None)
def test_any_combination_of_markup_is_read(text: str) -> None:
    data = {
        "a.rst": text.encode(errors="replace"),
        "b.rst": b"B\n=\n\n.. include:: a.rst\n\nb\n",
        "conf.py": b"",
        "index.rst": b"",
    }
    page = RstParser().parse("a.rst", data["a.rst"], parse_context(data))
    if page is not None:
        assert len(page.markdown) < 50 * len(data["a.rst"]) + 2_000
        assert [warning for warning in page.warnings if warning.startswith("could not be read")] == []


@given(st.binary(max_size=300))
@settings(max_examples=50, deadline=None)
def test_any_bytes_are_read(data: bytes) -> None:
    RstParser().parse("a.rst", data, parse_context({"a.rst": data}))


def test_no_markup_of_the_source_is_left() -> None:
    page = rst_page(
        """
        Pond
        ====

        A :ref:`x`, a :class:`~y.Z`, an |unknown|, a `link`_ and :custom:`words of it`::

           code

        .. unknown:: words
           :option: value

           .. deeper::

              Text :role:`in it`.

        .. _link: https://a.example/
        """
    )
    prose = re.sub(r"```.*?```|`[^`]*`", "", page.markdown, flags=re.DOTALL)
    assert RESIDUE.findall(prose) == []
