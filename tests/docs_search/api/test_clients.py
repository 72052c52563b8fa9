from datetime import date
from ipaddress import ip_network

import pytest
from django.test import RequestFactory
from pytest_django import Settings

from docs_search.api.clients import client_address, client_hash, client_surface, rightmost_untrusted

PROXIES = [ip_network("10.0.0.0/8"), ip_network("fd00::/8")]


@pytest.mark.parametrize(
    ("peer", "forwarded", "client"),
    [
        pytest.param("203.0.113.9", "", "203.0.113.9", id="direct"),
        pytest.param("203.0.113.9", "198.51.100.1", "203.0.113.9", id="untrusted-peer-cannot-forward"),
        pytest.param("10.0.0.1", "203.0.113.9", "203.0.113.9", id="one-proxy"),
        pytest.param("10.0.0.1", "203.0.113.9, 10.0.0.2", "203.0.113.9", id="two-proxies"),
        pytest.param("10.0.0.1", "198.51.100.1, 203.0.113.9", "203.0.113.9", id="forged-entry-on-the-left"),
        pytest.param("10.0.0.1", "10.0.0.7, 203.0.113.9, 10.0.0.2", "203.0.113.9", id="forged-proxy-on-the-left"),
        pytest.param("10.0.0.1", "10.0.0.7,10.0.0.2", "10.0.0.7", id="only-proxies"),
        pytest.param("10.0.0.1", "203.0.113.9, unknown", "10.0.0.1", id="unreadable-hop-ends-the-chain"),
        pytest.param("10.0.0.1", "203.0.113.9,", "10.0.0.1", id="blank-hop-ends-the-chain"),
        pytest.param("10.0.0.1", "203.0.113.9:5123", "203.0.113.9", id="port"),
        pytest.param("10.0.0.1", "[2001:db8::9]:5123", "2001:db8::9", id="ipv6-port"),
        pytest.param("fd00::1", "2001:DB8:0:0::9", "2001:db8::9", id="ipv6"),
        pytest.param("fe80::9%eth0", "", "fe80::9", id="ipv6-zone"),
        pytest.param("::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9", id="ipv4-mapped-proxy"),
        pytest.param("", "203.0.113.9", "", id="unix-socket"),
    ],
)
def test_client_is_the_rightmost_hop_that_no_proxy_vouches_for(peer: str, forwarded: str, client: str) -> None:
    assert rightmost_untrusted(peer=peer, forwarded=forwarded, trusted=PROXIES) == client


def test_without_trusted_proxies_the_header_is_ignored(rf: RequestFactory, settings: Settings) -> None:
    settings.TRUSTED_PROXIES = []
    request = rf.get("/", REMOTE_ADDR="10.0.0.1", headers={"x-forwarded-for": "203.0.113.9"})

    assert client_address(request) == "10.0.0.1"


def test_trusted_proxies_come_from_the_settings(rf: RequestFactory, settings: Settings) -> None:
    settings.TRUSTED_PROXIES = PROXIES
    request = rf.get("/", REMOTE_ADDR="10.0.0.1", headers={"x-forwarded-for": "198.51.100.1, 203.0.113.9"})

    assert client_address(request) == "203.0.113.9"


def test_client_hash_is_stable_for_a_day_and_tells_clients_apart() -> None:
    monday, tuesday = date(2026, 1, 5), date(2026, 1, 6)
    hashed = client_hash("203.0.113.9", monday)

    assert hashed == client_hash("203.0.113.9", monday)
    assert len({hashed, client_hash("203.0.113.9", tuesday), client_hash("203.0.113.8", monday)}) == 3
    assert "203.0.113.9" not in hashed


def test_client_hash_depends_on_the_secret_key(settings: Settings) -> None:
    day = date(2026, 1, 5)
    before = client_hash("203.0.113.9", day)
    settings.SECRET_KEY = "another"

    assert client_hash("203.0.113.9", day) != before


def test_unknown_address_has_no_hash() -> None:
    assert client_hash("", date(2026, 1, 5)) == ""


@pytest.mark.parametrize(
    ("header", "surface"), [("web", "web"), ("Widget", "widget"), ("", "api"), ("admin", "api"), ("<script>", "api")]
)
def test_surface_comes_from_the_client_header(rf: RequestFactory, header: str, surface: str) -> None:
    assert client_surface(rf.get("/", headers={"x-docent-client": header})) == surface
