"""How moments and counts are written in the admin."""

from collections.abc import Mapping
from datetime import datetime

from django.utils.timezone import localtime


def minute(moment: datetime | None) -> str:
    return f"{localtime(moment):%Y-%m-%d %H:%M}" if moment else ""


def listed(values: Mapping[str, object]) -> str:
    return ", ".join(f"{name} {value}" for name, value in values.items())
