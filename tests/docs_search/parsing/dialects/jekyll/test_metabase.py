import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.documents import Block, BlockType, Kind, ParsedPage, Section
from docs_search.parsing.dialects.jekyll.metabase import MetabaseParser
from tests.parsing import parse_context

URL = "https://www.metabase.com/docs/{version}/{path}"


def parse(text: str, path: str = "guide/page.md", files: dict[str, bytes] | None = None) -> ParsedPage:
    context = parse_context({path: b"", **(files or {})}, version="v0.63", url=URL)
    page = MetabaseParser().parse(path, text.encode(), context)
    assert page is not None
    return page


def marks(page: ParsedPage) -> list[tuple[str, str | None, str | None]]:
    return [(section.heading, section.plan, section.deployment) for section in page.sections]


def markdown(section: Section) -> list[str]:
    return [block.markdown for block in section.blocks]


# Paths


@pytest.mark.parametrize(
    ("path", "is_page"),
    [
        ("docs/permissions/start.md", True),
        ("permissions/snippets.md", True),
        ("embedding/sdk/api/snippets/Theme.md", False),
        ("docs/images/x.png", False),
        ("LICENSE.txt", False),
        ("api.html", False),
    ],
)
def test_pages_are_the_markdown_files_that_are_no_snippets(path: str, is_page: bool) -> None:
    assert MetabaseParser().is_page(path) is is_page


@pytest.mark.parametrize(
    ("file", "path", "section"),
    [
        ("README.md", "index", None),
        ("permissions/start.md", "permissions/start", "permissions"),
        ("troubleshooting-guide/index.md", "troubleshooting-guide/index", "troubleshooting-guide"),
        ("util/README.md", "util/README", "util"),
    ],
)
def test_a_path_is_that_of_the_published_site(file: str, path: str, section: str | None) -> None:
    page = parse("text", file)
    assert (page.path, page.section) == (path, section)


def test_a_whole_repository_is_published_from_its_docs_folder() -> None:
    files = {"README.md": b"The project", "docs/README.md": b"Documentation", "docs/a/b.md": b"[home](../README.md)"}
    context = parse_context(files, version="v0.63", url=URL)
    pages = {path: MetabaseParser().parse(path, data, context) for path, data in files.items()}
    assert {path: page and page.path for path, page in pages.items()} == {
        "README.md": None,
        "docs/README.md": "index",
        "docs/a/b.md": "a/b",
    }
    page = pages["docs/a/b.md"]
    assert page is not None
    assert (page.links, page.section) == (("index",), "a")


def test_old_paths_lose_the_site_and_the_version() -> None:
    page = parse(
        "---\nredirect_from:\n  - /docs/latest/users-guide/old\n  - /docs/cloud/ips\n  - /docs/v0.40/start.html\n"
        "  - /cloud/docs/migrate/\n  - /docs/latest/guide/page\n  - /docs/latest/\n"
        "redirect-from:\n  - /docs/latest/slip\n---\ntext"
    )
    assert page.aliases == ("users-guide/old", "cloud/ips", "start", "cloud/docs/migrate", "slip")


def test_links_to_the_latest_docs_stay_in_the_version() -> None:
    files = {"embedding/sdk/auth.md": b""}
    page = parse(
        "[a](https://www.metabase.com/docs/latest/embedding/sdk/auth.html#x) [b](../api.html#tag)", files=files
    )
    assert markdown(page.sections[0]) == [
        "[a](https://www.metabase.com/docs/v0.63/embedding/sdk/auth#x) [b](https://www.metabase.com/docs/v0.63/api.html#tag)"
    ]
    assert page.links == ("embedding/sdk/auth",)


# Plans and deployment


def test_an_include_below_the_title_binds_the_page_to_a_plan() -> None:
    page = parse('# Security\n\n{% include plans-blockquote.html feature="Row security" %}\n\ntext\n\n## Setup\ntext')
    assert (page.plan, page.deployment) == ("pro", None)
    assert marks(page) == [("Security", "pro", None), ("Setup", "pro", None)]
    assert page.sections[0].blocks[0] == Block(
        BlockType.QUOTE, "> Row security is only available on the Pro and Enterprise plans."
    )


def test_an_include_below_another_heading_binds_that_section_and_those_below_it() -> None:
    page = parse(
        "# Page\ntext\n## Caching\n{% include plans-blockquote.html feature='Cache policies' is_plural=true %}\n"
        "### Duration\ntext\n#### Deep\ntext\n## Other\ntext"
    )
    assert page.plan is None
    assert marks(page) == [
        ("Page", None, None),
        ("Caching", "pro", None),
        ("Duration", "pro", None),
        ("Deep", "pro", None),
        ("Other", None, None),
    ]
    assert markdown(page.sections[1]) == ["> Cache policies are only available on the Pro and Enterprise plans."]


def test_an_include_for_self_hosting_or_for_one_plan_says_so() -> None:
    page = parse(
        '# Page\n{% include plans-blockquote.html feature="Config files" self-hosted-only="true" %}\n'
        '## Audit\n{% include plans-blockquote.html enterprise-only="true" %}\n'
    )
    assert marks(page) == [("Page", "pro", "self-hosted"), ("Audit", "enterprise", "self-hosted")]
    assert markdown(page.sections[0]) == [
        "> Config files is only available on the self-hosted Pro and Enterprise plans."
    ]
    assert markdown(page.sections[1]) == ["> This feature is only available on the Enterprise plan."]


@pytest.mark.parametrize(
    ("remark", "plan", "deployment"),
    [
        (
            "> Only available on Metabase [Pro](https://x.example/pro) and [Enterprise](https://x.example) plans.",
            "pro",
            None,
        ),
        (
            "Only available on Metabase [Pro](https://x.example) and [Enterprise](https://x.example) plans.<br>\nMore.",
            "pro",
            None,
        ),
        ("> These endpoints are only available for [Enterprise](https://x.example) plans.", "enterprise", None),
        ("> Sheets are only available for Metabase Cloud instances.", None, "cloud"),
        ("> Runners require self-hosted Pro or Enterprise plan with an add-on.", "pro", "self-hosted"),
        ("> Auto-refresh is only available for dashboards, not questions.", None, None),
        ("> Available on all plans.", None, None),
        ("Some say it is only available on Pro plans.", None, None),
    ],
)
def test_a_remark_binds_its_section(remark: str, plan: str | None, deployment: str | None) -> None:
    page = parse(f"# Page\ntext\n### `MB_X_Y`\n- Type: string\n\n{remark}\n\nDescription.")
    assert marks(page) == [("Page", None, None), ("MB_X_Y", plan, deployment)]


def test_a_remark_that_repeats_itself_is_read_in_linear_time() -> None:
    start = time.perf_counter()
    assert parse("> " + "only available on " * 5_000).plan is None
    assert time.perf_counter() - start < 3


def test_the_plans_of_the_corpus_are_what_is_looked_for() -> None:
    context = parse_context(version="v1", url=URL, plans=("starter", "pro"))
    text = b"# P\n> Only available on the Starter and Pro plans.\n## Q\n> Only available on Pro plans."
    page = MetabaseParser().parse("p.md", text, context)
    assert page is not None
    assert [section.plan for section in page.sections] == ["starter", "pro"]


def test_pages_about_the_cloud_are_for_the_cloud() -> None:
    page = parse("# Storage\ntext\n## Buy\ntext", "cloud/storage.md")
    assert page.deployment == "cloud"
    assert marks(page) == [("Storage", None, "cloud"), ("Buy", None, "cloud")]


# Entries


def test_each_environment_variable_is_an_entry() -> None:
    page = parse(
        "# Environment variables\n### `MB_JETTY_PORT`\n- Type: integer\n- Default: `3000`\n"
        "### `MB_OLD [DEPRECATED]`\ngone"
    )
    port, old = page.sections[1:]
    assert (port.kind, port.own, port.names, port.anchor) == (Kind.SETTING, True, ("MB_JETTY_PORT",), "mb_jetty_port")
    assert markdown(port) == ["- Type: integer", "- Default: `3000`"]
    assert (old.kind, old.own, old.names) == (Kind.SETTING, True, ("MB_OLD",))


def test_each_api_operation_is_an_entry_with_its_parameters() -> None:
    page = parse(
        "# Alert\n## `GET /api/alert/`\nAll.\n### PARAMS:\n-  **`archived`** boolean.\n## `POST /api/alert/`\nNew."
    )
    assert [(section.kind, section.own, section.names[:1]) for section in page.sections[1:]] == [
        (Kind.API, True, ("GET /api/alert/",)),
        (Kind.API, True, ("POST /api/alert/",)),
    ]
    assert markdown(page.sections[1]) == ["All.", "**PARAMS:**", "- **`archived`** boolean."]


def test_each_expression_with_its_syntax_is_an_entry() -> None:
    page = parse(
        "# List of expressions\n### [CountIf](x.md)\nCounts.\n\nSyntax: `CountIf(condition)`\n### Notes\nSyntax: `x(y)`"
    )
    expression, notes = page.sections[1:]
    assert (expression.kind, expression.own, expression.names) == (Kind.FUNCTION, True, ("CountIf",))
    assert (notes.kind, notes.own) == (Kind.SECTION, False)


# Templates


def test_snippets_are_included_with_links_relative_to_the_page() -> None:
    table = b"| A | B |\n|---|---|\n| `x` | [y](./other.md) |\n"
    snippet = b"<!-- [<snippet properties>] -->\n" + table + b"<!-- [<endsnippet properties>] -->"
    page = parse(
        '# Page\n{% include_file "{{ dirname }}/snippets/x.md" snippet="properties" %}',
        files={"guide/snippets/x.md": snippet, "guide/other.md": b""},
    )
    assert markdown(page.sections[0]) == [
        "| A | B |\n| --- | --- |\n| `x` | [y](https://www.metabase.com/docs/v0.63/guide/other) |"
    ]


def test_a_missing_include_leaves_no_empty_code_block() -> None:
    page = parse('# Page\n```ts\n{% include_file "{{ dirname }}/snippets/x.ts" snippet="a" %}\n```\ntext')
    assert markdown(page.sections[0]) == ["text"]
    assert page.warnings == ("the included file guide/snippets/x.ts is not in the source",)


def test_templates_are_resolved_and_variables_of_the_product_are_kept() -> None:
    page = parse(
        "# Page\nVersion {{page.version | remove: 'v0.'}} of {{site.latest_enterprise}}{{unknown}}.\n\n"
        "{% include youtube.html id='abc' %}\n\n| {% include svg-icons/cross.svg %} |\n|---|\n\n"
        "```sql\n{% raw %}WHERE x = {{x}} [[AND y]]{% endraw %}\n```\n\nA {% raw %}{{variable}}{% endraw %} here."
    )
    assert markdown(page.sections[0]) == [
        "Version 63 of v1.63.",
        "[Video](https://www.youtube.com/watch?v=abc)",
        "| cross |\n| --- |",
        "```sql\nWHERE x = {{x}} [[AND y]]\n```",
        "A `{{variable}}` here.",
    ]


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "{% raw %}",
                "{% endraw %}",
                "{{",
                "}}",
                "{% include_file 'guide/page.md' %}",
                "{% include plans-blockquote.html %}",
                "```\n",
                "`",
                "# a\n",
                "\n",
                "> ",
                "- ",
                "|a|\n|-|\n",
                "only available on pro plans",
                "---\n",
                "redirect_from: x\n",
            ]
        ),
        max_size=12,
    ).map("".join)
)
def test_no_text_raises(text: str) -> None:
    context = parse_context({"guide/page.md": text.encode()}, version="v0.63", url=URL)
    MetabaseParser().parse("guide/page.md", text.encode(), context)
