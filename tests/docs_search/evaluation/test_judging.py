import pytest
from pytest_django import DjangoAssertNumQueries

from docs_search.evaluation.judging import PageIndex
from docs_search.evaluation.questions import Question
from docs_search.models import Page, Version
from tests.factories import make_page, make_version

pytestmark = pytest.mark.django_db


def make_question(*paths: str, **grades: int) -> Question:
    relevant = dict.fromkeys(paths, 2) | {path.replace("_", "-"): grade for path, grade in grades.items()}
    return Question("q1", "how to", "postgres", "howto", relevant)


def index(question: Question, *versions: Version, **aliases: str | tuple[str, ...]) -> PageIndex:
    named = {page.replace("_", "-"): (names,) if isinstance(names, str) else names for page, names in aliases.items()}
    return PageIndex([question], version_ids=[version.pk for version in versions], aliases=named)


def judged(question: Question, *versions: Version, **aliases: str | tuple[str, ...]) -> dict[int, str]:
    return dict(index(question, *versions, **aliases).judgments(question).judged)


@pytest.mark.parametrize("path", ["sql-copy.html", "sql-copy", "/sql-copy/", "sql-copy.md"])
def test_a_page_is_judged_by_any_spelling_of_its_path(path: str) -> None:
    page = make_page(path="sql-copy.html")
    assert judged(make_question(path), page.version) == {page.pk: path}


def test_pages_of_every_searched_version_are_judged_and_of_no_other() -> None:
    release = make_version()
    cloud, older = make_version(name="cloud"), make_version(name="16")
    page = make_page(cloud, "cloud/start.html")
    make_page(older, "cloud/start.html")
    assert judged(make_question("cloud/start"), release, cloud) == {page.pk: "cloud/start"}


def test_what_the_index_lacks_stays_judged_and_is_missing() -> None:
    page = make_page(path="sql-copy.html")
    question = make_question(sql_copy=2, sql_dump=1)

    judgments = index(question, page.version).judgments(question)

    assert (dict(judgments.grades), judgments.missing) == ({"sql-copy": 2, "sql-dump": 1}, ("sql-dump",))


def test_other_names_of_a_page_count_whichever_is_found() -> None:
    intro, classes = make_page(path="gin-intro.html"), make_page(path="gin-builtin-opclasses.html")
    question = make_question("gin")
    names = ("gin-intro.html", "gin-builtin-opclasses.html")

    judgments = index(question, intro.version, gin=names).judgments(question)

    assert dict(judgments.judged) == {intro.pk: "gin", classes.pk: "gin"}
    assert judgments.of([classes.pk, 0, intro.pk]) == [2, 0, 0]


def test_an_old_path_counts_where_no_page_stands_at_it_now() -> None:
    moved = make_page(path="new/copy.html", aliases=["old/copy.html", "old/dump"])
    assert judged(make_question("old/copy"), moved.version) == {moved.pk: "old/copy"}

    dump = make_page(path="old/dump.html")
    assert judged(make_question("old/dump"), moved.version) == {dump.pk: "old/dump"}


def test_paths_that_are_one_page_here_are_judged_once_with_the_higher_grade() -> None:
    page = make_page(path="sign-in.html", aliases=["ldap", "google"])
    question = make_question(ldap=1, google=2)

    judgments = index(question, page.version).judgments(question)

    assert (dict(judgments.grades), dict(judgments.judged), judgments.missing) == (
        {"ldap": 2},
        {page.pk: "ldap"},
        (),
    )


def test_a_page_judged_by_its_own_path_is_no_other_name_of_another() -> None:
    filters, parameters = make_page(path="field-filters.html"), make_page(path="sql-parameters.html")
    question = make_question(field_filters=2, sql_parameters=1)

    judgments = index(question, filters.version, field_filters="sql-parameters").judgments(question)

    assert dict(judgments.grades) == {"field-filters": 2, "sql-parameters": 1}
    assert dict(judgments.judged) == {filters.pk: "field-filters", parameters.pk: "sql-parameters"}


def test_of_a_path_and_another_name_of_its_page_the_higher_grade_counts() -> None:
    page = make_page(path="sign-in.html")
    question = make_question(sign_in=1, ldap=2)

    judgments = index(question, page.version, ldap="sign-in").judgments(question)

    assert (dict(judgments.grades), dict(judgments.judged)) == ({"sign-in": 2}, {page.pk: "sign-in"})


def test_the_grades_of_a_ranking() -> None:
    copy, dump = make_page(path="copy.html"), make_page(path="dump.html")
    question = make_question(copy=2, dump=1)
    judgments = index(question, copy.version).judgments(question)
    assert judgments.of([dump.pk, copy.pk + dump.pk, copy.pk]) == [1, 0, 2]
    assert judgments.of([]) == []


def test_all_questions_take_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    version = make_version()
    questions = [make_question(f"page-{number}") for number in range(50)]
    make_page(version, "page-7.html")
    with django_assert_num_queries(1):
        pages = PageIndex(questions, version_ids=[version.pk], aliases={})
        missing = [question for question in questions if pages.judgments(question).missing]
    assert len(missing) == 49
    assert Page.objects.count() == 1
