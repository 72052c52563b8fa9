import time

import pytest

from docs_search.parsing.rst.labels import Labels, find_labels


def test_labels_come_with_the_title_that_they_stand_before() -> None:
    text = """
.. _home:

=======
 Pond
=======

.. _Deep Water:
.. _`deep: er`:

.. index:: depth

The :ref:`depth <x>` of ``water``
---------------------------------

Text.

.. _figure:

.. image:: a.png

.. _table:

Text that is no title.

.. _site: https://site.example/

   .. _indented:

Next
~~~~

.. _last:
"""
    assert find_labels(text) == Labels(
        "Pond",
        {
            "home": "Pond",
            "deep water": "The depth of water",
            "deep: er": "The depth of water",
            "figure": None,
            "table": None,
            "indented": "Next",
            "last": None,
        },
    )


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("Pond\n====\n", "Pond"),
        ("====\nPond\n====\n", "Pond"),
        ("A\n=\n", "A"),
        ("Long title\n====\n", "Long title"),
        ("Long title\n==\n", None),
        ("Text.\n\n::\n\n    code\n    ====\n", None),
        ("====\n\nPond\n----\n", "Pond"),
        ("", None),
    ],
)
def test_the_title_is_the_first_one(text: str, title: str | None) -> None:
    assert find_labels(text).title == title


@pytest.mark.parametrize("text", ["=\n" * 200_000, ".. _a:\n" * 100_000, "`" * 500_000, ":a:" * 200_000 + "\n===="])
def test_long_documents_take_little_time(text: str) -> None:
    started = time.monotonic()
    find_labels(text)
    assert time.monotonic() - started < 10
