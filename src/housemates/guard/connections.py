"""Connections from their first byte to their last: how many there may be, and how long they may take.

Uvicorn bounds neither the time that the head of a request takes nor the connections of an address, so its
protocols are extended here by a doorkeeper that sees every connection.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from typing import Any

from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.protocols.websockets.auto import AutoWebSocketsProtocol

from housemates.guard.names import household, is_in
from housemates.guard.policy import Policy


class Doorkeeper:
    """All connections of a server by their address, and those whose request has not come whole."""

    def __init__(self, policy: Policy, most: int) -> None:
        self.policy, self.most = policy, most
        self._inside: dict[asyncio.BaseTransport, str] = {}
        self._of: defaultdict[str, set[asyncio.BaseTransport]] = defaultdict(set)
        self._waiting: defaultdict[str, dict[asyncio.BaseTransport, asyncio.TimerHandle]] = defaultdict(dict)

    def admit(self, transport: asyncio.Transport) -> None:
        """Let a connection in; where there is no room, the one that waits longest with half a head goes."""
        found = get_remote_addr(transport)
        direct = found[0] if found else ""
        address = household(direct)
        each = self.most if is_in(direct, self.policy.proxies) else self.policy.connections_each
        if len(self._of[address]) >= each and not self._make_room(address):
            self._drop(transport)
            return
        if len(self._inside) >= self.most and not self._make_room():
            self._drop(transport)
            return
        self._inside[transport] = address
        self._of[address].add(transport)
        self.wait_for_head(transport)

    def release(self, transport: asyncio.BaseTransport) -> None:
        """A connection is gone."""
        address = self._inside.pop(transport, None)
        if address is None:
            return
        self.head_came(transport, address)
        self._of[address].discard(transport)
        if not self._of[address]:
            del self._of[address]

    def wait_for_head(self, transport: asyncio.Transport) -> None:
        """Drop a connection unless the head of its request comes in time."""
        address = self._inside.get(transport)
        if address is not None and transport not in self._waiting[address]:
            loop = asyncio.get_running_loop()
            self._waiting[address][transport] = loop.call_later(self.policy.header_s, self._drop, transport)

    def head_came(self, transport: asyncio.BaseTransport, address: str | None = None) -> None:
        """A request is there."""
        address = address or self._inside.get(transport, "")
        timer = self._waiting[address].pop(transport, None)
        if timer is not None:
            timer.cancel()
        if not self._waiting[address]:
            del self._waiting[address]

    def _make_room(self, address: str = "") -> bool:
        if not address and self._waiting:
            address = max(self._waiting, key=lambda each: len(self._waiting[each]))
        oldest = next(iter(self._waiting.get(address, ())), None)
        if oldest is None:
            return False
        self._drop(oldest)
        return True

    def _drop(self, transport: Any) -> None:
        self.release(transport)
        transport.abort()


def protocols(keeper: Doorkeeper) -> tuple[type[asyncio.Protocol], type[asyncio.Protocol]]:
    """The classes that speak HTTP and WebSockets for a server with a doorkeeper."""
    base: Any = AutoHTTPProtocol
    socket_base: Any = AutoWebSocketsProtocol

    class Unstalled:
        """Drops a client that takes nothing of what it is sent."""

        transport: asyncio.Transport
        _stalled: asyncio.TimerHandle | None = None

        def connection_lost(self, error: Exception | None) -> None:
            self._moves()
            keeper.release(self.transport)
            super().connection_lost(error)  # type: ignore[misc]

        def pause_writing(self) -> None:
            super().pause_writing()  # type: ignore[misc]
            loop = asyncio.get_running_loop()
            self._stalled = loop.call_later(keeper.policy.stall_s, self.transport.abort)

        def resume_writing(self) -> None:
            self._moves()
            super().resume_writing()  # type: ignore[misc]

        def _moves(self) -> None:
            if self._stalled is not None:
                self._stalled.cancel()
                self._stalled = None

    class Http(Unstalled, base):  # type: ignore[misc]
        """HTTP whose heads come in time."""

        _upgraded = False

        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            keeper.admit(transport)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            if self._upgraded or (self.cycle is not None and not self.cycle.response_complete):
                keeper.head_came(self.transport)
            else:
                keeper.wait_for_head(self.transport)

        def handle_websocket_upgrade(self, *event: Any) -> None:
            super().handle_websocket_upgrade(*event)
            self._upgraded = True

    class Socket(Unstalled, socket_base):  # type: ignore[misc]
        """A WebSocket of a connection that was let in."""

    return Http, Socket
