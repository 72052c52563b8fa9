"""Who sends a request: their address behind trusted proxies, a hash of it for the logs, and through which surface."""

from collections.abc import Sequence
from datetime import date
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest
from django.utils.crypto import salted_hmac

from docs_search.models import SearchLog

SURFACES = {"web": SearchLog.Surface.WEB, "widget": SearchLog.Surface.WIDGET}


def client_address(request: HttpRequest) -> str:
    """The address a request comes from, or blank where the server knows none (a Unix socket)."""
    return rightmost_untrusted(
        peer=request.META.get("REMOTE_ADDR", ""),
        forwarded=request.META.get("HTTP_X_FORWARDED_FOR", ""),
        trusted=settings.TRUSTED_PROXIES,
    )


def rightmost_untrusted(*, peer: str, forwarded: str, trusted: Sequence[IPv4Network | IPv6Network]) -> str:
    """The last hop that is no trusted proxy, from the connection's peer and an X-Forwarded-For header.

    A proxy appends the address that called it. So what a trusted proxy appended is known, and everything to the left
    of the first address that is not trusted can be forged.
    """
    client = ""
    for hop in (peer, *reversed(forwarded.split(","))):
        address = _parse_hop(hop.strip())
        if address is None:
            break
        client = str(address)
        if not any(address in network for network in trusted):
            break
    return client


def client_hash(address: str, day: date) -> str:
    """An identifier of a client that cannot be turned back into the address and is another one every day."""
    return salted_hmac("docs_search.api.clients", f"{day} {address}", algorithm="sha256").hexdigest() if address else ""


def client_surface(request: HttpRequest) -> SearchLog.Surface:
    """Where the reader is, by the X-Docent-Client header: our web page, an embedded widget, else the bare API."""
    return SURFACES.get(request.META.get("HTTP_X_DOCENT_CLIENT", "").strip().lower(), SearchLog.Surface.API)


def _parse_hop(hop: str) -> IPv4Address | IPv6Address | None:
    """The address of a hop as proxies write it: bare, `[v6]`, with a port or with a zone."""
    if hop.startswith("["):
        hop = hop[1:].partition("]")[0]
    elif hop.count(":") == 1:
        hop = hop.partition(":")[0]
    try:
        address = ip_address(hop.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
