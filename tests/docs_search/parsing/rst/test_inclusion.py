"""Files that reStructuredText documents include."""

import time

from tests.rst import rst_pages

# Other files


def test_files_are_included_from_the_source_alone() -> None:
    files = {
        "conf.py": "",
        "index.rst": """
            Pond
            ====

            .. include:: /parts/depth.txt
               :start-after: BEGIN
               :end-before: END

            .. literalinclude:: code/fill.py
               :language: python
               :lines: 2-3, 5
               :dedent:

            .. literalinclude:: code/fill.py
               :start-at: def
               :end-before: # end
               :dedent: 2

            .. csv-table::
               :file: parts/table.csv

            .. include:: <isonum.txt>
            .. include:: /../../etc/passwd
            .. include:: nowhere.rst
            """,
        "parts/depth.txt": "x\n.. BEGIN\n\nDeep |version|, see :doc:`/index`.\n\n.. include:: more.txt\n\n.. END\n",
        "parts/more.txt": "Deeper.\n\nDepths\n------\n\nDeepest.\n",
        "code/fill.py": "import x\n  def fill():\n    pass\n# end\n  more\n",
        "parts/table.csv": "a,b\n1,2\n",
    }
    page = rst_pages(files)["index.rst"]
    assert page.markdown == "\n\n".join(
        [
            "# Pond",
            "Deep v2.0, see [Pond](https://docs.example/v2.0/index/).",
            "Deeper.",
            "## Depths",
            "Deepest.",
            "```python\ndef fill():\n  pass\nmore\n```",
            "```\ndef fill():\n  pass\n```",
            "|  |  |\n| --- | --- |\n| a | b |\n| 1 | 2 |",
        ]
    )
    assert page.warnings == (
        "the included file ../../etc/passwd is not in the source",
        "the included file nowhere.rst is not in the source",
    )


def test_includes_end_where_they_lead_back() -> None:
    pages = rst_pages(
        {"a.rst": "A\n=\n\n.. include:: b.rst\n", "b.rst": "Sand.\n\n.. include:: a.rst\n\n.. include:: b.rst\n"}
    )
    assert pages["a.rst"].markdown == "# A\n\nSand."
    assert pages["a.rst"].warnings == (
        "the include of a.rst leads back to itself or too deep",
        "the include of b.rst leads back to itself or too deep",
    )


def test_an_include_bomb_is_cut_short() -> None:
    files = {f"{name}.txt": f".. include:: {after}.txt\n\n" * 10 for name, after in zip("abcde", "bcdef", strict=True)}
    started = time.monotonic()
    page = rst_pages({"pond.rst": "Pond\n====\n\n.. include:: a.txt\n", **files, "f.txt": "x" * 100_000})["pond.rst"]
    assert page.warnings[-1] == "more than 2000000 characters or 500 files are included"
    assert len(page.markdown) < 2_100_000
    assert time.monotonic() - started < 60
