"""Who asks, and whom: addresses behind trusted proxies, the names of a server, the origins of pages."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Collection, Sequence
from functools import cache, lru_cache
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope

from housemates.errors import HousematesError

LOCAL = frozenset(("localhost", "127.0.0.1", "::1"))
Network = ipaddress.IPv4Network | ipaddress.IPv6Network
Address = ipaddress.IPv4Address | ipaddress.IPv6Address
SECURED = {"http": "https", "ws": "wss"}
NEIGHBOURS = 64
"""Bits of an IPv6 address that one household has for itself."""


def read_networks(texts: Sequence[str], flag: str) -> tuple[Network, ...]:
    """Addresses and networks, such as `10.0.0.0/8`; HousematesError names the flag and the wrong one."""
    found = []
    for text in texts:
        try:
            found.append(ipaddress.ip_network(text, strict=False))
        except ValueError:
            raise HousematesError(
                f"{flag} {text}: expected an address or a network, such as 127.0.0.1 or 10.0.0.0/8."
            ) from None
    return tuple(found)


def is_loopback(host: str) -> bool:
    """Whether only programs of this machine can connect to a host that is listened at."""
    address = _address(host)
    return host == "localhost" or (address is not None and address.is_loopback)


def client_of(scope: Scope, proxies: Collection[Network]) -> tuple[str, str]:
    """The address that a request comes from and its scheme, as trusted proxies tell it.

    `X-Forwarded-For` is read from its end, where the nearest proxy wrote: the first address that is no
    trusted proxy is the client. Anybody else's headers mean nothing.
    """
    direct: str = scope["client"][0] if scope.get("client") else ""
    scheme: str = scope["scheme"]
    if not is_in(direct, proxies):
        return direct, scheme
    headers = Headers(scope=scope)
    hops = [each.strip() for line in headers.getlist("x-forwarded-for") for each in line.split(",")]
    client = next((each for each in reversed(hops) if not is_in(each, proxies)), direct)
    if headers.get("x-forwarded-proto", "").strip().lower() in ("https", "wss"):
        scheme = SECURED.get(scheme, scheme)
    return (client if _address(client) else direct), scheme


@lru_cache(maxsize=4096)
def household(address: str) -> str:
    """What shares are counted by: an IPv4 address, or the network of an IPv6 one."""
    found = _address(address)
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((found, NEIGHBOURS), strict=False))
    return str(found or address)


def host_of(headers: Headers) -> str:
    """The name that a request asks for, without its port; empty if there is none that makes sense."""
    return _hostname(f"//{headers.get('host', '')}")


def is_own_host(scope: Scope, origins: Collection[str]) -> bool:
    """Whether a request names this server: as this machine, by the address it came to, or by an origin.

    A page of somebody else whose name was made to lead here names itself, and is refused.
    """
    host = host_of(Headers(scope=scope))
    if host in LOCAL or host in {_hostname(each) for each in origins} - {""}:
        return True
    server = scope.get("server") or ("", None)
    return bool(host) and (host == _machine() or _address(host) == _address(server[0]) is not None)


def is_own_origin(headers: Headers, origins: Collection[str], needed: bool = False) -> bool:
    """Whether a page of this server asks; `needed` also refuses what does not say where it comes from."""
    origin = headers.get("origin")
    if origin is None:
        return not needed and headers.get("sec-fetch-site", "none") in ("same-origin", "none")
    return origin in origins or (bool(_hostname(origin)) and _netloc(origin) == headers.get("host"))


def _hostname(url: str) -> str:
    try:
        return (urlsplit(url).hostname or "").lower()
    except ValueError:
        return ""


def _netloc(url: str) -> str:
    return urlsplit(url).netloc


def _address(text: str) -> Address | None:
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return mapped or found


def is_in(text: str, networks: Collection[Network]) -> bool:
    """Whether a text is an address of one of some networks."""
    address = _address(text)
    return address is not None and any(address in each for each in networks)


@cache
def _machine() -> str:
    return socket.gethostname().lower()
