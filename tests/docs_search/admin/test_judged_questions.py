from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.test import Client

from docs_search.models import JudgedQuestion
from tests.factories import make_corpus, make_judged_question, make_page, make_search_log, make_version

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("manual")]

ADD = "/admin/docs_search/judgedquestion/add/"
VALUES = {"text": "how to undo a mistake", "corpus": "manual", "kind": "howto"}


def faults(client: Client, address: str, **values: Any) -> dict[str, list[str]]:
    response = client.post(address, VALUES | values)
    assert response.status_code == 200
    errors: dict[str, list[str]] = response.context["adminform"].form.errors
    return errors


def test_pages_are_written_by_path_or_address_with_their_grades(admin_client: Client) -> None:
    relevant = "https://docs.example.org/17/guide/backup\n\n guide/tuning.md 1 \n"

    assert admin_client.post(ADD, VALUES | {"relevant": relevant}).status_code == 302

    question = JudgedQuestion.objects.get()
    assert question.relevant == [{"page": "guide/backup", "grade": 2}, {"page": "guide/tuning", "grade": 1}]
    assert (question.text, question.kind, question.search) == (VALUES["text"], "howto", None)
    assert question.created_by == User.objects.get()
    assert LogEntry.objects.get().object_repr == VALUES["text"]


def test_a_question_may_have_no_answer(admin_client: Client) -> None:
    assert admin_client.post(ADD, VALUES).status_code == 302
    assert JudgedQuestion.objects.get().relevant == []


def test_a_page_that_is_not_there_is_told_with_the_nearest(admin_client: Client) -> None:
    nearest = "The nearest page is https://docs.example.org/17/guide/backup"
    assert faults(admin_client, ADD, relevant="guide/bakup 2")["relevant"] == [
        f"manual_17 has no page 'guide/bakup'. {nearest}"
    ]
    assert faults(admin_client, ADD, relevant="../etc 2")["relevant"] == [
        "The path has . or .. segments; give it from the root of the version."
    ]
    make_page(make_version(make_corpus("guide", url="https://guide.example.org/{version}/{path}")), "start")
    assert faults(admin_client, ADD, relevant="https://guide.example.org/17/start")["relevant"] == [
        "https://guide.example.org/17/start is a page of guide."
    ]
    grade = "The grade of guide/backup must be a whole number from 1 to 10."
    assert faults(admin_client, ADD, relevant="guide/backup 11")["relevant"] == [grade]
    assert faults(admin_client, ADD, relevant="guide/backup 0")["relevant"] == [grade]
    assert not JudgedQuestion.objects.exists()


def test_a_question_is_judged_once(admin_client: Client) -> None:
    make_judged_question(VALUES["text"])
    assert faults(admin_client, ADD)["__all__"] == ["This question is judged already."]


def test_a_judged_question_is_edited_with_what_search_finds_beside_it(admin_client: Client) -> None:
    question = make_judged_question("pg_dump every night or shared_buffers")
    address = f"/admin/docs_search/judgedquestion/{question.pk}/change/"

    form = admin_client.get(address).context["adminform"].form

    assert form["relevant"].value() == "guide/backup 2"
    assert form.fields["found_pages"].choices == [("guide/tuning", "Tuning (guide/tuning)")]
    values = VALUES | {"text": question.text, "relevant": "guide/backup 1", "found_pages": ["guide/tuning"]}
    assert admin_client.post(address, values).status_code == 302
    question.refresh_from_db()
    assert question.relevant == [{"page": "guide/tuning", "grade": 2}, {"page": "guide/backup", "grade": 1}]


def test_a_logged_search_becomes_a_judged_question(admin_client: Client) -> None:
    log = make_search_log("pg_dump every night", corpus="manual")
    button = f'<a href="{ADD}?search={log.pk}">Make it a judged question</a>'
    assert button in admin_client.get(f"/admin/docs_search/searchlog/{log.pk}/change/").content.decode()

    form = admin_client.get(ADD, {"search": log.pk}).context["adminform"].form

    assert (form["text"].value(), form["corpus"].value()) == ("pg_dump every night", "manual")
    assert [path for path, _ in form.fields["found_pages"].choices] == ["guide/backup", "guide/tuning"]
    values = VALUES | {"text": "pg_dump every night", "found_pages": ["guide/backup"]}
    assert admin_client.post(f"{ADD}?search={log.pk}", values).status_code == 302
    question = JudgedQuestion.objects.get()
    assert (question.relevant, question.search) == ([{"page": "guide/backup", "grade": 2}], log)
    shown = admin_client.get(f"/admin/docs_search/judgedquestion/{question.pk}/change/").content.decode()
    assert f'<a href="/admin/docs_search/searchlog/{log.pk}/change/">search of ' in shown


def test_a_search_whose_text_was_blanked_has_no_button(admin_client: Client) -> None:
    log = make_search_log("", corpus="manual")
    assert "judged question" not in admin_client.get(f"/admin/docs_search/searchlog/{log.pk}/change/").content.decode()
    form = admin_client.get(ADD, {"search": log.pk}).context["adminform"].form
    assert (form["text"].value(), form.fields["found_pages"].choices) == (None, [])


def staff(client: Client, *permissions: str) -> Client:
    user = User.objects.create_user("staff", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client.force_login(user)
    return client


def test_an_account_that_may_not_see_searches_is_shown_none(client: Client) -> None:
    log = make_search_log("pg_dump every night", corpus="manual")
    form = staff(client, "add_judgedquestion").get(ADD, {"search": log.pk}).context["adminform"].form
    assert form["text"].value() is None


def test_an_account_that_may_not_add_questions_has_no_button(client: Client) -> None:
    log = make_search_log("pg_dump every night", corpus="manual")
    viewer = staff(client, "view_searchlog", "view_judgedquestion")
    assert "judged question" not in viewer.get(f"/admin/docs_search/searchlog/{log.pk}/change/").content.decode()
    assert viewer.get(ADD).status_code == 403
    question = make_judged_question()
    shown = viewer.get(f"/admin/docs_search/judgedquestion/{question.pk}/change/")
    assert shown.status_code == 200
    assert "guide/backup" in shown.content.decode()
