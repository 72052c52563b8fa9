from collections.abc import Callable

from docs_search.parsing.markdown.file_includes import MAX_CHARACTERS, FileIncludes
from tests.parsing import parse_context

PARTS = b"""---
title: Parts
---
Start

<!-- [<snippet first part>] -->

| A |
<!-- [<snippet inner>] -->
inner
<!-- [<endsnippet inner>] -->

<!-- [<endsnippet first part>] -->
End
"""


def same(text: str) -> str:
    return text


def including(includes: FileIncludes, separator: str = "\n") -> Callable[[str], str]:
    """Resolves a line `include x` with the text of file x."""

    def expand(text: str) -> str:
        lines = (
            includes.text(line.removeprefix("include "), None, expand) if line.startswith("include ") else line
            for line in text.split(separator)
        )
        return separator.join(lines)

    return expand


def test_a_file_comes_without_its_front_matter_and_markers() -> None:
    includes = FileIncludes(parse_context({"a/parts.md": PARTS}), "page.md")
    assert includes.text("a/b/../parts.md", None, same) == "Start\n\n\n| A |\ninner\n\nEnd"
    assert includes.warnings == []


def test_a_named_part_is_what_stands_between_its_markers() -> None:
    includes = FileIncludes(parse_context({"parts.md": PARTS}), "page.md")
    assert includes.text("parts.md", "first part", same) == "| A |\ninner"
    assert includes.text("parts.md", "inner", same) == "inner"


def test_markers_stand_in_comments_of_any_language() -> None:
    code = b"import x\n// [<snippet example>]\nrun(x)\n// [<endsnippet example>]\n"
    assert FileIncludes(parse_context({"x.ts": code}), "page.md").text("x.ts", "example", same) == "run(x)"


def test_what_is_missing_is_empty_with_a_warning() -> None:
    includes = FileIncludes(parse_context({"parts.md": PARTS}), "page.md")
    wanted: list[tuple[str, str | None]] = [("no.md", None), ("../x.md", None), ("parts.md", "no")]
    assert [includes.text(path, part, same) for path, part in wanted] == ["", "", ""]
    assert includes.warnings == [
        "the included file no.md is not in the source",
        "the included file ../x.md is not in the source",
        "the included file parts.md has no part named no",
    ]


def test_includes_are_nested_and_cycles_end() -> None:
    files = {"a": b"a\ninclude b", "b": b"b\ninclude a\ninclude c", "c": b"c"}
    includes = FileIncludes(parse_context(files), "page.md")
    assert includes.text("a", None, including(includes)) == "a\nb\n\nc"
    assert includes.warnings == ["the include of a leads back to itself or too deep"]


def test_files_that_multiply_are_cut_off() -> None:
    files = {f"f{depth}": "\n".join([f"include f{depth + 1}"] * 40 + ["x" * 1000]).encode() for depth in range(6)}
    includes = FileIncludes(parse_context(files), "page.md")
    assert len(includes.text("f0", None, including(includes))) <= 2 * MAX_CHARACTERS
    assert f"exceeds {MAX_CHARACTERS} characters" in includes.warnings[-1]


def test_a_document_cannot_include_itself() -> None:
    includes = FileIncludes(parse_context({"page.md": b"x"}), "page.md")
    assert includes.text("./page.md", None, same) == ""
    assert includes.warnings == ["the include of page.md leads back to itself or too deep"]
