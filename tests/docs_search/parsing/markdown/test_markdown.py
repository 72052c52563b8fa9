import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.documents import Block, BlockType, Kind, ParsedPage
from docs_search.parsing.markdown.parser import MAX_LINES, MarkdownParser
from docs_search.parsing.markdown.tokens import MAX_NESTING
from tests.parsing import parse_context

PARAGRAPH, ITEM, CODE, TABLE, QUOTE = BlockType


def parse(text: str | bytes, path: str = "guide/page.md", files: tuple[str, ...] = ()) -> ParsedPage:
    data = text.encode() if isinstance(text, str) else text
    page = MarkdownParser().parse(path, data, parse_context(dict.fromkeys((path, *files), b"")))
    assert page is not None
    return page


def blocks(text: str, path: str = "guide/page.md", files: tuple[str, ...] = ()) -> list[Block]:
    """The blocks of a text below a title."""
    return parse(f"# Page\n\n{text}", path, files).sections[0].blocks


def outline(text: str) -> list[tuple[int, str, str | None]]:
    return [(section.level, section.heading, section.anchor) for section in parse(text).sections]


# Pages


@pytest.mark.parametrize(
    ("path", "is_page"),
    [
        ("guide/page.md", True),
        ("README.md", True),
        ("guide/page.markdown", True),
        ("CHANGELOG.md", True),
        ("guide/logo.png", False),
        ("LICENSE.md", False),
        ("LICENSE", False),
        ("guide/_partial.md", False),
        ("_includes/note.md", False),
        ("node_modules/x/README.md", False),
    ],
)
def test_pages_are_markdown_files_but_not_partials_and_licences(path: str, is_page: bool) -> None:
    assert MarkdownParser().is_page(path) is is_page


@pytest.mark.parametrize(
    ("file", "others", "path"),
    [
        ("guide/page.md", (), "guide/page"),
        ("README.md", (), "index"),
        ("index.md", (), "index"),
        ("guide/index.md", (), "guide"),
        ("guide/README.md", (), "guide"),
        ("guide/README.md", ("guide/index.md",), "guide/README"),
        ("guide/index.md", ("guide.md",), "guide/index"),
    ],
)
def test_a_page_has_the_path_that_sites_publish_it_under(file: str, others: tuple[str, ...], path: str) -> None:
    assert parse("text", file, others).path == path


def test_the_top_folder_is_the_section() -> None:
    assert parse("text", "guide/deep/page.md").section == "guide"
    assert parse("text", "page.md").section is None


def test_the_title_comes_from_front_matter_then_the_first_heading_then_the_file_name() -> None:
    assert parse("---\ntitle: The `X` title\n---\n# Another").title == "The X title"
    assert parse("Intro\n\n# The `X` *title*\n").title == "The X title"
    assert parse("<h1 align='center'>The title</h1>\n\ntext").title == "The title"
    assert parse("text", "guide/getting-started.md").title == "Getting started"
    assert parse("text", "guide/first-steps/index.md").title == "First steps"
    assert parse("text", "README.md").title == "Overview"


def test_a_first_heading_that_says_more_than_the_title_is_kept() -> None:
    assert parse("---\ntitle: API changelog\n---\n# API Changelog\ntext").sections[0].blocks == [
        Block(PARAGRAPH, "text")
    ]
    assert parse("---\ntitle: API changelog\n---\n# Breaking changes\ntext").sections[0].blocks == [
        Block(PARAGRAPH, "**Breaking changes**"),
        Block(PARAGRAPH, "text"),
    ]


def test_the_summary_is_that_of_the_front_matter() -> None:
    assert parse("---\nsummary: |\n  Two\n  lines.\n---\ntext").summary == "Two lines."
    assert parse("---\ndescription: One.\n---\ntext").summary == "One."
    assert parse("text").summary is None


def test_old_paths_are_aliases() -> None:
    page = parse("---\nredirect_from:\n  - /old/path/\n  - guide/page\n  - /old/path\n---\ntext")
    assert page.aliases == ("old/path",)
    assert parse("---\nredirect_from: /older\n---\ntext").aliases == ("older",)


@pytest.mark.parametrize(
    "text", ["", "\n\n", "---\ntitle: Moved\nredirect_to: /new\n---\ntext", "# Only a title", "<!-- x -->"]
)
def test_a_stub_is_no_page(text: str) -> None:
    assert MarkdownParser().parse("page.md", text.encode(), parse_context()) is None


def test_messages_of_the_front_matter_begin_the_page() -> None:
    page = parse(
        "---\ntitle: Slot lost\nerrors:\n- language: text\n  message: |\n    ERROR: no slot\n      HINT: add one\n---\n"
        "text"
    )
    assert page.sections[0].blocks == [
        Block(CODE, "```\nERROR: no slot\n  HINT: add one\n```"),
        Block(PARAGRAPH, "text"),
    ]
    assert page.sections[0].kind is Kind.ERROR


# Sections


def test_sections_are_cut_at_headings_of_both_styles_and_not_in_code() -> None:
    text = "# Page\nlead\n\n## One\n```\n# no heading\n```\nTwo\n---\n### Three ###\n"
    assert outline(text) == [(1, "Page", None), (2, "One", "one"), (2, "Two", "two"), (3, "Three", "three")]


def test_repeated_headings_get_numbered_anchors_that_count_the_title_and_nested_headings() -> None:
    text = "# Usage\n## Usage\n- item\n\n  ### Usage\n## Usage\n"
    assert outline(text) == [(1, "Usage", None), (2, "Usage", "usage-1"), (2, "Usage", "usage-3")]


@pytest.mark.parametrize(
    ("heading", "text", "anchor"),
    [
        ("## Tuning {#perf}", "Tuning", "perf"),
        ("## Tuning {: #perf .note}", "Tuning", "perf"),
        ("## Tuning {: .note}", "Tuning", "tuning"),
        ('## <a id="perf"></a>Tuning', "Tuning", "perf"),
        ('<a name="perf"></a>\n\n## Tuning', "Tuning", "perf"),
        ('<div id="perf"></div>\n\n## Tuning', "Tuning", "perf"),
        ('<h2 id="perf">Tuning <em>it</em></h2>', "Tuning it", "perf"),
        ("## Set `work_mem` to [more](x.md)", "Set work_mem to more", "set-work_mem-to-more"),
        ("## Connect to <your-host>", "Connect to <your-host>", "connect-to"),
        ("## Build  a jar", "Build a jar", "build--a-jar"),
        ("## Not\u00a0broken", "Not broken", "notbroken"),
        ("## ???", "???", None),
    ],
)
def test_anchors_are_those_of_the_published_page(heading: str, text: str, anchor: str | None) -> None:
    assert outline(f"# Page\n\n{heading}\n\ntext")[1] == (2, text, anchor)


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("🚀 Getting started", "Getting started"),
        (":rocket: Getting *started* :tada:", "Getting started"),
        ("⚙️ Setup ⚠️", "Setup"),
        ("✅", "✅"),
        ("`:host:` parameter", ":host: parameter"),
        ("std::vector: more", "std::vector: more"),
        ("⌘K 3D C++", "⌘K 3D C++"),
    ],
)
def test_emoji_around_a_heading_go(heading: str, text: str) -> None:
    assert parse(f"# {heading}\n\n## {heading}\n\ntext").title == text
    assert parse(f"# Page\n\n## {heading}\n\ntext").sections[1].heading == text


def test_an_anchor_that_is_used_twice_is_a_warning() -> None:
    page = parse("# Page\n## One {#same}\n## Two {#same}\ntext")
    assert [section.anchor for section in page.sections] == [None, "same", None]
    assert page.warnings == ("the anchor #same is used twice",)


def test_more_headings_of_the_first_level_are_chapters_one_level_down() -> None:
    text = "# Page\n## A\n# Chapter\n## B\n"
    assert [(level, heading) for level, heading, _ in outline(text)] == [
        (1, "Page"),
        (2, "A"),
        (2, "Chapter"),
        (3, "B"),
    ]


def test_headings_below_an_entry_of_its_own_are_part_of_it() -> None:
    page = parse("# Alert\n## `GET /api/alert/:id`\nFetch one.\n### PARAMS:\n- **`id`** a number\n## Other\ntext")
    entry, other = page.sections[1:]
    assert (entry.kind, entry.own, entry.names) == (Kind.API, True, ("GET /api/alert/:id", "/api/alert/:id"))
    assert (entry.heading, entry.anchor) == ("GET /api/alert/:id", "get-apialertid")
    assert [block.markdown for block in entry.blocks] == ["Fetch one.", "**PARAMS:**", "- **`id`** a number"]
    assert other.heading == "Other"


def test_release_notes_and_faqs_are_told_apart() -> None:
    assert [section.kind for section in parse("# Changes\n## 2.0\n- x", "changelog.md").sections] == [
        Kind.RELEASE_NOTE,
        Kind.RELEASE_NOTE,
    ]
    page = parse("# Page\n## Setup\ntext\n## FAQ\n### Is it free?\nYes.")
    assert [section.kind for section in page.sections] == [Kind.SECTION, Kind.SECTION, Kind.FAQ, Kind.FAQ]


# Blocks


def test_a_list_is_a_block_per_item_with_what_is_nested_in_it() -> None:
    text = "1. one\n   two\n\n   ```sql\n   SELECT *\n     FROM t;\n   ```\n2. three\n   - four\n\n- [ ] five"
    assert blocks(text) == [
        Block(ITEM, "1. one two\n\n   ```sql\n   SELECT *\n     FROM t;\n   ```"),
        Block(ITEM, "2. three\n\n   - four"),
        Block(ITEM, "- [ ] five"),
    ]


def test_code_is_kept_verbatim_and_empty_code_goes() -> None:
    text = "```python title=x\n<b>&amp;</b>  # {{ x }}\n\n\t*a*\n```\n\n    indented <i>\n\n```\n```\n"
    assert blocks(text) == [
        Block(CODE, "```python\n<b>&amp;</b>  # {{ x }}\n\n\t*a*\n```"),
        Block(CODE, "```\nindented <i>\n```"),
    ]


def test_code_that_holds_a_fence_gets_a_longer_one() -> None:
    assert blocks("~~~~md\n```\nx\n```\n~~~~") == [Block(CODE, "````md\n```\nx\n```\n````")]


def test_tables_keep_pipes_in_cells_and_lose_their_padding() -> None:
    text = "Name | Type\n:-- | --:\n`a \\| b` | *text*<br>long\nshort |\n"
    assert blocks(text) == [Block(TABLE, "| Name | Type |\n| --- | --- |\n| `a \\| b` | *text* long |\n| short |  |")]


def test_quotes_are_blocks_and_alerts_say_their_kind() -> None:
    assert blocks("> **Tip:** a\n> b\n>\n> - c") == [Block(QUOTE, "> **Tip:** a b\n>\n> - c")]
    assert blocks("> [!WARNING]\n> Careful.") == [Block(QUOTE, "> **Warning:** Careful.")]


def test_tags_go_and_their_text_stays() -> None:
    text = "<details>\n<summary>More</summary>\n\nInner <b>bold</b> and <kbd>Ctrl</kbd>.<!-- gone -->\n\n</details>\n"
    assert [block.markdown for block in blocks(text)] == ["**More**", "Inner bold and `Ctrl`."]
    assert blocks("<table><tr><th>A</th></tr><tr><td>1<br>2</td></tr><tr><td>3</td></tr></table>") == [
        Block(TABLE, "| A |\n| --- |\n| 1 2 |\n| 3 |")
    ]
    assert blocks("<style>p {}</style>\n\n<!--\nlong\n\ncomment -->\n\ntext") == [Block(PARAGRAPH, "text")]


def test_placeholders_in_running_text_stay_and_components_go() -> None:
    assert blocks("Use <your-token> or <TOKEN>, in <Tab title='x'>this</Tab>.") == [
        Block(PARAGRAPH, "Use \\<your-token> or \\<TOKEN>, in this.")
    ]


def test_text_that_looks_like_markup_is_escaped_and_names_are_not() -> None:
    assert blocks(r"\*not\* &lt;b&gt; MB_JETTY_PORT 2 * 3 \# x") == [
        Block(PARAGRAPH, r"\*not\* \<b> MB_JETTY_PORT 2 * 3 # x")
    ]


def test_attributes_of_spans_and_blocks_go() -> None:
    assert blocks('See [x](https://x.example){:target="_blank"}.\n{: .note}\n') == [
        Block(PARAGRAPH, "See [x](https://x.example).")
    ]


def test_images_become_their_texts() -> None:
    assert blocks("![A *green* plug](plug.png) and ![](x.png)") == [Block(PARAGRAPH, "A green plug and")]


# Links


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("other.md", "https://docs.example/v2.0/guide/other"),
        ("./other.md#sec", "https://docs.example/v2.0/guide/other#sec"),
        ("../top.md?x=1#sec", "https://docs.example/v2.0/top?x=1#sec"),
        ("other", "https://docs.example/v2.0/guide/other"),
        ("other.html", "https://docs.example/v2.0/guide/other"),
        ("../README.md", "https://docs.example/v2.0/index"),
        ("../admin/", "https://docs.example/v2.0/admin"),
        ("#sec", "https://docs.example/v2.0/guide/page#sec"),
        ("missing.md#x", "https://docs.example/v2.0/guide/missing#x"),
        ("../files/a%20b.zip", "https://docs.example/v2.0/files/a%20b.zip"),
        ("/pricing", "https://docs.example/pricing"),
        ("https://other.example/a(b)", "https://other.example/a%28b%29"),
        ("https://docs.example/latest/top.html#sec", "https://docs.example/v2.0/top#sec"),
        ("https://docs.example/v1.0/top", "https://docs.example/v1.0/top"),
        ("mailto:a@b.example", "mailto:a@b.example"),
        ("../../../outside.md", "https://docs.example/outside.md"),
    ],
)
def test_links_lead_to_the_published_page(href: str, target: str) -> None:
    files = ("guide/other.md", "top.md", "README.md", "admin/index.md")
    assert blocks(f"[text]({href})", files=files) == [Block(PARAGRAPH, f"[text]({target})")]


def test_a_link_that_leads_nowhere_is_text() -> None:
    text = "[a]() <a href='javascript:x()'>b</a> <a href='data:,x'>c</a> <a href='http://['>d</a> <a name='x'>e</a>"
    assert blocks(text) == [Block(PARAGRAPH, "a b c d e")]


def test_links_in_html_and_by_reference_are_links() -> None:
    definitions = "[ref]: other.md\n[three]: #x"
    text = f'<a href="other.md" target="_blank">one</a> [two][ref] [three] <https://x.example>\n\n{definitions}'
    assert blocks(text, files=("guide/other.md",)) == [
        Block(
            PARAGRAPH,
            "[one](https://docs.example/v2.0/guide/other) [two](https://docs.example/v2.0/guide/other)"
            " [three](https://docs.example/v2.0/guide/page#x) <https://x.example>",
        )
    ]


def test_the_linked_pages_of_the_version_are_listed_once_without_the_page_itself() -> None:
    files = ("guide/other.md", "top.md")
    page = parse(
        "[a](other.md) [b](../top.md#x) [c](other.md#y) [d](page.md) [e](https://x.example) [f](no.md)", files=files
    )
    assert page.links == ("guide/other", "top")


def test_a_link_may_spell_a_path_in_decomposed_form() -> None:
    assert parse("[a](<cafe\u0301.md>) [b](cafe%CC%81.md)", files=("guide/caf\u00e9.md",)).links == ("guide/caf\u00e9",)


# Bad input


def test_marks_of_windows_files_make_no_difference() -> None:
    page = parse(b"\xef\xbb\xbf---\r\ntitle: Page\r\n---\r\n\r\n## One\r\ntext\r\n")
    assert (page.title, [section.heading for section in page.sections], page.warnings) == ("Page", ["Page", "One"], ())


def test_a_wrong_encoding_is_a_warning() -> None:
    page = parse("# Café\ntext".encode("latin-1"))
    assert (page.title, page.warnings) == ("Café", ("not valid UTF-8 at byte 5",))


@pytest.mark.parametrize("code", ["```sql\nSELECT 1\n", "~~~\nSELECT 1", "```\nSELECT 1\n~~~"])
def test_code_that_is_never_closed_is_kept_with_a_warning(code: str) -> None:
    page = parse(f"# Page\n\n{code}")
    assert "SELECT 1" in page.markdown
    assert page.warnings == ("the code block that starts in line 3 of the text is never closed",)


@pytest.mark.parametrize("code", ["```\nSELECT 1\n```", "```\nSELECT 1\n````  \n\n", "~~~\nSELECT 1\n~~~\n\ntext"])
def test_code_that_is_closed_is_none(code: str) -> None:
    assert parse(f"# Page\n\n{code}").warnings == ()


def test_bad_front_matter_is_a_warning() -> None:
    page = parse("---\ntitle: [a\n---\n# Page\ntext")
    assert (page.title, page.sections[0].blocks) == ("[a", [Block(PARAGRAPH, "**Page**"), Block(PARAGRAPH, "text")])
    assert page.warnings[0].startswith("front matter is not YAML")


@pytest.mark.parametrize("text", [">" * 200 + " deep", "".join(f"{'  ' * depth}- x\n" for depth in range(200))])
def test_what_is_nested_too_deeply_is_a_warning(text: str) -> None:
    assert parse(f"# Page\ntext\n\n{text}").warnings == (
        f"what is nested deeper than {MAX_NESTING} levels is left out",
    )


def test_lines_beyond_a_bound_are_left_out_with_a_warning() -> None:
    page = parse("# Page\n\nfirst\n" + "\n" * MAX_LINES + "last\n")
    assert (page.markdown, page.warnings) == ("# Page\n\nfirst", (f"what follows line {MAX_LINES:,} is left out",))


def test_a_table_of_five_hundred_columns_is_kept() -> None:
    table = "\n".join("|" + "|".join([cell] * 500) + "|" for cell in ("h", "-", "x", "y"))
    (block,) = blocks(table)
    assert (block.type, block.markdown.count("x")) == (TABLE, 500)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab1\n\n #`*_[]()!<>|\\-:>~&;{}%\"'/=.\té\x00"), max_size=120))
def test_no_text_raises_and_the_output_is_bounded(text: str) -> None:
    page = MarkdownParser().parse("page.md", text.encode(), parse_context())
    if page is not None:
        assert len(page.markdown) <= 100 + 40 * len(text)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_raise(data: bytes) -> None:
    MarkdownParser().parse("page.md", data, parse_context())


@pytest.mark.parametrize(
    "unit",
    ["[a](", "# a\n", "- a\n", "> ", "`", "<b>", "|a|b|\n|-|-|\n", "*a ", "<a href=x>", "&#1;", "<div\n<a ", "<p a"],
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    started = time.perf_counter()
    MarkdownParser().parse("page.md", (unit * (50_000 // len(unit))).encode(), parse_context())
    assert time.perf_counter() - started < 10


def test_a_box_says_its_name_once() -> None:
    texts = ("> [!NOTE]\n> **Note:** Hot.", "> [!NOTE]\n> **Notes**: Hot.", "> [!WARNING]\n> Warning: hot.")
    assert [block.markdown for text in texts for block in blocks(text)] == [
        "> **Note:** Hot.",
        "> **Notes**: Hot.",
        "> Warning: hot.",
    ]


def test_alerts_may_have_their_type_in_braces() -> None:
    assert [block.markdown for block in blocks("> {tip} Oil *it*\n> slowly.")] == ["> **Tip:** Oil *it* slowly."]


def test_an_anchor_may_stand_in_brackets() -> None:
    assert outline("# T\n\n## Oil it [#oil]\n\nText.\n\n## Burn [it]\n\nText.")[1:] == [
        (2, "Oil it", "oil"),
        (2, "Burn [it]", "burn-it"),
    ]


def test_links_with_a_place_for_the_version_and_to_names_in_a_program() -> None:
    text = "[a](/docs/{{version}}/a), [`Lamp`](`Lamp`)"
    assert [block.markdown for block in blocks(text)] == ["[a](https://docs.example/docs/v2.0/a), `Lamp`"]


def test_a_fence_may_say_more_than_its_language() -> None:
    text = "```rust,ignore\nx\n```\n\n~~~js{1}\ny\n~~~"
    assert [block.markdown for block in blocks(text)] == ["```rust\nx\n```", "```js\ny\n```"]
