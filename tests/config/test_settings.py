"""What stops the start says which variable to set, and what follows from the variables."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

BASE_DIR = Path(__file__).resolve().parents[2]


def evaluate(expression: str, **variables: str) -> str:
    """An expression over `s`, the settings under these variables and no others; or the last line of what went wrong."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    run = subprocess.run(
        [sys.executable, "-c", f"from config import settings as s; print({expression})"],
        cwd=BASE_DIR,
        env=kept | variables,
        check=False,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return (run.stdout or run.stderr).strip().splitlines()[-1]


def test_a_folder_that_cannot_be_written_is_named_with_what_to_set(tmp_path: Path) -> None:
    var = tmp_path / "file" / "var"
    (tmp_path / "file").touch()
    fault = f"[Errno 20] Not a directory: '{var}"
    refused = "django.core.exceptions.ImproperlyConfigured: Cannot keep"

    line = evaluate("s.SECRET_KEY", DOCENT_VAR=str(var))
    assert line == f"{refused} a secret key in {var}: {fault}/secret_key'. Set SECRET_KEY or DOCENT_VAR."
    line = evaluate("s.SECRET_KEY", DOCENT_VAR=str(var), SECRET_KEY="k")
    assert line.startswith(f"{refused} messages for the worker in {var}/celery/messages: {fault}")
    assert line.endswith("Set REDIS_URL, or DOCENT_VAR to a folder that can be written.")
    assert evaluate("s.SECRET_KEY", DOCENT_VAR=str(var), SECRET_KEY="k", REDIS_URL="redis://127.0.0.1") == "k"


def test_an_empty_key_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret_key").touch()
    line = evaluate("s.SECRET_KEY", DOCENT_VAR=str(tmp_path))
    assert line.endswith(f"{tmp_path}/secret_key is empty. Delete it, and the next start makes a key.")


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        ({}, (False, False, None)),
        ({"API_SERVER_URL": "http://docs.example.org"}, (False, False, None)),
        ({"API_SERVER_URL": "https://docs.example.org"}, (True, True, None)),
        ({"TRUSTED_PROXIES": "10.0.0.1"}, (False, False, ("HTTP_X_FORWARDED_PROTO", "https"))),
    ],
)
def test_cookies_and_the_scheme_follow_what_stands_in_front(
    tmp_path: Path, variables: dict[str, str], expected: tuple[object, ...]
) -> None:
    read = "(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_PROXY_SSL_HEADER)"
    assert evaluate(read, DOCENT_VAR=str(tmp_path), **variables) == str(expected)


@pytest.mark.parametrize("password", ["short", "password", "20261130", "caretaker"])
def test_a_weak_password_is_refused(password: str) -> None:
    with pytest.raises(ValidationError):
        validate_password(password, get_user_model()(username="caretaker1"))
