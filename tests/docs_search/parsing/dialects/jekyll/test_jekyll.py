import pytest

from docs_search.documents import Block, BlockType, ParsedPage
from docs_search.parsing.dialects.jekyll.parser import JekyllParser
from tests.parsing import parse_context

PARAGRAPH, ITEM, CODE, TABLE, QUOTE = BlockType


def parse(path: str, files: dict[str, str], *, docs_root: str = "") -> ParsedPage | None:
    parser = JekyllParser()
    parser.docs_root = docs_root
    data = {name: text.encode() for name, text in files.items()}
    return parser.parse(path, data[path], parse_context(data))


def page_of(text: str, **files: str) -> ParsedPage:
    """The page of a text in a site with some includes."""
    includes = {f"_includes/{name}.html": content for name, content in files.items()}
    page = parse(
        "guide/page.md", {"guide/page.md": text, "guide/other.md": "x", "_config.yml": CONFIGURATION, **includes}
    )
    assert page is not None
    return page


def markdown(text: str, **files: str) -> list[str]:
    return [block.markdown for block in page_of(f"# Page\n\n{text}", **files).sections[0].blocks]


CONFIGURATION = """
title: The docs
baseurl: /v2.0
product: {name: Docent}
collections: {tutorials: {output: true}, hidden: {output: false}, api: {permalink: "/reference/:path/", output: true}}
exclude: [drafts, notes.md]
"""


# Pages


@pytest.mark.parametrize(
    ("file", "front_matter", "path"),
    [
        ("guide/page.md", "", "guide/page"),
        ("index.md", "", "index"),
        ("README.md", "", "index"),
        ("guide/index.markdown", "", "guide"),
        ("guide/page.md", "permalink: /docs/start/", "docs/start"),
        ("guide/page.md", "permalink: /docs/start.html", "docs/start"),
        ("_posts/2024-03-05-some-news.md", "categories: [News]", "news/2024/03/05/some-news"),
        ("_tutorials/deep/first.md", "", "tutorials/deep/first"),
        ("_api/orders.md", "", "reference/orders"),
        ("_docs/x.md", "", "docs/x"),
        ("_hidden/x.md", "", None),
        ("_unknown/x.md", "", None),
        ("_includes/x.md", "", None),
        ("drafts/x.md", "", None),
        ("notes.md", "", None),
        ("guide/page.md", "published: false", None),
        ("guide/page.md", "layout: redirect\nredirect: /x", None),
        ("guide/page.md", "redirect_to: /x", None),
        ("guide/page.md", "search_exclude: true", None),
    ],
)
def test_a_page_has_the_path_that_the_site_publishes_it_under(file: str, front_matter: str, path: str | None) -> None:
    page = parse(file, {file: f"---\n{front_matter}\n---\ntext", "_config.yml": CONFIGURATION})
    assert (page and page.path) == path


def test_posts_go_where_the_configuration_sends_them() -> None:
    file = "_posts/2024-03-05-some-news.md"
    page = parse(file, {file: "text", "_config.yml": "permalink: /blog/:year/:title/"})
    assert page is not None
    assert (page.path, page.title) == ("blog/2024/some-news", "Some news")


def test_the_site_is_where_its_configuration_is() -> None:
    page = parse("site/guide/page.md", {"site/guide/page.md": "text", "site/_config.yml": "", "README.md": "x"})
    assert page is not None
    assert page.path == "guide/page"
    page = parse("docs/page.md", {"docs/page.md": "text"}, docs_root="docs/")
    assert page is not None
    assert page.path == "page"


def test_links_lead_to_permalinks_by_files_and_by_published_paths() -> None:
    files = {
        "page.md": "[a](guide/other.md) [b]({% link guide/other.md %}#x) [c]({% post_url 2024-03-05-news %})"
        " [d](/v2.0/start/) [e]({{ '/start/' | relative_url }})",
        "guide/other.md": "---\npermalink: /start/\n---\nx",
        "_posts/2024-03-05-news.md": "x",
        "_config.yml": CONFIGURATION,
    }
    page = parse("page.md", files)
    assert page is not None
    start, news = "https://docs.example/v2.0/start", "https://docs.example/v2.0/2024/03/05/news"
    assert page.sections[0].blocks[0].markdown == f"[a]({start}) [b]({start}#x) [c]({news}) [d]({start}) [e]({start})"
    assert page.links == ("start", "2024/03/05/news")


@pytest.mark.parametrize(
    ("configuration", "anchor"),
    [("", "1-über-größe"), ("kramdown: {input: GFM}", "1-über-größe"), ("kramdown: {input: kramdown}", "ber-gre")],
)
def test_anchors_are_those_of_the_kramdown_that_is_configured(configuration: str, anchor: str) -> None:
    page = parse("page.md", {"page.md": "# Page\n\n## 1. Über größe\n\ntext", "_config.yml": configuration})
    assert page is not None
    assert page.sections[1].anchor == anchor


# Templates


def test_values_of_the_configuration_and_the_page_are_filled_in() -> None:
    text = "---\ntitle: T\n---\n{{ site.product.name }} of {{ site.title }}: {{ page.title }}{{ site.unknown }}"
    assert page_of(text).sections[0].blocks == [Block(PARAGRAPH, "Docent of The docs: T")]


def test_tags_go_and_what_they_enclose_stays() -> None:
    text = (
        '{% assign product = "Docent" %}{% if site.x %}a{% else %}b{% endif %} {{ product }}\n'
        "{%- for item in site.data.items -%}\n{{ item.name }}\n{%- endfor %}\nc\n\n"
        "| d |\n|---|\n{%- if x %}\n| e |\n{%- endif %}\n| f |"
    )
    assert markdown(text) == ["ab Docent c", "| d |\n| --- |\n| e |\n| f |"]


def test_highlighted_code_is_code() -> None:
    text = (
        "- item\n\n  {% highlight ruby linenos %}\n  puts '{{ x }}' # **x**\n  {% endhighlight %}\n\n"
        "{% highlight text %}```{% endhighlight %}"
    )
    assert markdown(text) == ["- item\n\n  ```ruby\n  puts '{{ x }}' # **x**\n  ```", "````text\n```\n````"]


def test_included_files_are_part_of_the_page() -> None:
    text = '{% include steps.html name="X y" %}\n\n{% include missing.html %}\n\n{% include_relative other.md %}'
    assert markdown(text, steps="<p>Hello <b>{{ include.name }}</b></p>\n<script>x</script>") == ["Hello **X y**", "x"]


def test_what_is_included_cannot_lead_out_of_the_source_or_in_a_circle() -> None:
    page = page_of("# Page\n\ntext {% include_relative ../../x.md %}{% include a.html %}", a="{% include a.html %}")
    assert page.markdown == "# Page\n\ntext"
    assert page.warnings == (
        "the included file ../x.md is not in the source",
        "the include of _includes/a.html leads back to itself or too deep",
    )


def test_boxes_of_includes_are_admonitions() -> None:
    captured = "{% capture words %}Mind *it*.\n{% endcapture %}\n{% include warning.html content=words %}"
    assert markdown('{% include note.html content="Read `x`." %}') == ["> **Note:** Read `x`."]
    assert markdown(captured) == ["> **Warning:** Mind *it*."]
    assert markdown('{% include image.html file="x.png" alt="A picture" %}') == ["A picture"]


def test_raw_text_is_code() -> None:
    assert markdown("Write {% raw %}{{ page.title }}{% endraw %}.") == ["Write `{{ page.title }}`."]


# Attributes


@pytest.mark.parametrize(
    "text",
    [
        "{: .note }\nMind *it*.",
        "Mind *it*.\n{: .note}",
        "{: .note }\n> Mind *it*.",
        "> Mind *it*.\n{: .prompt-note }",
        "Mind *it*.\n{: .notice}",
        "Mind *it*.\n{: .alert .alert-note #id}",
    ],
)
def test_a_block_with_the_class_of_a_box_is_an_admonition(text: str) -> None:
    assert markdown(f"Before.\n\n{text}\n\nAfter.") == ["Before.", "> **Note:** Mind *it*.", "After."]


def test_boxes_may_have_a_title_and_hold_lists_and_code() -> None:
    assert markdown("{: .important-title }\n> My *title*\n>\n> Text\n> - a") == ["> **My title:** Text\n>\n> - a"]
    assert markdown("{: .new }\n```sh\nx\n\ny\n```\n\nAfter.") == [
        "> **New:**\n>\n> ```sh\n> x\n>\n> y\n> ```",
        "After.",
    ]
    assert markdown("- a\n- b\n{: .warning }") == ["> **Warning:**\n>\n> - a\n> - b"]


def test_other_attributes_go() -> None:
    text = (
        "# Title\n{: .no_toc }\n\n* TOC\n{:toc}\n\nText [x](y.md){: .btn } here.\n{: .fs-6 .fw-300 }\n\n"
        '## Two {#two}\n{: .label }\n\n![i](x.png){:width="3"}'
    )
    page = page_of(text)
    assert page.markdown == "# Title\n\nText [x](https://docs.example/v2.0/guide/y) here.\n\n## Two\n\ni"
    assert page.sections[1].anchor == "two"


def test_attributes_in_code_stay() -> None:
    assert markdown("```\nx\n{: .note }\n```") == ["```\nx\n{: .note }\n```"]


def test_definitions_and_footnotes_are_read() -> None:
    assert markdown("Term\n: Words[^1]\n\n[^1]: More.") == ["- Term: Words (note 1)", "Note 1: More."]


# GitBook


def test_hints_and_tabs_of_gitbook_are_boxes_and_titles() -> None:
    text = (
        '{% hint style="warning" %}\nMind **it**.\n{% endhint %}\n\n'
        '{% tabs %}\n{% tab title="Linux" %}\n```sh\nx\n```\n{% endtab %}\n\n'
        '{% tab title="macOS" %}\nb\n{% endtab %}\n{% endtabs %}\n\n'
        '{% code title="a.py" %}\n```python\ny\n```\n{% endcode %}\n\n{% embed url="https://x.example/v" %}\n\n'
        '{% content-ref url="other.md" %}\n[other.md](other.md)\n{% endcontent-ref %}'
    )
    assert markdown(text) == [
        "> **Warning:** Mind **it**.",
        "**Linux**",
        "```sh\nx\n```",
        "**macOS**",
        "b",
        "**a.py**",
        "```python\ny\n```",
        "<https://x.example/v>",
        "[other.md](https://docs.example/v2.0/guide/other)",
    ]
