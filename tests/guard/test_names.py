"""Who asks and whom: names that make no sense, names of others, and what proxies say."""

from __future__ import annotations

from typing import Any

import pytest
from starlette.datastructures import Headers

from housemates.errors import HousematesError
from housemates.guard.names import client_of, household, is_own_host, is_own_origin, read_networks

PROXIES = read_networks(["10.0.0.0/8", "127.0.0.1"], "--trusted-proxy")


def scope(client: str = "203.0.113.9", server: str = "192.0.2.1", **headers: str) -> Any:
    """A request."""
    told = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {
        "type": "http",
        "client": (client, 5),
        "server": (server, 80),
        "scheme": "http",
        "headers": told,
    }


@pytest.mark.parametrize("host", ["[", "evil.example", "", "http://[", "192.0.2.2", "192.0.2.1.evil.example"])
def test_a_request_for_somebody_else_is_none_of_ours_whoever_listens(host: str) -> None:
    assert not is_own_host(scope(host=host), ["https://studio.example.org"])


@pytest.mark.parametrize("host", ["localhost:8000", "192.0.2.1:80", "[::1]:8000", "Studio.example.org"])
def test_a_server_knows_its_names(host: str) -> None:
    assert is_own_host(scope(host=host), ["https://studio.example.org"])


def test_pages_of_others_and_of_nobody_are_no_pages_of_ours() -> None:
    for origin in ("http://[", "null", "https://evil.example", "http://localhost:8001", "//", ""):
        assert not is_own_origin(Headers({"host": "localhost:8000", "origin": origin}), ["https://a.example"])
    for origin in ("http://localhost:8000", "https://a.example"):
        assert is_own_origin(Headers({"host": "localhost:8000", "origin": origin}), ["https://a.example"])
    assert is_own_origin(Headers({"host": "localhost"}), [])
    assert not is_own_origin(Headers({"host": "localhost"}), [], needed=True)


@pytest.mark.parametrize(
    ("direct", "told", "client"),
    [
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
        ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "1.2.3.4, 198.51.100.1", "198.51.100.1"),
        ("127.0.0.1", "198.51.100.1, 10.9.9.9", "198.51.100.1"),
        ("10.0.0.1", "nonsense", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
    ],
)
def test_only_trusted_proxies_say_for_whom_they_ask(direct: str, told: str, client: str) -> None:
    asked = scope(direct, x_forwarded_for=told, x_forwarded_proto="https")
    assert client_of(asked, PROXIES) == (client, "http" if direct.startswith("203") else "https")


def test_an_ipv6_household_has_one_share() -> None:
    assert household("2001:db8::1") == household("2001:db8::ffff:2") != household("2001:db8:0:1::1")
    assert household("::ffff:192.0.2.1") == "192.0.2.1"


def test_a_proxy_that_is_no_address_is_one_sentence() -> None:
    with pytest.raises(HousematesError, match=r"--trusted-proxy proxy: expected an address"):
        read_networks(["proxy"], "--trusted-proxy")
