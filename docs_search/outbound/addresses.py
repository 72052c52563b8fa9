"""Which addresses may be connected to: hosts of the public internet.

A location or a redirect can name any host, and any name server can answer with any address. Services that trust
whoever reaches them (the cloud's metadata, a router, a database) must not be read through us.
"""

import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from queue import Empty, SimpleQueue
from threading import Thread

_REFUSED = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8",
            "100.64.0.0/10",  # between a provider and its customers; a cloud's metadata at .100.200
            "168.63.129.16/32",  # a cloud's metadata at an address that looks public
            "192.0.0.0/24",
            "192.88.99.0/24",  # relays to IPv6 that are no longer run
            "2001::/23",  # among them Teredo, which carries an IPv4 address in disguise
            "2001:db8::/32",
            "3fff::/20",
        ),
    )
)
_UNICAST = IPv6Network("2000::/3")
_NAT64 = IPv6Network("64:ff9b::/96")


class RefusedAddress(Exception):
    """A host that may not be connected to. The message names it, and the setting that would allow it."""


def resolve(host: str, port: int, *, allow_private: bool, seconds: float) -> list[str]:
    """The IP addresses of `host` without duplicates, in the order of the resolver, each fit to be connected to.

    One address that is refused refuses the host: a name with a public and a private address is an attempt to be
    checked as the one and connected to as the other. Raises RefusedAddress, and OSError for a host that is unknown or
    not found within `seconds`.
    """
    try:
        addresses = _look_up(host.encode("ascii"), port, seconds)
    except ValueError as error:  # other letters, or a zero byte
        raise socket.gaierror(socket.EAI_NONAME, "no host can have this name") from error
    for address in addresses:
        if not (allow_private or is_public(address)):
            subject = host if host == address else f"{host} is at {address}, which"
            raise RefusedAddress(
                f"{subject} is not an address of the public internet."
                " Set SOURCES_ALLOW_PRIVATE_ADDRESSES=1 to read from your own network."
            )
    return addresses


def _look_up(host: bytes, port: int, seconds: float) -> list[str]:
    """The system's resolver knows no end but its own, so it runs in a thread that may be left behind."""
    outcome: SimpleQueue[list[str] | OSError | ValueError] = SimpleQueue()

    def look_up() -> None:
        try:
            answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
            outcome.put(list(dict.fromkeys(str(answer[4][0]) for answer in answers)))
        except (OSError, ValueError) as error:
            outcome.put(error)

    Thread(target=look_up, daemon=True, name="look-up").start()
    try:
        found = outcome.get(timeout=seconds)
    except Empty:
        raise socket.gaierror(socket.EAI_AGAIN, "the name server did not answer in time") from None
    if isinstance(found, Exception):
        raise found
    return found


def is_public(address: str) -> bool:
    """Whether an IP address is a globally reachable one of a single host. An IPv4 address within IPv6 counts itself."""
    ip: IPv4Address | IPv6Address = ip_address(address)
    if isinstance(ip, IPv6Address):
        if carried := ip.ipv4_mapped or ip.sixtofour or _translated(ip):
            ip = carried
        elif ip.scope_id or ip not in _UNICAST:
            return False
    return ip.is_global and not ip.is_multicast and not any(ip in network for network in _REFUSED)


def _translated(ip: IPv6Address) -> IPv4Address | None:
    return IPv4Address(int(ip) & 0xFFFFFFFF) if ip in _NAT64 else None
