from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from docs_search.retrieval.snippets import best_window, count_terms, query_stems, stem

LONG = "Filler words say nothing here. " * 30


def marked(text: str, query: str) -> list[str]:
    snippet = best_window(text, query_stems(query))
    return [snippet.text[low:high] for low, high in snippet.highlights]


def test_query_terms_are_found_after_stemming() -> None:
    assert marked("Indexes on partitioned tables are indexed lazily.", "index a partition") == [
        "Indexes",
        "partitioned",
        "indexed",
    ]


def test_stop_words_are_not_highlighted_unless_the_query_holds_nothing_else() -> None:
    assert marked("What to do with the table", "what is the table") == ["table"]
    assert marked("Use NOT IN with care", "not in") == ["NOT", "IN"]


def test_a_name_is_one_highlight() -> None:
    assert marked("Raise max_connections with care", "max_connections") == ["max_connections"]


def test_the_window_holds_the_densest_part_and_starts_at_a_sentence() -> None:
    text = f"{LONG}Vacuum reclaims dead rows. {LONG}"

    snippet = best_window(text, query_stems("reclaim dead rows"))

    assert snippet.text.startswith("… Vacuum reclaims dead rows.")
    assert [snippet.text[low:high] for low, high in snippet.highlights] == ["reclaims", "dead", "rows"]


def test_a_short_text_is_shown_whole() -> None:
    assert best_window("Short  and\nsweet.", frozenset()).text == "Short and sweet."


@given(st.text(max_size=3000), st.text(max_size=80))
def test_highlights_are_ordered_ranges_of_query_terms_in_the_snippet(text: str, query: str) -> None:
    stems = query_stems(query)

    snippet = best_window(text, stems)

    end = 0
    for low, high in snippet.highlights:
        assert end <= low < high <= len(snippet.text)
        end = high
    assert len(snippet.text) <= 280 + 4


def test_terms_that_occur_count_once_whatever_their_form() -> None:
    assert (
        count_terms("connections are pooled, a pool of connections", query_stems("pool connection timeout unit")) == 2
    )
    assert count_terms("anything", frozenset()) == 0


def test_stems_equal_those_of_the_index(db: None) -> None:
    words = ["running", "indexes", "policies", "generously", "skis", "dying", "replication", "happily", "was"]
    with connection.cursor() as cursor:
        cursor.execute("SELECT ts_lexize('docent_stem', word) FROM unnest(%s::text[]) word", [words])
        expected = [row[0][0] for row in cursor.fetchall()]

    assert [stem(word) for word in words] == expected
