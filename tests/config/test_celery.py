"""The worker of `manage.py run`, which is stopped with SIGQUIT."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from django.conf import settings

from config.supervisor import kill_group

WORKER = ["celery", "-A", "config", "--quiet", "worker", "--concurrency", "1", "--loglevel", "ERROR"]
SEND = "from config.celery import app; app.send_task('docs_search.tasks.prune_counters', countdown=3600)"


def test_sigquit_ends_a_worker_at_once_and_keeps_the_tasks_that_wait(tmp_path: Path) -> None:
    environment = os.environ | {"DOCENT_VAR": str(tmp_path), "PYTHONWARNINGS": "ignore"}
    messages = tmp_path / "celery" / "messages" / "in"
    subprocess.run([sys.executable, "-c", SEND], cwd=settings.BASE_DIR, env=environment, check=True, timeout=60)
    (sent,) = messages.iterdir()
    worker = subprocess.Popen(
        [sys.executable, "-m", *WORKER],
        cwd=settings.BASE_DIR,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 60
        while sent.exists() and time.monotonic() < deadline:
            time.sleep(0.1)
        assert list(messages.iterdir()) == []
        time.sleep(0.5)  # from reading the file to having the task

        begun = time.monotonic()
        worker.send_signal(signal.SIGQUIT)
        assert worker.wait(30) == 0
        assert time.monotonic() - begun < 2
    finally:
        kill_group(worker.pid)
        output, _ = worker.communicate()
    assert output == b""
    assert len(list(messages.iterdir())) == 1
