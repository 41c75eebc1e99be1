"""The hall: all rooms of this server, opened when somebody comes and cleared when nobody is there."""

from __future__ import annotations

import asyncio
import contextlib
import time

from housemates.studio.live.outbox import RESTART, Outbox
from housemates.studio.live.room import Room, Services
from housemates.studio.settings import Bounds
from housemates.studio.storage import plays
from housemates.studio.storage.tables import Refused

SWEEP_S = 5.0


class Hall:
    """Rooms by the id of their play."""

    def __init__(self, services: Services, bounds: Bounds) -> None:
        self.services, self.bounds = services, bounds
        self.rooms: dict[str, Room] = {}
        self.outboxes: set[Outbox] = set()
        """Every browser that is connected."""
        self._opening = asyncio.Lock()
        self._sweeper = asyncio.create_task(self._sweep())

    async def room(self, play: str) -> Room:
        """The room of a play, in memory or from the database."""
        async with self._opening:
            if play not in self.rooms:
                if len(self.rooms) >= self.bounds.plays:
                    raise Refused("There are too many plays going on; come back in a few minutes.")
                found = await self.services.database.run(lambda session: plays.find(session, play))
                self.rooms[play] = Room(self.services, found)
            return self.rooms[play]

    def close(self) -> None:
        """Send everybody away to come back to whoever serves next; who thinks in a process goes with it."""
        self._sweeper.cancel()
        for outbox in list(self.outboxes):
            outbox.close(RESTART)
        for room in self.rooms.values():
            room.rest()
        self.rooms.clear()

    async def forget(self, play: str) -> None:
        """Clear the room of a play."""
        room = self.rooms.pop(play, None)
        if room is not None:
            await room.close()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_S)
            now = time.monotonic()
            for play, room in list(self.rooms.items()):
                with contextlib.suppress(Exception):
                    if not room.over and now - room.acted > self.bounds.idle_s:
                        await room.give_up("idle")
                    if not room.people and now - room.touched > self.bounds.parked_s:
                        await self.forget(play)
