import pytest

from docs_search.parsing.detection.languages import find_translations, language_code

PAGES = ("index.md", "guide/pond.md", "guide/shore.md")


def in_folders(*folders: str) -> list[str]:
    return [f"{folder}{page}" for folder in folders for page in PAGES]


@pytest.mark.parametrize(
    ("name", "code"), [("ja", "ja"), ("zh-CN", "zh"), ("pt_BR", "pt"), ("zh-Hans", "zh"), ("go", None), ("guide", None)]
)
def test_folders_are_named_by_languages(name: str, code: str | None) -> None:
    assert language_code(name) == code


def test_of_languages_side_by_side_english_is_kept() -> None:
    found = find_translations(in_folders("docs/en/", "docs/ja/", "docs/zh-CN/"))
    assert found.left_out == frozenset(in_folders("docs/ja/", "docs/zh-CN/"))
    assert found.root == "docs/en/"
    assert found.reasons == [
        "docs/ja/, docs/zh-CN/ are left out as translations of docs/en/: the names of their files are mostly equal"
    ]


def test_without_english_the_language_of_the_site_is_kept_or_else_the_largest() -> None:
    paths = [*in_folders("docs/de/", "docs/fr/"), "docs/fr/more.md"]
    assert find_translations(paths).root == "docs/fr/"
    assert find_translations(paths, "de").root == "docs/de/"


def test_translations_below_the_original_are_left_out() -> None:
    found = find_translations(in_folders("docs/", "docs/ja/", "docs/fr/"))
    assert (found.left_out, found.root) == (frozenset(in_folders("docs/ja/", "docs/fr/")), None)


def test_folders_with_other_files_are_no_translations() -> None:
    paths = [*in_folders("en/"), "is/it.md", "is/not.md", "no/never.md", "no/index.md", "no/more.md"]
    assert find_translations(paths).left_out == frozenset()


def test_a_single_index_in_a_folder_like_a_language_is_a_topic() -> None:
    assert find_translations(["index.md", "pond.md", "id/index.md"]).left_out == frozenset()


def test_translations_are_known_by_their_own_names() -> None:
    paths = ["pond.md", "pond.de.md", "shore.en.md", "shore.ja.md", "v1.no.md", "isle.it"]
    assert find_translations(paths).left_out == frozenset({"pond.de.md", "shore.ja.md"})


def test_reasons_stay_few_however_many_folders_are_translated() -> None:
    found = find_translations([path for part in range(20) for path in in_folders(f"p{part}/en/", f"p{part}/ja/")])
    assert len(found.left_out) == 60
    assert (len(found.reasons), found.reasons[-1]) == (6, "… and translations in 15 more folders")
