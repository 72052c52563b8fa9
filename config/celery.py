"""The Celery application: `celery -A config worker -B`."""

import os
import signal
from types import FrameType
from typing import Any

from celery import Celery
from celery.signals import worker_ready

from config import message_folder

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

message_folder.register()
app = Celery("docent")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_ready.connect
def stop_at_once_on_sigquit(sender: Any, **_: Any) -> None:
    """Let SIGQUIT end a worker at once, where Celery takes 5 s even when idle.

    Tasks that wait (for their turn, or to be tried again) go back to the queue. One that runs is cut off, and readers
    keep the previous index, since a new one is published in one transaction.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        sender.task_consumer.channel.qos.restore_unacked()
        os._exit(0)

    signal.signal(signal.SIGQUIT, stop)
