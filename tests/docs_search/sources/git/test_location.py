import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.sources import SourceError, open_source
from docs_search.sources.git.location import GitLocation, is_repository, parse_location, repository_of_page


@pytest.mark.parametrize(
    ("location", "url", "ref", "subfolder"),
    [
        ("https://git.example.com/team/docs.git", "https://git.example.com/team/docs.git", "", ""),
        ("git+https://git.example.com/team/docs", "https://git.example.com/team/docs", "", ""),
        ("https://git.example.com/docs.git#v1.2", "https://git.example.com/docs.git", "v1.2", ""),
        ("https://git.example.com/docs.git#v1.2:docs/", "https://git.example.com/docs.git", "v1.2", "docs"),
        ("https://git.example.com/docs.git#:docs/de", "https://git.example.com/docs.git", "", "docs/de"),
        ("https://git.example.com/docs.git#{tag}:docs", "https://git.example.com/docs.git", "{tag}", "docs"),
        ("HTTPS://Git.Example.COM./docs.git#feature/a-b", "https://git.example.com/docs.git", "feature/a-b", ""),
        ("https://caf\u00e9.example/docs.git", "https://xn--caf-dma.example/docs.git", "", ""),
        ("https://[2606:4700::1]:8443/docs.git", "https://[2606:4700::1]:8443/docs.git", "", ""),
    ],
)
def test_a_location_is_address_ref_and_subfolder(location: str, url: str, ref: str, subfolder: str) -> None:
    place = parse_location(location)
    assert is_repository(location)
    assert (place.url, place.ref, place.subfolder) == (url, ref, subfolder)


def test_host_and_port_are_what_will_be_connected_to() -> None:
    assert parse_location("https://GIT.example.com:8443/a.git") == GitLocation(
        "https://git.example.com:8443/a.git", "git.example.com", 8443, "", ""
    )


@pytest.mark.parametrize(
    "ref",
    [
        "--upload-pack=touch",
        "-v",
        "a..b",
        "a b",
        "a\nb",
        "a~1",
        "a^{}",
        "a@{1}",
        "*",
        "[a]",
        "a\\b",
        ".hidden",
        "a/.hidden",
        "a.lock",
        "a/",
        "/a",
        "a//b",
        "@",
        "x" * 300,
        "+main",
        "a\x00b",
    ],
)
def test_a_ref_that_git_could_take_for_something_else_is_refused(ref: str) -> None:
    with pytest.raises(SourceError, match="is no name of a branch, tag or commit"):
        parse_location(f"https://git.example.com/docs.git#{ref}")


@pytest.mark.parametrize("location", ["http://h.example/a.git", "git+ssh://h.example/a", "git://h.example/a.git"])
def test_only_https_is_read(location: str) -> None:
    assert is_repository(location)
    with pytest.raises(SourceError, match=r"^Git repositories are read over https alone\. Give https://host/path\.git"):
        parse_location(location)


def test_a_password_in_a_location_is_refused_without_telling_it() -> None:
    for location in (
        "https://reader:secret@h.example/a.git",
        "https://reader:secret@xn--/a.git",
        "git+https://secret@h.example/a",
        "git@h.example:a.git",
    ):
        with pytest.raises(SourceError) as caught:
            parse_location(location)
        assert "secret" not in str(caught.value)
    with pytest.raises(SourceError, match=r"set GIT_TOKENS=h\.example=TOKEN"):
        parse_location("https://reader:secret@h.example/a.git")


@pytest.mark.parametrize(
    "location",
    [
        "git+https://",
        "git+https:///a",
        "git+https://h.example",
        "git+https://h.example/a?key=1",
        "https://h.example/a.git?key=1",
        "git+https://h.example:0/a",
        "git+https://h.example:99999/a",
        "git+https://h_x.example/a",
        "git+https://h.example:80:90/a",
        "git+https://h.example/a\n",
    ],
)
def test_what_is_no_address_is_refused(location: str) -> None:
    with pytest.raises(SourceError, match=r"is no address"):
        parse_location(location)


@pytest.mark.parametrize("subfolder", ["../etc", "a/../../b", "a\nb"])
def test_a_subfolder_cannot_lead_out(subfolder: str) -> None:
    with pytest.raises(SourceError, match="is not below the repository"):
        parse_location(f"https://git.example.com/docs.git#main:{subfolder}")


@pytest.mark.parametrize(
    "location", ["docs.git", "/srv/docs.git", "https://h.example/a.gitx", "https://h.example/#a.git"]
)
def test_other_locations_are_no_repositories(location: str) -> None:
    assert not is_repository(location)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40), st.text(max_size=40))
def test_whatever_is_written_is_a_location_or_an_error_of_the_source(path: str, fragment: str) -> None:
    try:
        place = parse_location(f"git+https://h.example/{path}#{fragment}")
    except SourceError:
        return
    assert place.host == "h.example"
    assert not place.ref.startswith(("-", "+"))


@pytest.mark.parametrize(
    ("page", "location"),
    [
        ("https://github.com/team/docs", "https://github.com/team/docs.git"),
        ("https://GitHub.com/team/docs/", "https://GitHub.com/team/docs.git"),
        ("https://github.com/team/docs/tree/v1.2", "https://github.com/team/docs.git#v1.2"),
        ("https://github.com/team/docs/tree/main/docs/en", "https://github.com/team/docs.git#main:docs/en"),
        ("https://gitlab.com/team/docs/-/tree/main/docs", "https://gitlab.com/team/docs.git#main:docs"),
        ("https://codeberg.org/team/docs/src/branch/main/docs", "https://codeberg.org/team/docs.git#main:docs"),
        ("https://bitbucket.org/team/docs/src/main/docs/", "https://bitbucket.org/team/docs.git#main:docs"),
        ("https://github.com/team", None),
        ("https://github.com/team/docs/wiki", None),
        ("https://docs.github.com/en/rest", None),
        ("https://docs.example.com/team/docs", None),
    ],
)
def test_the_page_of_a_repository_is_known(page: str, location: str | None) -> None:
    assert repository_of_page(page) == location


def test_the_page_of_a_repository_is_not_read_as_a_website() -> None:
    with pytest.raises(SourceError) as refused:
        open_source("https://github.com/team/docs/tree/main/docs").__enter__()
    assert str(refused.value) == (
        "https://github.com/team/docs/tree/main/docs is the page of a git repository. To read that, give"
        " https://github.com/team/docs.git#main:docs"
    )
