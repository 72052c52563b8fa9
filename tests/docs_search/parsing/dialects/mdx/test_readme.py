import json

import pytest

from docs_search.documents import ParsedPage
from docs_search.parsing.dialects.mdx.readme import ReadMeParser
from tests.parsing import parse_context


def parse(text: str) -> ParsedPage | None:
    sources = {"v1/Guides/start.md": text.encode(), "v1/Other/fill-lamps.md": b"Text."}
    return ReadMeParser().parse("v1/Guides/start.md", text.encode(), parse_context(sources))


def body(text: str) -> str:
    page = parse(f"---\ntitle: T\nexcerpt: What it is\n---\n{text}")
    assert page is not None
    assert page.summary == "What it is"
    assert page.warnings == ()
    return page.markdown.removeprefix("# T\n\n")


@pytest.mark.parametrize(
    ("kind", "fields", "shown"),
    [
        ("callout", {"type": "warning", "title": "Hot", "body": "Do *not*\ntouch."}, "> **Hot:** Do *not* touch."),
        ("callout", {"type": "info", "body": "Oil."}, "> **Info:** Oil."),
        ("code", {"codes": [{"code": "run()", "language": "py", "name": "One"}, {"code": "go"}]},
         "**One**\n\n```py\nrun()\n```\n\n```\ngo\n```"),
        ("image", {"images": [{"image": ["https://x.example/a.png", "a.png"], "caption": "A lamp"}]}, "A lamp"),
        ("api-header", {"title": "Limits"}, "## Limits"),
        ("parameters", {"data": {"h-0": "N", "h-1": "M", "0-0": "`a`", "0-1": "x|y", "1-0": "b\nc"}, "cols": 2},
         "| N | M |\n| --- | --- |\n| `a` | x\\|y |\n| b c |  |"),
        ("html", {"html": "<div><b>Big</b> lamp</div>"}, "Big lamp"),
        ("embed", {"url": "https://v.example/1", "title": "A film"}, "[A film](https://v.example/1)"),
        ("unheard-of", {"title": "x"}, "."),
    ],
)  # fmt: skip
def test_a_block_is_what_it_shows(kind: str, fields: dict[str, object], shown: str) -> None:
    text = f"[block:{kind}]\n{json.dumps(fields, indent=2)}\n[/block]"
    assert body(f"{text}\n\n." if shown == "." else text) == shown


BROKEN = ("{not json}", '{"a":' * 3000 + "1" + "}", '{"data": 3}', '{"codes": [1, {"code": 2}]}')


@pytest.mark.parametrize("broken", BROKEN)
def test_a_block_that_cannot_be_read_leaves_nothing(broken: str) -> None:
    assert body(f"Text.\n\n[block:code]\n{broken}\n[/block]\n\n[block:parameters]\n{broken}\n[/block]") == "Text."


def test_callouts_links_and_variables() -> None:
    text = (
        "> 📘 Good to know\n>\n> It burns.\n\n> ❗️ Stop\n> At once.\n\n"
        "See [oil](doc:fill-lamps#how), <<glossary:wick>>, `<<kept>>`."
    )
    assert body(text) == (
        "> **Good to know:** It burns.\n\n> **Stop:** At once.\n\n"
        "See [oil](https://docs.example/v2.0/v1/Other/fill-lamps#how), wick, `<<kept>>`."
    )
