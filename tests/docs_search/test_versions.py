import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_search.errors import InvalidRequest, UnknownVersion
from docs_search.versions import MAX_LENGTH, SCHEMES, Fallback, Release, Resolution, Scheme, resolve, source_slug


@pytest.mark.parametrize(
    "text", ["v0.63", "0.63", "v63", "63", "v0.63.4", "v1.63.4", "1.63", "V0.63", " 63 ", "0.63-rc1"]
)
def test_metabase_release_is_read_in_every_spelling(text: str) -> None:
    assert SCHEMES["metabase"].parse(text) == Release((63,), "v0.63")


@pytest.mark.parametrize("text", ["17", "17.2", "v17", "17.2.1", "17beta2", "17-rc.1"])
def test_major_release_is_read_in_every_spelling(text: str) -> None:
    assert SCHEMES["major"].parse(text) == Release((17,), "17")


@pytest.mark.parametrize("text", ["3.5", "3.5.7", "v3.5", "3.5.0rc1"])
def test_major_minor_release_is_read_in_every_spelling(text: str) -> None:
    assert SCHEMES["major.minor"].parse(text) == Release((3, 5), "3.5")


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("1.2.3", Release((1, 2, 3), "1.2.3")),
        ("v1.2", Release((1, 2), "1.2")),
        ("2026", Release((2026,), "2026")),
        ("1.2.3.4", Release((1, 2, 3, 4), "1.2.3.4")),
        ("2.0-beta.1", Release((2, 0), "2.0")),
    ],
)
def test_other_products_are_known_by_as_many_numbers_as_they_give(text: str, release: Release) -> None:
    assert SCHEMES["numbers"].parse(text) == release


@pytest.mark.parametrize("scheme", [scheme for scheme in SCHEMES.values() if scheme.versioned])
def test_example_of_a_scheme_is_a_name_under_it(scheme: Scheme) -> None:
    release = scheme.parse(scheme.example)
    assert release
    assert release.name == scheme.example


@pytest.mark.parametrize(
    ("scheme", "text"),
    [
        ("metabase", "v2.63"),
        ("metabase", "v0"),
        ("metabase", "cloud"),
        ("metabase", "0.63; drop"),
        ("major", "0"),
        ("major", "seventeen"),
        ("major", "17."),
        ("major", "١٧"),
        ("major", "17.1.1.1.1"),
        ("major.minor", "3"),
        ("major.minor", "3.x"),
        ("numbers", "1.2.3.4.5"),
        ("numbers", "99999999"),
        ("none", "1"),
        ("none", ""),
        ("major", "1" * 200),
    ],
)
def test_anything_else_is_no_release(scheme: str, text: str) -> None:
    assert SCHEMES[scheme].parse(text) is None


@given(st.text(max_size=30), st.sampled_from(sorted(SCHEMES)))
def test_name_of_a_release_names_the_same_release(text: str, scheme: str) -> None:
    release = SCHEMES[scheme].parse(text)
    if release is not None:
        assert SCHEMES[scheme].parse(release.name) == release


def test_source_slug_names_corpus_and_version() -> None:
    assert source_slug("postgres", "17") == "postgres_17"
    assert source_slug("metabase", "v0.63") == "metabase_v0.63"
    assert source_slug("metabase", "cloud") == "metabase_cloud"
    assert source_slug("tiger", "") == "tiger"


POSTGRES = [Release((15,), "15"), Release((18,), "18"), Release((17,), "17")]


def ask(requested: str | None) -> Resolution:
    return resolve(requested, corpus="postgres", scheme=SCHEMES["major"], available=POSTGRES)


@pytest.mark.parametrize("requested", [None, "", "  ", "latest", "current", "LATEST"])
def test_nothing_asked_means_the_newest(requested: str | None) -> None:
    assert ask(requested) == Resolution("18")


def test_minor_release_is_no_fallback() -> None:
    assert ask("17.2") == Resolution("17")


def test_unindexed_release_falls_back_to_the_nearest_older() -> None:
    note = "postgres 16 is not indexed; 15 is the nearest older version that is."
    assert ask("16.4") == Resolution("15", Fallback("16", "15", note))


def test_release_newer_than_all_falls_back_to_the_newest() -> None:
    note = "postgres 19 is not indexed; 18 is the nearest older version that is."
    assert ask("19") == Resolution("18", Fallback("19", "18", note))


def test_release_older_than_all_falls_back_to_the_nearest_newer() -> None:
    note = "postgres 12 is not indexed; 15 is the nearest newer version that is."
    assert ask("v12") == Resolution("15", Fallback("12", "15", note))


def test_releases_are_ordered_by_number_and_not_by_spelling() -> None:
    available = [Release((3, 9), "3.9"), Release((3, 10), "3.10")]
    assert resolve("latest", corpus="postgis", scheme=SCHEMES["major.minor"], available=available).version == "3.10"


def test_text_that_is_no_version_names_the_versions_there_are() -> None:
    with pytest.raises(UnknownVersion) as refused:
        ask("sixteen")
    assert refused.value.message == "'sixteen' is no version of postgres: versions are 18, 17, 15."
    assert refused.value.versions == ["18", "17", "15"]


def test_unversioned_corpus_knows_the_newest_only() -> None:
    unversioned = [Release((), "")]
    assert resolve(None, corpus="tiger", scheme=SCHEMES["none"], available=unversioned) == Resolution("")
    with pytest.raises(UnknownVersion) as refused:
        resolve("2", corpus="tiger", scheme=SCHEMES["none"], available=unversioned)
    assert refused.value.message == "'2' is no version of tiger: it has no versions."
    assert refused.value.versions == []


def test_nothing_indexed_is_said() -> None:
    with pytest.raises(UnknownVersion) as refused:
        resolve("17", corpus="postgres", scheme=SCHEMES["major"], available=[])
    assert refused.value.message == "No version of postgres is indexed."


def test_absurdly_long_version_is_refused_without_repeating_it() -> None:
    with pytest.raises(InvalidRequest) as refused:
        ask("1" * (MAX_LENGTH + 1))
    assert refused.value.message == "A version has at most 90 characters."


@pytest.mark.parametrize(
    ("requested", "used"), [("1.2", "1.2.9"), ("1.2.5", "1.2.5"), ("1", "1.3"), ("1.3.4", "1.3"), ("v1.2.9", "1.2.9")]
)
def test_finer_or_coarser_number_is_the_same_release(requested: str, used: str) -> None:
    available = [SCHEMES["numbers"].parse(name) for name in ("1.2.5", "1.2.9", "1.3", "0.9")]
    releases = [release for release in available if release]
    answer = resolve(requested, corpus="lib", scheme=SCHEMES["numbers"], available=releases)
    assert answer == Resolution(used)


def test_exact_number_wins_over_a_finer_one() -> None:
    available = [Release((1, 2), "1.2"), Release((1, 2, 5), "1.2.5")]
    assert resolve("1.2", corpus="lib", scheme=SCHEMES["numbers"], available=available) == Resolution("1.2")


@given(st.sets(st.integers(1, 60), min_size=1), st.integers(1, 60))
def test_resolution_is_the_nearest_older_else_the_oldest(indexed: set[int], wanted: int) -> None:
    available = [Release((number,), str(number)) for number in indexed]
    answer = resolve(str(wanted), corpus="postgres", scheme=SCHEMES["major"], available=available)
    expected = max((number for number in indexed if number <= wanted), default=min(indexed))
    assert answer.version == str(expected)
    assert (answer.fallback is None) == (wanted in indexed)
