from collections.abc import Mapping

from docs_search.documents import ParsedPage
from docs_search.parsing.dialects.jekyll.gitbook import GitBookParser
from tests.parsing import parse_context

SUMMARY = "# Table of contents\n\n* [Welcome](README.md)\n\n## Guides\n\n* [Light \\& oil](guides/oil.md)\n"


def parse(text: str, files: Mapping[str, str] | None = None, path: str = "docs/guides/oil.md") -> ParsedPage | None:
    sources = {name: content.encode() for name, content in {**(files or {}), path: text}.items()}
    return GitBookParser().parse(path, text.encode(), parse_context(sources))


def body(text: str, files: Mapping[str, str] | None = None) -> str:
    page = parse(f"# T\n\n{text}", files)
    assert page is not None
    assert page.warnings == ()
    return page.markdown.removeprefix("# T\n\n")


def test_pages_are_what_the_contents_name_and_may_have_their_titles_from_them() -> None:
    files = {"docs/SUMMARY.md": SUMMARY, "docs/README.md": "Hello."}
    page = parse("Oil it. See [home](../README.md).", files)
    assert page is not None
    assert (page.path, page.title, page.links) == ("guides/oil", "Light & oil", ("index",))
    assert parse("Text.", files, path="docs/drafts/a.md") is None


def test_hints_tabs_steps_and_other_blocks() -> None:
    text = (
        '{% hint style="warning" %}\n**Hot** lamp.\n{% endhint %}\n\n{% tabs %}\n{% tab title="Linux" %}\n'
        '{% code title="on.sh" overflow="wrap" %}\n```sh\nlamp on\n```\n{% endcode %}\n{% endtab %}\n\n'
        '{% tab title="Mac" %} Press it. {% endtab %}\n{% endtabs %}\n\n{% stepper %}\n'
        "{% step %}\n### Start\n\nDo it.\n{% endstep %}\n{% endstepper %}\n\n"
        '{% content-ref url="../README.md" %}\n[README.md](../README.md)\n'
        '{% endcontent-ref %}\n\n{% embed url="https://v.example/1" %}\nA film\n{% endembed %}\n\n'
        '{% @mermaid/diagram content="graph TD" %}\n\n'
        "{% columns %}\n{% column %}\nLeft.\n{% endcolumn %}\n{% endcolumns %}"
    )
    assert body(text, {"docs/README.md": ""}) == (
        "> **Warning:** **Hot** lamp.\n\n**Linux**\n\n**on.sh**\n\n```sh\nlamp on\n```\n\n**Mac**\n\nPress it.\n\n"
        "### Start\n\nDo it.\n\n[README.md](https://docs.example/v2.0/docs)\n\n<https://v.example/1>\n\nA film\n\nLeft."
    )


def test_a_described_operation_is_a_section() -> None:
    text = (
        '{% swagger method="get" path="/lamps/{id}" baseUrl="https://a.example" summary="Read a lamp" %}\n'
        "{% swagger-description %}\nGives one.\n{% endswagger-description %}\n\n"
        '{% swagger-parameter in="path" name="id" type="integer" required="true" %}\nIts number\n'
        '{% endswagger-parameter %}\n\n{% swagger-response status="200: OK" description="A lamp" %}\n'
        "```json\n{}\n```\n{% endswagger-response %}\n{% endswagger %}"
    )
    assert body(text) == (
        "## Read a lamp\n\n`GET https://a.example/lamps/{id}`\n\nGives one.\n\n**`id`** (path, integer, required)\n\n"
        "Its number\n\n**200: OK – A lamp**\n\n```json\n{}\n```"
    )


def test_reusable_text_and_variables_are_filled_in() -> None:
    files = {
        "docs/.gitbook/includes/help.md": "Ask [us](../../ask.md).",
        "docs/ask.md": "",
        ".gitbook/vars.yaml": "release: '1.4'\n",
    }
    text = '{% include "../.gitbook/includes/help.md" %}\n\nNow <code class="expression">space.vars.release</code>.'
    assert body(text, files) == "Ask [us](https://docs.example/v2.0/docs/ask).\n\nNow 1.4."
