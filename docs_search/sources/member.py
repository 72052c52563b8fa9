"""One entry of an archive, in the same form for every format."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import IO


class MemberType(Enum):
    FILE = auto()
    FOLDER = auto()
    SYMBOLIC_LINK = auto()
    HARD_LINK = auto()
    OTHER = auto()  # a device or a pipe, which is counted and not unpacked


@dataclass(frozen=True, slots=True)
class Member:
    """`size` is what the archive claims; `open` works until the next member is asked for."""

    name: str
    type: MemberType
    size: int = 0
    link: str = ""
    open: Callable[[], IO[bytes]] = io.BytesIO
