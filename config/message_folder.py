"""Messages for the worker as files in a folder, where Docent runs on one machine without Redis."""

import time
from pathlib import Path
from typing import Any
from uuid import uuid4

from kombu.exceptions import ChannelError
from kombu.transport import TRANSPORT_ALIASES, filesystem
from kombu.utils.json import dumps

SCHEME = "folder"  # of the address of the broker


class Channel(filesystem.Channel):
    """Kombu's, which shows a message before it is written: a worker that takes it then dies, and the task is lost."""

    def _put(self, queue: str, payload: dict[str, Any], **kwargs: Any) -> None:  # type: ignore[override]
        """Write a message under a name that no worker looks for, and give it its own when it is whole."""
        file = Path(self.data_folder_out, f"{time.time_ns()}_{uuid4()}.{queue}.msg")
        draft = file.with_suffix(".draft")
        try:
            draft.write_text(dumps(payload), encoding="utf-8")
            draft.rename(file)
        except OSError as fault:
            draft.unlink(missing_ok=True)
            raise ChannelError(f"Cannot keep a message in {self.data_folder_out}: {fault.strerror}") from fault


class Transport(filesystem.Transport):
    Channel = Channel


def register() -> None:
    """Let Celery know the scheme."""
    TRANSPORT_ALIASES[SCHEME] = f"{__name__}:{Transport.__name__}"
