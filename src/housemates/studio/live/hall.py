"""The hall: all rooms of this server, opened when somebody comes and cleared when nobody is there."""

from __future__ import annotations

import asyncio
import sys
import time
import traceback

from housemates.core import registry
from housemates.guard.shares import Ledger, Spent
from housemates.studio.live.outbox import RESTART, Outbox
from housemates.studio.live.room import Room, Services
from housemates.studio.settings import Settings
from housemates.studio.storage import plays
from housemates.studio.storage.tables import Refused
from housemates.studio.study.projects import agents_for

SWEEP_S = 5.0


class Hall:
    """Rooms by the id of their play."""

    def __init__(self, services: Services, settings: Settings, ledger: Ledger) -> None:
        self.services, self.settings, self.ledger = services, settings, ledger
        self.rooms: dict[str, Room] = {}
        self._parted_rooms = 0
        """How many rooms have left memory."""
        self.outboxes: set[Outbox] = set()
        """Every browser that is connected."""
        self._tasks: dict[str, asyncio.Task[None]] = {}
        """What is being done for the rooms that are swept, by the id of their play."""
        self._sweeper = asyncio.create_task(self._sweep())

    async def room(self, play: str) -> Room:
        """The room of a play, in memory or from the database; Spent if its project has too many.

        What was read while a room left memory is read again: it may be over since.
        """
        while play not in self.rooms:
            parted = self._parted_rooms
            found = await self.services.database.run(lambda session: plays.find(session, play))
            if play not in self.rooms and parted == self._parted_rooms:
                self._check(found)
                room = Room(self.services, found)
                self._make_room(room)
                self.rooms[play] = room
        self.rooms[play].touched = time.monotonic()
        return self.rooms[play]

    def close(self) -> None:
        """Send everybody away to come back to whoever serves next; who thinks in a process goes with it."""
        self._sweeper.cancel()
        for task in self._tasks.values():
            task.cancel()
        for outbox in list(self.outboxes):
            outbox.close(RESTART)
        for room in self.rooms.values():
            room.rest()
        self.rooms.clear()

    async def forget(self, play: str) -> None:
        """Clear the room of a play."""
        room = self._parted(play)
        if room is not None:
            await room.close()

    def _check(self, found: plays.Found) -> None:
        """Nobody's code runs here unless the studio was started with it, whatever its database says."""
        made = registry.benchmark_class(found.spec.benchmark)
        for role, name in found.spec.seats.items():
            if name and not found.over and name not in agents_for(made, role, self.settings):
                raise Refused(f"The agent {name!r} is none of those that this studio was started with.")

    def _parted(self, play: str) -> Room | None:
        room = self.rooms.pop(play, None)
        if room is not None:
            self._parted_rooms += 1
            self.ledger.leave("sessions", room.holders)
        return room

    def _make_room(self, wanted: Room) -> None:
        """Take a place; where there is none, an empty room of the same project gives way."""
        try:
            self.ledger.enter("sessions", wanted.holders)
        except Spent:
            empty = [each for each in self.rooms.values() if each.holders == wanted.holders and each.idle]
            if not empty:
                raise
            oldest = min(empty, key=lambda each: each.touched)
            self._parted(oldest.play.id)
            self._begin(oldest.play.id, oldest.close())
            self.ledger.enter("sessions", wanted.holders)

    async def _sweep(self) -> None:
        """Look after each room in a task of its own, so that none waits for another one."""
        while True:
            await asyncio.sleep(SWEEP_S)
            for play, room in list(self.rooms.items()):
                if play not in self._tasks:
                    self._begin(play, self._tidy(play, room))

    def _begin(self, play: str, work: object) -> None:
        task = self._tasks[play] = asyncio.ensure_future(_watched(work))  # type: ignore[arg-type]
        task.add_done_callback(lambda _: self._tasks.pop(play, None))

    async def _tidy(self, play: str, room: Room) -> None:
        """Give up what stands still, send away who looks at what is over, and park what is empty."""
        bounds, now = self.settings.bounds, time.monotonic()
        if not room.over and now - room.acted > bounds.idle_s:
            await room.give_up("idle", bounds.idle_s)
        if room.over and now - room.touched > bounds.lingering_s:
            room.dismiss()
            await self.forget(play)
        elif room.idle and now - room.touched > bounds.parked_s:
            await self.forget(play)


async def _watched(work: asyncio.Future[None]) -> None:
    """What goes wrong with one room is written down, and is no matter to the others."""
    try:
        await work
    except Exception:
        traceback.print_exc(file=sys.stderr)
