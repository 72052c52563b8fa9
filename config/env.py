"""Typed reads of environment variables. A value that cannot be read stops the start and says what is allowed."""

import os
from collections.abc import Sequence
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

# A host that vanished without a word is noticed after 5 s when connecting and after a minute in between; libpq and
# the kernel would wait for minutes and for hours. All can be set otherwise in DATABASE_URL.
PATIENCE = {"connect_timeout": 5, "keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}


def text(name: str, default: str = "") -> str:
    """The value with surrounding white space removed; a blank value counts as absent."""
    return os.environ.get(name, "").strip() or default


def integer(name: str, default: int, *, minimum: int = 0) -> int:
    """A whole number not below `minimum`."""
    value = text(name)
    if not value:
        return default
    try:
        number = int(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name}={value!r}: expected a whole number, for example {default}.") from None
    if number < minimum:
        raise ImproperlyConfigured(f"{name}={value}: the smallest allowed value is {minimum}.")
    return number


def number(name: str, default: float, *, minimum: float = 0.0) -> float:
    """A decimal number not below `minimum`."""
    value = text(name)
    if not value:
        return default
    try:
        parsed = float(value)
    except ValueError:
        raise ImproperlyConfigured(f"{name}={value!r}: expected a number, for example {default}.") from None
    if not parsed >= minimum:
        raise ImproperlyConfigured(f"{name}={value}: the smallest allowed value is {minimum}.")
    return parsed


def boolean(name: str, default: bool) -> bool:
    """1/0, true/false, yes/no or on/off."""
    value = text(name).lower()
    if not value:
        return default
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name}={value!r}: expected 1 or 0.")


def choice(name: str, default: str, allowed: Sequence[str]) -> str:
    """One of a few words."""
    value = text(name, default)
    if value not in allowed:
        raise ImproperlyConfigured(f"{name}={value!r}: expected one of {', '.join(allowed)}.")
    return value


def words(name: str, default: Sequence[str] = ()) -> list[str]:
    """A list separated by commas."""
    value = text(name)
    return [word.strip() for word in value.split(",") if word.strip()] if value else list(default)


def pairs(name: str) -> dict[str, str]:
    """Values by name, from a list like `name=value` separated by commas. A value may be secret, and is not told."""
    found: dict[str, str] = {}
    for word in words(name):
        key, _, value = (part.strip() for part in word.partition("="))
        if not key or not value:
            raise ImproperlyConfigured(f"{name}: expected words like host=token, separated by commas.")
        found[key] = value
    return found


def networks(name: str) -> list[IPv4Network | IPv6Network]:
    """A list of addresses or networks in CIDR notation, separated by commas."""
    try:
        return [ip_network(word, strict=False) for word in words(name)]
    except ValueError as fault:
        raise ImproperlyConfigured(
            f"{name}: {fault}. Expected addresses like 10.0.0.0/8, separated by commas."
        ) from None


def database(url: str, *, pool_size: int) -> dict[str, Any]:
    """Django's description of the database that `url` names, or of the embedded one where it is blank.

    `pool_size` > 0 lets the threads of a serving process share that many connections, kept from request to request.
    """
    options: dict[str, Any] = dict(PATIENCE)
    if pool_size:
        options["pool"] = {"size": pool_size, "timeout": 10}
    # Commands and workers keep no pool, but a connection may die between two requests of a thread.
    checked = {"CONN_HEALTH_CHECKS": True}
    if not url:
        return {"ENGINE": "config.postgres", "NAME": "docent", "OPTIONS": options, **checked}
    try:
        parts = conninfo_to_dict(url)
    except ProgrammingError as fault:
        raise ImproperlyConfigured(
            f"DATABASE_URL: {fault}. Expected postgresql://user:password@host:5432/name."
        ) from None
    if not parts.get("dbname"):
        raise ImproperlyConfigured(
            "DATABASE_URL names no database. Expected postgresql://user:password@host:5432/name."
        )
    known = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}
    return {
        "ENGINE": "config.postgres.pooled",
        **{known[key]: value for key, value in parts.items() if key in known},
        "OPTIONS": options | {key: value for key, value in parts.items() if key not in known},
        **checked,
    }


def limit_statements(description: dict[str, Any], milliseconds: int) -> None:
    """Let the server cancel each statement that takes longer, on what connections are made from `description` hence.

    What DATABASE_URL says about `options` stays, a limit of its own too. 0 is no limit.
    """
    if milliseconds:
        options = description["OPTIONS"]
        options["options"] = f"-c statement_timeout={milliseconds} {options.get('options', '')}".rstrip()
