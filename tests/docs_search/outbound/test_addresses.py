import socket
import time
from collections.abc import Callable
from typing import Any

import pytest

from docs_search.outbound.addresses import RefusedAddress, is_public, resolve

PUBLIC = ["8.8.8.8", "151.101.1.69", "2606:4700:4700::1111", "::ffff:8.8.8.8", "2002:808:808::1", "64:ff9b::8.8.8.8"]
REFUSED = [
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.8.9.1",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.7",
    "203.0.113.7",
    "224.0.0.1",
    "233.252.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::10.0.0.1",
    "64:ff9b:1::8.8.8.8",
    "100::1",
    "2001:0:808:808::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "2002:a9fe:a9fe::",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd00:ec2::254",
    "fe80::1",
    "fe80::1%eth0",
    "2606:4700:4700::1111%eth0",
    "fec0::1",
    "ff02::1",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_an_address_of_the_public_internet_may_be_connected_to(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("address", REFUSED)
def test_every_other_address_is_refused_in_whatever_form(address: str) -> None:
    assert not is_public(address)


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Lets the system's resolver answer with given addresses."""

    def answer_with(*addresses: str) -> None:
        def getaddrinfo(host: object, port: int, **_: object) -> list[tuple[Any, ...]]:
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

        monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)

    return answer_with


def test_addresses_come_once_and_in_the_order_of_the_resolver(names: Callable[..., None]) -> None:
    names("8.8.8.8", "2606:4700:4700::1111", "8.8.8.8", "1.1.1.1")
    assert resolve("docs.example.com", 443, allow_private=False, seconds=5) == [
        "8.8.8.8",
        "2606:4700:4700::1111",
        "1.1.1.1",
    ]


def test_one_private_address_refuses_a_host(names: Callable[..., None]) -> None:
    names("8.8.8.8", "10.1.2.3")
    with pytest.raises(
        RefusedAddress, match=r"^docs\.example\.com is at 10\.1\.2\.3, .* Set SOURCES_ALLOW_PRIVATE_ADDRESSES=1"
    ):
        resolve("docs.example.com", 443, allow_private=False, seconds=5)
    assert resolve("docs.example.com", 443, allow_private=True, seconds=5) == ["8.8.8.8", "10.1.2.3"]


@pytest.mark.parametrize("host", ["127.0.0.1", "127.1", "2130706433", "0x7f.1", "0177.0.0.1", "localhost", "::1", "0"])
def test_loopback_is_refused_however_it_is_written(host: str) -> None:
    with pytest.raises(RefusedAddress):
        resolve(host, 80, allow_private=False, seconds=5)


def test_a_name_server_that_does_not_answer_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    def getaddrinfo(*_: object, **__: object) -> list[object]:
        time.sleep(1)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    started = time.monotonic()
    with pytest.raises(OSError, match="the name server did not answer in time"):
        resolve("docs.example.com", 443, allow_private=False, seconds=0.1)
    assert time.monotonic() - started < 0.9


@pytest.mark.parametrize("host", ["a" * 300, "a..b", "caf\u00e9", "\udc80", "a\0b", ""])
def test_a_name_that_no_host_can_have_is_unknown(host: str) -> None:
    with pytest.raises(OSError, match=r"."):
        resolve(host, 80, allow_private=False, seconds=5)
