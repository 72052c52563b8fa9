import time
from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.documents import ParsedPage
from docs_search.parsing.dialects.mdx.parser import MdxParser
from tests.parsing import parse_context


def parse(text: str, path: str = "guide/page.mdx", files: Mapping[str, str] | None = None) -> ParsedPage:
    sources = {name: content.encode() for name, content in (files or {}).items()}
    page = MdxParser().parse(path, text.encode(), parse_context({path: text.encode(), **sources}))
    assert page is not None
    return page


def body(text: str, path: str = "guide/page.mdx", files: Mapping[str, str] | None = None) -> str:
    """The page's Markdown below its title, without warnings."""
    page = parse(f"# T\n\n{text}", path, files)
    assert page.warnings == ()
    return page.markdown.removeprefix("# T\n\n")


# Pages


@pytest.mark.parametrize(
    ("path", "is_page"),
    [
        ("a.mdx", True),
        ("a.md", True),
        ("a/_b.mdx", False),
        ("_c/a.mdx", False),
        ("a.tsx", False),
        ("LICENSE.md", False),
    ],
)
def test_pages_are_markdown_and_mdx_files_that_are_no_partials(path: str, is_page: bool) -> None:
    assert MdxParser().is_page(path) is is_page


@pytest.mark.parametrize(
    ("file", "path"), [("index.mdx", "index"), ("a/index.mdx", "a"), ("a/b.mdx", "a/b"), ("a/README.md", "a")]
)
def test_a_path_has_no_extension(file: str, path: str) -> None:
    assert parse("text", file).path == path


def test_links_lead_to_the_pages_of_files() -> None:
    page = parse("[a](./b.mdx#x) [c](c.md) <Card title='D' href='../d/e.mdx'>text</Card>", files=dict.fromkeys(
        ("guide/b.mdx", "guide/c.md", "d/e.mdx"), ""))  # fmt: skip
    assert page.links == ("guide/b", "guide/c", "d/e")
    assert "(https://docs.example/v2.0/guide/b#x)" in page.markdown


# Statements, expressions, comments


def test_statements_and_comments_vanish_and_texts_stay() -> None:
    text = (
        "import X from 'x'\n\nexport const meta = {\n  a: 1,\n}\nexport const product = \"Docent\"\n\n"
        "{/* a comment\n over lines */}\n\n<!-- another -->\n\n"
        "Say {\"hi *all*\"}{' '}{`there`} to {product}{unknown.thing} now. {/* end */}"
    )
    assert body(text) == r"Say hi \*all\* there to Docent now."


def test_braces_are_text_where_nothing_says_that_they_are_expressions() -> None:
    assert body("A set {1, 2} and `{x}`. {/* gone */}", "guide/page.md") == "A set {1, 2} and `{x}`."
    assert body("A set {1, 2} and `{x}` and \\{3}.") == "A set  and `{x}` and {3}.".replace("  ", " ")


def test_formulas_keep_their_braces() -> None:
    assert body("So $x_{1}$ and\n\n$$\n\\frac{a}{b}\n$$") == "So $x\\_{1}$ and\n\n$$ \\frac{a}{b} $$"


def test_headings_keep_their_anchors() -> None:
    page = parse("# T\n\n## A {#one}\ntext\n## B {/* #two */}\ntext\n## C <Badge>new</Badge>\ntext")
    assert [(section.heading, section.anchor) for section in page.sections[1:]] == [
        ("A", "one"),
        ("B", "two"),
        ("C", "c"),
    ]


def test_fields_of_the_front_matter_are_filled_in() -> None:
    page = parse("---\ntitle: T\nproduct: Docent\n---\nOn {frontMatter.product}.")
    assert page.markdown == "# T\n\nOn Docent."


# Components


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<Unknown a={1}>\nSome *text*\n</Unknown>", "Some *text*"),
        ("<Unknown title=\"Title\">\n  ## Heading\n  text\n</Unknown>", "**Title**\n\n## Heading\n\ntext"),
        ("A <Kbd>Ctrl</Kbd> and <Term term=\"word\" /> <Icon name=\"x\"/>.", "A Ctrl and word ."),
        ("<>\ntext\n</>", "text"),
        ("<A.B\n  on={() => { return \"}\" }}\n  {...rest}\n>text</A.B>", "text"),
        ("<Outer>\n<Inner>\ntext\n</Inner>\n</Outer>", "text"),
        ("<Card title=\"C\" href=\"https://x.example\">\nMore.\n</Card>", "**[C](https://x.example)**\n\nMore."),
        ("<LinkCard title=\"C\" href=\"https://x.example\" description=\"D\" />", "**[C](https://x.example)**\n\nD"),
        ("See <Link to=\"https://x.example\">this</Link>.", "See [this](https://x.example)."),
        ("<Accordion title=\"Q\">\nA\n</Accordion>", "**Q**\n\nA"),
        ("<Collapsible heading=\"H\" headingLevel={3}>\ntext\n</Collapsible>", "### H\n\ntext"),
        ("<details>\n<summary>More</summary>\n\ntext\n</details>", "**More**\n\ntext"),
        ("<Image src={x} alt=\"A chart\" />", "A chart"),
        ("<ThemedImage alt=\"A plan\" sources={{light: a}} />", "A plan"),
        ("<Frame caption=\"Below\"><img src=\"a.png\" alt=\"Alt\" /></Frame>", "Below\n\nAlt"),
        ("<Steps>\n<Step title=\"One\">\nDo\n</Step>\n<Step title=\"Two\">Go</Step>\n</Steps>",
         "**One**\n\nDo\n\n**Two**\n\nGo"),
        ("<ParamField path=\"id\" type=\"string\" required>\nThe id.\n</ParamField>",
         "**`id` (string, required)**\n\nThe id."),
        ("<YouTube id=\"abcdefghijk\" />", "[Video](https://www.youtube.com/watch?v=abcdefghijk)"),
        ("A <Badge>new</Badge> thing", "A new thing"),
        ("<style>{`a { b }`}</style>\n\n<script>let a = '<b>'</script>\n\ntext", "text"),
        ("<Card title=\"`a` &amp; *b*\" />", "**\\`a\\` & \\*b\\***"),
    ],
)  # fmt: skip
def test_components_keep_what_readers_see(text: str, expected: str) -> None:
    assert body(text) == expected


@pytest.mark.parametrize(
    ("tag", "label"),
    [
        ("Note", "Note"),
        ("Warning", "Warning"),
        ('Admonition type="danger"', "Danger"),
        ('Callout type="info" title="Mind"', "Mind"),
        ("Aside", "Note"),
        ('Highlight type="deprecation"', "Deprecation"),
        ('Callout emoji="x"', "Note"),
    ],
)
def test_admonitions_are_quotes_with_a_label(tag: str, label: str) -> None:
    name = tag.split(maxsplit=1)[0]
    assert body(f"<{tag}>\n\nMind the `gap`.\n\n</{name}>\n\nOn.") == f"> **{label}:** Mind the `gap`.\n\nOn."


def test_containers_are_admonitions_too() -> None:
    assert body(":::caution[Mind]\nthe <Gap/>\n:::") == "> **Mind:** the"


def test_components_stay_inside_lists() -> None:
    text = (
        '1. One\n   <Note title="N">\n   text\n   </Note>\n2. Two\n   <Tabs>\n   <Tab title="A">\n\n'
        "   ```sh\n   x\n   ```\n\n   </Tab>\n   </Tabs>\n3. Three"
    )
    assert body(text) == "1. One\n\n   > **N:** text\n2. Two\n\n   **A**\n\n   ```sh\n   x\n   ```\n3. Three"


def test_tabs_have_their_labels_wherever_those_stand() -> None:
    text = (
        "<Tabs items={['npm', \"yarn\"]}>\n  <Tabs.Tab>\n    one\n  </Tabs.Tab>\n  <Tabs.Tab>two</Tabs.Tab>\n</Tabs>\n"
        "<Tabs values={[{label: 'Mac', value: 'm'}]}>\n<TabItem value=\"m\">three</TabItem>\n"
        '<TabItem value="w" label="Windows">\nfour\n</TabItem>\n<TabItem value="x">five</TabItem>\n</Tabs>'
    )
    assert body(text) == (
        "**npm**\n\none\n\n**yarn**\n\ntwo\n\n**Mac**\n\nthree\n\n**Windows**\n\nfour\n\n**x**\n\nfive"
    )


@pytest.mark.parametrize(
    "text",
    [
        '<CodeBlock language="sql">{`\n    SELECT 1\n      FROM t\n`}</CodeBlock>',
        '<CodeBlock language="sql" children={`\n    SELECT 1\n      FROM t\n`} />',
        "<CodeBlock>\n```sql\nSELECT 1\n  FROM t\n```\n</CodeBlock>",
        'export const q = `SELECT 1\n  FROM t`\n\n<CodeBlock language="sql">{q}</CodeBlock>',
    ],
)
def test_code_in_components_is_code(text: str) -> None:
    assert body(text) == "```sql\nSELECT 1\n  FROM t\n```"


def test_html_is_what_its_content_is() -> None:
    text = (
        "<div className=\"x\" style={{color: 'red'}}>\n## Heading\n*text*\n</div>\n\n"
        '<ol>\n  <li>\n    <p>\n      One{" "}\n      <a href="https://x.example">link</a> and <code>{\'<b>\'}</code>\n'
        "    </p>\n  </li>\n  {flag && (<li>no</li>)}\n  <li>Two</li>\n</ol>\n\n"
        '<table>\n<thead><tr><th>A</th></tr></thead>\n\n<tbody><tr><td><Foo>b</Foo> {"<c>"}</td></tr></tbody>\n</table>'
    )
    assert body(text) == (
        "## Heading\n\n*text*\n\n1. One [link](https://x.example) and `<b>`\n2. Two\n\n| A |\n| --- |\n| b \\<c> |"
    )


def test_placeholders_are_text() -> None:
    text = "Use <YOUR_PASSWORD>, <host> and <TABLE OR INDEX> in `<code>`.\n\n<BUCKET>\n\nA List<String> too."
    assert body(text) == (
        "Use \\<YOUR_PASSWORD>, \\<host> and \\<TABLE OR INDEX> in `<code>`.\n\n\\<BUCKET>\n\nA List\\<String> too."
    )


def test_tags_in_tables_stay_on_their_line() -> None:
    assert body("| A |\n| --- |\n| <Yes>b</Yes> <Note>c</Note> |") == "| A |\n| --- |\n| b c |"


def test_code_is_left_alone() -> None:
    text = (
        "`<A>{x}</A>`\n\n```jsx\nimport x from 'y'\n<A b={c}>{/* d */}</A>\n```\n\n"
        "<A b={`\n\\`\\`\\`\n`}>text `{e}`</A>"
    )
    assert body(text) == "`<A>{x}</A>`\n\n```jsx\nimport x from 'y'\n<A b={c}>{/* d */}</A>\n```\n\ntext `{e}`"


# Partials


def test_partials_become_part_of_the_page() -> None:
    files = {
        "guide/_part.mdx": "import Deep from '../parts/_deep.md'\n\nFor {props.product}.\n\n"
        "{props.children}\n\n<Deep kind={`x`} />\n",
        "parts/_deep.md": "---\ntitle: no\n---\nDeep {props.kind}, see [there](./other.md) and [ref][r].\n"
        "\n[r]: ../guide/b.mdx\n",
        "parts/other.md": "",
        "guide/b.mdx": "",
        "c.md": "",
    }  # fmt: skip
    text = 'import Part from "./_part.mdx"\n\n- item\n  <Part product="Docent">inner</Part>\n\n[ref][r]\n\n[r]: ../c.md'
    assert body(text, files=files) == (
        "- item\n\n  For Docent.\n\n  inner\n\n  Deep x, see [there](https://docs.example/v2.0/parts/other) and "
        "[ref](https://docs.example/v2.0/guide/b).\n\n[ref](https://docs.example/v2.0/c)"
    )


def test_missing_and_circular_partials_are_warnings() -> None:
    files = {"guide/_a.mdx": "import A from './_a.mdx'\n\nonce <A />"}
    page = parse("import A from './_a.mdx'\nimport B from './_b.mdx'\n\n<A />\n\n<B />", files=files)
    assert page.sections[0].blocks[0].markdown == "once"
    assert page.warnings == (
        "the include of guide/_a.mdx leads back to itself or too deep",
        "the included file guide/_b.mdx is not in the source",
    )


def test_an_unclosed_fence_ends_with_its_partial() -> None:
    files = {"guide/_a.mdx": "```sh\nx\n"}
    assert body("import A from './_a.mdx'\n\n<A />\n\nafter", files=files) == "```sh\nx\n```\n\nafter"


def test_raw_files_become_code() -> None:
    text = "import src from '!!raw-loader!./x.py'\n\n<CodeBlock language=\"python\">{src}</CodeBlock>"
    assert body(text, files={"guide/x.py": "if x:\n    y()\n"}) == "```python\nif x:\n    y()\n```"


def test_properties_do_not_multiply_a_document_without_end() -> None:
    files = {"guide/_a.mdx": "{props.x}" * 5_000}
    page = parse(f"import A from './_a.mdx'\n\n<A x=\"{'y' * 5_000}\" />", files=files)
    assert len(page.markdown) < 250_000


# Bad input


@pytest.mark.parametrize(
    "text",
    [
        "<A>" * 30_000, "{" * 90_000, "<A b={" * 15_000, "</A>" * 20_000, "{/*" * 30_000,
        "<!--" * 20_000, "<style>" * 12_000, "<ul><li>" * 10_000, "<A>\n" * 200 + "x" + "\n</A>" * 200,
        "<A b='" + "a" * 90_000,
        "<A b={`\n```x`}/>\n" * 5_000,
        "<Tabs items={['a']}><Tab>x</Tab>" * 2_000, "> <N>x\n" * 10_000,
    ],
)  # fmt: skip
def test_text_that_never_closes_what_it_opens_is_read_in_linear_time(text: str) -> None:
    start = time.perf_counter()
    context = parse_context({"a.mdx": text.encode()})
    prepared, _ = MdxParser().prepare(text, "a.mdx", MdxParser().front_matter("", "a.mdx", context)[0], context)
    assert len(prepared) <= 3 * len(text) + 1_000
    assert time.perf_counter() - start < 10


PIECES = st.sampled_from(
    [
        "<A>", "</A>", "<A ", "b={", "c=\"", "}", "{", "/>", ">", "<Note>", "</Note>\n",
        "<Tabs items={['x']}>", "</Tabs>",
        "<Tab title='t'>", "</Tab>", "<CodeBlock>{`", "`}</CodeBlock>", "```\n", "`", "$", "{/*", "*/}", "<!--", "-->",
        "<li>", "</li>", "<table>", "<td>", "</table>", "| a |\n", "# h\n", "\n", "\n\n", "- ", "> ", "    ",
        "import P from './_p.mdx'\n", "<P x='y'/>", "{props.x}", "export const a = `", "[a][b]",
        "[b]: c\n", "text", "\\",
    ]
)  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.lists(PIECES, max_size=25).map("".join), st.lists(PIECES, max_size=10).map("".join))
def test_no_text_raises(text: str, partial: str) -> None:
    context = parse_context({"a.mdx": text.encode(), "_p.mdx": partial.encode()})
    MdxParser().parse("a.mdx", text.encode(), context)


def test_a_component_may_name_its_file_and_the_values_for_it() -> None:
    files = {"content/_partials/make.mdx": "Make a **{{ .kind }}** lamp.\n", "guide/side.mdx": "See [x](./x.md)."}
    text = '<$Partial path="make.mdx" variables={{ kind: "new", size: 3 }} />\n\n<Include file="side.mdx" />'
    assert body(text, files=files) == "Make a **new** lamp.\n\nSee [x](https://docs.example/v2.0/guide/x)."


def test_names_of_components_may_begin_with_a_dollar() -> None:
    text = '<$Show if="x">\n<Tabs>\n<TabPanel label="One">\n\nText costs $5.\n\n</TabPanel>\n</Tabs>\n</$Show>'
    assert body(text) == "**One**\n\nText costs $5."


def test_an_attribute_may_be_an_element() -> None:
    header = '{<span className="x">What is <b>it</b>?</span>}'
    text = f"<AccordionItem header={header} icon={{<Icon />}}>\n\nA lamp.\n\n</AccordionItem>"
    assert body(text) == "**What is it?**\n\nA lamp."
