from collections.abc import Callable
from typing import Any

import pytest
from django.contrib import admin
from django.db import connection
from django.db.models import Model
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django.fixtures import Settings

from docs_search.models import (
    Corpus,
    EvaluationResult,
    EvaluationRun,
    IndexRun,
    JudgedQuestion,
    Page,
    SearchLog,
    Version,
)
from tests.factories import (
    make_corpus,
    make_evaluation_result,
    make_evaluation_run,
    make_index_run,
    make_judged_question,
    make_page,
    make_passage,
    make_search_log,
    make_version,
)

pytestmark = pytest.mark.django_db


def add_corpus(number: int) -> Corpus:
    return make_corpus(f"corpus-{number}")


def add_version(number: int) -> Version:
    return make_version(add_corpus(number), str(number))


def add_page(number: int) -> Page:
    return make_page(add_version(number), f"page-{number}.html")


def add_run(number: int) -> IndexRun:
    return make_index_run(add_corpus(number), done=3, total=4, warnings=[{"page": "a.html", "message": "has no title"}])


def add_log(number: int) -> SearchLog:
    return make_search_log(f"query {number}", timings={"total": 12.5})


def add_judged_question(number: int) -> JudgedQuestion:
    return make_judged_question(f"question {number}", corpus=add_corpus(number).slug)


def add_evaluation_run(number: int) -> EvaluationRun:
    return make_evaluation_run(f"run {number}")


def add_evaluation_result(number: int) -> EvaluationResult:
    return make_evaluation_result(make_evaluation_run(), number)


ROWS: dict[str, Callable[[int], Model]] = {
    "corpus": add_corpus,
    "version": add_version,
    "page": add_page,
    "indexrun": add_run,
    "searchlog": add_log,
    "judgedquestion": add_judged_question,
    "evaluationrun": add_evaluation_run,
    "evaluationresult": add_evaluation_result,
}
READ_ONLY = ["version", "page", "indexrun", "searchlog", "evaluationresult"]


def queries_of_list(client: Client, model: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        response = client.get(reverse(f"admin:docs_search_{model}_changelist"))
    assert response.status_code == 200
    return len(queries)


@pytest.mark.parametrize("model", ROWS)
def test_list_takes_as_many_queries_for_three_rows_as_for_one(model: str, admin_client: Client) -> None:
    ROWS[model](1)
    one = queries_of_list(admin_client, model)
    ROWS[model](2)
    ROWS[model](3)
    assert queries_of_list(admin_client, model) == one


@pytest.mark.parametrize("model", ROWS)
def test_row_can_be_looked_at(model: str, admin_client: Client) -> None:
    row = ROWS[model](1)
    response = admin_client.get(reverse(f"admin:docs_search_{model}_change", args=[row.pk]))
    assert (response.status_code, str(row) in response.content.decode()) == (200, True)


@pytest.mark.parametrize("model", READ_ONLY)
def test_what_programs_write_cannot_be_changed_by_hand(model: str, admin_client: Client) -> None:
    row = ROWS[model](1)
    delete = 302 if model == "version" else 403  # a version tells how it is removed
    for action, arguments, status in (("add", [], 403), ("delete", [row.pk], delete)):
        address = reverse(f"admin:docs_search_{model}_{action}", args=arguments)
        assert admin_client.post(address, {"post": "yes"}).status_code == status
    assert type(row)._default_manager.get() == row
    assert admin_client.post(reverse(f"admin:docs_search_{model}_change", args=[row.pk])).status_code == 403


def test_page_shows_its_passages_in_a_fixed_number_of_queries(admin_client: Client) -> None:
    page = make_page()
    address = reverse("admin:docs_search_page_change", args=[page.pk])

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            response = admin_client.get(address)
        assert response.content.decode().count("About passage") == page.passages.count()
        return len(captured)

    make_passage(page, "About passage 1.")
    one = queries()
    make_passage(page, "About passage 2.")
    make_passage(page, "About passage 3.")
    assert queries() == one


def test_version_leads_to_its_pages(admin_client: Client) -> None:
    version = make_version(page_count=7)
    response = admin_client.get(reverse("admin:docs_search_version_change", args=[version.pk]))
    address = f"/admin/docs_search/page/?version__id__exact={version.pk}"
    assert f'<a href="{address}">7</a>' in response.content.decode()
    assert admin_client.get(address).status_code == 200


def test_page_shows_the_address_that_it_is_served_at(admin_client: Client, settings: Settings) -> None:
    settings.API_SERVER_URL = "https://docs.example.com"
    guide = make_corpus("guide", url="{server}/pages/guide/{path}", version_scheme="none")
    page = make_page(make_version(guide, ""), "start.html")
    response = admin_client.get(reverse("admin:docs_search_page_change", args=[page.pk]))
    assert '<div class="readonly">https://docs.example.com/pages/guide/start.html</div>' in response.content.decode()
    assert page.url not in response.content.decode()


def test_run_shows_its_warnings(admin_client: Client) -> None:
    response = admin_client.get(reverse("admin:docs_search_indexrun_change", args=[add_run(1).pk]))
    assert "<div><b>a.html</b>: has no title</div>" in response.content.decode()


def test_run_is_named_by_its_version_and_time(admin_client: Client) -> None:
    run = add_run(1)
    assert str(run) == f"corpus-1 17 {run.started_at:%Y-%m-%d %H:%M}"


def shown(client: Client, row: Model) -> str:
    return client.get(reverse(f"admin:docs_search_{row._meta.model_name}_change", args=[row.pk])).content.decode()


def test_counts_and_timings_are_text(admin_client: Client) -> None:
    run = make_index_run(counts={"pages": 4, "passages": 12})
    assert '<div class="readonly">pages 4, passages 12</div>' in shown(admin_client, run)
    log = make_search_log(timings={"keyword": 3.25, "total": 12.51}, top_relevance=0.98765)
    assert '<div class="readonly">total 12.5 ms, keyword 3.2 ms</div>' in shown(admin_client, log)
    assert '<div class="readonly">0.99</div>' in shown(admin_client, log)


@pytest.mark.parametrize(("limited", "results"), [(False, "3"), (True, "refused: rate limit")])
def test_only_a_refused_search_speaks_of_the_rate_limit(limited: bool, results: str, admin_client: Client) -> None:
    page = shown(admin_client, make_search_log(limited=limited))
    assert (f'<div class="readonly">{results}</div>' in page, "rate limit" in page) == (True, limited)


@pytest.mark.parametrize(("value", "queries"), [("0", ["answered"]), ("1", ["refused"]), ("", ["answered", "refused"])])
def test_searches_are_filtered_by_the_rate_limit(value: str, queries: list[str], admin_client: Client) -> None:
    make_search_log("answered")
    make_search_log("refused", limited=True)
    response = admin_client.get(reverse("admin:docs_search_searchlog_changelist"), {"limited": value})
    assert sorted(log.query for log in response.context["cl"].queryset) == queries


def test_admin_bears_the_name_of_the_project_and_links_to_no_missing_page(admin_client: Client) -> None:
    page = admin_client.get(reverse("admin:index")).content.decode()
    assert "<title>Administration | Docent</title>" in page
    assert ("Django" in page, "View site" in page) == (False, False)


VALUES: dict[str, Any] = {
    "slug": "handbook",
    "title": "Handbook",
    "parser": "markdown",
    "version_scheme": "major.minor",
    "url": "https://handbook.example.org/{version}/{path}",
    "url_exceptions": "{}",
    "plans": "pro, enterprise",
    "versions-TOTAL_FORMS": "0",
    "versions-INITIAL_FORMS": "0",
}


def test_corpus_can_be_added(admin_client: Client) -> None:
    response = admin_client.post(reverse("admin:docs_search_corpus_add"), VALUES)
    assert response.status_code == 302
    corpus = Corpus.objects.get()
    assert (corpus.slug, corpus.plans, corpus.url_exceptions) == ("handbook", ["pro", "enterprise"], {})


@pytest.mark.parametrize(
    ("key", "value", "reason"),
    [
        ("url", "https://handbook.example.org/{path}", "lacks {version}"),
        ("url_exceptions", "[]", "expected a table of patterns by version"),
        ("url_exceptions", '{"v3": "https://handbook.example.org/{path}"}', "is not the name of a version"),
        ("parser", "word", "word is not one of the available choices"),
        ("slug", "Hand_book", "a corpus is named with a-z"),
        ("cloud_prefixes", "/cloud", "without a slash before it"),
    ],
)
def test_corpus_is_held_to_the_rules_of_the_file(key: str, value: str, reason: str, admin_client: Client) -> None:
    response = admin_client.post(reverse("admin:docs_search_corpus_add"), VALUES | {key: value})
    assert reason in str(response.context["adminform"].form.errors[key])
    assert not Corpus.objects.exists()


def test_slug_of_a_corpus_stays(admin_client: Client) -> None:
    corpus = make_corpus("handbook")
    response = admin_client.post(
        reverse("admin:docs_search_corpus_change", args=[corpus.pk]), VALUES | {"slug": "other", "title": "New"}
    )
    assert response.status_code == 302
    assert list(Corpus.objects.values_list("slug", "title")) == [("handbook", "New")]


@pytest.mark.parametrize(("indexed", "scheme"), [(False, "major.minor"), (True, "major")])
def test_version_scheme_stays_once_there_are_versions(indexed: bool, scheme: str, admin_client: Client) -> None:
    corpus = make_corpus("handbook", version_scheme="major")
    if indexed:
        make_version(corpus, "17")
    address = reverse("admin:docs_search_corpus_change", args=[corpus.pk])
    assert admin_client.post(address, VALUES | {"title": "New"}).status_code == 302
    assert list(Corpus.objects.values_list("title", "version_scheme")) == [("New", scheme)]


def test_corpus_that_was_never_indexed_can_be_deleted(admin_client: Client) -> None:
    corpus = make_corpus("empty")
    admin_client.post(reverse("admin:docs_search_corpus_delete", args=[corpus.pk]), {"post": "yes"})
    assert not Corpus.objects.exists()


@pytest.mark.parametrize("trace", [make_version, make_index_run])
def test_deleting_an_indexed_corpus_names_the_command_for_it(trace: Callable[..., Model], admin_client: Client) -> None:
    corpus = make_corpus("handbook")
    trace(corpus)
    refusal = "handbook is not deleted here. Run: manage.py remove handbook --yes"
    for address, data in (
        (reverse("admin:docs_search_corpus_delete", args=[corpus.pk]), {"post": "yes"}),
        (
            reverse("admin:docs_search_corpus_changelist"),
            {"action": "delete_selected", "_selected_action": [corpus.pk], "post": "yes"},
        ),
    ):
        response = admin_client.post(address, data, follow=True)
        assert [str(message) for message in response.context["messages"]] == [refusal]
    assert Corpus.objects.get() == corpus
    assert '<div class="readonly">run manage.py remove handbook --yes</div>' in shown(admin_client, corpus)


def test_corpora_that_were_never_indexed_are_deleted_together(admin_client: Client) -> None:
    data = {"action": "delete_selected", "_selected_action": [add_corpus(1).pk, add_corpus(2).pk], "post": "yes"}
    admin_client.post(reverse("admin:docs_search_corpus_changelist"), data)
    assert not Corpus.objects.exists()


def test_version_names_the_command_that_removes_it(admin_client: Client) -> None:
    version = make_version()
    address = reverse("admin:docs_search_version_delete", args=[version.pk])
    response = admin_client.get(address, follow=True)
    refusal = "postgres_17 is not deleted here. Run: manage.py remove postgres 17"
    assert [str(message) for message in response.context["messages"]] == [refusal]
    assert '<div class="readonly">run manage.py remove postgres 17</div>' in shown(admin_client, version)


def test_admin_has_a_page_for_each_model_of_interest() -> None:
    registered = {model._meta.model_name for model in admin.site._registry if model._meta.app_label == "docs_search"}
    assert registered == set(ROWS)
