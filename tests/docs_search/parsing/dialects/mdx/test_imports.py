import time

import pytest

from docs_search.parsing.dialects.mdx.imports import imported_file, read_module


def test_statements_leave_the_text_and_tell_what_they_name() -> None:
    module = read_module(
        "import Part from './_part.mdx';\nimport {a,\n  b} from \"c\"\nimport './style.css'\n"
        "import Code from '!!raw-loader!./x.py'\n\n"
        "export const name = 'Docent';\nexport const data = {\n  a: [1],\n\n  b: 2,\n};\n\n# Title\n\n"
        "export const Box = ({children}) => (\n  <b>{children}</b>\n);\n\ntext"
    )
    assert module.text == "\n\n# Title\n\n\ntext"
    assert module.imports == {"Part": "./_part.mdx", "Code": "!!raw-loader!./x.py"}
    assert module.constants == {"name": "Docent"}
    assert module.has_statements


@pytest.mark.parametrize(
    "text",
    [
        "import data from other tools.",
        "export PATH=/usr/bin",
        "exports are shown\nimport x from 'y' stays in a paragraph",
        "text that goes on\nimport x from 'y'\n",
        "```js\nimport x from 'y'\n```",
        "    import x from 'y'",
        "`import x from 'y'`",
    ],
)
def test_words_and_code_are_no_statements(text: str) -> None:
    module = read_module(text)
    assert (module.text, module.has_statements) == (text, False)


PATHS = frozenset(
    {"docs/a/page.mdx", "docs/a/_x.mdx", "docs/b/_y.md", "_partials/_z.md", "docs/c/index.mdx", "q/_u.mdx"}
)


@pytest.mark.parametrize(
    ("specifier", "file"),
    [
        ("./_x.mdx", "docs/a/_x.mdx"),
        ("./_x", "docs/a/_x.mdx"),
        ("../b/_y.mdx", "docs/b/_y.md"),
        ("../c", "docs/c/index.mdx"),
        ("@site/docs/b/_y.md", "docs/b/_y.md"),
        ("/docs/b/_y.md", "docs/b/_y.md"),
        ("@/b/_y.md", "docs/b/_y.md"),
        ("versionContent/_partials/_z.mdx", "_partials/_z.md"),
        ("~/deep/q/_u.mdx", None),
        ("@alias/q/_u.mdx?raw", "q/_u.mdx"),
        ("!!raw-loader!./_x.mdx", "docs/a/_x.mdx"),
        ("@theme/Tabs", None),
        ("react", None),
        ("../../../../etc/passwd", None),
        ("", None),
    ],
)
def test_an_import_means_a_file_of_the_source(specifier: str, file: str | None) -> None:
    assert imported_file(specifier, "docs/a/page.mdx", PATHS, "docs/") == file


def test_an_unknown_alias_means_the_only_file_that_ends_so() -> None:
    paths = frozenset({"site/src/parts/a.mdx", "site/one/b.mdx", "site/two/b.mdx"})
    assert imported_file("@x/parts/a.mdx", "site/docs/p.mdx", paths) == "site/src/parts/a.mdx"
    assert imported_file("@x/b.mdx", "site/docs/p.mdx", paths) is None


@pytest.mark.parametrize(
    "part", ["import a b c\n", "export const a = {\n\n", "import a from 'b'\n", "export {", "import {\n"]
)
def test_statements_are_read_in_linear_time(part: str) -> None:
    start = time.perf_counter()
    read_module(part * 10_000)
    assert time.perf_counter() - start < 5
