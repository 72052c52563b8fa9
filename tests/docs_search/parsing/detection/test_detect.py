from collections.abc import Mapping

import pytest
from django.conf import settings
from hypothesis import given
from hypothesis import settings as bounded
from hypothesis import strategies as st

from docs_search.parsing.detection.detect import SAMPLE, Detection, detect, spread
from docs_search.parsing.detection.families import Family, precedence

PLAIN = "# Pond\n\nA pond holds *water*.\n\n```\n{% raw %} {{< x >}} :::tip !!! note\n```\n"

# A document that only one dialect writes in this way, by the dialect.
WRITTEN = {
    "docusaurus": "---\nsidebar_position: 2\n---\n# Pond\n\n:::tip\n\nDig deep.\n\n:::\n",
    "hugo": "---\ntitle: Pond\n---\n{{< note >}}Dig deep.{{< /note >}}\n",
    "jekyll": "---\nlayout: default\n---\n# Pond\n\n{% if site.deep %}Dig deep.{% endif %}\n",
    "mdx": 'import { Depth } from "../parts"\n\n# Pond\n\n<Depth metres={2}>\n\nDig deep.\n\n</Depth>\n',
    "metabase": '# Pond\n\n{% include plans-blockquote.html feature="Depth" %}\n\nDig deep.\n',
    "mkdocs": "# Pond\n\n!!! note\n\n    Dig deep.\n",
    "myst": "# Pond\n\n```{note}\nDig deep.\n```\n\nSee {doc}`shore`.\n",
    "tiger": 'import Depth from "versionContent/_partials/_depth.mdx";\n\n# Pond\n\n<Depth />\n',
    "vitepress": "# Pond\n\n::: tip Deep\nDig deep.\n:::\n\n<<< @/parts/dig.ts\n",
    "markdown": PLAIN,
}

# The configuration of a generator with its path, and the folder of its documents, by the dialect.
CONFIGURED = {
    "docusaurus": ("website/docusaurus.config.ts", "export default {title: 'Pond'}", "website/docs/"),
    "hugo": ("hugo.toml", 'baseURL = "https://pond.example/"', "content/"),
    "mkdocs": ("mkdocs.yml", "site_name: Pond\ndocs_dir: manual\n", "manual/"),
    "myst": ("guide/conf.py", "project = 'Pond'\nextensions = ['myst_parser']\n", "guide/"),
    "mdx": ("astro.config.mjs", "import starlight from '@astrojs/starlight'", "src/content/docs/"),
    "vitepress": ("package.json", '{"devDependencies": {"vitepress": "^1.0.0"}}', "docs/"),
}


def found(files: Mapping[str, str], *, published: bool = False) -> Detection:
    data = {path: text.encode() for path, text in files.items()}
    return detect(sorted(data), data.get, published=published)


@pytest.mark.parametrize("dialect", WRITTEN)
def test_a_dialect_is_known_by_its_documents_alone(dialect: str) -> None:
    files = {f"guide/page-{number}.md": WRITTEN[dialect] if number % 3 == 0 else PLAIN for number in range(30)}
    detection = found(files)
    assert detection.parsers == {Family.MARKDOWN: dialect}
    assert detection.root == ""
    assert set(detection.documents) == set(files)


@pytest.mark.parametrize("dialect", WRITTEN)
def test_a_single_document_tells_its_dialect(dialect: str) -> None:
    assert found({"pond.md": WRITTEN[dialect]}).parsers == {Family.MARKDOWN: dialect}


@pytest.mark.parametrize("dialect", CONFIGURED)
def test_a_configuration_names_dialect_and_root_of_plain_documents(dialect: str) -> None:
    path, text, root = CONFIGURED[dialect]
    files = {
        path: text,
        f"{root}index.md": PLAIN,
        f"{root}guide/pond.md": PLAIN,
        "README.md": PLAIN,
        "CHANGELOG.md": PLAIN,
        "tests/data/pond.md": PLAIN,
        "src/pond/notes.md": PLAIN,
    }
    detection = found(files)
    assert (detection.parsers, detection.root) == ({Family.MARKDOWN: dialect}, root)
    assert set(detection.documents) == {f"{root}index.md", f"{root}guide/pond.md"}
    assert detection.reasons[0] == f"pages come from {root}, as {path} says (2 of 3 documents)"


def test_reasons_say_where_a_dialect_was_seen_and_how_often() -> None:
    files = {f"page-{number:03}.md": WRITTEN["mkdocs"] if number % 4 < 2 else PLAIN for number in range(120)}
    assert found(files).reasons == ("mkdocs: 120 files, !!! admonitions in 30 of the 60 Markdown files looked into",)
    assert found({"pond.md": PLAIN}).reasons == ("markdown: 1 file, no mark of a dialect",)


def test_what_occurs_in_next_to_no_document_is_an_accident() -> None:
    files = {f"page-{number:03}.md": PLAIN for number in range(SAMPLE)}
    files["page-000.md"] = WRITTEN["jekyll"]
    assert found(files).parsers == {Family.MARKDOWN: "markdown"}


def test_examples_of_other_dialects_in_code_are_no_marks() -> None:
    examples = "Write `{path}`, `{doc}` or `{{< note >}}`, and `:::tip`.\n\n~~~md\n!!! note\n{: .big}\n~~~\n"
    assert found({"pond.md": PLAIN + examples}).parsers == {Family.MARKDOWN: "markdown"}
    manual = {path.name: path.read_text() for path in (settings.BASE_DIR / "docs").glob("*.md")}
    assert found(manual).parsers == {Family.MARKDOWN: "markdown"}


def test_content_decides_between_two_configurations_of_one_folder() -> None:
    files = {
        "_config.yml": "theme: pond",
        "mkdocs.yml": "site_name: Pond",
        "docs/index.md": WRITTEN["mkdocs"],
        "docs/pond.md": WRITTEN["mkdocs"],
    }
    assert (found(files).parsers, found(files).root) == ({Family.MARKDOWN: "mkdocs"}, "docs/")


def test_other_folders_that_docusaurus_is_told_of_are_not_the_documents() -> None:
    files = {
        "website/docusaurus.config.js": "module.exports = {plugins: [{id: 'community', path: 'community'}]}",
        "website/docs/pond.md": PLAIN,
        "website/community/team.md": PLAIN,
        "website/community/more.md": PLAIN,
    }
    assert found(files).root == "website/docs/"
    files["website/docusaurus.config.js"] = "module.exports = {presets: [{docs: {path: '../manual'}}]}"
    del files["website/docs/pond.md"]
    assert found({**files, "manual/pond.md": PLAIN}).root == "manual/"


def test_a_repository_with_old_versions_gives_the_one_that_is_wanted() -> None:
    files = {"website/docusaurus.config.js": "", "website/docs/pond.md": PLAIN, "website/docs/shore.md": PLAIN}
    old = "website/versioned_docs/version-1.2/"
    data = {path: text.encode() for path, text in {**files, f"{old}pond.md": PLAIN}.items()}
    assert detect(list(data), data.get).root == "website/docs/"
    assert detect(list(data), data.get, version="1.3").root == "website/docs/"
    for version in ("1.2", "v1.2"):
        detection = detect(list(data), data.get, version=version)
        assert (detection.root, set(detection.documents)) == (old, {f"{old}pond.md"})


def test_a_jupyter_book_is_none_of_jekyll() -> None:
    book = {"_config.yml": "title: Pond\nexecute:\n  execute_notebooks: off\n", "pond.md": PLAIN}
    assert found(book).parsers == {Family.MARKDOWN: "myst"}
    assert found({"_config.yml": "title: Pond\n", "_toc.yml": "", "index.md": PLAIN}).parsers == {
        Family.MARKDOWN: "jekyll"
    }


def test_of_a_configuration_for_each_language_the_english_one_counts() -> None:
    files = {f"docs/{language}/mkdocs.yml": "site_name: Pond" for language in ("de", "en", "ja")}
    pages = {f"docs/{language}/docs/page-{n}.md": PLAIN for language in ("de", "en", "ja") for n in range(3)}
    detection = found({**files, **pages, "docs/ja/docs/more.md": PLAIN})
    assert (detection.parsers, detection.root) == ({Family.MARKDOWN: "mkdocs"}, "docs/en/docs/")
    assert set(detection.documents) == {f"docs/en/docs/page-{n}.md" for n in range(3)}


def test_a_program_with_docs_in_their_usual_folder_gives_only_these() -> None:
    files = {
        "README.md": PLAIN,
        "pyproject.toml": "",
        "docs/index.md": PLAIN,
        "docs/pond.md": PLAIN,
        "docs/api.html": "<p>Pond</p>",
        "openapi.yaml": "openapi: 3.1.0\n",
        "package-lock.json": '{"openapi": true}',
        "tests/openapi.json": '{"openapi": "3.1.0"}',
    }
    detection = found(files)
    assert detection.root == "docs/"
    assert detection.documents == {
        "docs/api.html": Family.HTML,
        "docs/index.md": Family.MARKDOWN,
        "docs/pond.md": Family.MARKDOWN,
        "openapi.yaml": Family.OPENAPI,
    }
    assert detection.parsers == {Family.MARKDOWN: "markdown", Family.HTML: "html", Family.OPENAPI: "openapi"}


def test_a_repository_without_a_folder_for_docs_gives_all_but_what_tests_it() -> None:
    files = {"go.mod": "", "README.md": PLAIN, "pond/README.md": PLAIN, "pond/testdata/x.md": PLAIN}
    assert set(found(files).documents) == {"README.md", "pond/README.md"}
    assert set(found({"a/testdata/x.md": PLAIN, "y.md": PLAIN}).documents) == {"a/testdata/x.md", "y.md"}


def test_text_files_of_a_sphinx_project_are_restructured_text() -> None:
    files = {
        "docs/conf.py": "project = 'Pond'\n",
        "docs/index.txt": "Pond\n====\n\n.. toctree::\n\n   shore\n",
        "docs/shore.txt": "Shore\n=====\n\nSee :doc:`index`.\n",
        "docs/requirements.txt": "sphinx==7.0\n",
        "docs/names.txt": "frog\nnewt\n",
    }
    detection = found(files)
    assert (detection.parsers, detection.root) == ({Family.RST: "rst"}, "docs/")
    assert set(detection.documents) == {"docs/index.txt", "docs/shore.txt"}


def test_files_of_a_format_that_nothing_reads_are_told() -> None:
    reasons = found({"pond.md": PLAIN, "shore.adoc": "= Shore", "isle.adoc": "= Isle"}).reasons
    assert reasons[-1] == "2 files of the format AsciiDoc cannot be read"


def test_documents_of_a_site_are_html_unless_their_names_say_otherwise() -> None:
    files = {"docs/pond": "<p>", "docs/v1.2": "<p>", "docs/shore.md": PLAIN, "index.html": "<p>", "openapi.json": "{}"}
    detection = found(files, published=True)
    assert (detection.root, detection.parsers) == ("", {Family.MARKDOWN: "markdown", Family.HTML: "html"})
    assert {path for path, family in detection.documents.items() if family is Family.HTML} == {
        "docs/pond", "docs/v1.2", "index.html"
    }  # fmt: skip


def test_an_empty_source_has_no_parsers() -> None:
    assert found({}) == Detection({})
    assert found({"logo.png": "", "data.json": "[]"}) == Detection({})


def test_equal_evidence_is_decided_the_same_way_in_any_order() -> None:
    files = {"a.md": WRITTEN["mkdocs"], "b.md": WRITTEN["hugo"], "c.md": WRITTEN["myst"]}
    data = {path: text.encode() for path, text in files.items()}
    names = {detect(order, data.get).parsers[Family.MARKDOWN] for order in (sorted(data), sorted(data)[::-1])}
    assert len(names) == 1


def test_a_sample_is_taken_evenly() -> None:
    names = [f"{number:03}" for number in range(100)]
    assert spread(names, 4) == ["000", "025", "050", "075"]
    assert spread(names[:3], 4) == names[:3]


def test_markdown_comes_before_other_documents_with_its_path() -> None:
    names = ["pond", "pond.html", "pond.json", "pond.md", "pond.mdx", "pond.rst", "pond.txt"]
    in_order = ["pond.md", "pond.mdx", "pond.rst", "pond.txt", "pond.json", "pond", "pond.html"]
    assert sorted(names, key=precedence) == in_order


NAMES = st.sampled_from(
    "docs en ja zh-CN content pond index.md index.de.md a.mdx b.html c.rst d.txt openapi.yaml mkdocs.yml hugo.toml"
    " conf.py package.json _config.yml docusaurus.config.js book.toml page-index.js .. . x README.md".split()
)
TEXTS = st.one_of(
    st.binary(max_size=60),
    st.sampled_from([text.encode() for text in (*WRITTEN.values(), "docs_dir: ../..", "path: '/'")]),
)


@bounded(max_examples=100, deadline=None)
@given(files=st.dictionaries(st.lists(NAMES, min_size=1, max_size=5).map("/".join), TEXTS, max_size=12))
def test_any_source_is_detected_in_the_same_way_each_time(files: dict[str, bytes]) -> None:
    detection = detect(list(files), files.get)
    assert detection == detect(sorted(files, reverse=True), files.get)
    assert set(detection.documents) <= set(files)
    assert set(detection.documents.values()) <= set(detection.parsers)
    assert detection.root == "" or detection.root.endswith("/")


def test_a_source_that_cannot_be_read_any_more_is_detected_by_its_names() -> None:
    assert detect(["mkdocs.yml", "docs/pond.md"], lambda _: None).parsers == {Family.MARKDOWN: "markdown"}
