"""Names that are recognised by their shape, in passages and in queries."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from docs_search.documents import Role
from docs_search.identifiers import (
    MAX_LENGTH,
    MAX_PER_PASSAGE,
    MAX_PHRASES,
    normalise_identifier,
    passage_identifiers,
    query_identifiers,
    query_names,
    query_phrases,
)


@pytest.mark.parametrize(
    ("query", "identifiers"),
    [
        ("where do I set MB_JETTY_PORT?", ["mb_jetty_port"]),
        ("max_connections=100", ["max_connections"]),
        ("ST_DWithin or ST_Distance, or st_dwithin", ["st_dwithin", "st_distance"]),
        ("pg_stat_activity.query", ["pg_stat_activity.query", "pg_stat_activity"]),
        ("information_schema.columns", ["information_schema.columns", "information_schema"]),
        ('the column "Region" and `analyze`', ["region", "analyze"]),
        ("“curly_name”", ["curly_name"]),
        ("pg_dump --jobs=4 -j 4", ["pg_dump", "--jobs", "-j"]),
        ("how to use -j", ["-j"]),
        ("error 42P01 and 23505", ["42p01", "23505"]),
        ("ORA-00942, E0277", ["ora-00942", "e0277"]),
        ("the dashboardId prop of InteractiveDashboard", ["dashboardid", "interactivedashboard"]),
        ("date_trunc('day', now())", ["date_trunc", "day", "now"]),
        ("where is pg_hba.conf", ["pg_hba.conf", "pg_hba"]),
        ("docker-compose.yml", ["docker-compose.yml"]),
        ("edit /etc/app/app.conf.", ["/etc/app/app.conf"]),
        ("GET /api/alert/:id and /api/card/{id}/query", ["/api/alert/:id", "/api/card/:id/query"]),
        ("what does @> do, and ->> or && ?", ["@>", "->>", "&&"]),
        ("java.lang.NullPointerException", ["java.lang.nullpointerexception", "nullpointerexception"]),
        ("unaggregated-query-row-limit", ["unaggregated-query-row-limit"]),
        ("avg(price)", ["avg"]),
    ],
)
def test_identifiers_of_a_query(query: str, identifiers: list[str]) -> None:
    assert query_identifiers(query) == identifiers


@pytest.mark.parametrize(
    "query",
    [
        "",
        "how do I create an index without locking the table",
        "e.g. this and/or that, i.e. v1.2 or 17.2",
        "https://docs.example.org/a_b/c_d.html",
        "the table(s) and index(es)",
        "a - b -- c --- d ==== e *** f ... g",
        "<br></br>",
        "VACUUM FULL in 2026",
        "don't 'quote me here' isn't",
        "___ __ _",
        "x" * 200 + "_y",
    ],
)
def test_words_without_a_shape_are_no_identifiers(query: str) -> None:
    assert query_identifiers(query) == []


@pytest.mark.parametrize(
    ("name", "normalised"),
    [
        ("MB_JETTY_PORT", "mb_jetty_port"),
        ("date_trunc()", "date_trunc"),
        ("date_trunc ( text, timestamp ) → timestamp", "date_trunc"),
        ('"Quoted"', "quoted"),
        ("CREATE\n INDEX", "create index"),
        ("/api/card/{card-id}/query", "/api/card/:card-id/query"),
        ("--jobs", "--jobs"),
        ("(+)", "(+)"),
        ("a\0b", "a b"),
    ],
)
def test_names_are_compared_in_one_form(name: str, normalised: str) -> None:
    assert normalise_identifier(name) == normalised


def test_a_section_defines_its_names_and_mentions_others() -> None:
    markdown = (
        "Sets the port, see `listen_addresses` and the `host` of *pg\\_hba.conf*:\n\n"
        '```sh\nserver --port=1 "Region"\n```\n[more_here](runtime_config.html)'
    )

    assert passage_identifiers(markdown, ["port", "PGPORT()"], "port (integer)") == {
        "port": Role.SUBJECT,
        "pgport": Role.SUBJECT,
        "listen_addresses": Role.MENTION,
        "pg_hba.conf": Role.MENTION,
        "pg_hba": Role.MENTION,
        "--port": Role.MENTION,
        "more_here": Role.MENTION,
        "host": Role.MENTION,
        "region": Role.MENTION,
    }


@pytest.mark.parametrize(
    ("heading", "subjects"),
    [
        ("max_connections (integer)", ["max_connections"]),
        ("27.2.3. pg_stat_activity", ["pg_stat_activity"]),
        ("The pg_stat_activity View", ["pg_stat_activity"]),
        ("`GET /api/alert/:id`", ["/api/alert/:id"]),
        ("DateTrunc", ["datetrunc"]),
        ("date_trunc(text, timestamp)", ["date_trunc"]),
        ("Calling refresh()", ["refresh"]),
        ("Installing PostgreSQL on macOS", []),
        ("Create an index", []),
        ("", []),
    ],
)
def test_what_a_heading_plainly_names_is_a_subject(heading: str, subjects: list[str]) -> None:
    assert passage_identifiers("", [], heading) == dict.fromkeys(subjects, Role.SUBJECT)


def test_a_subject_that_is_mentioned_too_stays_a_subject() -> None:
    assert passage_identifiers("Set `work_mem`.", ["work_mem"], "Memory") == {"work_mem": Role.SUBJECT}


def test_a_passage_has_a_bounded_number_of_identifiers_subjects_first() -> None:
    markdown = " ".join(f"name_{number}" for number in range(500))

    found = passage_identifiers(markdown, ["the_subject"], "")

    assert len(found) == MAX_PER_PASSAGE
    assert list(found)[:2] == ["the_subject", "name_0"]


def test_a_name_that_is_too_long_is_left_out() -> None:
    long = "a_" + "b" * MAX_LENGTH

    assert passage_identifiers(f"`{long}` short_name", [long], long) == {"short_name": Role.MENTION}


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("create index?", ["create index", "create", "index"]),
        ("how do I vacuum", ["how do i", "do i vacuum", "how do", "do i", "i vacuum", "vacuum"]),
        ("DO block", ["do block", "do", "block"]),
        ("information_schema.columns", ["information_schema.columns", "columns"]),
        ("`date_trunc()` -- --jobs", ["date_trunc", "--jobs"]),
        ("word " * 13, []),
        ("", []),
    ],
)
def test_word_groups_that_could_be_names(query: str, names: list[str]) -> None:
    assert query_names(query) == names


@pytest.mark.parametrize(
    ("query", "phrases"),
    [
        ('what is "permission denied for table"', ["permission denied for table"]),
        ("why 'no such file or directory'?", ["no such file or directory"]),
        ("“canceling statement due to lock timeout”", ["canceling statement due to lock timeout"]),
        ("FATAL: sorry, too many clients already", ["sorry, too many clients already"]),
        ("java.lang.IllegalStateException: the stream is closed", ["the stream is closed"]),
        (
            'ERROR:  could not resize shared memory segment "/App.1" to 8388608 bytes: No space left on device',
            ["could not resize shared memory segment", "No space left on device"],
        ),
        ('ERROR: relation "users" does not exist', []),
        ("error: too few", []),
        ("how do I don't and can't do it", []),
        ('the "two words" here', []),
        ("", []),
    ],
)
def test_texts_to_be_found_word_for_word(query: str, phrases: list[str]) -> None:
    assert query_phrases(query) == phrases


@given(st.text(max_size=300), st.lists(st.text(max_size=120), max_size=3), st.text(max_size=100))
def test_whatever_a_passage_holds_its_identifiers_can_be_stored(markdown: str, names: list[str], heading: str) -> None:
    found = passage_identifiers(markdown, names, heading)

    assert len(found) <= MAX_PER_PASSAGE
    assert all(2 <= len(name) <= MAX_LENGTH and "\0" not in name for name in found)


@given(st.text(st.sampled_from("aA_1 .:/-\"'`({<>@=&|\\\n[](\u201c\u201d"), max_size=300))
def test_whatever_a_query_holds_its_identifiers_are_distinct_and_bounded(query: str) -> None:
    for found in (query_identifiers(query), query_names(query)):
        assert len(found) == len(set(found))
        assert all(2 <= len(name) <= MAX_LENGTH for name in found)
    assert len(query_phrases(query)) <= MAX_PHRASES


@pytest.mark.parametrize(
    "unit",
    [
        "a",
        "_",
        "a.",
        "a-",
        "/a",
        "/",
        "-",
        "--a",
        "A1",
        "`a",
        '"a ',
        "'a ",
        "(",
        "a(",
        "<>",
        "error: ",
        "\\",
        "://",
        "a://",
        "“",
    ],
)
def test_time_grows_in_proportion_to_the_text(unit: str) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        best = float("inf")
        for _ in range(3):
            begun = time.perf_counter()
            passage_identifiers(text, [text], text)
            query_identifiers(text)
            query_phrases(text)
            best = min(best, time.perf_counter() - begun)
        return best

    assert seconds(16_000) < 40 * seconds(2_000) + 0.02
