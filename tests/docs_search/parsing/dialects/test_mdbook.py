from collections.abc import Mapping

import pytest

from docs_search.documents import ParsedPage
from docs_search.parsing.dialects.mdbook import MdBookParser
from tests.parsing import parse_context

SUMMARY = "# Summary\n\n[Preface](preface.md)\n\n- [The `first` steps](steps/README.md)\n  - [Sorting](steps/sort.md)\n"
PROGRAM = (
    "use a::b;\n// ANCHOR: call\nfn main() {\n    // ANCHOR: inner\n    run();\n    // ANCHOR_END: inner\n}\n"
    "// ANCHOR_END: call\n"
)


def parse(path: str, text: str, files: Mapping[str, str] | None = None) -> ParsedPage | None:
    sources = {name: content.encode() for name, content in (files or {}).items()} | {path: text.encode()}
    return MdBookParser().parse(path, text.encode(), parse_context(sources))


def body(text: str, files: Mapping[str, str] | None = None) -> str:
    page = parse("src/steps/sort.md", f"# T\n\n{text}", files)
    assert page is not None
    assert page.warnings == ()
    return page.markdown.removeprefix("# T\n\n")


def test_chapters_are_what_the_contents_name_with_the_titles_that_they_give() -> None:
    files = {"src/SUMMARY.md": SUMMARY, "src/steps/README.md": "", "src/steps/sort.md": "", "src/preface.md": ""}
    chapter = parse("src/steps/README.md", "## Install\n\nGo to [it](sort.md).", files)
    assert chapter is not None
    assert (chapter.path, chapter.title, chapter.links) == ("steps", "The first steps", ("steps/sort",))
    assert parse("src/part.md", "# Part\n\nText.", files) is None
    assert parse("src/SUMMARY.md", SUMMARY, files) is None


@pytest.mark.parametrize(
    ("part", "code"),
    [
        ("", "use a::b;\nfn main() {\n    run();\n}"),
        (":call", "fn main() {\n    run();\n}"),
        (":1", "use a::b;"),
        (":3:", "fn main() {\n    run();\n}"),
        (":1:1", "use a::b;"),
    ],
)
def test_code_is_included_whole_or_in_part(part: str, code: str) -> None:
    text = "```rust,ignore\n{{#rustdoc_include ../../code/main.rs" + part + "}}\n```"
    assert body(text, {"code/main.rs": PROGRAM}) == f"```rust\n{code}\n```"


def test_included_text_is_read_and_may_include_more() -> None:
    files = {"src/shared/a.md": "Some *words*.\n\n{{#include b.md}}", "src/shared/b.md": "More."}
    assert body("{{#include ../shared/a.md}}", files) == "Some *words*.\n\nMore."
    assert body("{{#playground ../../x.py editable}}", {"x.py": "run()"}) == "```python\nrun()\n```"


def test_an_include_that_is_missing_or_leads_back_is_a_warning() -> None:
    page = parse("src/a.md", "# A\n\nText.\n\n{{#include a.md}}\n\n{{#include b.md}}")
    assert page is not None
    assert page.markdown == "# A\n\nText."
    assert page.warnings == (
        "the include of src/a.md leads back to itself or too deep",
        "the included file src/b.md is not in the source",
    )


def test_boxes_tabs_and_listings() -> None:
    text = (
        '```admonish warning title="Mind the `gap`"\nIt is *wide*.\n```\n\n```admonish\nPlain.\n```\n\n'
        '{{#tabs }}\n{{#tab name="Linux" }}\nUse apt.\n{{#endtab }}\n{{#endtabs }}\n\n'
        '<Listing number="2-1" file-name="src/main.rs" caption="A `loop`">\n\n```rust\nloop {}\n```\n\n</Listing>'
    )
    assert body(text) == (
        "> **Mind the gap:** It is *wide*.\n\n> **Note:** Plain.\n\n**Linux**\n\nUse apt.\n\n"
        "**src/main.rs – Listing 2-1: A `loop`**\n\n```rust\nloop {}\n```"
    )


def test_other_directives_vanish_and_escaped_ones_are_shown() -> None:
    text = "{{#title Other}}\n\nSee{{footnote: Or not.}} `\\{{#include x.rs}}` {{#quiz a.toml}}"
    assert body(text) == "See(Or not.) `{{#include x.rs}}`"


def test_lines_that_the_book_hides_are_left_out_of_rust_alone() -> None:
    assert (
        body("```rust,editable\n# fn main() {\nlet x = 1;\n#\n#[test]\n# }\n```") == "```rust\nlet x = 1;\n#[test]\n```"
    )
    assert body("```sh\n# comment\nrun\n```") == "```sh\n# comment\nrun\n```"
