"""How often a client may ask: counters that all processes and all transports share.

Views, consumers and MCP tools all call `spend`. It needs no request, so a client is counted alike wherever it knocks.
"""

import logging
import re
from enum import StrEnum
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.db import ProgrammingError
from django_ratelimit.core import get_usage
from redis.exceptions import RedisError

from docs_search.errors import DocentError

logger = logging.getLogger(__name__)

_RATE = re.compile(r"[0-9]{1,9}/(?:[1-9][0-9]{0,5})?[smhd]")


class Bucket(StrEnum):
    """What is counted together, by the setting that holds the rate."""

    API = "RATE_LIMIT"
    ASK = "RATE_LIMIT_ASK"
    LOGIN = "RATE_LIMIT_LOGIN"


class RateLimited(DocentError):
    """The client has spent its requests; `retry_after` is the number of seconds until it has new ones.

    `first` tells the first refusal of a client in its window, the one that is worth a record.
    """

    code = "rate_limited"

    def __init__(self, retry_after: int, *, first: bool = False) -> None:
        super().__init__(f"Too many requests. Try again in {retry_after} s.")
        self.retry_after = retry_after
        self.first = first


def spend(bucket: Bucket, address: str) -> None:
    """Count one request of the client at `address`. Raises RateLimited where that is one too many.

    Windows are fixed and start at another second for each client. Without its counters (Redis is down) the service
    stays open: the limit protects it from floods, which a closed documentation would only complete.
    """
    client = _counted_as(address)
    try:
        usage = get_usage(
            None, group=bucket.name, key=lambda group, request: client, rate=getattr(settings, bucket), increment=True
        )
    except (RedisError, ProgrammingError) as fault:
        logger.warning("Rate limits are off, their counters are out of reach: %s", fault)
        return
    if usage["should_limit"]:
        raise RateLimited(max(1, usage["time_left"]), first=usage["count"] == usage["limit"] + 1)


def check_rates(**kwargs: Any) -> list[CheckMessage]:
    """System check: django-ratelimit would read `120/minute` as `120/m`, and `120` as a crash at the first request."""
    return [
        Error(
            f"{bucket}={rate!r} is no rate.",
            hint="Give a number of requests and a period (s, m, h or d), like 120/m or 10/30s.",
            id="docs_search.E001",
        )
        for bucket in Bucket
        if not _RATE.fullmatch(rate := getattr(settings, bucket))
    ]


def _counted_as(address: str) -> str:
    """The key of a client: its address, or the /64 network of an IPv6 address, since one client owns all of it."""
    if address and isinstance(ip_address(address), IPv6Address):
        return str(ip_network(f"{address}/64", strict=False))
    return address
