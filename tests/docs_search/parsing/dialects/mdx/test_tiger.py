from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.documents import Kind, ParseContext, ParsedPage
from docs_search.parsing.dialects.mdx.tiger import TigerParser
from tests.parsing import parse_context

NAVIGATION = """module.exports = [
  { title: "Use it", href: "use-timescale", filePath: "index.md", children: [
    { title: "Tables", href: "tables", excerpt: "All about tables", children: [
      { title: "Make a table", href: "make" },
      { title: "Trouble with tables", href: "troubleshooting", type: "placeholder" },
    ]},
    { title: "Gone", href: "gone", type: "redirect-to-child-page", children: [{ title: "Make", href: "make" }] },
    { title: "Elsewhere", href: "https://x.example" },
  ]},
];
"""
API_NAVIGATION = """module.exports = [
  { title: "Reference", href: "api", children: [
    { title: "Tables", href: "tables", type: "directory", children: [{ title: "make_table", href: "make_table" }] },
    { title: "Sketches", href: "sketches", type: "redirect-to-child-page",
      children: [{ title: "sketch_agg", href: "sketch_agg", type: "placeholder", excerpt: "Sketch it" }] },
    { title: "Rounding", href: "rounding", type: "placeholder" },
  ]},
];
"""
DETAILS = """---
api_name: sketch()
excerpt: Sketch values
api:
  license: community
  type: function
api_details:
  summary: Draws a **sketch** of [tables](/use-timescale/latest/tables/).
  signatures:
    - language: sql
      code: |
        sketch(
          value INT
        ) RETURNS Sketch
  parameters:
    required:
      - name: value
        type: INT | BIGINT
        description: What to draw
    optional:
      - name: size
        type: INT
        default: 10
        description: How large
    returns:
      - column: sketch
        type: Sketch
        description: >
          The drawing,
          of course
  examples:
    - description: Draw one
      command:
        code: SELECT sketch(1);
      return:
        code: |
          sketch
          ------
---
"""
TROUBLE = """---
title: Making a `table` fails
products: [cloud, self_hosted]
topics: [tables]
errors:
  - language: sql
    message: |-
      ERROR:  no room for "<TABLE>"
      DETAIL:  really none
---

<!---
* Advice to writers
-->

Make room, see [here][room].

[room]: /use-timescale/:currentVersion:/tables/make/#room
"""
FILES: Mapping[str, str] = {
    "README.md": "About the repository",
    "use-timescale/page-index/page-index.js": NAVIGATION,
    "api/page-index/page-index.js": API_NAVIGATION,
    "use-timescale/index.md": "# Use\n\ntext",
    "use-timescale/tables/index.md": "# Tables\n\ntext",
    "use-timescale/tables/make.md": "# Make\n\ntext",
    "use-timescale/OLD_tables.md": "# Old\n\ntext",
    "use-timescale/unlisted.md": "# Unlisted\n\ntext",
    "api/make_table.md": "---\napi_name: make_table()\napi:\n  license: community\n  type: function\n---\n"
    '# make_table() <Tag type="community">Community</Tag>\n\ntext',
    "api/_hyperfunctions/sketch_agg/intro.md": "---\nsection: hyperfunction\n---\n\nDraw [things][t].\n\n[t]: #sketch",
    "api/_hyperfunctions/sketch_agg/sketch.md": DETAILS,
    "api/_hyperfunctions/sketch_agg/examples.md": "---\nsection: hyperfunction\n---\n"
    "### One\n\n[things][t]\n\n[t]: /api/latest/",
    "api/_hyperfunctions/rounding-intro.md": "Round it.",
    "api/_hyperfunctions/round_up.md": "---\napi_name: round_up()\nhyperfunction:\n  family: rounding\n---\n",
    "_troubleshooting/no-room.md": TROUBLE,
    "_troubleshooting/self-hosted/disk.md": "---\ntitle: Disk full\nproducts: [self_hosted]\ntopics: [disks]\n---\n"
    "Buy one.",
    "_partials/_part.md": "Part of $CLOUD_LONG, see [it][t].\n\n[t]: /use-timescale/latest/tables/make",
}  # fmt: skip


def context(files: Mapping[str, str] | None = None, plans: tuple[str, ...] = ()) -> ParseContext:
    sources = {path: text.encode() for path, text in {**FILES, **(files or {})}.items()}
    return parse_context(sources, version="", url="https://docs.tigerdata.com/{path}", plans=plans)


def parse(path: str, text: str | None = None, plans: tuple[str, ...] = ()) -> ParsedPage:
    known = context({path: text} if text is not None else None, plans)
    data = known.read(path)
    assert data is not None
    page = TigerParser().parse(path, data, known)
    assert page is not None
    return page


def lead(text: str) -> list[str]:
    page = parse("use-timescale/tables/page.md", f"# T\n\n{text}")
    assert page.warnings == ()
    return [block.markdown for block in page.sections[0].blocks]


# Pages


@pytest.mark.parametrize(
    ("file", "path"),
    [
        ("use-timescale/index.md", "use-timescale"),
        ("use-timescale/tables/index.md", "use-timescale/tables"),
        ("use-timescale/tables/make.md", "use-timescale/tables/make"),
        ("use-timescale/unlisted.md", "use-timescale/unlisted"),
        ("api/make_table.md", "api/tables/make_table"),
        ("api/_hyperfunctions/sketch_agg/intro.md", "api/sketches/sketch_agg"),
        ("api/_hyperfunctions/rounding-intro.md", "api/rounding"),
        ("_troubleshooting/no-room.md", "use-timescale/tables/troubleshooting"),
    ],
)
def test_a_path_is_that_of_the_published_site(file: str, path: str) -> None:
    assert parse(file).path == path


def test_parts_retired_files_and_the_repositorys_own_are_no_pages() -> None:
    known = context()
    pages = {
        path: TigerParser().parse(path, text.encode(), known) if TigerParser().is_page(path) else None
        for path, text in FILES.items()
    }
    assert [path for path, page in pages.items() if page is None] == [
        "README.md",
        "use-timescale/page-index/page-index.js",
        "api/page-index/page-index.js",
        "use-timescale/OLD_tables.md",
        "api/_hyperfunctions/sketch_agg/sketch.md",
        "api/_hyperfunctions/sketch_agg/examples.md",
        "api/_hyperfunctions/round_up.md",
        "_troubleshooting/self-hosted/disk.md",
        "_partials/_part.md",
    ]


def test_a_page_is_found_under_its_files_path_too() -> None:
    assert parse("api/make_table.md").aliases == ("api/make_table",)


@pytest.mark.parametrize(
    ("front_matter", "title", "summary"),
    [
        ("title: A $SERVICE_SHORT\nexcerpt: On $CLOUD_LONG", "A service", "On Tiger Cloud"),
        ("api_name: f()", "f()", None),
        ("keywords: [a]", "Heading", None),
    ],
)
def test_titles_and_summaries_come_from_the_front_matter(front_matter: str, title: str, summary: str | None) -> None:
    page = parse("use-timescale/tables/page.md", f"---\n{front_matter}\n---\n# Heading\n\ntext")
    assert (page.title, page.summary) == (title, summary)


def test_the_navigation_gives_the_title_where_the_document_has_none() -> None:
    page = parse("use-timescale/tables/make.md", "```sh\n# no title\n```")
    assert page.title == "Make a table"
    assert parse("use-timescale/tables/index.md", "text").summary == "All about tables"


def test_paths_of_the_console_do_not_spoil_the_front_matter() -> None:
    page = parse(
        "use-timescale/tables/page.md",
        "---\ntitle: T\nproducts: [cloud]\ncloud_ui:\n    path:\n        - [services, :serviceId]\n---\ntext",
    )
    assert (page.title, page.deployment, page.warnings) == ("T", "cloud", ())


@pytest.mark.parametrize(
    ("products", "deployment"),
    [("[cloud]", "cloud"), ("[self_hosted]", "self-hosted"), ("[mst]", None), ("[cloud, self_hosted]", None)],
)
def test_one_product_alone_is_the_deployment(products: str, deployment: str | None) -> None:
    page = parse("use-timescale/tables/page.md", f"---\nproducts: {products}\n---\n# T\n\ntext\n## More\ntext")
    assert [page.deployment, *(section.deployment for section in page.sections)] == [deployment] * 3


def test_a_page_of_the_reference_names_what_it_documents() -> None:
    page = parse("api/make_table.md", plans=("apache", "community"))
    assert (page.title, page.plan) == ("make_table()", "community")
    assert (page.sections[0].kind, page.sections[0].names, page.sections[0].plan) == (
        Kind.FUNCTION,
        ("make_table",),
        "community",
    )
    assert parse("api/make_table.md").plan is None


# Generated pages


def test_functions_are_put_together_with_their_details() -> None:
    page = parse("api/_hyperfunctions/sketch_agg/intro.md", plans=("community",))
    assert (page.title, page.summary, page.plan) == ("sketch_agg", "Sketch it", "community")
    assert [(section.level, section.heading, section.kind, section.own) for section in page.sections] == [
        (1, "sketch_agg", Kind.SECTION, False),
        (2, "sketch()", Kind.FUNCTION, True),
        (2, "Examples", Kind.SECTION, False),
        (3, "One", Kind.SECTION, False),
    ]
    assert [block.markdown for block in page.sections[0].blocks] == [
        "Draw [things](https://docs.tigerdata.com/api/sketches/sketch_agg#sketch)."
    ]
    assert [block.markdown for block in page.sections[1].blocks] == [
        "Draws a **sketch** of [tables](https://docs.tigerdata.com/use-timescale/tables).",
        "```sql\nsketch(\n  value INT\n) RETURNS Sketch\n```",
        "**Required arguments**",
        "| Name | Type | Description |\n| --- | --- | --- |\n| `value` | INT \\| BIGINT | What to draw |",
        "**Optional arguments**",
        "| Name | Type | Default | Description |\n| --- | --- | --- | --- |\n| `size` | INT | `10` | How large |",
        "**Returns**",
        "| Column | Type | Description |\n| --- | --- | --- |\n| `sketch` | Sketch | The drawing, of course |",
        "**Examples**",
        "Draw one",
        "```sql\nSELECT sketch(1);\n```",
        "```\nsketch\n------\n```",
    ]
    assert page.links == ("use-timescale/tables", "api/tables/make_table")


def test_a_family_without_a_folder_is_put_together_too() -> None:
    page = parse("api/_hyperfunctions/rounding-intro.md")
    assert [section.heading for section in page.sections] == ["Rounding", "round_up()"]


def test_a_page_about_troubleshooting_has_the_messages() -> None:
    page = parse("_troubleshooting/no-room.md")
    assert page.title == "Trouble with tables"
    assert [(section.heading, section.kind) for section in page.sections] == [
        ("Trouble with tables", Kind.SECTION),
        ("Making a table fails", Kind.ERROR),
    ]
    assert [block.markdown for block in page.sections[1].blocks] == [
        '```\nERROR:  no room for "<TABLE>"\nDETAIL:  really none\n```',
        "Make room, see [here](https://docs.tigerdata.com/use-timescale/tables/make#room).",
    ]
    assert page.links == ("use-timescale/tables/make",)


def test_an_entry_of_troubleshooting_can_be_imported() -> None:
    page = parse(
        "use-timescale/tables/page.md",
        "import NoRoom from 'versionContent/_troubleshooting/no-room.mdx';\n\n# T\n\ntext\n\n<NoRoom />",
    )
    assert [(section.heading, section.kind) for section in page.sections] == [
        ("T", Kind.SECTION),
        ("Making a table fails", Kind.ERROR),
    ]


# Links


@pytest.mark.parametrize(
    ("href", "target"),
    [
        ("/use-timescale/:currentVersion:/tables/make/#a", "use-timescale/tables/make#a"),
        ("/use-timescale/latest/tables/", "use-timescale/tables"),
        ("/use-timescale/gone", "use-timescale/gone/make"),
        ("/api/latest/tables/make_table/", "api/tables/make_table"),
        ("/api/latest/make_table/", "api/tables/make_table"),
        ("/api/:currentVersion:/sketches/", "api/sketches/sketch_agg"),
        ("https://docs.timescale.com/use-timescale/latest/tables/make/", "use-timescale/tables/make"),
        ("https://docs.tigerdata.com/api/latest/", "api"),
        ("make", "use-timescale/tables/make"),
        ("/api/latest/missing/#b", "api/latest/missing#b"),
    ],
)
def test_links_to_the_docs_lead_to_their_pages(href: str, target: str) -> None:
    text = f"# T\n\n[a]({href}) [b][c]\n\n[c]: {href}"
    known = context({"use-timescale/tables/page.md": text, "use-timescale/gone/make.md": "", "api/index.md": "text"})
    page = TigerParser().parse("use-timescale/tables/page.md", text.encode(), known)
    assert page is not None
    url = f"https://docs.tigerdata.com/{target}"
    assert [block.markdown for block in page.sections[0].blocks] == [f"[a]({url}) [b]({url})"]


def test_other_links_stay() -> None:
    assert lead("[a](https://x.example/api/latest/) [b](mailto:a@b.example) [c](#d)") == [
        "[a](https://x.example/api/latest/) [b](mailto:a@b.example) "
        "[c](https://docs.tigerdata.com/use-timescale/tables/page#d)"
    ]


# Components and variables


def test_partials_are_found_behind_their_alias() -> None:
    assert lead(
        'import Part from "versionContent/_partials/_part.mdx";\n\n<Part />\n\n[x][t]\n\n[t]: /use-timescale/'
    ) == [
        "Part of Tiger Cloud, see [it](https://docs.tigerdata.com/use-timescale/tables/make).",
        "[x](https://docs.tigerdata.com/use-timescale)",
    ]


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ('<Highlight type="cloud">\ntext\n</Highlight>', ["> **Cloud:** text"]),
        ("<Procedure>\n\n1. One\n1. <Optional />Two\n\n</Procedure>", ["1. One", "2. Optional: Two"]),
        ("<HyperfunctionTable\n  includeExperimental\n/>\n\ntext", ["text"]),
        ("<Terminal>\n\n<tab label='ruby'>\n\n```ruby\nx\n```\n\n</tab>\n\n</Terminal>",
         ["**ruby**", "```ruby\nx\n```"]),
        ("A $CONSOLE and $NEW_THING_LONG for $AAPL and `$CLOUD_LONG` in $API_KEY.",
         ["A Tiger Cloud Console and New Thing for $AAPL and `$CLOUD_LONG` in $API_KEY."]),
        ("A set {1, 2}, <!--- not shown --> at <HOST>.", ["A set {1, 2}, at \\<HOST>."]),
        ("```\na\n```\n\n    indented", ["```\na\n```", "```\nindented\n```"]),
    ],
)  # fmt: skip
def test_components_and_variables_become_words(text: str, blocks: list[str]) -> None:
    assert lead(text) == blocks


def test_a_query_to_try_out_is_included() -> None:
    files = {"_queries/first.md": "SELECT 1\n", "use-timescale/tables/page.md": ""}
    text = '# T\n\n<TryItOutCodeBlock queryId="first" />'
    page = TigerParser().parse("use-timescale/tables/page.md", text.encode(), context(files))
    assert page is not None
    assert [block.markdown for block in page.sections[0].blocks] == ["```sql\nSELECT 1\n```"]


# Bad input


PIECES = st.sampled_from(
    [
        "module.exports = [", "{ title: 'a', href: 'b'", ", children: [", "type: 'placeholder'", "}", "]", ",",
        "href: 'troubleshooting'",
        "---\n", "errors:\n", "  - message: a\n", "api_details:\n", "  signatures: x\n", "  parameters: [a]\n",
        "topics: [b]\n", "title: t\n", "$A_B", "<Tag>", "[a]: /api/:currentVersion:/b\n", "[x][a]", "# h\n", "\n",
    ]
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(*[st.lists(PIECES, max_size=15).map("".join)] * 3)
def test_no_text_raises(navigation: str, document: str, part: str) -> None:
    files = {
        "api/page-index/page-index.js": navigation,
        "api/b.md": document,
        "api/_hyperfunctions/b/intro.md": part,
        "_troubleshooting/t.md": part,
    }
    known = parse_context({path: text.encode() for path, text in files.items()})
    parser = TigerParser()
    for path, text in files.items():
        parser.parse(path, text.encode(), known)
