"""Screening: what was to be seen in plays and runs is drawn again in processes, and kept for a while."""

from __future__ import annotations

import asyncio
import hashlib
import tempfile
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec

from housemates.guard.shares import Busy
from housemates.studio.settings import Bounds
from housemates.studio.storage.tables import Refused
from housemates.studio.worlds.pool import DRAWING, FILMING, Pool, TooSlow
from housemates.studio.worlds.reels import CHUNK, Source


class Screening:
    """Draws parts of episodes and makes films of them; the newest are kept."""

    def __init__(self, pool: Pool, bounds: Bounds) -> None:
        self._pool, self._bounds = pool, bounds
        self._parts: OrderedDict[str, bytes] = OrderedDict()
        self._films: OrderedDict[str, Path] = OrderedDict()
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        """Where films are, once there is one."""
        self._asked: dict[str, asyncio.Task[Any]] = {}

    async def frames(self, source: Source, chunk: int) -> bytes:
        """A part of an episode as JSON."""
        if chunk * CHUNK > len(source):
            raise Refused("There is no such part.")
        key = f"{source.key} {chunk} {min(CHUNK, len(source) - chunk * CHUNK)}"
        return await self._kept(key, lambda: self._drawn(source, chunk))

    async def briefs(self, source: Source) -> Any:
        """What the roles of an episode were told."""
        return msgspec.json.decode(await self._kept(f"{source.key} briefs", lambda: self._briefs(source)))

    async def official(self, source: Source) -> dict[str, bytes]:
        """An episode in the official formats."""
        found: dict[str, bytes] = await self._call(DRAWING, "official", source)
        return found

    async def film(self, source: Source) -> Path:
        """A film of a whole episode."""
        key = f"{source.key} film {len(source)}"
        if key not in self._films:
            self._folder = self._folder or tempfile.TemporaryDirectory(prefix="studio-films-")
            path = Path(self._folder.name) / f"{hashlib.sha256(key.encode()).hexdigest()}.mp4"
            await self._once(key, lambda: self._call(FILMING, "film", source, path))
            self._films[key] = path
        self._films.move_to_end(key)
        while len(self._films) > self._bounds.films:
            self._films.popitem(last=False)[1].unlink(missing_ok=True)
        return self._films[key]

    def forget(self, play: str) -> None:
        """Keep nothing of a play."""
        for key in [each for each in self._parts if each.startswith(f"{play} ")]:
            del self._parts[key]
        for key in [each for each in self._films if each.startswith(f"{play} ")]:
            self._films.pop(key).unlink(missing_ok=True)

    def close(self) -> None:
        """Forget all pictures, and end the drawing that is under way."""
        if self._folder is not None:
            self._folder.cleanup()

    async def _kept(self, key: str, work: Callable[[], Awaitable[bytes]]) -> bytes:
        """What is asked for again and again; the oldest is forgotten when it becomes too much."""
        found = self._parts[key] if key in self._parts else await self._once(key, work)
        self._parts[key] = found
        self._parts.move_to_end(key)
        while sum(map(len, self._parts.values())) > self._bounds.watched_bytes and len(self._parts) > 1:
            self._parts.popitem(last=False)
        return found

    async def _briefs(self, source: Source) -> bytes:
        return msgspec.json.encode(await self._call(DRAWING, "briefs", source))

    async def _drawn(self, source: Source, chunk: int) -> bytes:
        views = await self._call(DRAWING, "frames", source, chunk)
        return msgspec.json.encode({**views.addressed(), "first": chunk * CHUNK})

    async def _call(self, place: str, method: str, *arguments: Any) -> Any:
        try:
            return await self._pool.call(method, "", *arguments, place=place)
        except TooSlow:
            raise Busy("This takes too long to be drawn.") from None

    async def _once(self, key: str, work: Callable[[], Awaitable[Any]]) -> Any:
        """Whoever asks for the same waits for the same; so many different things are drawn at once."""
        if key not in self._asked:
            if len(self._asked) >= self._bounds.screenings:
                raise Busy("Too many are watching; try again in a moment.")
            task = self._asked[key] = asyncio.ensure_future(work())
            task.add_done_callback(lambda _: self._asked.pop(key, None))
        return await asyncio.shield(self._asked[key])
