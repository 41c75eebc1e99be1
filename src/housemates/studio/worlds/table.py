"""A table: one session with its agents, in the process that holds it, and what people there are shown."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import msgspec

from housemates.core import registry
from housemates.core.agent import Agent
from housemates.core.benchmark import Benchmark, Instance, Reference
from housemates.core.episode import Episode
from housemates.core.loading import Seating, is_foreign, make_agents
from housemates.core.outcome import Outcome
from housemates.core.session import Session
from housemates.core.wire import brief_of, offers_of, plain
from housemates.errors import HousematesError
from housemates.studio.pages import Page, page
from housemates.studio.worlds.pictures import Shown, packed

PATIENCE_S = 5.0
"""How long an agent that spoke to a person waits for an answer before it goes on."""
LONGEST_SAID = 400
"""Utterances of a conversation that are sent; the newest."""


class Spec(msgspec.Struct, frozen=True):
    """All that a table is laid from."""

    page: str
    benchmark: str
    options: dict[str, str]
    reference: Reference
    number: int
    """Which of the reference's instances."""
    seats: dict[str, str]
    """Role -> the agent that sits there; empty for a person."""
    extras: bool = False
    """Whether people are shown what agents show beside their acts."""


class Written(msgspec.Struct, frozen=True):
    """An act as the journal keeps it, and as worlds are built from it again."""

    number: int
    role: str
    by: str
    act: Any
    """What was answered: a mapping with `name`, or a line of text."""
    success: bool
    message: str
    at: float


class View(msgspec.Struct, frozen=True):
    """What a seat is sent: JSON, and pictures that have changed, by name."""

    state: bytes
    pictures: dict[str, bytes]


class Moved(msgspec.Struct, frozen=True):
    """What came of an act: entries for the journal, whose turn it is, how it ended if it did."""

    entries: list[Written]
    turn: str | None
    """The role whose turn it is; None when it is over."""
    ended: str = ""
    """`done`, a limit or `error`; empty while it goes on."""
    error: str = ""
    deadline: tuple[float, Any] | None = None
    views: dict[str, View] = {}


class Ending(msgspec.Struct, frozen=True):
    """What is kept of a play that is over."""

    scores: dict[str, float]
    digest: str
    task: str


class OutOfTurn(HousematesError):
    """It is somebody else's turn."""


class Table:
    """One session, the agents at it, and all that was done."""

    def __init__(
        self,
        spec: Spec,
        entries: Sequence[Written] = (),
        thinking: bool = True,
        since: float | None = None,
        act_timeout: float | None = None,
        key: str = "",
    ) -> None:
        """Lay it, and do again what the journal says; without `thinking`, with nobody to go on.

        Args:
            spec: What it is laid from.
            entries: What was done.
            thinking: Whether agents are there.
            since: When it began, if that is long ago and what was done is still to be done again.
            act_timeout: Seconds that an agent may think about one act.
            key: What the ids and seeds follow from that agents are told.
        """
        self.page = page(spec.page)
        self.spec = spec
        self._now = since or (entries[0].at if entries else time.time())
        self.benchmark, self.instance = opened(
            spec.page,
            spec.benchmark,
            msgspec.json.encode((spec.options, spec.reference, spec.seats)),
            spec.number,
        )
        session = self.page.session(self.benchmark, self.instance, spec.seats, lambda: self._now)
        if self.page.limits is not None:
            session.limits = self.page.limits
        seated = {role: Seating(name) for role, name in spec.seats.items() if name and thinking}
        agents = make_agents(type(self.benchmark), seated)
        self.episode = Episode(
            self.benchmark, self.instance, agents, session, act_timeout=act_timeout, key=key
        )
        self._shown: dict[str, Shown] = {}
        for entry in entries:
            self.again(entry)

    @property
    def session(self) -> Session:
        """The session that is played at this table."""
        return self.episode.session

    @property
    def agents(self) -> Mapping[str, Agent]:
        """Who sits in the seats without a person."""
        return self.episode.agents

    @property
    def ended(self) -> str:
        """How it ended; empty while it goes on."""
        return self.episode.trace.ended

    def brief(self, role: str) -> dict[str, Any]:
        """What a person is told before their first turn, and what their page is."""
        told = brief_of(self.episode.brief(role))
        kept = {key: told[key] for key in ("role", "rules", "goal", "offers", "limits", "data")}
        return {**kept, "legend": self.page.legend()}

    def act(self, role: str, action: Any) -> list[Written]:
        """Let a person act; if it is not their turn and the page allows it, it is handed to them."""
        self._still_on()
        lent, made = self._hand_over(role)
        made.append(self._take(role, action, "person"))
        if lent and not self.ended and self.session.role == role:
            made.append(self._take(role, {"name": self.page.yielding}, "table"))
        return made

    def expire(self, role: str, action: Any) -> list[Written]:
        """Do for a role what is done when its time is up."""
        late = not self.ended and self.session.role == role
        return [self._take(role, action, "table")] if late else []

    def step(self) -> list[Written]:
        """Let the agent whose turn it is act; one that fails ends the play."""
        self._still_on()
        if self.session.role not in self.agents:
            return []
        self._now = time.time()
        return [] if self.episode.step() is None else [self._written("agent")]

    def moved(self, entries: list[Written], watching: Sequence[str]) -> Moved:
        """What came of it, with what those who are there are to be shown."""
        views = {role: self.view(role) for role in watching}
        turn = None if self.ended else self.session.role
        deadline = self.page.deadline(self.session) or self._patience()
        return Moved(entries, turn, self.ended, self.episode.trace.error, deadline, views)

    def view(self, role: str, fresh: bool = False) -> View:
        """What a role is shown now; `fresh` for somebody who has just come."""
        shown = self._shown.setdefault(role, Shown())
        if fresh:
            shown.forget()
        pictures = {}
        for name, draw in self.page.drawings(self.session, role).items():
            picture = draw()
            if shown.changed(name, picture):
                pictures[name] = packed(name, self.session.turn, picture, self.page.quality)
        return View(msgspec.json.encode(self._state(role)), pictures)

    def pointed(self, role: str, picture: str, x: float, y: float) -> dict[str, Any] | None:
        """What is at a place of one of the role's own pictures."""
        return self.page.pointed(self.session, role, picture, x, y)

    def ending(self) -> Ending:
        """The numbers of what was done so far."""
        self.episode.leave()
        return Ending(self.episode.scores(), self.session.digest(), self.instance.task)

    def close(self) -> None:
        """Let the agents go."""
        for agent in self.agents.values():
            getattr(agent, "close", lambda: None)()

    def _state(self, role: str) -> dict[str, Any]:
        session = self.session
        percept = session.observe(role)
        last = percept.last
        found: dict[str, Any] = {
            "turn": session.turn,
            "role": None if self.ended else session.role,
            "over": self.ended,
            "last": None if last is None else self._came_of(role, last),
            "said": [{"role": each.role, "text": each.text} for each in percept.said[-LONGEST_SAID:]],
            "views": self.page.views(session, role),
        }
        if self.spec.extras:
            showing = self.agents.items()
            found["extras"] = {each: plain(getattr(agent, "extras", dict)()) for each, agent in showing}
        if "text" in self.page.parts:
            found["text"] = percept.text
        if "offers" in self.page.parts:
            now = self.ended == "" and (session.role == role or bool(self.page.yielding))
            found["offers"] = offers_of(percept.offers) if now else []
        return found

    def _came_of(self, role: str, last: Outcome) -> dict[str, Any]:
        """What came of a role's last act, with its number, so that a page tells it once."""
        steps = self.episode.trace.steps
        number = next((i for i in reversed(range(len(steps))) if steps[i].role == role), -1)
        told = {"success": last.success, "reason": last.reason, "message": self.page.worded(last.message)}
        return {"number": number, **told}

    def _still_on(self) -> None:
        if self.ended:
            raise OutOfTurn("It is over.")

    def _hand_over(self, role: str) -> tuple[bool, list[Written]]:
        """See that it is a role's turn; whether it was lent by an agent, and what was done for that."""
        made: list[Written] = []
        lent = self.session.role in self.agents
        for _ in range(len(self.benchmark.roles) + 1):
            if self.session.role == role:
                return lent and bool(made), made
            if not self.page.yielding or self.session.role is None:
                break
            made.append(self._take(self.session.role, {"name": self.page.yielding}, "table"))
        raise OutOfTurn(f"It is not your turn: it is the {self.session.role}'s.")

    def _patience(self) -> tuple[float, Any] | None:
        """When a person who says nothing hands the turn back to an agent that spoke and means to go on."""
        last = next(
            (step.act for step in reversed(self.episode.trace.steps) if step.role in self.agents),
            None,
        )
        handing = self.page.yielding
        if not handing or self.session.role in self.agents or last is None or last.name == handing:
            return None
        return PATIENCE_S, {"name": handing}

    def _take(self, role: str, action: Any, by: str) -> Written:
        self._now = time.time()
        return self._do(role, action, by)

    def _do(self, role: str, action: Any, by: str) -> Written:
        self.episode.take(action)
        return self._written(by)

    def _written(self, by: str) -> Written:
        step = self.episode.trace.steps[-1]
        act = step.answer if step.act is None else step.act.plain()
        number = len(self.episode.trace.steps) - 1
        return Written(number, step.role, by, act, step.outcome.success, step.outcome.message, self._now)

    def again(self, entry: Written) -> None:
        """Do what the journal says next; agents of ours think it again, so that they know what they knew."""
        self._now = entry.at
        if self.session.role != entry.role:
            raise HousematesError(
                f"The journal does not fit at {entry.number}: it is not the {entry.role}'s turn."
            )
        if entry.by == "agent" and entry.role in self.agents and not is_foreign(self.spec.seats[entry.role]):
            self.agents[entry.role].act(self.session.observe())
        self._do(entry.role, entry.act, entry.by)


@lru_cache(maxsize=64)
def opened(page_name: str, benchmark: str, told: bytes, number: int) -> tuple[Benchmark, Instance]:
    """A benchmark and one of its instances; tables of the same one share its home, and so its geometry."""
    options, reference, seats = msgspec.json.decode(
        told, type=tuple[dict[str, str], Reference, dict[str, str]]
    )
    made = made_benchmark(page_name, benchmark, options, seats)
    return made, page(page_name).instances(made, reference)[number]


def made_benchmark(
    page_name: str, benchmark: str, options: Mapping[str, str], seats: Mapping[str, str]
) -> Benchmark:
    """A benchmark with the options that it has where people play it."""
    shown: Page = page(page_name)
    return registry.benchmark(benchmark, **{**shown.options(seats), **options})
