import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs_search.sources import SourceError
from docs_search.sources.git.refs import age_order, full_name, newest_tag, parse_refs, spellings
from docs_search.versions import SCHEMES


def _tags(*names: str) -> list[str]:
    return [f"refs/tags/{name}" for name in names]


def is_release(scheme: str, version: str, tag: str) -> bool:
    release = SCHEMES[scheme].parse(tag)
    return release is not None and release.name == version


@pytest.mark.parametrize(
    ("tag", "release"),
    [
        ("v0.63.2", "v0.63.2"),
        ("3.5.1", "3.5.1"),
        ("release-3.5.1", "3.5.1"),
        ("release/2.0", "2.0"),
        ("Version_1_0", "1.0"),
        ("REL_17_2", "17.2"),
        ("REL8_0_0", "8.0.0"),
        ("REL_17_BETA1", "17.BETA1"),
        ("go1.22.3", "1.22.3"),
        ("py3-v1.2", "v1.2"),
        ("log4j-2.17.1-rc1", "2.17.1-rc1"),
        ("@scope/package@1.2.0", "1.2.0"),
        ("boost-1.80.0.beta1", "1.80.0.beta1"),
    ],
)
def test_a_tag_is_read_without_what_stands_before_its_number(tag: str, release: str) -> None:
    assert spellings(tag)[0 if tag == release else 1] == release


def test_newer_releases_come_later_and_pre_releases_before_all() -> None:
    tags = [
        "nightly",
        "v2.0.0-alpha",
        "v2.0.0-beta.2",
        "v2.0.0-beta.10",
        "v2.0.0-rc1",
        "v1.9.9",
        "v1.10.0",
        "v1.10.0-1",
    ]
    assert sorted(sorted(tags), key=age_order) == tags


@pytest.mark.parametrize(
    ("scheme", "version", "tags", "newest"),
    [
        ("metabase", "v0.63", ["v0.63.1", "v0.63.2", "v0.63.10-beta", "v0.64.1", "v0.6.3"], "v0.63.2"),
        ("metabase", "v0.63", ["v0.63.0-beta", "v0.63.0-rc2"], "v0.63.0-rc2"),
        ("major", "17", ["REL_17_2", "REL_17_10", "REL_17_BETA1", "REL_18_0", "REL_17_RC1"], "REL_17_10"),
        ("major.minor", "3.5", ["3.5.0", "3.5.1", "3.5.0rc1", "3.50.1"], "3.5.1"),
        ("numbers", "1.2.3", ["release-1.2.3", "release-1.2.4"], "release-1.2.3"),
        ("major.minor", "1.2", ["chart-1.2.9", "v1.2.3"], "v1.2.3"),
        ("major.minor", "1.2", ["chart-1.2.9", "v1.2.3-rc1"], "chart-1.2.9"),
    ],
)
def test_the_newest_tag_of_a_version_is_taken(scheme: str, version: str, tags: list[str], newest: str) -> None:
    known = [*_tags(*tags), f"refs/heads/{version}.99"]
    assert newest_tag(known, lambda tag: is_release(scheme, version, tag)) == f"refs/tags/{newest}"


def test_without_a_fitting_tag_the_newest_ones_are_named() -> None:
    known = _tags("v1.9.0", "v1.10.0", "v2.0.0-rc1", "v1.0.0", "v1.8.0", "v1.7.0")
    with pytest.raises(
        SourceError, match=r"^No tag .* The newest are v1\.10\.0, v1\.9\.0, v1\.8\.0, v1\.7\.0, v1\.0\.0\.$"
    ):
        newest_tag(known, lambda tag: False)
    with pytest.raises(SourceError, match="It has no tags at all"):
        newest_tag(["refs/heads/main"], lambda tag: True)


def test_an_open_tag_needs_a_version() -> None:
    with pytest.raises(SourceError, match="Name the version to index"):
        newest_tag(_tags("v1.0"), None)


def test_a_name_is_a_tag_before_it_is_a_branch_and_may_be_whole() -> None:
    known = ["refs/heads/main", "refs/heads/v1", "refs/tags/v1"]
    assert full_name("v1", known) == "refs/tags/v1"
    assert full_name("main", known) == "refs/heads/main"
    assert full_name("refs/heads/v1", known) == "refs/heads/v1"
    assert full_name("a" * 40, known) == "a" * 40


def test_an_unknown_name_is_answered_with_similar_ones() -> None:
    known = ["refs/heads/main", *_tags("v1.0.0", "v1.0.1")]
    with pytest.raises(SourceError, match=r"no branch or tag 'v1\.0\.2'. Similar ones: v1\.0\.1, v1\.0\.0\.$"):
        full_name("v1.0.2", known)
    with pytest.raises(SourceError, match=r"no branch or tag 'zzz'. It has main, v1\.0\.0, v1\.0\.1\.$"):
        full_name("zzz", known)
    with pytest.raises(SourceError, match="It has none at all"):
        full_name("main", [])


def test_a_listing_is_read_line_by_line() -> None:
    assert parse_refs("abc\trefs/heads/main\ndef\trefs/tags/v1\nnonsense\n") == {
        "refs/heads/main": "abc",
        "refs/tags/v1": "def",
    }


@pytest.mark.parametrize(
    "name",
    [
        "refs/tags/v1\x1b[31m",
        "refs/tags/v1\r",
        "refs/tags/v1\x85",
        "refs/tags/\udcff",
        "refs/tags/v1:refs/heads/x",
        "refs/tags/v*",
        "refs/tags/v1 x",
        "refs/tags/v1^{}",
        "refs/tags/",
        "refs/pull/1/head",
        "HEAD",
        "",
    ],
)
def test_names_that_a_server_made_up_are_left_out(name: str) -> None:
    assert parse_refs(f"abc\t{name}\nabc\trefs/tags/caf\u00e9\n") == {"refs/tags/caf\u00e9": "abc"}


def test_a_name_without_end_is_told_in_part() -> None:
    with pytest.raises(SourceError) as caught:
        full_name("zzz", _tags("n" * 5_000))
    assert str(caught.value) == f"The repository has no branch or tag 'zzz'. It has {'n' * 250}."


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet=string.printable + "é_", max_size=60))
def test_every_tag_has_an_order_and_spellings(tag: str) -> None:
    assert age_order(tag) == age_order(tag)
    assert spellings(tag)[0] == tag
