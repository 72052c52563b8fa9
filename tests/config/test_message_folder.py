"""Messages between server and worker where there is no Redis."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty
from threading import Thread

import pytest
from django.conf import settings
from kombu import Connection
from kombu.exceptions import ChannelError
from kombu.simple import SimpleQueue

MESSAGES = 50
LARGE = "x" * 1_000_000  # what takes a while to be written


@contextmanager
def queue_in(folder: Path, *, out: Path | None = None) -> Iterator[SimpleQueue]:
    """A queue as server and worker have it, with its messages in `folder`. Kombu knows queues by name alone."""
    options = {
        "data_folder_in": str(folder),
        "data_folder_out": str(out or folder),
        "control_folder": str(folder / "control"),
    }
    with (
        Connection(settings.CELERY_BROKER_URL, transport_options=options) as connection,
        connection.SimpleQueue(folder.name, no_ack=True) as queue,
    ):
        yield queue


def test_a_message_is_not_taken_before_it_is_whole(tmp_path: Path) -> None:
    def send() -> None:
        with queue_in(tmp_path) as queue:
            for _ in range(MESSAGES):
                queue.put(LARGE)

    received = []
    with queue_in(tmp_path) as queue:
        sender = Thread(target=send)
        sender.start()
        while sender.is_alive() or queue.qsize():
            with suppress(Empty):
                received.append(queue.get(block=False).payload)
        sender.join()

    assert received == [LARGE] * MESSAGES
    assert [path.name for path in tmp_path.iterdir()] == ["control"]


def test_messages_are_taken_in_the_order_in_which_they_were_sent(tmp_path: Path) -> None:
    with queue_in(tmp_path) as queue:
        for number in range(20):
            queue.put(number)

        assert [queue.get(timeout=30).payload for _ in range(20)] == list(range(20))


def test_a_message_that_cannot_be_kept_is_an_error(tmp_path: Path) -> None:
    with (
        queue_in(tmp_path, out=tmp_path / "gone") as queue,
        pytest.raises(ChannelError, match=r"Cannot keep a message in .*/gone: No such file or directory"),
    ):
        queue.put("any")
