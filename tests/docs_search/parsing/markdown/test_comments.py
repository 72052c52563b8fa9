import time

import pytest

from docs_search.parsing.markdown.comments import without_comments


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("no comment", "no comment"),
        ("a <!-- x --> b", "a  b"),
        ("a <!-- x\n\ny --> b", "a  b"),
        ("<!-- x --> text", " text"),
        ("<!-- x -->\n**text**", "<!-- x -->\n**text**"),
        ("a\n<!-- x\n\ny -->\nb", "a\n<!-- -->\nb"),
        ("> <!-- x\n> y -->\n", "> <!-- -->\n"),
        ("- a\n\n    <!-- x\n    y -->\n- b", "- a\n\n    \n- b"),
        ("    <!-- x -->\n", "    <!-- x -->\n"),
        ("a <!--- x ---> b", "a  b"),
        ("a <!--> b <!---> c", "a  b  c"),
        ("a <!-- x --> b <!-- y --> c", "a  b  c"),
        ("a <!-- x --\n- y --> b", "a  b"),
    ],
)
def test_comments_go(text: str, left: str) -> None:
    assert without_comments(text) == (left, ())


def test_code_keeps_its_comments() -> None:
    text = "`<!-- x -->`\n\n```html\n<!-- a\n\nb -->\n```\n\nc <!-- `d` --> e"
    assert without_comments(text) == (text.replace("<!-- `d` -->", ""), ())


def test_a_comment_may_hold_code() -> None:
    assert without_comments("a\n\n<!--\n```\nx\n-->\n\nb\n\n```\n<!-- c -->\n```\n") == (
        "a\n\n<!-- -->\n\nb\n\n```\n<!-- c -->\n```\n",
        (),
    )


def test_a_comment_that_is_never_closed_hides_nothing() -> None:
    assert without_comments("a <!-- b\n\nc <!-- d") == ("a  b\n\nc  d", ("a comment is never closed",))


@pytest.mark.parametrize("part", ["<!-- ", "<!-- x -->", "<!-- x\n-->\n", "`<!--", "```\n<!--\n"])
def test_many_comments_take_linear_time(part: str) -> None:
    start = time.perf_counter()
    without_comments(part * (200_000 // len(part)))
    assert time.perf_counter() - start < 3
