"""What becomes of every construct of reStructuredText, and of the roles and directives of Sphinx."""

from collections.abc import Mapping
from textwrap import dedent

import pytest

from docs_search.documents import ParsedPage, join_blocks
from tests.rst import rst_page, rst_pages


def _markdown(text: str, files: Mapping[str, str] | None = None) -> str:
    """The Markdown of a text below a title, without the title."""
    page = rst_page("Pond\n====\n\n" + dedent(text), files)
    assert page.warnings == ()
    return page.markdown.removeprefix("# Pond\n\n")


def _outline(page: ParsedPage) -> list[tuple[int, str, str | None]]:
    return [(section.level, section.heading, section.anchor) for section in page.sections]


# Text


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("*a* **b** ``c`` `d` `e f`", "*a* **b** `c` `d` e f"),
        ("``a`b`` and ``x *y* \\z``", "``a`b`` and `x *y* \\z`"),
        (r"1 * 2 < 3 \*not\* a_b", r"1 * 2 < 3 \*not\* a_b"),
        ("H\\ :sub:`2`\\ O, 2\\ :sup:`10`", "H_2O, 2^10"),
        ("`Docs <https://a.example/x>`_", "[Docs](https://a.example/x)"),
        ("`Docs`_\n\n.. _docs: https://a.example/x", "[Docs](https://a.example/x)"),
        ("`Docs`__ there__\n\n__ https://a.example/1\n__ https://a.example/2",
         "[Docs](https://a.example/1) [there](https://a.example/2)"),
        ("https://a.example/x and me@a.example", "<https://a.example/x> and [me@a.example](mailto:me@a.example)"),
        ("`Shore <shore.html#sand>`__", "[Shore](https://docs.example/v2.0/shore/#sand)"),
        ("`Other <other.html>`__", "[Other](https://docs.example/v2.0/pond/other.html)"),
        ("`Bad <javascript:x>`__", "Bad"),
        ("`Pond`_", "[Pond](https://docs.example/v2.0/pond/#pond)"),
        ("Missing_ link", "Missing link"),
        ("Note [1]_ and [#x]_ and [CIT]_.\n\n.. [1] One.\n.. [#x] Two.\n.. [CIT] Three.",
         "Note [1] and [2] and [CIT].\n\n[1] One.\n\n[2] Two.\n\n[CIT] Three."),
        (".. |x| replace:: the *x*\n\n|x| |X| |version| |release| |other|", "the *x* the *x* v2.0 v2.0 other"),
        (".. |logo| image:: a.png\n   :alt: Logo\n\nThe |logo|.", "The Logo."),
        (".. |tm| unicode:: U+2122\n\nPond |tm|", "Pond ™"),
        ("See [1]_.\n\n.. _label:\n.. [1] One.", "See [1].\n\n[1] One."),
        ("**by :user:`me`**, :term:` x y` and :cmd:``ls``", "**by me**, x y and `ls`"),
        (".. comment\n   more\n\n..\n\nText.", "Text."),
        ("| one\n| two", "one two"),
        ("----\n\nText.", "Text."),
    ],
)  # fmt: skip
def test_inline_markup_becomes_markdown(source: str, expected: str) -> None:
    assert _markdown(source, {"shore.rst": "Shore\n=====\n\nText.\n"}) == expected


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        (":class:`~pond.water.Fish`", "`Fish`"),
        (":class:`pond.Fish`", "`pond.Fish`"),
        (":class:`!Frog`", "`Frog`"),
        (":class:`the fish <pond.Fish>`", "the fish"),
        (":func:`swim`", "`swim()`"),
        (":meth:`.Fish.swim`", "`Fish.swim()`"),
        (":py:func:`os.path.join`", "`os.path.join()`"),
        (":c:func:`fill()`", "`fill()`"),
        (":setting:`DEPTH`", "`DEPTH`"),
        (":ttag:`{% for %}<for>`", "`{% for %}`"),
        (":setting:`DEPTH=3 <DEPTH>`", "`DEPTH=3`"),
        (":ttag:`for`", "`for`"),
        (":envvar:`HOME`", "`HOME`"),
        (":option:`--fill`", "`--fill`"),
        (":pep:`8`", "[PEP 8](https://peps.python.org/pep-0008/)"),
        (":pep:`style <8#names>`", "[style](https://peps.python.org/pep-0008/#names)"),
        (":rfc:`2822`", "[RFC 2822](https://datatracker.ietf.org/doc/html/rfc2822.html)"),
        (":rfc:`not a number`", "not a number"),
        (":cve:`2024-1`", "[CVE-2024-1](https://www.cve.org/CVERecord?id=CVE-2024-1)"),
        (":menuselection:`File --> Open`", "**File › Open**"),
        (":guilabel:`&Save`", "**Save**"),
        (":kbd:`Ctrl+C`", "`Ctrl+C`"),
        (":command:`ls`", "`ls`"),
        (":file:`/etc/{name}/conf`", "`/etc/name/conf`"),
        (":samp:`fill {depth} \\{x\\}`", "`fill depth {x}`"),
        (":abbr:`LIFO (last in, first out)`", "LIFO (last in, first out)"),
        (":download:`this file <a.zip>`", "this file"),
        (":term:`mud`", "mud"),
        (":term:`wet mud <mud>`", "wet mud"),
        (":math:`a^2`", "`a^2`"),
        (":code:`x \\n`", "`x \\n`"),
        (":strong:`a` :emphasis:`b` :literal:`c`", "**a** *b* `c`"),
        (":custom:`some words here`", "some words here"),
        (":custom:`a_name`", "`a_name`"),
        (":my:own:role:`text <target>`", "text"),
        (":issue:`12`", "[issue 12](https://issues.example/12)"),
        (":issue:`that one <12>`", "[that one](https://issues.example/12)"),
    ],
)  # fmt: skip
def test_roles_are_degraded_to_text(role: str, expected: str) -> None:
    conf = 'extlinks = {"issue": ("https://issues.example/%s", "issue %s")}'
    page = rst_pages({"conf.py": conf, "index.rst": f"Pond\n====\n\nSee {role}.\n"})["index.rst"]
    assert (page.markdown, page.warnings) == (f"# Pond\n\nSee {expected}.", ())


def test_references_are_resolved_in_the_page_and_in_the_whole_source() -> None:
    pages = rst_pages(
        {
            "conf.py": "",
            "index.rst": """
                .. _home:

                Pond
                ====

                See :ref:`depth`, :ref:`the sand <sand-label>`, :ref:`sand-label`, :ref:`home`, :ref:`Fig_1`,
                :ref:`no such-label`, :doc:`ref/shore`, :doc:`the shore </ref/shore>`, :doc:`nowhere`, :any:`depth`.

                .. _depth:

                How *deep*?
                -----------

                Text.
                """,
            "ref/shore.rst": """
                #####
                Shore
                #####

                .. _Sand-Label:

                The ``sand``
                ============

                Text.

                .. _fig_1:

                .. figure:: a.png
                """,
        }
    )
    page = pages["index.rst"]
    assert join_blocks(page.sections[0].blocks) == (
        "See [How deep?](https://docs.example/v2.0/index/#depth), "
        "[the sand](https://docs.example/v2.0/ref/shore/#sand-label), "
        "[The sand](https://docs.example/v2.0/ref/shore/#sand-label), [Pond](https://docs.example/v2.0/index/#home), "
        "[Fig_1](https://docs.example/v2.0/ref/shore/#fig-1), no such-label, "
        "[Shore](https://docs.example/v2.0/ref/shore/), [the shore](https://docs.example/v2.0/ref/shore/), nowhere, "
        "`depth`."
    )
    assert (page.links, page.warnings) == (("ref/shore",), ())


def test_custom_roles_of_a_document_are_its_own() -> None:
    text = "Pond\n====\n\n.. role:: sql(code)\n   :language: sql\n.. role:: loud\n.. default-role:: sql\n\n"
    pages = rst_pages({"a.rst": text + ":sql:`SELECT 1`, :loud:`words here`, `x y`.\n", "b.rst": "B\n=\n\n`x y`.\n"})
    assert pages["a.rst"].markdown == "# Pond\n\n`SELECT 1`, words here, `x y`."
    assert pages["b.rst"].markdown == "# B\n\nx y."


def test_the_configuration_is_read_and_never_run() -> None:
    conf = """
        import os
        os.abort()
        rst_prolog = '''
        .. |tool| replace:: ``pondctl``
        '''
        rst_epilog = ".. _site: https://site.example/"
        highlight_language = "sql"
        release = os.environ["RELEASE"]
        """
    pages = rst_pages({"conf.py": conf, "index.rst": "Pond\n====\n\nUse |tool| from `site`_::\n\n  SELECT 1\n"})
    assert pages["index.rst"].markdown == (
        "# Pond\n\nUse `pondctl` from [site](https://site.example/):\n\n```sql\nSELECT 1\n```"
    )


# Blocks


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("- a\n\n  b\n- * c\n\n    1. d\n    2. e", "- a\n\n  b\n- - c\n\n    1. d\n    2. e"),
        ("3. a\n4. b\n\nText.\n\n#. c\n#. d", "3. a\n4. b\n\nText.\n\n1. c\n2. d"),
        ("term\n   Definition.\n\n   More.\nother : kind\n   x", "- term: Definition.\n\n  More.\n- other (kind): x"),
        (":name: value\n:long name: a\n   b", "- **name**: value\n- **long name**: a b"),
        ("-a, --all  All.\n--file=FILE\n           A `file`.", "- `-a`, `--all`: All.\n- `--file=FILE`: A `file`."),
        ("Quote:\n\n    Wise words.\n\n    -- Me", "Quote:\n\n> Wise words.\n>\n> — Me"),
        ("List:\n\n  - a\n  - b", "List:\n\n- a\n- b"),
        (">>> 1 + 1\n2", "```pycon\n>>> 1 + 1\n2\n```"),
        ("Code::\n\n   x = 1\n\n     y", "Code:\n\n```\nx = 1\n\n  y\n```"),
        ("::\n\n> quoted\n> code", "```\n> quoted\n> code\n```"),
        (".. code-block:: python\n   :linenos:\n\n   def f():\n       pass", "```python\ndef f():\n    pass\n```"),
        (".. code-block:: sql\n   :caption: a.sql\n\n   SELECT 1", "**a.sql**\n\n```sql\nSELECT 1\n```"),
        (".. code::\n\n   x", "```\nx\n```"),
        (".. sourcecode:: none\n\n   x", "```\nx\n```"),
        (".. highlight:: sql\n\n::\n\n  SELECT 1", "```sql\nSELECT 1\n```"),
        (".. console::\n\n   $ pond fill", "```console\n$ pond fill\n```"),
        (".. prompt:: bash $\n\n   ls", "```console\nls\n```"),
        (".. |x| replace:: X\n.. parsed-literal::\n\n   ls *a* |x|\n     b", "```\nls a X\n  b\n```"),
        (".. math:: E = mc^2", "```math\nE = mc^2\n```"),
        (".. productionlist::\n   a: b", "```\na: b\n```"),
        (".. image:: a.png\n   :alt: A  pond", "A pond"),
        (".. figure:: a.png\n   :alt: A pond\n\n   *Caption*.\n\n   Legend.", "A pond\n\n*Caption*.\n\nLegend."),
        (".. rubric:: A *title*", "**A *title***"),
        (".. topic:: Title\n\n   Text.", "**Title**\n\nText."),
        (".. sidebar:: Title\n   :subtitle: x\n\n   Text.", "**Title**\n\nText."),
        (".. epigraph::\n\n   Words.\n\n   -- Me", "> Words.\n>\n> — Me"),
        (".. container:: x y\n\n   Text.", "Text."),
        (".. hlist::\n   :columns: 2\n\n   * a\n   * b", "- a\n- b"),
        (".. only:: html\n\n   Text.\n\nMore.", "Text.\n\nMore."),
        (".. raw:: html\n\n   <b>x</b>\n\nText.", "Text."),
        (".. contents:: :local:\n\n.. index:: x\n\nText.", "Text."),
        (".. glossary::\n   :sorted:\n\n   mud\n   dirt\n      What is below.\n\n   water : liquid\n      Above.",
         "- mud, dirt: What is below.\n- water: Above."),
        (".. automodule:: pond.water\n   :members:\n\n   More.", "`pond.water`\n\nMore."),
        (".. unheard-of:: some *words*\n   :option: x\n\n   - content", "some *words*\n\n- content"),
        (".. unheard-of:: 2\n\n   Content.", "Content."),
        (".. youtube:: abc\n\nText.", "Text."),
    ],
)  # fmt: skip
def test_blocks_become_markdown(source: str, expected: str) -> None:
    assert _markdown(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (".. note:: Short *one*.", "> **Note:** Short *one*."),
        (".. Warning::\n   :class: x\n\n   Long.\n\n   - a", "> **Warning:** Long.\n>\n> - a"),
        (".. seealso:: `Site <https://a.example/>`__", "> **See also:** [Site](https://a.example/)"),
        (".. admonition:: My *title*\n\n   Text.", "> **My title:** Text."),
        (".. tip::\n\n   ::\n\n     code", "> **Tip:**\n>\n> ```\n> code\n> ```"),
        (".. versionadded:: 2.0", "> **New in version 2.0**"),
        (".. versionadded:: 2.0\n   The ``x``.", "> **New in version 2.0:** The `x`."),
        (".. versionchanged:: 2.1 Was y.\n\n   More.", "> **Changed in version 2.1:** Was y.\n>\n> More."),
        (".. deprecated:: 3.0 Use z.", "> **Deprecated since version 3.0:** Use z."),
        (".. deprecated-removed:: 3.0 4.0 Gone.", "> **Deprecated since version 3.0, removed in version 4.0:** Gone."),
    ],
)
def test_admonitions_are_quotes_with_a_label(source: str, expected: str) -> None:
    assert _markdown(source) == expected


def test_tabs_and_cards_are_titles_with_their_content() -> None:
    source = """
        .. tabs::

           .. tab:: One

              First.

           .. code-tab:: bash Shell

              ls

        .. tab-set::

           .. tab-item:: Three
              :sync: x

              Third.

        .. grid:: 1 2 2 3

           .. grid-item-card:: Card
              :link: x

              Fourth.

        .. dropdown:: Details
           :open:

           Fifth.
        """
    assert _markdown(source) == (
        "**One**\n\nFirst.\n\n**Shell**\n\n```bash\nls\n```\n\n**Three**\n\nThird.\n\n**Card**\n\nFourth.\n\n"
        "**Details**\n\nFifth."
    )


def test_sections_inside_of_conditions_and_tabs_stay_sections() -> None:
    page = rst_page(
        "Pond\n====\n\n.. only:: html\n\n   Depth\n   -----\n\n   Deep.\n\n   Shore\n   -----\n\n   Sand.\n\n"
        "End\n---\n\nText.\n"
    )
    assert _outline(page) == [(1, "Pond", None), (2, "Depth", "depth"), (2, "Shore", "shore"), (2, "End", "end")]


TABLE = "| a | b |\n| --- | --- |\n| 1 | 2 |"


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("=== ===\na   b\n=== ===\n1   2\n=== ===", TABLE),
        ("+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n+---+---+", TABLE),
        (
            ".. table:: Title\n   :widths: auto\n\n   === ===\n   a   b\n   === ===\n   1   2\n   === ===",
            f"**Title**\n\n{TABLE}",
        ),
        (".. csv-table:: Title\n   :header: a, b\n   :widths: 1 2\n\n   1, 2", f"**Title**\n\n{TABLE}"),
        (".. csv-table::\n   :header-rows: 1\n   :delim: ;\n\n   a; b\n   1; 2", TABLE),
        (".. list-table::\n   :header-rows: 1\n   :widths: 10 90\n\n   * - a\n     - b\n   * - 1\n     - 2", TABLE),
        (
            "+---+---+\n| a | b |\n+===+===+\n| 1 | 2 |\n|   +---+\n|   | 3 |\n+---+---+\n| wide  |\n+-------+",
            "| a | b |\n| --- | --- |\n| 1 | 2 |\n| 1 | 3 |\n| wide |  |",
        ),
        (".. list-table::\n\n   * - ``a|b``\n     - - c\n       - d", "|  |  |\n| --- | --- |\n| `a\\|b` | c d |"),
    ],
)
def test_tables_become_tables(source: str, expected: str) -> None:
    assert _markdown(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "+---+---+\n| a | b |\n| 1 | 2\n+---+---+",
        ".. list-table::\n\n   * - a\n     - b\n   * - c",
        ".. csv-table::\n   :header-rows: 9\n\n   a, b",
    ],
)
def test_a_broken_table_stays_as_it_is_written(source: str) -> None:
    page = rst_page(f"Pond\n====\n\n{source}\n\nText.\n")
    content = dedent(source.partition("\n\n")[2] or source) if source.startswith("..") else source
    assert page.markdown == f"# Pond\n\n```\n{content}\n```\n\nText."
    assert len(page.warnings) == 1


def test_a_substitution_of_raw_content_leaves_nothing_and_any_figure_its_text() -> None:
    text = "One |br| two.\n\n.. |br| raw:: html\n\n   <br>\n\n.. kernel-figure:: a.svg\n   :alt: A pond\n\n   Deep.\n"
    assert _markdown(text) == "One two.\n\nA pond\n\nDeep."
