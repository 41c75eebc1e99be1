"""A room: one play that is going on, the people who are there, and the agents that act between them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

from housemates.core.loading import is_foreign
from housemates.errors import HousematesError
from housemates.guard.shares import Holders
from housemates.studio.live.outbox import OVER, REFUSED, REPLACED, Outbox
from housemates.studio.storage import plays
from housemates.studio.storage.database import Database
from housemates.studio.storage.journal import Journal, NotKept
from housemates.studio.storage.tables import DEMO, TUTORIAL
from housemates.studio.worlds import pool
from housemates.studio.worlds.pool import Pool, TooSlow
from housemates.studio.worlds.table import Moved, OutOfTurn, View, Written
from housemates.studio.worlds.worker import WorkerLost

AGAIN_S = 1.0
"""When agents are tried again after something went wrong, such as a database that was gone."""
ATTEMPTS = 3
"""How often a table is laid anew for one call whose process dies."""
CLOSING_S = 2.0
"""How long a table's process is waited for when it is told to clear the table; it does so when it can."""
LOG = logging.getLogger(__name__)


class Services:
    """What all rooms use."""

    def __init__(self, database: Database, journal: Journal, pool: Pool) -> None:
        self.database, self.journal, self.pool = database, journal, pool


class Room:
    """One play in memory. What is done there is done one thing after the other."""

    def __init__(self, services: Services, found: plays.Found) -> None:
        self.services, self.play = services, found
        self.people: dict[str, Outbox] = {}
        """Role -> the browser of whoever sits there."""
        self.touched = self.acted = time.monotonic()
        """When somebody was there last, and when somebody acted last."""
        self.over, self.success = found.over, found.success
        apart = any(is_foreign(name) for name in found.spec.seats.values())
        shared = pool.DEMO if found.kind == DEMO else ""
        self._place = found.id if apart else shared
        self._laid: dict[str, Any] | None = None
        self._lock = asyncio.Lock()
        self._driver: asyncio.Task[None] | None = None
        self._turn: str | None = None
        self._deadline: tuple[float, Any] | None = None

    @property
    def holders(self) -> Holders:
        """Whose shares of sessions it takes."""
        return holders_of(self.play.kind, self.play.project)

    @property
    def idle(self) -> bool:
        """Whether nobody is there and nothing is being done, so that it may leave memory."""
        return not self.people and not self._lock.locked()

    @property
    def agents_turn(self) -> bool:
        """Whether an agent is to act."""
        return not self.over and bool(self._turn and self.play.spec.seats.get(self._turn))

    async def join(self, role: str, outbox: Outbox) -> None:
        """Sit down: the brief, what was said, and all that is to be seen; an older browser is let go."""
        async with self._lock:
            before = self.people.get(role)
            if before is not None:
                before.close(REPLACED)
            self.people[role] = outbox
            await self._welcome(role, outbox)
        self._present()
        self.drive()

    def leave(self, outbox: Outbox) -> bool:
        """A browser is gone; whether somebody's seat is empty now."""
        self.touched = time.monotonic()
        gone = [role for role, each in self.people.items() if each is outbox]
        for role in gone:
            del self.people[role]
        self._present()
        return bool(gone)

    async def act(self, role: str, outbox: Outbox, number: Any, action: Any) -> None:
        """Let a person act; they are told when it is on disk. A browser that was replaced is too late."""
        async with self._lock:
            try:
                if self.people.get(role, outbox) is not outbox:
                    raise OutOfTurn("This seat was opened in another window.")
                await self._move(lambda: self._call("act", role, action, list(self.people)))
                answer: dict[str, Any] = {"type": "done", "id": number}
            except HousematesError as error:
                answer = {"type": "refused", "id": number, "message": str(error), "kept": False}
        outbox.tell(answer)
        self.drive()

    async def pointed(self, role: str, number: Any, picture: str, x: float, y: float) -> dict[str, Any]:
        """What is under a person's pointer."""
        found = await self._call("pointed", role, picture, x, y) if self._laid else None
        return {"type": "pointed", "id": number, "found": found}

    async def give_up(self, how: str, idle_s: float = 0.0) -> None:
        """End it as it is, if nobody has acted for so long."""
        async with self._lock:
            if not self.over and time.monotonic() - self.acted >= idle_s:
                await self._end(how)
                self._send_ended()

    def dismiss(self) -> None:
        """Close the connections of those who look at what is over."""
        for outbox in self.people.values():
            outbox.close(OVER)

    def drive(self) -> None:
        """See that agents act when it is their turn, and that turns end in time."""
        wanted = self.agents_turn or (self._deadline is not None and not self.over)
        if wanted and self.people and (self._driver is None or self._driver.done()):
            self._driver = asyncio.create_task(self._drive())

    def rest(self) -> None:
        """Let no agent act any more."""
        if self._driver is not None:
            self._driver.cancel()

    async def close(self) -> None:
        """Leave memory; everything is in the journal. An agent that thinks is not waited for long."""
        self.rest()
        for outbox in self.people.values():
            outbox.close(REFUSED)
        if self._laid is not None or self._lock.locked():
            self._laid = None
            with contextlib.suppress(TimeoutError, HousematesError):
                async with asyncio.timeout(CLOSING_S):
                    await self.services.pool.call("close", self.play.id, place=self._place)
        if self._place == self.play.id:
            self.services.pool.dismiss(self._place)

    async def _drive(self) -> None:
        from housemates.studio.pages import page

        pace = page(self.play.spec.page).pace_s
        while self.people and not self.over:
            try:
                if self.agents_turn:
                    await self._let_agent_act(pace)
                elif self._deadline is not None:
                    await self._until_deadline()
                else:
                    return
            except Exception:
                LOG.exception("The agents of play %s could not go on; they try again.", self.play.id)
                await asyncio.sleep(AGAIN_S)

    async def _let_agent_act(self, pace: float) -> None:
        await asyncio.sleep(pace)
        async with self._lock:
            if self.agents_turn:
                await self._try(lambda: self._call("step", list(self.people)))

    async def _until_deadline(self) -> None:
        assert self._deadline is not None
        role, (seconds, action) = self._turn, self._deadline
        left = self.acted + seconds - time.monotonic()
        if left > 0:
            await asyncio.sleep(min(left, 0.5))
            return
        async with self._lock:
            if self._turn == role and self.acted + seconds <= time.monotonic():
                await self._try(lambda: self._call("expire", role, action, list(self.people)))

    async def _try(self, call: Callable[[], Awaitable[Moved]]) -> None:
        try:
            await self._move(call)
        except NotKept:
            await asyncio.sleep(1.0)
        except HousematesError as error:
            await self._fail(str(error))

    async def _fail(self, sentence: str) -> None:
        """End it because something went wrong, and tell those who are there what."""
        if not self.over:
            await self._end("error")
            self._broadcast({"type": "notice", "message": sentence})
            self._send_ended()

    async def _move(self, call: Callable[[], Awaitable[Moved]]) -> None:
        """Let something happen unless it is over, write it down, and only then show it."""
        if self.over:
            raise OutOfTurn("It is over.")
        moved = await call()
        if moved.entries:
            try:
                await self.services.journal.append(self.play.id, moved.entries)
            except NotKept:
                self._laid = None
                raise
        self.acted = self.touched = time.monotonic()
        self._turn, self._deadline = moved.turn, moved.deadline
        if moved.ended:
            await self._end(moved.ended)
        for role, view in moved.views.items():
            self._show(role, view)
        for entry in moved.entries:
            self._note(entry)
        if moved.error:
            self._broadcast({"type": "notice", "message": moved.error})
        if moved.ended:
            self._send_ended()

    def _note(self, entry: Written) -> None:
        """Tell those who are there that somebody acted; what it was is in what they are shown."""
        self._broadcast({"type": "acted", "role": entry.role, "by": entry.by, "number": entry.number})

    def _show(self, role: str, view: View) -> None:
        if (outbox := self.people.get(role)) is None:
            return
        for name, picture in view.pictures.items():
            outbox.put(picture, f"picture {name}")
        outbox.put('{"type":"state","state":' + view.state.decode() + "}", "state")

    async def _welcome(self, role: str, outbox: Outbox) -> None:
        view = await self._call("view", role)
        laid = self._laid or {}
        outbox.tell(
            {
                "type": "hello",
                "role": role,
                "seats": {each: "agent" if name else "person" for each, name in self.play.spec.seats.items()},
                "brief": laid.get("briefs", {}).get(role),
                "kind": self.play.kind,
                "over": self.over,
            }
        )
        self._show(role, view)

    def _present(self) -> None:
        self.touched = time.monotonic()
        self._broadcast({"type": "present", "roles": sorted(self.people)}, "present")

    def _broadcast(self, message: dict[str, Any], key: str = "") -> None:
        for outbox in self.people.values():
            outbox.tell(message, key)

    def _send_ended(self) -> None:
        self._broadcast({"type": "ended", "how": self.over, "success": self.success})

    async def _call(self, method: str, *arguments: Any) -> Any:
        """Ask the table's process; lay the table first if it is not there, or is no more.

        Who makes it hang ends the play: that is an agent, as everything else here is bounded.
        """
        for attempt in range(ATTEMPTS):
            try:
                if self._laid is None:
                    await self._lay()
                return await self.services.pool.call(method, self.play.id, *arguments, place=self._place)
            except WorkerLost:
                self._laid = None
                if attempt + 1 == ATTEMPTS:
                    raise
            except TooSlow as error:
                self._laid = None
                await self._fail(f"The session is over: an agent did not answer. {error}")
                raise
        raise AssertionError

    async def _lay(self) -> None:
        entries = await self._journal()
        self._laid = await self.services.pool.call(
            "open", self.play.id, self.play.spec, entries, not self.over, place=self._place
        )
        moved: Moved = self._laid["moved"]
        self.acted = time.monotonic()
        self._turn, self._deadline = moved.turn, moved.deadline
        if moved.ended and not self.over:
            await self._end(moved.ended)

    async def _journal(self) -> list[Written]:
        return await self.services.database.run(lambda session: plays.journal_of(session, self.play.id))

    async def _ending(self) -> Any:
        """The numbers; of the table that is laid, or without its agents from the journal."""
        if self._laid is not None:
            with contextlib.suppress(WorkerLost):
                return await self.services.pool.call("ending", self.play.id, place=self._place)
        entries, quiet = await self._journal(), pool.DEMO if self.play.kind == DEMO else ""
        return await self.services.pool.call("settle", self.play.id, self.play.spec, entries, place=quiet)

    async def _end(self, how: str) -> None:
        """Write down that it is over, and its numbers if they can be had."""
        ending = None
        try:
            ending = await self._ending()
        except HousematesError as error:
            print(f"{self.play.id}: no scores ({error})", file=sys.stderr, flush=True)
        learned = self.play.kind == TUTORIAL and how == "done"
        passed = learned and ending is not None and ending.scores.get("success") == 1.0
        await self.services.database.run(
            lambda session: plays.end(session, self.play.id, how, ending, passed)
        )
        self.over = how
        self.success = ending is not None and ending.scores.get("success") == 1.0


def holders_of(kind: str, project: str) -> Holders:
    """Whose shares a play takes: the demo's, or those of its study and of all studies."""
    return {"demo": ""} if kind == DEMO else {"study": project, "studies": ""}
