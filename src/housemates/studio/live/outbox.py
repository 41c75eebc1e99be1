"""Messages on their way to one browser: in order, and of what is overtaken only the newest."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

MOST = 500
"""Messages that may wait for a browser that does not listen; then it is let go."""
REPLACED, SLOW, RESTART, REFUSED, FULL, OVER = 4001, 4002, 1012, 4003, 4004, 4005
"""Why a connection is closed: opened elsewhere, too slow, the server restarts, no such seat, too many, the
play is over."""


class Outbox:
    """One browser's connection, and all that waits to be sent over it."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket
        self._waiting: dict[object, str | bytes] = {}
        self._more = asyncio.Event()
        self._number = 0
        self._closing: int | None = None

    def tell(self, message: Mapping[str, Any], key: str = "") -> None:
        """Send a message; one with a key takes the place of an unsent one with the same key."""
        self.put(msgspec.json.encode(message).decode(), key)

    def put(self, message: str | bytes, key: str = "") -> None:
        """Send text or bytes as they are; see `tell`."""
        self._number += 1
        if key:
            self._waiting.pop(key, None)
        self._waiting[key or self._number] = message
        if len(self._waiting) > MOST:
            self.close(SLOW)
        self._more.set()

    def close(self, code: int) -> None:
        """Send what is waiting, and close."""
        self._closing = code if self._closing is None else self._closing
        self._more.set()

    @property
    def closing(self) -> bool:
        """Whether it is to be closed once all is sent."""
        return self._closing is not None

    async def run(self) -> None:
        """Send until it is closed by either side."""
        try:
            while True:
                await self._more.wait()
                self._more.clear()
                while self._waiting:
                    message = self._waiting.pop(next(iter(self._waiting)))
                    if isinstance(message, bytes):
                        await self.socket.send_bytes(message)
                    else:
                        await self.socket.send_text(message)
                if self._closing is not None:
                    await self.socket.close(self._closing)
                    return
        except (WebSocketDisconnect, RuntimeError, OSError):
            return
