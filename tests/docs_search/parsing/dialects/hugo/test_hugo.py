import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.documents import ParsedPage
from docs_search.parsing.dialects.hugo.parser import HugoParser
from tests.data_sources import data_files
from tests.parsing import parse_context
from tests.residue import residue

URL = "https://kettle.example/{path}/"
SITE = {"hugo.toml": b'[params]\nproduct = "Kettle"\n[params.release]\nname = "Oolong"\n'}
RESIDUE = re.compile(r"\{\{[<%]|[<%]\}\}|\{[.#:]|<!--|[\ufdd0-\ufdef]")


def parse(
    text: str, path: str = "content/docs/page.md", files: dict[str, bytes] | None = None, version: str = "v2.4"
) -> ParsedPage | None:
    context = parse_context({**SITE, path: text.encode(), **(files or {})}, version=version, url=URL)
    return HugoParser().parse(path, text.encode(), context)


def markdown(text: str, files: dict[str, bytes] | None = None, version: str = "v2.4") -> str:
    """What is below the title of a page with this text."""
    page = parse(f"---\ntitle: Page\n---\n{text}", files=files, version=version)
    return "" if page is None else page.markdown.removeprefix("# Page\n\n")


def paths(files: list[str], **contents: bytes) -> dict[str, str]:
    """The published path of every page of a source, by its file."""
    source = {file: contents.get(file, b"text") for file in files} | contents
    context = parse_context(source, url=URL)
    parser = HugoParser()
    pages = {file: parser.parse(file, data, context) for file, data in sorted(source.items()) if parser.is_page(file)}
    return {file: page.path for file, page in pages.items() if page is not None}


# Pages


@pytest.mark.parametrize("root", ["content/", "content/en/", "site/content/en/", "docs/content/", ""])
def test_pages_are_published_from_the_content_folder(root: str) -> None:
    files = [f"{root}_index.md", f"{root}docs/_index.md", f"{root}docs/Two Words.md", f"{root}docs/bundle/index.md"]
    assert paths([*files, f"{root}docs/bundle/more.md", f"{root}docs/_part.md"]) == dict(
        zip(files, ["index", "docs", "docs/two-words", "docs/bundle"], strict=True)
    )


def test_archetypes_layouts_and_themes_are_no_pages() -> None:
    other = ["archetypes/x.md", "layouts/x.md", "static/x.md", "themes/a/content/x.md", "README.md"]
    assert paths(["content/a.md", *other]) == {"content/a.md": "a"}


@pytest.mark.parametrize(
    ("files", "config", "taken"),
    [
        (["content/de/a.md", "content/en/a.md", "content/zh-cn/a.md"], b"", {"content/en/a.md": "a"}),
        (["content/de/a.md", "content/fr/a.md"], b"defaultContentLanguage = 'fr'", {"content/fr/a.md": "a"}),
        (["content/a.md", "content/a.de.md", "content/b.fr.md"], b"", {"content/a.md": "a"}),
        (["content/a.md", "content/a.en.md"], b"defaultContentLanguage = 'de'", {"content/a.en.md": "a"}),
        (["content/go/a.md", "content/docs/b.md"], b"", {"content/go/a.md": "go/a", "content/docs/b.md": "docs/b"}),
        (
            ["english/a.md", "german/a.md", "content/x.md"],
            b"[languages.en]\ncontentDir = 'english'",
            {"english/a.md": "a"},
        ),
    ],
)
def test_one_language_is_taken(files: list[str], config: bytes, taken: dict[str, str]) -> None:
    assert paths(files, **{"hugo.toml": config}) == taken


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ("slug: other", "docs/other"),
        ("url: /Else/Where/", "else/where"),
        ("url: /posts/:slug", "docs/page"),
        ("draft: true", None),
        ("headless: true", None),
        ("_build:\n  render: never", None),
        ("draft: false", "docs/page"),
    ],
)
def test_front_matter_moves_and_hides_pages(fields: str, path: str | None) -> None:
    page = parse(f"---\n{fields}\n---\ntext")
    assert (page and page.path) == path


def test_titles_summaries_and_aliases_come_from_front_matter() -> None:
    page = parse('+++\nlinkTitle = "Short"\ndescription = "Sum."\naliases = ["/old/", "near", "../up.html"]\n+++\ntext')
    assert page is not None
    assert (page.title, page.summary, page.aliases) == ("Short", "Sum.", ("old", "docs/near", "up"))


@pytest.mark.parametrize(
    ("link", "target"),
    [
        ("[x](/docs/other/#a)", "docs/moved/#a"),
        ("[x](../other/)", "docs/moved/"),
        ("[x](other.md)", "docs/moved/"),
        ("[x](/docs/bundle)", "docs/bundle/"),
        ('[x]({{< ref "other.md#a" >}})', "docs/moved/#a"),
        ("[x]({{% relref `docs/other` %}})", "docs/moved/"),
        ('[x]({{< ref "/docs/bundle" >}})', "docs/bundle/"),
        ('[x]({{< ref "bundle" >}})', "docs/bundle/"),
        ('[x]({{< ref path="deep.md" lang="en" >}})', "docs/far/deep/"),
    ],
)
def test_links_lead_to_the_published_page(link: str, target: str) -> None:
    files = {
        "content/docs/other.md": b"---\nslug: moved\n---\ntext",
        "content/docs/bundle/index.md": b"text",
        "content/docs/far/deep.md": b"text",
    }
    page = parse(f"# T\n{link}", files=files)
    assert page is not None
    assert page.sections[0].blocks[-1].markdown == f"[x](https://kettle.example/{target})"
    assert page.links == (target.partition("/#")[0].strip("/"),)


def test_a_reference_to_a_page_that_is_missing_is_a_warning() -> None:
    page = parse('# T\n[x]({{< ref "gone.md" >}})')
    assert page is not None
    assert page.warnings == ("the page gone.md that is referred to is not in the source",)


def test_links_by_the_front_matters_references_and_with_a_place_for_the_version() -> None:
    refs = "refs:\n  start:\n    - pattern: /docs/\n      destination: /docs/kettle/<KETTLE_VERSION>/start/\n"
    page = parse(f"---\n{refs}---\n[a](ref:start) [b](/docs/<KETTLE VERSION>/b/)\n\n`/docs/<KETTLE_VERSION>/`")
    assert page is not None
    assert page.sections[0].blocks[0].markdown == (
        "[a](https://kettle.example/docs/kettle/v2.4/start/) [b](https://kettle.example/docs/v2.4/b/)"
    )
    assert page.sections[0].blocks[1].markdown == "`/docs/<KETTLE_VERSION>/`"


# Shortcodes


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("{{< note >}}\nMind.\n{{< /note >}}", "> **Note:** Mind."),
        ('{{% caution title="Hot" %}}Mind.{{% /caution %}}', "> **Hot:** Mind."),
        ('{{< admonition type="warning" title="A `b`" >}}\nMind.\n{{< /admonition >}}', "> **A b:** Mind."),
        ("{{% notice tip %}}\nMind.\n{{% /notice %}}", "> **Tip:** Mind."),
        ('{{% notice tip "A title" %}}\nMind.\n{{% /notice %}}', "> **A title:** Mind."),
        ("{{< hint danger >}}\nMind.\n{{< /hint >}}", "> **Danger:** Mind."),
        ('{{% alert color="warning" %}}Mind.{{% /alert %}}', "> **Warning:** Mind."),
        ('{{% alert color="primary" %}}Mind.{{% /alert %}}', "> **Note:** Mind."),
        ('{{< note "Mind." />}}', "> **Note:** Mind."),
        ("{{< note >}}{{< /note >}}", ""),
        (
            "{{< note >}}\na\n\n{{< tip >}}b{{< /tip >}}\n{{< /note >}}",
            "> **Note:** a\n>\n> > **Tip:** b",
        ),
        ('{{< tabs items="A,B" >}}{{< tab >}}a{{< /tab >}}{{< tab >}}b{{< /tab >}}{{< /tabs >}}',
         "**A**\n\na\n\n**B**\n\nb"),
        ("{{< tab header=\"**A**\" >}}\n## In\ntext\n{{< /tab >}}", "**A**\n\n## In\n\ntext"),
        ("{{< tabpane >}}{{% tab header=A %}}*a*{{% /tab %}}{{< /tabpane >}}", "**A**\n\n*a*"),
        ("{{< tabpane >}}{{< tab header=A lang=sh >}}*a*{{< /tab >}}{{< /tabpane >}}", "**A**\n\n```sh\n*a*\n```"),
        ("{{< tabpane text=true >}}{{< tab header=A >}}*a*{{< /tab >}}{{< /tabpane >}}", "**A**\n\n*a*"),
        ('{{< details summary="More" >}}\ntext\n{{< /details >}}', "**More**\n\ntext"),
        ('{{% expand "More" %}}text{{% /expand %}}', "**More**\n\ntext"),
        ('a {{< glossary_tooltip term_id="big-pot" >}} b', "a big pot b"),
        ('a {{< glossary_tooltip text="pots" term_id="pot" >}} b', "a pots b"),
        ('## {{% heading "whatsnext" %}}\ntext', "## What's next\n\ntext"),
        ('{{< figure src="a.png" alt="Alt" caption="Words *here*" >}}', "Alt\n\nWords *here*"),
        ('{{< figure src="a.png" >}}', ""),
        ("{{< highlight go \"linenos=table\" >}}\nx := `a`\n{{< /highlight >}}", "```go\nx := `a`\n```"),
        ('{{< code file="a/b.html" >}}\n<b>\n{{< /code >}}', "**`a/b.html`**\n\n```html\n<b>\n```"),
        ("{{< code >}}\n```js\na\n```\n{{< /code >}}", "```js\na\n```"),
        ("{{< mermaid >}}\ngraph TD\n{{< /mermaid >}}", "```mermaid\ngraph TD\n```"),
        ("a{{< katex >}}x^2{{< /katex >}}", "a`x^2`"),
        ("{{< youtube abcdefghijk >}}", "[Video](https://www.youtube.com/watch?v=abcdefghijk)"),
        ('{{< feature-state for_k8s_version="v1.2" state="beta" >}}', "Feature state: v1.2 [beta]"),
        ('{{< feature-state feature_gate_name="HotPot" >}}', "Feature gate: `HotPot`"),
        ("a {{< new-in 0.12 >}} b", "a (New in version 0.12) b"),
        ("{{< version-check >}} {{< toc >}} {{< icon \"x\" >}}", ""),
        ("{{< param product >}} {{< param \"release.Name\" >}} {{< param unknown >}}", "Kettle Oolong"),
        ("`{{< param product >}}`", "`Kettle`"),
        ("{{< param title >}} {{< skew currentVersion >}} {{< skew prevMinorVersion >}}", "Page 2.4 2.3"),
        ("{{< skew currentVersionAddMinor -2 >}} {{< latest-version >}}", "2.2 v2.4"),
        ('{{< button href="/docs/x" >}}Go{{< /button >}}', "[Go](https://kettle.example/docs/x)"),
        ('{{< card link="/docs/x" title="X" subtitle="s" >}}', "**[X](https://kettle.example/docs/x)**\n\ns"),
        ('{{< filetree/folder name="a" >}}{{< filetree/file name="b.md" >}}{{< /filetree/folder >}}',
         "- a\n\n  - b.md"),
        ("{{< comment >}}secret{{< /comment >}}text", "text"),
        ("{{< time.inline >}}{{ now }}{{< /time.inline >}}text", "text"),
        ('{{% docs/reference %}}\n[a]: "/x/ -> /docs/a"\n[a]: "/y/ -> /docs/b"\n{{% /docs/reference %}}\n\n[t][a]',
         "[t](https://kettle.example/docs/a)"),
        ("{{< brand-new-box color=red >}}*inner*{{< /brand-new-box >}}", "*inner*"),
        ('{{< brand-new-box title="T" >}}*inner*{{< /brand-new-box >}}', "**T**\n\n*inner*"),
        ("{{% capture overview %}}\n## In\n\ntext\n{{% /capture %}}", "## In\n\ntext"),
        ("```go\n{{</* x */>}} {{ .Title }} {{< x >}}\n```", "```go\n{{< x >}} {{ .Title }}\n```"),
    ],
)  # fmt: skip
def test_shortcodes_become_what_readers_see(text: str, result: str) -> None:
    assert markdown(text) == result


def test_a_version_that_is_not_known_leaves_nothing() -> None:
    assert markdown('a {{< param "version" >}}{{< skew currentVersion >}}b', version="") == "a b"


def test_shortcodes_in_lists_and_quotes_stay_in_them() -> None:
    text = (
        "1. one\n\n   {{< note >}}\n   Mind.\n   {{< /note >}}\n   {{< tabs >}}\n   {{% tab name=A %}}\n"
        "   ```sh\n   a\n   ```\n   {{% /tab %}}\n   {{< /tabs >}}\n2. two\n\n> {{< tip >}}\n> q\n> {{< /tip >}}\n"
    )
    assert markdown(text) == (
        "1. one\n\n   > **Note:** Mind.\n\n   **A**\n\n   ```sh\n   a\n   ```\n2. two\n\n> > **Tip:** q"
    )


# Files


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ('{{% code_sample file="pods/a.yaml" %}}', "```yaml\n---\na: 1\n```"),
        ('{{< codenew file="pods/a.yaml" >}}', "```yaml\n---\na: 1\n```"),
        ('{{< include "part.md" >}}', "A part of Kettle."),
        ('{{< readfile file="/includes/part.md" >}}', "A part of Kettle."),
        ('{{< readfile file="a.py" code="true" lang="python" >}}', "````python\nx = '```'\n````"),
        ('```\n{{< readfile "b.txt" >}}\n```', "```\nplain\n```"),
        ('{{< tab name="A" include="part.md" />}}', "**A**\n\nA part of Kettle."),
        ('{{< docs/shared lookup="deep/s.md" source="kettle" version="<V>" >}}', "Shared."),
        ('{{< glossary_definition term_id="pot" length="short" prepend="A pot is" >}}', "A pot is a thing."),
        ('{{< glossary_definition term_id="pot" length="all" >}}', "A thing.\n\nMore."),
        ('{{< glossary_definition term_id="none" length="all" >}}', ""),
    ],
)  # fmt: skip
def test_files_are_brought_in(text: str, result: str) -> None:
    files = {
        "content/examples/pods/a.yaml": b"---\na: 1\n",
        "content/includes/index.md": b"---\nheadless: true\n---\n",
        "content/includes/part.md": b"---\ntitle: Part\n---\nA part of {{< param product >}}.\n",
        "content/docs/a.py": b"x = '```'\n",
        "content/docs/b.txt": b"plain\n",
        "docs/sources/shared/deep/s.md": b"Shared.",
        "content/docs/glossary/index.md": b"---\ntitle: G\n---\n",
        "content/docs/glossary/pot.md": b"---\ntitle: Pot\n---\nA thing.\n\n<!--more-->\n\nMore.",
    }
    assert markdown(text, files) == result


def test_files_that_are_missing_or_include_each_other_are_warnings() -> None:
    page = parse('# T\ntext\n{{< include "gone.md" >}}\n{{< include "a.md" >}}', files={
        "content/docs/a.md": b'a {{< include "b.md" >}}', "content/docs/b.md": b'b {{< include "a.md" >}}',
    })  # fmt: skip
    assert page is not None
    assert page.markdown == "# T\n\ntext\n\na\n\nb"
    assert sorted(page.warnings) == [
        "the include of content/docs/a.md leads back to itself or too deep",
        "the included file gone.md is not in the source",
    ]


# The rest of Hugo's Markdown


def test_anchors_attributes_footnotes_and_definitions_are_goldmarks() -> None:
    page = parse(
        "# T\n## Ünder the_hood: a & b\ntext[^1]\n{.lead}\n\n## Own {#own .cls}\n![x](y.png){width=20}\n\n"
        "## Own\nTerm\n: What it is\n\n[^1]: Foot.\n"
    )
    assert page is not None
    assert [section.anchor for section in page.sections] == [None, "ünder-the_hood-a--b", "own", "own-1"]
    assert RESIDUE.search(page.markdown) is None
    assert page.sections[-1].blocks[0].markdown == "- Term: What it is"


def test_a_whole_site_is_read_without_residue() -> None:
    files = data_files("hugo")
    context = parse_context(files, version="v2.4", url=URL)
    parser = HugoParser()
    parsed = [parser.parse(path, files[path], context) for path in sorted(files) if parser.is_page(path)]
    pages = {page.path: page for page in parsed if page is not None}
    assert {path: (page.title, page.links, page.aliases, page.warnings) for path, page in pages.items()} == {
        "docs": ("Kettle manual", ("docs/concepts/water", "docs/tasks/brew-tea"), ("manual", "help"), ()),
        "docs/concepts/water": (
            "Hard water",
            ("docs/tasks/brew-tea", "docs/reference/http-api"),
            ("docs/concepts/lime", "docs/old-water"),
            (),
        ),
        "docs/reference/http-api": ("API", (), (), ()),
        "docs/tasks/brew-tea": ("Brew tea", ("docs/concepts/water",), (), ()),
    }
    assert [(section.level, section.heading, section.anchor) for section in pages["docs/tasks/brew-tea"].sections] == [
        (1, "Brew tea", None),
        (2, "Before you begin", "before-you-begin"),
        (3, "Boil", "boil"),
        (3, "Pour", "pour"),
        (4, "Longer", "longer"),
    ]
    assert [residue(page) for page in pages.values()] == [[]] * len(pages)
    assert "A note for Kettle.\n{{< /note >}}" in pages["docs/tasks/brew-tea"].markdown


def test_a_site_without_a_content_folder_is_read_without_residue() -> None:
    files = data_files("hugo_sources")
    context = parse_context(files, version="v2.4", url="https://kettle.example/docs/kettle/{version}/{path}/")
    parser = HugoParser()
    parsed = [parser.parse(path, files[path], context) for path in sorted(files) if parser.is_page(path)]
    pages = {page.path: page for page in parsed if page is not None}
    assert {path: (page.title, page.links, page.aliases, page.warnings) for path, page in pages.items()} == {
        "index": ("Kettle documentation", (), (), ()),
        "configure": ("Configure", (), (), ()),
        "install": ("Install", ("configure",), ("setup",), ()),
    }
    assert [residue(page) for page in pages.values()] == [[]] * len(pages)
    assert pages["install"].sections[0].blocks[0].markdown == (
        "Then [configure it](https://kettle.example/docs/kettle/v2.4/configure/#ports), or see "
        "[ports](https://kettle.example/docs/kettle/v2.4/configure/#ports)."
    )
    assert pages["configure"].sections[1].blocks[0].markdown == "Kettle Server listens here."


# Bad input


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            "{{< note >}};{{< /note >}};{{% tab name=a %}};{{% /tab %}};{{< include page.md >}};{{<;`;\\".split(";")
        )
        | st.sampled_from(
            "{{< ref page.md >}};{{< highlight x >}};{{< /highlight >}};{{</* x */>}};```\n;- ;> ;    ;\n".split(";")
        )
        | st.sampled_from("---\n;+++\n;url: x\n;# a {#b .c}\n;{.x};text ".split(";")),
        max_size=20,
    ).map("".join)
)
def test_no_text_raises_and_the_output_is_bounded(text: str) -> None:
    page = parse(text)
    assert page is None or len(page.markdown) <= 5_000 + 100 * len(text)


@pytest.mark.parametrize("unit", ["{{< note >}}\n", "{{< include page.md >}}\n", "{{< ref x >}}", "{.a ", "](ref:a)"])
def test_hostile_text_takes_linear_time(unit: str) -> None:
    started = time.perf_counter()
    parse(unit * (100_000 // len(unit)))
    assert time.perf_counter() - started < 10
