from collections.abc import Mapping

import pytest

from docs_search.documents import ParsedPage
from docs_search.parsing.dialects.quarto.parser import QuartoParser
from tests.parsing import parse_context


def parse(text: str, files: Mapping[str, str] | None = None, path: str = "guide/start.qmd") -> ParsedPage | None:
    sources = {name: content.encode() for name, content in (files or {}).items()} | {path: text.encode()}
    return QuartoParser().parse(path, text.encode(), parse_context(sources))


def body(text: str, files: Mapping[str, str] | None = None) -> str:
    page = parse(f"---\ntitle: T\nteam: Bees\n---\n{text}", files)
    assert page is not None
    assert page.warnings == ()
    return page.markdown.removeprefix("# T\n\n")


def test_headings_of_level_1_are_sections_below_the_title() -> None:
    page = parse("---\ntitle: Bees\n---\n# Hives {#sec-hives}\n\nText.\n\n## 2. Old hives, new {-}\n\nText.")
    assert page is not None
    assert [(section.level, section.heading, section.anchor) for section in page.sections] == [
        (1, "Bees", None),
        (2, "Hives", "sec-hives"),
        (3, "2. Old hives, new", "old-hives-new"),
    ]


@pytest.mark.parametrize(("path", "published"), [("index.qmd", "index"), ("a/b.Rmd", "a/b"), ("a/index.qmd", "a")])
def test_documents_have_the_paths_of_their_files(path: str, published: str) -> None:
    page = parse("Text.", path=path)
    assert page is not None
    assert page.path == published


def test_parts_and_readmes_of_a_project_are_no_pages() -> None:
    assert parse("Text.", path="_part.qmd") is None
    assert parse("Text.", {"_quarto.yml": ""}, path="README.md") is None


def test_a_title_may_stand_behind_a_percent_sign() -> None:
    page = parse("% All about bees\n% Ada\n% 2024\n\nText.", path="a.md")
    assert page is not None
    assert page.markdown == "# All about bees\n\nText."


def test_callouts_tabs_and_other_divs() -> None:
    text = (
        '::: {.callout-note title="Mind `it`" collapse="true"}\nIt *stings*.\n:::\n\n'
        "::: callout-warning\n\n## Take care {.x}\n\nOf it.\n:::\n\n"
        '::: {.panel-tabset}\n## One\n\nFirst.\n\n## Two\n\nSecond.\n:::\n\n:::: {.columns}\n::: {.column width="4%"}\n'
        'Left.\n:::\n::::\n\n::: {.content-visible when-format="pdf"}\n::: callout-tip\nOn paper.\n:::\n:::\n\n'
        '::: {.content-hidden unless-format="html"}\nOn screen.\n:::'
    )
    assert body(text) == (
        "> **Mind it:** It *stings*.\n\n> **Take care:** Of it.\n\n**One**\n\nFirst.\n\n**Two**\n\nSecond.\n\nLeft.\n\n"
        "On screen."
    )


def test_cells_have_a_plain_language_and_no_options() -> None:
    text = (
        "```{r plot, fig.width=5}\nplot(x)\n```\n\n```{python}\n#| label: fig-a\n#| eval: false\nrun()\n```\n\n"
        "```{r setup, include=FALSE}\nhide()\n```\n\n```{python}\n#| echo: false\nhide()\n```\n\n"
        '``` {.python filename="a.py" code-line-numbers="2"}\nshow()\n```\n\n~~~ {#id .java}\nx\n~~~\n\n'
        "There are `r nrow(x)` rows. `\\LaTeX`{=latex}Done `x`{.r}."
    )
    assert body(text) == (
        "```r\nplot(x)\n```\n\n```python\nrun()\n```\n\n**a.py**\n\n```python\nshow()\n```\n\n```java\nx\n```\n\n"
        "There are `nrow(x)` rows. Done `x`."
    )


def test_shortcodes_are_filled_in() -> None:
    variables = 'version: "1.4"\nmail:\n  info: a@b.example\n'
    files = {"_variables.yml": variables, "guide/_part.qmd": "Shared {{< var version >}}."}
    text = (
        "{{< include _part.qmd >}}\n\nBy {{< meta team >}}, {{< var mail.info >}}{{< pagebreak >}}. "
        "Press {{< kbd Ctrl-C >}}. `{{< var x >}}`\n\n{{< video https://v.example/1 >}}"
    )
    assert body(text, files) == (
        "Shared 1.4.\n\nBy Bees, a@b.example. Press `Ctrl-C`. `{{< var x >}}`\n\n[Video](https://v.example/1)"
    )


def test_references_lead_to_headings_and_citations_stand_in_brackets() -> None:
    files = {"guide/hives.qmd": "## All hives {#sec-hives .x}\n\nText."}
    text = "See @sec-hives, [@fig-bee], \\@ref(sec-hives) and @tbl-1. So [see @ada1843, p. 3; -@bob]. Mail a@b.example."
    link = "[All hives](https://docs.example/v2.0/guide/hives#sec-hives)"
    assert body(text, files) == (
        f"See {link}, the figure, {link} and the table. So (see ada1843, p. 3; bob). Mail a@b.example."
    )


def test_marks_of_pandoc() -> None:
    text = (
        "A [small]{.smallcaps} word, [here](https://x.example){.btn}.\n\n(@)  First\n(@ok)  Second\n\n"
        "| one line\n| another\n\nTerm\n:   Meaning.\n\n\\newpage\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
        ": A table {#tbl-1}\n\n![A bee](b.png){#fig-bee}"
    )
    assert body(text) == (
        "A small word, [here](https://x.example).\n\n1. First\n2. Second\n\none line another\n\n- Term: Meaning.\n\n"
        "| a | b |\n| --- | --- |\n| 1 | 2 |\n\nA table\n\nA bee"
    )


def test_grid_tables_are_tables() -> None:
    text = (
        "+---------+:-----:+\n| Bee     | Size  |\n+=========+=======+\n| Queen,  | large |\n| *old*   |       |\n"
        "+---------+-------+\n| Drone   | a|b   |\n+---------+-------+\n"
    )
    assert body(text) == "| Bee | Size |\n| --- | --- |\n| Queen, *old* | large |\n| Drone | a\\|b |"


@pytest.mark.parametrize("broken", ["+--+\n| a\n+--+\n", "+---+\n| a |\n| b\n", "+--+--+\n|a   |\n+-+--+\n"])
def test_what_is_no_whole_grid_stays_text(broken: str) -> None:
    assert "+" in body(broken)
