"""One schedule: a studio, people and whatever fails, all of it decided by a seed; and what must hold then."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import io
import random
import re
import secrets
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import talking
from failing import Disk, Line, Lost, Weather, made_disk
from scheduling import Endless, Event, Local, Lock, Machine, Pipe, Process, Queue, World
from sqlalchemy import select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session
from starlette.requests import Request
from visitors import Visitor

from housemates.core import registry
from housemates.errors import HousematesError
from housemates.guard.shares import Ledger
from housemates.studio import pages
from housemates.studio.settings import Bounds, Settings
from housemates.studio.storage import database, journal, plays
from housemates.studio.storage.database import Database
from housemates.studio.storage.tables import Participant, Play, Project, Seat
from housemates.studio.study import participants
from housemates.studio.web import people, seats
from housemates.studio.web.state import Studio
from housemates.studio.worlds import pool, table, worker

BOUNDS = Bounds(idle_s=90.0, parked_s=15.0, lingering_s=10.0)
LONGEST_S = 1500.0
"""After so long every session is over, whatever happened."""
RAISED = re.compile(r"(?!sqlalchemy|sqlite3)\S*(Error|Exception)\b")
"""How the last line of a traceback begins; only the database may not be there."""
NUMB_S = 20.0
"""How long a request may go without an answer."""


class Schedule:
    """A world with a studio, its visitors, and what fails."""

    def __init__(self, world: World, disk: Disk) -> None:
        self.world, self.disk, self.rng = world, disk, world.rng
        self.weather = weather(self.rng)
        self.street = Machine(self.world)
        """Where the visitors' browsers run."""
        self.studio: Studio | None = None
        self.machine = Machine(self.world)
        self.lines: list[Line] = []
        self.faults: list[str] = []
        self._left = self.rng.choice((0, 1, 2, 4, 8))
        """How often something is still to break."""
        self._next = self._soon()
        disk.begin(self.world, self.weather)
        self.visitors = self._people()

    def run(self) -> list[str]:
        """Play it to its end; what was wrong."""
        self.boot()
        for each in self.visitors:
            self._in(self.street, lambda each=each: self.street.create_task(each.live()))  # type: ignore[misc]
        try:
            self.world.run(self.world.now + LONGEST_S, self._is_done)
        except (Endless, AssertionError) as error:
            self.faults.append(f"{type(error).__name__}: {error}")
        self.faults += self.machine.faults + self.street.faults
        self.machine.crash()
        self.street.crash()
        return self.faults + list(violations(self))

    def boot(self) -> None:
        """Start the studio."""
        self.machine = Machine(self.world)

        def begin() -> None:
            settings = Settings(
                self.disk.url, workers=1, demo=False, step_s=30.0, bounds=BOUNDS, agents=(talking.ECHO,)
            )
            self.studio = Studio(settings, Database(self.disk.url), Ledger(BOUNDS.shares))

        self._in(self.machine, begin)

    def crash(self) -> None:
        """End the studio wherever it is; somebody starts it again."""
        self.faults += self.machine.faults
        self.machine.crash()
        self.studio = None
        for line in self.lines:
            if not line.cut:
                self.world.at(self.world.now + self.rng.random(), self.street, line.end)
        self.lines.clear()
        self.world.at(self.world.now + self.rng.choice((0.1, 1.0, 8.0)), self.street, self._again)

    async def ask(self, what: str, token: str) -> Any:
        """A request and its answer; Lost if there is none."""
        answer: asyncio.Future[Any] = self.street.create_future()
        for _ in range(2 if self.rng.random() < 0.05 else 1):
            delay = self.rng.random() * self.weather.latency_s
            self.world.at(self.world.now + delay, self.machine, self._asked, what, token, answer)
        try:
            return await asyncio.wait_for(answer, NUMB_S if self.studio else 0.1)
        except TimeoutError:
            raise Lost from None

    async def connect(self, token: str) -> Line:
        """A line to a seat."""
        if self.studio is None:
            raise Lost
        line = Line(self.world, self.weather, self.street, self.machine)
        self.lines.append(line)
        self.world.at(self.world.now + self.rng.random() * 0.01, self.machine, self._connected, line, token)
        return line

    def _asked(self, what: str, token: str, answer: asyncio.Future[Any]) -> None:
        request = Request({"type": "http", "app": self._app(), "headers": []})

        async def answered() -> None:
            found = await self._served(getattr(people, what)(request, token))
            if self.rng.random() < 0.97:
                self.world.at(
                    self.world.now + self.rng.random() * self.weather.latency_s, self.street, tell, found
                )

        def tell(found: Any) -> None:
            if not answer.done():
                answer.set_result(found) if found is not None else answer.set_exception(Lost())

        self.machine.create_task(answered())

    def _connected(self, line: Line, token: str) -> None:
        async def served() -> None:
            await self._served(seats.seat_socket(line.socket(self._app()), token))
            line.gone = True
            if not line.cut:
                self.world.at(self.world.now + 0.01, self.street, line.end)

        self.machine.create_task(served())

    async def _served(self, work: Any) -> Any:
        """What comes of a request; only a database that is not there may make it fail."""
        try:
            return await work
        except (HousematesError, DBAPIError):
            return None

    def _app(self) -> Any:
        return SimpleNamespace(state=SimpleNamespace(studio=self.studio))

    def _in(self, machine: Machine, what: Any) -> None:
        asyncio._set_running_loop(machine)
        try:
            what()
        finally:
            asyncio._set_running_loop(None)

    def _again(self) -> None:
        asyncio._set_running_loop(None)
        self.boot()
        asyncio._set_running_loop(self.street)

    def _soon(self) -> int:
        return self.world.steps + int(self.rng.expovariate(1 / 120)) + 1

    def _is_done(self) -> bool:
        """Asked before each thing that happens; sometimes something breaks just then."""
        if self._left and self.world.steps >= self._next:
            self._left -= 1
            self._next = self._soon()
            self._break()
            if not self._left:
                self.weather.clear()
        return not self.world.steps % 50 and all(each.finished for each in self.visitors) and self._all_over()

    def _all_over(self) -> bool:
        with Session(self.disk.engine) as session:
            return not session.scalars(select(Play.id).where(Play.how == "")).first()

    def _break(self) -> None:
        rng, now = self.rng, self.world.now
        what = rng.choice(("crash", "crash", "crash", "worker", "database", "clock", "line", "line", "line"))
        if what == "crash" and self.studio is not None:
            self.crash()
        elif what == "worker" and self.studio is not None:
            for each in self.studio.pool._workers.values():
                self.world.at(now, self.machine, each.process.kill)
        elif what == "database":
            self.weather.gone_until = now + rng.choice((0.3, 3.0, 25.0))
        elif what == "clock":
            self.world.jumped += rng.choice((-600.0, -1.0, 1.0, 86400.0))
        elif what == "line" and self.lines:
            rng.choice(self.lines).tear()

    def _people(self) -> list[Visitor]:
        """A project, and people who have come to take part in it."""
        count = self.rng.choice((1, 2, 2, 2, 4))
        given = {"left": "", "right": talking.ECHO if count == 1 else ""}
        with Session(self.disk.engine) as session, session.begin():
            session.add(
                Project(
                    id="study",
                    title="Study",
                    benchmark="talking",
                    seed=self.rng.randrange(1000),
                    seats=given,
                    created=1.0,
                )
            )
            session.flush()
            tokens = [
                participants.join(session, "study", participants.visit_of({"participant": f"p{number}"}), "")
                for number in range(count)
            ]
        return [Visitor(self, token) for token in tokens]


def weather(rng: random.Random) -> Weather:
    """How bad things are: of each kind of trouble, often none at all."""

    def some(*values: float) -> float:
        return rng.choice((0.0, 0.0, *values))

    return Weather(
        latency_s=rng.choice((0.001, 0.02, 0.3, 2.0)),
        slow_disk_s=some(0.05, 0.5),
        full=some(0.01, 0.1),
        unheard=some(0.05, 0.3),
        stalling=some(0.05, 0.3),
    )


def violations(schedule: Schedule) -> Iterator[str]:
    """What must hold once all is over."""
    with Session(schedule.disk.engine) as session:
        rows = {each.id: each for each in session.scalars(select(Play))}
        seated = {each.token: each for each in session.scalars(select(Seat))}
        histories = {each: journal.read(session, each) for each in rows}
        taken = Counter(each.participant_id for each in seated.values())
        names = list(session.scalars(select(Participant.id)))
    for play, row in rows.items():
        if not row.how:
            yield f"{play} does not end"
        numbers = [each.number for each in histories[play]]
        if numbers != list(range(len(numbers))):
            yield f"{play} has the numbers {numbers}"
        try:
            led = table.Table(plays.spec_of(row), histories[play], thinking=False).session.digest()
        except HousematesError as error:
            led = str(error)
        if led != row.digest and row.digest:
            yield f"{play} ended as {row.digest}, its journal leads to {led}"
    if taken[None]:
        yield f"{taken[None]} seats are nobody's"
    for name in names:
        if taken[name] > 1:
            yield f"{name} sits in {taken[name]} seats"
    for each in schedule.visitors:
        if not each.finished:
            yield f"the {each.role or 'visitor'} still waits"
        if each.seat:
            seat = seated[each.seat]
            yield from seen(each, seat.role, rows[seat.play_id].reference["data"], histories[seat.play_id])


def seen(visitor: Visitor, role: str, secret: int, history: list[table.Written]) -> Iterator[str]:
    """What must hold for what somebody did and was shown."""
    acts = [each.act for each in history if each.role == role and each.by == "person"]
    texts = Counter(each.get("arguments", {}).get("text", "") for each in acts)
    said = tuple(
        (each.role, each.act["arguments"]["text"]) for each in history if each.act.get("name") == "Say"
    )
    for text in (each for each in visitor.confirmed if each and not texts[each]):
        yield f"{text} was confirmed and is lost"
    for text in (each for each in texts if each and texts[each] > 1):
        yield f"{text} is there {texts[text]} times"
    for text in (each for each in visitor.refused if each and texts[each]):
        yield f"{text} was refused and is there"
    for shown in visitor.shown:
        if said[: len(shown)] != shown:
            yield f"the {role} was shown {shown}, it is {said}"
    for earlier, later in pairwise(visitor.shown):
        if later[: len(earlier)] != earlier:
            yield f"the {role} was shown {earlier} and then {later}"
    other = next(each for each in talking.ROLES if each != role)
    notes = [
        each.act["arguments"]["text"]
        for each in history
        if each.act.get("name") == "Note" and each.role == other
    ]
    for hidden in (talking.secret(other, secret), *notes):
        if any(hidden in each for each in visitor.heard):
            yield f"the {role} was told {hidden}"


class Simulator:
    """Runs schedules, one after the other."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self.world = World(0)

    def faults(self, seed: int) -> list[str]:
        """What is wrong in a schedule."""
        random.seed(seed)
        self.world = World(seed)
        schedule = self.schedule = Schedule(self.world, self._disk)
        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            found = schedule.run()
        return found + [each for each in said.getvalue().splitlines() if RAISED.match(each)]

    @property
    def digest(self) -> str:
        """Of all that happened in the last schedule."""
        heard = [each.heard for each in self.schedule.visitors]
        told = f"{self.world.steps} {self.world.now} {heard}"
        return hashlib.sha256(told.encode()).hexdigest()

    @property
    def machine(self) -> Machine:
        """The process that asks."""
        return self.schedule.machine


@contextlib.contextmanager
def simulator() -> Iterator[Simulator]:
    """Schedules in place of the clock, threads, processes and the disk that the studio otherwise has."""
    with made_disk() as disk, contextlib.ExitStack() as stack:
        made = Simulator(disk)
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore", RuntimeWarning)

        def put(where: Any, **names: Any) -> None:
            for name, value in names.items():
                stack.enter_context(patch.object(where, name, value))

        def pipe() -> tuple[Pipe, Pipe]:
            one, other = Pipe(made.world), Pipe(made.world)
            one.other, other.other = other, one
            return one, other

        def token(size: int) -> str:
            return f"{made.world.rng.getrandbits(8 * size):0{2 * size}x}"

        def process(target: Any, args: Any, daemon: bool) -> Process:
            return Process(made.machine, target, args)

        def thread(target: Any, args: Any = (), name: str = "", daemon: bool = True) -> Any:
            return made.machine.thread(target, *args)

        threading = SimpleNamespace(
            Thread=thread, Event=lambda: Event(made.world), Lock=lambda: Lock(made.world), local=Local
        )
        queues = SimpleNamespace(Queue=lambda: Queue(made.world), SimpleQueue=lambda: Queue(made.world))
        spawning = SimpleNamespace(Pipe=pipe, Process=process)
        put(time, time=lambda: made.world.wall(), monotonic=lambda: made.world.now)
        put(secrets, token_hex=token, token_urlsafe=token)
        put(journal, threading=threading, queue=queues)
        put(database, threading=threading, upgrade=lambda _: None, fingerprint=lambda _: "")
        put(database, make_engine=lambda _: disk.engine.execution_options())
        put(database, mark_of=disk.mark_of, is_committed=disk.is_committed)
        put(
            pool,
            threading=threading,
            queue=queues,
            serve=lambda there, *_: worker.answer(there, worker.Worker()),
        )
        put(pool, multiprocessing=SimpleNamespace(get_context=lambda _: spawning))
        put(registry, specs=lambda: talking.SPECS)
        stack.enter_context(patch.dict(pages.registry(), {"talking": talking.TalkingPage()}))
        yield made


def run(seeds: range) -> dict[int, list[str]]:
    """Seed -> what is wrong in its schedule, where something is."""
    with simulator() as simulated:
        return {seed: found for seed in seeds if (found := simulated.faults(seed))}
