import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from pytest_django import Settings

pytestmark = pytest.mark.django_db
LOGIN = "/admin/login/?next=/admin/"


def sign_in(client: Client, password: str, address: str = "203.0.113.9") -> int:
    """The status of the response: 302 leads in, 200 shows the form again."""
    return client.post(LOGIN, {"username": "admin", "password": password}, REMOTE_ADDR=address).status_code


def test_a_client_may_try_a_few_passwords_only(client: Client, settings: Settings) -> None:
    settings.RATE_LIMIT_LOGIN = "2/d"
    get_user_model()._default_manager.create_superuser("admin", "", "correct horse")
    assert [sign_in(client, password) for password in ("a", "b", "correct horse")] == [200, 200, 429]
    assert [client.get(LOGIN, REMOTE_ADDR="203.0.113.9").status_code for _ in range(3)] == [200, 200, 200]
    assert sign_in(client, "correct horse", address="203.0.113.10") == 302
    assert client.get("/admin/").status_code == 200


def test_a_refused_client_is_told_when_to_come_back(client: Client, settings: Settings) -> None:
    settings.RATE_LIMIT_LOGIN = "0/d"
    response = client.post(LOGIN, {})
    assert (response.status_code, response.headers["Content-Type"]) == (429, "text/plain; charset=utf-8")
    assert response.content.decode() == f"Too many requests. Try again in {response.headers['Retry-After']} s."
