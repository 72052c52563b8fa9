from collections.abc import Mapping

import pytest

from docs_search.documents import ParsedPage
from docs_search.parsing.registry import parser_for
from tests.parsing import parse_context

POND = "# Pond\n\nA pond holds water, and [the shore](shore.md) keeps it there.\n"
HTML = (
    "<!DOCTYPE html><html><head><title>{title}</title></head><body><main><h1>{title}</h1>"
    "<p>All there is to say about it, see also <a href='pond.html'>pond</a>.</p></main></body></html>"
)


def read_all(files: Mapping[str, str]) -> dict[str, ParsedPage]:
    """The pages of a source by the paths of their documents, as the parser that was found for it reads them."""
    data = {path: text.encode() for path, text in files.items()}
    parser, _ = parser_for("auto", sorted(data), data.get)
    context = parse_context(data, url="https://docs.example/{path}")
    pages = {path: parser.parse(path, data[path], context) for path in sorted(data) if parser.is_page(path)}
    return {path: page for path, page in pages.items() if page is not None}


def test_pages_lose_the_docs_root_from_paths_sections_and_links() -> None:
    pages = read_all(
        {
            "README.md": POND,
            "docs/index.md": POND,
            "docs/guide/pond.md": "# Pond\n\n[Home](../index.md), [here](/guide/shore), [there](shore.md#depth).\n",
            "docs/guide/shore.md": POND.replace("shore.md", "pond.md"),
        }
    )
    assert {path: page.path for path, page in pages.items()} == {
        "docs/index.md": "index",
        "docs/guide/pond.md": "guide/pond",
        "docs/guide/shore.md": "guide/shore",
    }
    pond = pages["docs/guide/pond.md"]
    assert (pond.section, pond.links) == ("guide", ("index", "guide/shore"))
    assert "(https://docs.example/guide/shore#depth)" in pond.markdown


def test_html_beside_markdown_loses_the_root_as_well() -> None:
    pages = read_all(
        {
            "docs/pond.md": POND,
            "docs/shore.md": POND,
            "docs/api/isle.html": HTML.format(title="Isle"),
            "docs/api/pond.html": HTML.format(title="Pond"),
        }
    )
    assert {page.path for page in pages.values()} == {"pond", "shore", "api/isle.html", "api/pond.html"}
    isle = pages["docs/api/isle.html"]
    assert isle.links == ("api/pond.html",)
    assert "(https://docs.example/api/pond.html)" in isle.markdown


def test_files_beside_the_root_can_be_included_but_are_no_pages() -> None:
    pages = read_all(
        {
            "docs/README.md": POND,
            "docs/pond.md": '# Pond\n\n{% include plans-blockquote.html feature="Depth" %}\n\n'
            '{% include_file "{{ dirname }}/../parts/depth.md" %}\n',
            "parts/depth.md": "It is two metres deep.\n",
        }
    )
    assert list(pages) == ["docs/README.md", "docs/pond.md"]
    assert "It is two metres deep." in pages["docs/pond.md"].markdown
    assert pages["docs/pond.md"].warnings == ()


def test_what_is_none_of_the_documents_is_no_page() -> None:
    parser, detection = parser_for("auto", ["pond.md", "logo.svg"], {"pond.md": POND.encode()}.get)
    assert detection is not None
    assert [path for path in ("pond.md", "logo.svg", "other.md") if parser.is_page(path)] == ["pond.md"]
    assert parser.parse("other.md", b"# Other", parse_context()) is None


@pytest.mark.parametrize(
    ("config", "text", "root"),
    [
        ("website/docusaurus.config.ts", "export default {}", "website/docs/"),
        ("site/hugo.toml", 'baseURL = "https://pond.example/"', "site/content/"),
        ("mkdocs.yml", "site_name: Pond\ndocs_dir: manual\n", "manual/"),
        ("guide/conf.py", "extensions = ['myst_parser']\n", "guide/"),
        ("web/astro.config.mjs", "import starlight from '@astrojs/starlight'", "web/src/content/docs/"),
        ("docs/package.json", '{"devDependencies": {"vitepress": "^1.0.0"}}', "docs/"),
        ("docs/_config.yml", "theme: pond", "docs/"),
        ("book.toml", "[book]\ntitle = 'Pond'", "src/"),
        ("pyproject.toml", "", "documentation/"),
    ],
)
def test_every_generator_publishes_its_folder_of_documents_alone(config: str, text: str, root: str) -> None:
    index = "_index.md" if "hugo" in config else "index.md"
    pages = read_all(
        {
            config: text,
            "README.md": POND,
            f"{root}{index}": POND.replace("shore.md", "guide/shore.md"),
            f"{root}guide/pond.md": POND,
            f"{root}guide/shore.md": POND.replace("shore.md", f"../{index}"),
        }
    )
    assert {path.removeprefix(root): (page.path, page.links) for path, page in pages.items()} == {
        index: ("index", ("guide/shore",)),
        "guide/pond.md": ("guide/pond", ("guide/shore",)),
        "guide/shore.md": ("guide/shore", ("index",)),
    }
