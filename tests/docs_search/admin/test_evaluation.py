import re

import pytest
from django.contrib.auth.models import Permission, User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from docs_search import search_log
from docs_search.evaluation.metrics import MEASURES
from docs_search.models import EvaluationResult, EvaluationRun, SearchLog
from tests.factories import make_evaluation_result, make_evaluation_run

pytestmark = pytest.mark.django_db

RUNS = "/admin/docs_search/evaluationrun/"
RESULTS = "/admin/docs_search/evaluationresult/"
PREVIEW = "/admin/docs_search/evaluationresult/preview/"


def page(client: Client, address: str, **query: str | list[str]) -> str:
    response = client.get(address, query)
    assert response.status_code == 200
    return response.content.decode()


def change(run: EvaluationRun) -> str:
    return f"{RUNS}{run.pk}/change/"


def staff(client: Client, *permissions: str) -> Client:
    user = User.objects.create_user("staff", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client.force_login(user)
    return client


def test_the_list_draws_the_course_of_the_scores_with_exact_values(admin_client: Client) -> None:
    make_evaluation_run("first", score=0.61234)
    make_evaluation_run("second", score=0.7)
    make_evaluation_run("other questions", questions="other.jsonl")

    chart = page(admin_client, RUNS, questions="questions.jsonl")

    titles = re.findall(r"<circle [^>]*><title>(.*?), [^:]*:\d\d: nDCG@10 (.*?)</title>", chart)
    assert titles == [("first", "0.6123"), ("second", "0.7000")]
    assert chart.count("<polyline ") == 4
    assert "Runs over questions.jsonl, the oldest first." in chart
    assert "Runs over other.jsonl, the oldest first." in page(admin_client, RUNS)
    assert "<svg role" not in page(admin_client, RUNS, q="nothing of that name")


def test_a_run_shows_its_scores_and_leads_to_what_it_lost(admin_client: Client) -> None:
    run = make_evaluation_run("first", missing={"manual_17": ["guide/gone"]})

    shown = page(admin_client, change(run))

    assert '<td>0.500 <span class="help">(0.00–1.00)</span></td>' in shown
    assert "<div><b>manual_17</b>: guide/gone</div>" in shown
    assert "There is no earlier run over the same questions." in shown
    assert f'<a href="{RESULTS}?run={run.pk}&amp;outcome=lost">' in shown or f"?run={run.pk}&outcome=lost" in shown


def test_a_run_tells_which_settings_changed_since_the_one_before(admin_client: Client) -> None:
    make_evaluation_run(settings={"ranking": {"RRF_K": 60, "PAGE_K": 2}, "code": {"digest": "a"}})
    make_evaluation_run(questions="other.jsonl")
    run = make_evaluation_run(
        settings={"ranking": {"RRF_K": 10, "PAGE_K": 2}, "bm25": {"B": 0.4}, "code": {"digest": "a"}}
    )

    shown = page(admin_client, change(run))

    changed = shown.partition("Changed since the run before")[2].partition("Settings")[0]
    assert re.findall(r"<div><b>(.*?)</b>: (.*?)</div>", changed) == [
        ("ranking: RRF_K", "60 → 10"),
        ("bm25: B", "– → 0.4"),
    ]


def test_a_run_is_deleted_with_its_results(admin_client: Client) -> None:
    run = make_evaluation_result().run
    assert admin_client.post(f"{RUNS}{run.pk}/delete/", {"post": "yes"}).status_code == 302
    assert not EvaluationRun.objects.exists()
    assert not EvaluationResult.objects.exists()


def test_only_an_account_that_may_delete_runs_does(client: Client) -> None:
    run = make_evaluation_run()
    viewer = staff(client, "view_evaluationrun")
    assert viewer.post(f"{RUNS}{run.pk}/delete/", {"post": "yes"}).status_code == 403
    assert viewer.get(change(run)).status_code == 200
    assert viewer.post(f"{RUNS}add/").status_code == 403
    assert viewer.get(RESULTS).status_code == 403


@pytest.mark.parametrize(
    ("outcome", "questions"), [("", ["q1", "q2", "q3"]), ("first", ["q1"]), ("lost", ["q2", "q3"]), ("none", ["q3"])]
)
def test_results_of_a_run_are_filtered_by_what_became_of_them(
    outcome: str, questions: list[str], admin_client: Client
) -> None:
    run = make_evaluation_run()
    for number, first in enumerate((1, 2, None), start=1):
        make_evaluation_result(run, number, first=first)
    make_evaluation_result(make_evaluation_run(), 9)

    response = admin_client.get(RESULTS, {"run": str(run.pk), "outcome": outcome})

    assert sorted(result.question_id for result in response.context["cl"].queryset) == questions


def test_results_are_sorted_by_their_score(admin_client: Client) -> None:
    run = make_evaluation_run()
    for number, score in enumerate((0.5, 0.9, 0.1), start=1):
        make_evaluation_result(run, number, scores=dict.fromkeys(MEASURES, score))
    response = admin_client.get(RESULTS, {"run": str(run.pk), "o": "4"})
    assert [result.question_id for result in response.context["cl"].queryset] == ["q3", "q1", "q2"]


def test_a_result_shows_what_was_found_and_leads_to_a_preview(admin_client: Client) -> None:
    result = make_evaluation_result()

    shown = page(admin_client, f"{RESULTS}{result.pk}/change/")

    assert "<li>guide/backup <b>judged 2</b></li>" in shown
    assert "hit@1 0.500" in shown
    query = "query=how+to+undo+mistake+1&amp;corpus=manual&amp;version=manual_17&amp;judged=guide%2Fbackup"
    assert f'<a href="{PREVIEW}?{query}">preview</a>' in shown


@pytest.mark.usefixtures("manual")
def test_the_preview_shows_every_stage_and_marks_judged_pages(admin_client: Client) -> None:
    judged = ["guide/backup.html", "guide/gone"]
    shown = page(
        admin_client, PREVIEW, query="pg_dump every night", corpus="manual", version="manual_17", judged=judged
    )

    heads = re.findall(r"<th>(.*?)</th>", shown)
    assert heads[:4] == ["Rank", "Passage", "Judged", "Relevance"]
    assert heads[4:] == ["exact", "keyword", "semantic", "fuse", "rerank"]
    assert "Backup › Dump</a>" in shown
    assert "<td><b>guide/backup.html</b></td>" in shown
    assert "<p>Judged, and not in manual_17: guide/gone</p>" in shown
    search_log.flush()
    assert SearchLog.objects.get().surface == "admin"


@pytest.mark.usefixtures("manual")
def test_the_preview_takes_as_many_queries_for_three_judged_pages_as_for_one(admin_client: Client) -> None:
    def queries(*judged: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            page(admin_client, PREVIEW, query="dump", corpus="manual", judged=list(judged))
        return len(captured)

    assert queries("guide/backup", "guide/tuning", "guide/gone") == queries("guide/backup")


@pytest.mark.usefixtures("manual")
def test_what_cannot_be_searched_is_told_in_the_form(admin_client: Client) -> None:
    assert "There is no corpus &#x27;nowhere&#x27;. Indexed are: manual." in page(
        admin_client, PREVIEW, query="dump", corpus="nowhere"
    )
    assert "This field is required" in page(admin_client, PREVIEW, query="", corpus="manual")
    assert "errornote" not in page(admin_client, PREVIEW)


def test_only_an_account_that_may_see_results_previews_them(client: Client) -> None:
    assert client.get(PREVIEW).status_code == 302
    assert staff(client, "view_evaluationrun").get(PREVIEW).status_code == 403
