import pytest

from docs_search.parsing.dialects.mdx.code_meta import resolve_code_meta


@pytest.mark.parametrize(
    ("info", "language", "title"),
    [
        ("js", "js", None),
        ('js title="a b.js"', "js", "a b.js"),
        ("js {1,3-4} title='a.js' showLineNumbers", "js", "a.js"),
        ("js{2}", "js", None),
        ("ts:line-numbers {1}", "ts", None),
        ("sh [npm]", "sh", "npm"),
        ("c++ filename=src/a.cpp copy", "c++", "src/a.cpp"),
        ("yaml config.yaml", "yaml", "config.yaml"),
        ("jsx live", "jsx", None),
        ("bash copy wrap", "bash", None),
        ('title="x.txt"', "", "x.txt"),
        ("", "", None),
    ],
)
def test_the_first_line_gives_a_language_and_a_title(info: str, language: str, title: str | None) -> None:
    before = f"\n**{title}**\n\n" if title else ""
    assert resolve_code_meta(f"text\n```{info}\nx = 1\n```\nend") == f"text\n{before}```{language}\nx = 1\n```\nend"


def test_titles_keep_to_the_list_or_quote_that_the_code_is_in() -> None:
    markdown = '- ```js title="a"\n  x\n  ```\n\n> ~~~js title="b"\n> y\n> ~~~'
    assert resolve_code_meta(markdown) == ("- **a**\n\n  ```js\n  x\n  ```\n\n> **b**\n>\n> ~~~js\n> y\n> ~~~")


def test_comments_that_mark_lines_are_left_out() -> None:
    markdown = (
        "```js\n// highlight-next-line\na()\n  // highlight-start\nb() // [!code highlight]\n  // highlight-end\n"
        "c() // [!code --] [!code focus]\n// a comment\n```\n```html\n<!-- highlight-next-line -->\n<p>\n```"
    )
    assert resolve_code_meta(markdown) == ("```js\na()\nb()\nc()\n// a comment\n```\n```html\n<p>\n```")


def test_code_spans_and_text_stay_as_they_are() -> None:
    markdown = 'A `code title="x"` and ```` ```js title="a" ```` // highlight-next-line'
    assert resolve_code_meta(markdown) == markdown
