import pytest

from docs_search.documents import Role
from docs_search.indexing.postings import rebuild_postings
from docs_search.models import Identifier, Page, Passage
from docs_search.retrieval.exact import COMMON, exact_leg
from tests.factories import make_page, make_passage, make_version

pytestmark = pytest.mark.django_db


def passage_with(page: Page, text: str, **roles: Role) -> Passage:
    """A passage with identifiers; in their keywords `__` stands for a space."""
    passage = make_passage(page, text)
    for name, role in roles.items():
        Identifier.objects.create(version=page.version, name=name.replace("__", " "), passage=passage, role=role)
    return passage


def found(query: str, page: Page, section: str | None = None) -> list[int]:
    return [hit.passage_id for hit in exact_leg(query, version_ids=[page.version_id], limit=50, section=section)]


def test_the_passage_about_a_name_comes_before_those_that_mention_it() -> None:
    page = make_page()
    mention = passage_with(page, "Raise max_connections first.", max_connections=Role.MENTION)
    subject = passage_with(page, "The limit of clients.", max_connections=Role.SUBJECT)

    assert found("what is max_connections for", page) == [subject.pk, mention.pk]
    assert found("MAX_CONNECTIONS", page) == [subject.pk, mention.pk]
    assert found("what are connections for", page) == []


def test_words_of_the_query_match_only_what_a_passage_is_about() -> None:
    page = make_page()
    subject = passage_with(page, "Defines an index.", create__index=Role.SUBJECT)
    passage_with(page, "See create index.", create__index=Role.MENTION)

    assert found("create index concurrently", page) == [subject.pk]


def test_a_passage_with_more_of_the_names_ranks_higher() -> None:
    page = make_page()
    one = passage_with(page, "work_mem here", work_mem=Role.MENTION)
    both = passage_with(page, "both here", work_mem=Role.MENTION, shared_buffers=Role.MENTION)

    assert found("work_mem or shared_buffers", page) == [both.pk, one.pk]


def test_of_two_pages_about_a_name_the_one_named_after_it_leads() -> None:
    version = make_version()
    other = passage_with(make_page(version, "RT_ST_Union.html"), "Of rasters.", st_union=Role.SUBJECT)
    named = passage_with(make_page(version, "ST_Union.html"), "Of geometries.", st_union=Role.SUBJECT)

    assert found("ST_Union", named.page) == [named.pk, other.pk]


def test_a_name_that_is_mentioned_everywhere_points_nowhere() -> None:
    page = make_page()
    for number in range(COMMON + 1):
        passage_with(page, f"passage {number}", pg_class=Role.MENTION)

    assert found("pg_class", page) == []


def test_error_texts_are_found_word_for_word() -> None:
    page = make_page()
    quoted = make_passage(page, 'It fails with "could not open relation with given number" at once.')
    make_passage(page, "The relation with that number could not be given, or be open.")
    rebuild_postings(page.version_id)

    assert found('what does "could not open relation with given number" mean', page) == [quoted.pk]


def test_other_versions_and_sections_are_left_out() -> None:
    version = make_version()
    page = make_page(version, "admin/a.html")
    other = make_page(make_version(version.corpus, "18"), "admin/a.html")
    inside = passage_with(page, "a", work_mem=Role.SUBJECT)
    passage_with(make_page(version, "sql/b.html"), "b", work_mem=Role.SUBJECT)
    passage_with(other, "c", work_mem=Role.SUBJECT)

    assert found("work_mem", page, section="admin") == [inside.pk]
