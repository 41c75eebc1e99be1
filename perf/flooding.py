"""One address that floods a studio: demo starts, sockets, half headers and large bodies, all at once.

`python perf/flooding.py PORT SECONDS` prints one JSON object: how often each was tried, and what came of it.
It stands back where the studio wants the processor, as a flood from elsewhere takes none of its time.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import resource
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable

HOST, SOURCE = "127.0.0.1", ("127.0.0.2", 0)
STARTS, SOCKETS, HALVES, BODIES = 16, 16, 1100, 4
"""How many of each are busy at once."""
SEAT = json.dumps({"benchmark": "teach-tatc", "role": "follower", "seed": 1}).encode()
UPGRADE = (
    "GET /ws/seat/{token} HTTP/1.1\r\nHost: {host}:{port}\r\nOrigin: http://{host}:{port}\r\n"
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)


class Flood:
    """What is sent, and a count of what came back."""

    def __init__(self, port: int, seconds: float) -> None:
        self.port, self.until = port, time.monotonic() + seconds
        self.found: Counter[str] = Counter()
        self.seats = ["A" * 32]

    async def run(self) -> None:
        """All of it, until the time is over."""
        ways = ((self.start, STARTS), (self.open, SOCKETS), (self.halve, HALVES), (self.swell, BODIES))
        async with asyncio.TaskGroup() as group:
            for way, times in ways:
                for _ in range(times):
                    group.create_task(self._again(way))

    async def start(self) -> None:
        """Begin a demo."""
        reader, writer = await self._connected()
        writer.write(self._head("POST", "/api/demo", len(SEAT)) + SEAT)
        answer = await self._answer(reader, "start")
        if b'"seat"' in answer:
            self.seats.append(answer.rpartition(b"/seat/")[2].split(b'"')[0].decode())
        writer.close()

    async def open(self) -> None:
        """Open a socket of a seat, and listen to it for a while."""
        reader, writer = await self._connected()
        token = self.seats[self.found["open"] % len(self.seats)]
        self.found["open"] += 1
        writer.write(UPGRADE.format(token=token, host=HOST, port=self.port).encode())
        await self._answer(reader, "socket")
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(reader.read(1), 5.0)
        writer.close()

    async def halve(self) -> None:
        """Send half a header and wait."""
        reader, writer = await self._connected()
        writer.write(b"GET / HTTP/1.1\r\nHost: loc")
        self.found["half header"] += 1
        await reader.read(1)
        writer.close()

    async def swell(self) -> None:
        """Send a body that is far too large."""
        reader, writer = await self._connected()
        head = self._head("POST", "/api/admin/login", 0).replace(
            b"Content-Length: 0", b"Transfer-Encoding: chunked"
        )
        writer.write(head)
        chunk = b"%x\r\n" % 100_000 + b"x" * 100_000 + b"\r\n"
        for _ in range(100):
            writer.write(chunk)
            await writer.drain()
        await self._answer(reader, "body")
        writer.close()

    async def _again(self, way: Callable[[], Awaitable[None]]) -> None:
        while time.monotonic() < self.until:
            try:
                await asyncio.wait_for(way(), 30)
            except (OSError, TimeoutError, EOFError) as error:
                self.found[f"{way.__name__} {type(error).__name__}"] += 1
                await asyncio.sleep(0.02)

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection(HOST, self.port, local_addr=SOURCE)

    async def _answer(self, reader: asyncio.StreamReader, what: str) -> bytes:
        answer = await reader.read(4000)
        status = answer[9:12].decode(errors="replace") or "closed"
        self.found[f"{what} {status}"] += 1
        return answer

    def _head(self, method: str, path: str, length: int) -> bytes:
        return (
            f"{method} {path} HTTP/1.1\r\nHost: {HOST}:{self.port}\r\nConnection: close\r\n"
            f"Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        ).encode()


if __name__ == "__main__":
    os.nice(19)
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, hard), hard))
    flood = Flood(int(sys.argv[1]), float(sys.argv[2]))
    asyncio.run(flood.run())
    print(json.dumps(flood.found))
