"""Housekeeping: plays that nobody goes on with are ended, and what a project no longer keeps is erased."""

from __future__ import annotations

import asyncio
import logging
import time

from housemates.errors import HousematesError
from housemates.guard.shares import Busy
from housemates.studio.live.hall import Hall
from housemates.studio.live.replay_frames import Screening
from housemates.studio.storage import plays
from housemates.studio.storage.tables import LEFT
from housemates.studio.study import erasure

EVERY_S = 60.0
LOG = logging.getLogger(__name__)


class Housekeeping:
    """Looks after the database, once a minute."""

    def __init__(self, hall: Hall, screening: Screening) -> None:
        self._hall, self._screening = hall, screening
        self._task = asyncio.create_task(self._run())

    def close(self) -> None:
        """Stop; a sweep under way is cancelled."""
        self._task.cancel()

    async def once(self) -> None:
        """End what is abandoned and erase what is overdue; those who are there are not disturbed."""
        database, idle_s = self._hall.services.database, self._hall.settings.bounds.idle_s
        found = await database.run(lambda session: plays.abandoned(session, time.time(), idle_s))
        for play in found:
            await self._end(play)
        await self.forget(await database.run(lambda session: erasure.overdue(session, time.time())))

    async def _end(self, play: str) -> None:
        """Give up a play, unless somebody has come; one that cannot be opened is only written off.

        Where there is no room for it now, the next time is early enough.
        """
        try:
            room = await self._hall.room(play)
            if not room.people:
                await room.give_up(LEFT)
                await self._hall.forget(play)
        except Busy:
            return
        except HousematesError:
            await self._hall.services.database.run(lambda session: plays.end(session, play, LEFT, None))

    async def forget(self, gone: list[str]) -> None:
        """Clear rooms and drawings of plays that were erased."""
        for play in gone:
            await self._hall.forget(play)
            self._screening.forget(play)

    async def _run(self) -> None:
        while True:
            try:
                await self.once()
            except Exception:
                LOG.exception("Housekeeping failed; it tries again.")
            await asyncio.sleep(EVERY_S)
