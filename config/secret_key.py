"""The secret key of an installation that is not given one."""

import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path


def kept_key(file: Path) -> str:
    """The key in `file`, which is made where it does not exist. Raises OSError.

    The file appears with the key in it: processes that start together all get the key of the first one.
    """
    with suppress(FileNotFoundError):
        return file.read_text()
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=file.parent, prefix=f".{file.name}-") as draft:  # its owner's alone
        draft.write(secrets.token_urlsafe(50))
        draft.flush()
        with suppress(FileExistsError):
            os.link(draft.name, file)
    return file.read_text()
