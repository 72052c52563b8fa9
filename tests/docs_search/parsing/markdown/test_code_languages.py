import pytest

from docs_search.parsing.markdown.code_languages import language_named, language_of


@pytest.mark.parametrize(
    ("info", "language"),
    [
        ("python", "python"),
        ("", ""),
        ("js{1,3-5}", "js"),
        ("rust,ignore,should_panic", "rust"),
        ("php:app/web.php", "php"),
        ("{.haskell .numberLines}", "haskell"),
        ("sh title='x'", "sh"),
        ("c++", "c++"),
        ("objective-c", "objective-c"),
        ("c#", "c#"),
        ("{note}", "{note}"),
        ("1c", "1c"),
    ],
)
def test_a_fence_names_its_language(info: str, language: str) -> None:
    assert language_named(info) == language


@pytest.mark.parametrize(("path", "language"), [("a/b.py", "python"), ("x.H", "h"), ("Makefile", "")])
def test_a_file_has_the_language_of_its_extension(path: str, language: str) -> None:
    assert language_of(path) == language
