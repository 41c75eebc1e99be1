"""The lobby: who is waiting for somebody to play with."""

from __future__ import annotations

import asyncio
import random
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import TypeVar

from sqlalchemy.orm import Session

from housemates.studio.live.room import Services
from housemates.studio.pages import page
from housemates.studio.storage import plays
from housemates.studio.storage.tables import MAIN, TUTORIAL, Project, Refused
from housemates.studio.study import participants
from housemates.studio.study.comparison import next_comparison, rejected
from housemates.studio.worlds.instances import Chosen
from housemates.studio.worlds.pool import FINDING

Value = TypeVar("Value")
GONE_S = 8.0
"""Who has not asked for so long has gone away, and is not paired with anybody."""
BACK_S = 120.0
"""Who comes back within this has waited all the while: browsers let hidden pages ask once a minute."""


class Lobby:
    """Waiting participants by project; whoever is not seen any more is forgotten."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._waiting: dict[str, dict[str, float]] = {}
        self._since: dict[str, tuple[float, float]] = {}
        """Participant -> since when they wait, and when they asked last."""
        self._pairing: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        """By project, so that none waits for another one's pairs."""

    def waiting(self, project: str) -> int:
        """How many are waiting."""
        return len(self._fresh(project))

    def counts(self) -> dict[str, int]:
        """How many are waiting for each project, where somebody is."""
        return {name: here for name in self._waiting if (here := self.waiting(name))}

    def waited_s(self, token: str) -> float:
        """How long somebody has waited."""
        since, seen = self._since.get(token, (0.0, 0.0))
        return seen - since

    async def leave(self, token: str) -> None:
        """Let somebody go who does not want to wait any more."""
        _, project, _ = await self._run(lambda session: participants.known(session, token))
        async with self._pairing[project.id]:
            waited = self.waited_s(token)
            await self._run(lambda session: participants.leave(session, token, waited))
            self._gone(token)

    async def wait(self, token: str) -> str:
        """Wait a moment; the token of a seat if there is one now, else nothing."""
        _, project, _ = await self._run(lambda session: participants.known(session, token))
        async with self._pairing[project.id]:
            stage = await self._run(lambda session: participants.stage_of(session, token))
            if stage.name != "lobby":
                return stage.seat
            here = self._fresh(project.id)
            here[token] = now = time.monotonic()
            since, seen = self._since.get(token, (now, now))
            self._since[token] = (since if now - seen < BACK_S else now, now)
            free = [role for role, agent in project.seats.items() if not agent]
            if len(here) < len(free):
                return ""
            others = [each for each in here if each != token]
            people = [token, *others[: len(free) - 1]]
            for each in people:
                self._gone(each)
            return (await self._begin(project, people))[token]

    async def tutorial(self, token: str) -> str:
        """The token of a participant's seat in a tutorial, which is begun if there is none."""
        found, project, _ = await self._run(lambda session: participants.known(session, token))
        async with self._pairing[project.id]:
            stage = await self._run(lambda session: participants.stage_of(session, token))
            if stage.name != "tutorial":
                raise Refused("There is no tutorial for you now.")
            if stage.seat:
                return stage.seat
            lesson = page(stage.page).lesson(random.Random(found.id).randrange(1000))
            chosen = Chosen(lesson.reference, 0, "Tutorial")
            (role,) = (each for each, agent in lesson.seats.items() if not agent)

            def begun(session: Session) -> str:
                given = session.merge(project), chosen, lesson.seats, TUTORIAL, stage.page
                tokens = plays.make(session, *given)
                participants.sit(session, tokens, {role: token})
                return tokens[role]

            return await self._run(begun)

    async def _begin(self, project: Project, people: list[str]) -> dict[str, str]:
        """A new play for people who have waited; who sits where is drawn."""
        shuffled = random.sample(people, len(people))
        free = [role for role, agent in project.seats.items() if not agent]
        seated = dict(zip(free, shuffled, strict=True))
        tokens = await new_play(self._services, project.id, MAIN, seated)
        return {participant: tokens[role] for role, participant in seated.items()}

    def _gone(self, token: str) -> None:
        self._since.pop(token, None)
        for here in self._waiting.values():
            here.pop(token, None)

    def _fresh(self, project: str) -> dict[str, float]:
        here = self._waiting.setdefault(project, {})
        for token, seen in list(here.items()):
            if time.monotonic() - seen > GONE_S:
                del here[token]
        for token, (_, seen) in list(self._since.items()):
            if time.monotonic() - seen > BACK_S:
                del self._since[token]
        return here

    async def _run(self, work: Callable[[Session], Value]) -> Value:
        return await self._services.database.run(work)


async def new_play(
    services: Services,
    project_id: str,
    kind: str,
    seated: Mapping[str, str] | None = None,
    expires: float | None = None,
) -> dict[str, str]:
    """The next play of a project: role -> token of the seat.

    Args:
        services: Of the studio.
        project_id: Which project.
        kind: What it is for.
        seated: Role -> the participant who sits there; they sit there as soon as there is a play.
        expires: Until when it may be begun; always if None.
    """
    people = list((seated or {}).values())
    project, chosen = await services.database.run(
        lambda session: plays.next_of(session, project_id, rejected(session), people)
    )
    if project.plan.get("of"):
        chosen = await services.database.run(lambda session: next_comparison(session, project, people))
    elif isinstance(chosen, int):
        chosen = await services.pool.call("find", "", *plays.wanted(project, chosen), place=FINDING)

    def made(session: Session) -> dict[str, str]:
        tokens = plays.make(
            session, session.get_one(Project, project_id), chosen, project.seats, kind, expires=expires
        )
        participants.sit(session, tokens, seated or {})
        return tokens

    return await services.database.run(made)
