from collections import Counter

import pytest

from docs_search.documents import PageWarning
from docs_search.sources.site.addresses import Scope
from docs_search.sources.site.answers import Outcome
from docs_search.sources.site.selection import MAX_CHAIN, MAX_ROOT_CLAIMS, select
from docs_search.sources.site.store import Row

ROOT = "https://example.com/docs/"
SCOPE = Scope.below(ROOT)


def _page(path: str, canonical: str | None = None, *, text: str = "", media: str = "html") -> Row:
    target = None if canonical is None else ROOT + canonical
    return Row(ROOT + path, ROOT, Outcome.PAGE, "", target, media, (text or path).encode(), True)


def _other(path: str, outcome: Outcome, reason: str = "", target: str | None = None, found_on: str = "") -> Row:
    leads_to = None if target is None else ROOT + target
    return Row(ROOT + path, ROOT + found_on, outcome, reason, leads_to, None, None, False)


def _documents(*rows: Row) -> dict[str, str]:
    return {path: url.removeprefix(ROOT) for path, url in select(rows, SCOPE).documents.items()}


def test_paths_are_those_below_the_folder_in_order() -> None:
    assert _documents(_page("b.html"), _page("guide/"), _page("a%20b"), _page("")) == {
        "a b": "a%20b",
        "b.html": "b.html",
        "guide": "guide/",
        "index.html": "",
    }


@pytest.mark.parametrize(
    ("path", "document"),
    [("guide", "guide.md"), ("guide.md", "guide.md"), ("v1.2", "v1.2.md"), ("guide/", "guide.md"), ("", "index.md")],
)
def test_markdown_has_an_extension_that_says_so(path: str, document: str) -> None:
    assert _documents(_page(path, media="markdown")) == {document: path}


def test_pages_fold_into_their_canonical_page() -> None:
    rows = [_page("a"), _page("b", "a"), _page("c", "b"), _page("d", "gone"), _other("gone", Outcome.GONE)]
    assert _documents(*rows) == {"a": "a", "d": "d"}


def test_canonical_pages_in_a_circle_leave_one_page() -> None:
    assert _documents(_page("x", "b"), _page("b", "a"), _page("a", "b")) == {"a": "a"}


def test_a_long_chain_of_canonical_pages_is_followed_for_a_bounded_number_of_steps() -> None:
    rows = [_page(f"p{number:05}", f"p{number + 1:05}") for number in range(5000)]
    assert len(_documents(*rows, _page("p05000"))) == 5001 - MAX_CHAIN


def test_a_start_page_that_all_pages_claim_to_be_is_not_believed() -> None:
    few = [_page(""), *(_page(f"p{n}", "") for n in range(MAX_ROOT_CLAIMS))]
    assert list(_documents(*few)) == ["index.html"]
    many = [*few, _page("another", "")]
    assert len(_documents(*many)) == len(many)
    assert select(many, SCOPE).warnings == [
        PageWarning("index.html", "is named as their canonical address by 6 pages, which was not believed")
    ]


def test_the_file_of_an_index_folds_into_its_folder_where_it_is_the_same() -> None:
    rows = [_page("", text="x"), _page("index.html", text="x"), _page("a/", text="y"), _page("a/index.html", text="z")]
    assert _documents(*rows) == {"index.html": "", "a": "a/", "a/index.html": "a/index.html"}


def test_of_two_pages_with_one_path_the_folder_is_kept() -> None:
    assert _documents(_page("guide", text="x"), _page("guide/", text="x")) == {"guide": "guide/"}
    assert select([_page("guide", text="x"), _page("guide/", text="x")], SCOPE).warnings == []
    assert select([_page("guide"), _page("guide/")], SCOPE).warnings == [
        PageWarning("guide", f"is the path of {ROOT}guide/ and of {ROOT}guide, which was left out")
    ]


def test_the_start_page_gives_way_to_no_other_page_with_its_name() -> None:
    assert _documents(_page(""), _page("index.html")) == {"index.html": ""}


def test_who_links_to_what_is_gone_is_told() -> None:
    rows = [
        _other("a", Outcome.GONE, "answers 404", found_on="guide/"),
        _other("b", Outcome.OUTSIDE, "redirects out of the site, to https://example.com/", found_on="guide/"),
        _other("c", Outcome.FAILED, "answers 503"),
        _other("d", Outcome.NOINDEX),
        Row(f"{ROOT}e", None, Outcome.FAILED, "answers 503", None, "html", b"e", True),
    ]
    selection = select(rows, SCOPE)
    assert selection.warnings == [
        PageWarning("e", "is an older copy, since its address answers 503"),
        PageWarning("guide", f"links to {ROOT}a, which answers 404"),
        PageWarning("guide", f"links to {ROOT}b, which redirects out of the site, to https://example.com/"),
        PageWarning("index.html", f"links to {ROOT}c, which answers 503"),
    ]
    assert selection.outcomes == Counter({Outcome.FAILED: 2, Outcome.GONE: 1, Outcome.OUTSIDE: 1, Outcome.NOINDEX: 1})


def test_redirects_in_a_circle_are_told_once() -> None:
    rows = [
        _other("a", Outcome.REDIRECT, target="b"),
        _other("b", Outcome.REDIRECT, target="c"),
        _other("c", Outcome.REDIRECT, target="b"),
        _other("d", Outcome.REDIRECT, target="a"),
        _other("e", Outcome.REDIRECT, target="page"),
        _page("page"),
    ]
    assert select(rows, SCOPE).warnings == [PageWarning("b", f"redirects in a circle: {ROOT}b")]
