"""What the serving process does before the first request."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.conf import settings

from docs_search.embedding.minilm import NAME
from tests.live_server import live_server, request


@pytest.mark.django_db
def test_the_server_loads_the_embedding_model_before_any_search(tmp_path: Path) -> None:
    model = tmp_path / "models" / f"{NAME}.onnx"

    with live_server(DOCENT_VAR=str(tmp_path)):
        deadline = time.monotonic() + 30
        while not model.exists() and time.monotonic() < deadline:
            time.sleep(0.05)

    assert model.exists()


@pytest.mark.django_db
def test_a_model_that_cannot_be_loaded_is_left_to_searches(capfd: pytest.CaptureFixture[str]) -> None:
    with live_server(EMBEDDING_PROVIDER="openai", EMBEDDING_BASE_URL="") as server:
        assert request(server, "/v1/openapi.json").status == 200
        time.sleep(0.5)

    assert "EmbeddingError" not in capfd.readouterr().err


def test_stopping_while_the_model_is_loaded_is_clean(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-c", "import config.asgi"],
        cwd=settings.BASE_DIR,
        env=os.environ | {"DOCENT_VAR": str(tmp_path), "PYTHONWARNINGS": "error"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert (tmp_path / "models" / f"{NAME}.onnx").exists()
