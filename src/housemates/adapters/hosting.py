"""Somebody outside takes one seat of an episode; agents of ours sit in the others."""

from __future__ import annotations

import contextlib
import itertools
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from housemates.core import registry
from housemates.core.agent import Agent
from housemates.core.episode import Episode, Snapshot
from housemates.core.isolation.agent import Isolation
from housemates.core.loading import make_agents, seat_others
from housemates.core.outcome import Outcome
from housemates.core.percepts import Brief, Percept, keyed
from housemates.envs.instance_pool import Supply
from housemates.errors import HousematesError

TRIES = 20
"""Episodes that the other seats may end before the guest has a turn, until that is called a mistake."""
MOST = 64
"""Episodes at once, if nobody says how many."""
SNAPSHOTS = 64
"""Snapshots that are kept of one episode."""
IDLE_S = 600.0
"""How long nobody need have touched an episode for it to make room for another one."""


class Full(HousematesError):
    """As many episodes are under way as may be."""


class Visit:
    """One episode in which a guest has a seat; calls from several threads are done one after another.

    Args:
        episode: At a moment when it is the guest's turn, or over.
        role: The seat of the guest.
        brief: What it was told, with an id and a seed that tell nothing of the instance.
        branches: How often this episode was forked or gone back in before.
    """

    def __init__(self, episode: Episode, role: str, brief: Brief, branches: int = 0) -> None:
        self.handle = secrets.token_urlsafe(18)
        """The name that nobody can guess."""
        self.touched = time.monotonic()
        self.brief = brief
        self.branches = branches
        """How many forks and restored snapshots led to this moment; what was tried in others may be known."""
        self._role = role
        self._lock = threading.RLock()
        self._episode = episode
        self._snapshots: OrderedDict[str, Snapshot] = OrderedDict()
        self._raise_failure()

    @property
    def id(self) -> str:
        """The instance's id when the episode is over, before that a name which tells nothing of it."""
        instance = self._episode.instance
        return instance.id if self.over and instance is not None else self.brief.id

    @property
    def agents(self) -> Mapping[str, Agent]:
        """Who sits in the other seats."""
        return self._episode.agents

    @property
    def reward(self) -> float:
        """What the last act brought, and what the others did since."""
        return self._episode.earned

    @property
    def over(self) -> bool:
        """Whether the episode has ended or come to its limits."""
        return self._episode.over

    @property
    def ended(self) -> str:
        """How it ended; empty while it goes on."""
        return self._episode.trace.ended

    @property
    def acts(self) -> int:
        """How many acts there were, of all roles."""
        return len(self._episode.trace.steps)

    @contextlib.contextmanager
    def percept(self) -> Iterator[Percept]:
        """What the guest perceives; nobody acts while it is looked at."""
        with self._lock:
            self.touched = time.monotonic()
            yield self._episode.percept(self._role)

    def act(self, action: Any) -> Outcome:
        """Do what the guest answers, and let the others act until it is its turn again."""
        with self._lock:
            self.touched = time.monotonic()
            outcome = self._episode.act(self._role, action)
            self._raise_failure()
            return outcome

    def scores(self) -> dict[str, float]:
        """The numbers of the episode; none before it is over, as they would tell what is still to be done."""
        with self._lock:
            self._episode.check()
            return self._episode.scores() if self.over else {}

    def fork(self) -> Visit:
        """An episode of its own that goes on from this moment."""
        with self._lock:
            self.touched = time.monotonic()
            return Visit(self._episode.fork(), self._role, self.brief, self.branches + 1)

    def snapshot(self) -> str:
        """The handle of this moment, for `restore`; of more than `SNAPSHOTS`, the oldest is forgotten."""
        with self._lock:
            self.touched = time.monotonic()
            handle = secrets.token_urlsafe(18)
            self._snapshots[handle] = self._episode.snapshot()
            if len(self._snapshots) > SNAPSHOTS:
                self._snapshots.popitem(last=False)
            return handle

    def restore(self, handle: str) -> None:
        """Go back to a moment of this episode, also when it is over."""
        with self._lock:
            self.touched = time.monotonic()
            if handle not in self._snapshots:
                raise HousematesError("There is no snapshot of this handle here: take one first.")
            self._episode.restore(self._snapshots[handle])
            self.branches += 1

    def give_up(self) -> None:
        """End the episode here."""
        with self._lock:
            self._episode.leave()

    def _raise_failure(self) -> None:
        """Say which agent in another seat failed, if one did."""
        if self._episode.trace.error:
            raise HousematesError(f"The episode is over: {self._episode.trace.error}")


class Host:
    """Begins episodes of one benchmark for guests, and knows those that are under way.

    Args:
        name: Of the benchmark.
        role: The seat of the guest; the last of the benchmark's roles if None.
        agents: Who sits in the others, as `housemates eval --agents` takes it; the usual partners by default.
        agent_options: Of those agents.
        split: Which instances; `generated` ones are made from the seed.
        seed: What they are made from, and where draws begin.
        most: How many episodes may be under way at once.
        options: Of the benchmark.
        act_timeout: Seconds that an agent in another seat may think about an act.
        isolation: What such an agent may use up in a process of its own, if they are kept apart.
    """

    def __init__(
        self,
        name: str,
        role: str | None = None,
        agents: Sequence[str] = (),
        agent_options: Mapping[str, str] | None = None,
        split: str = "generated",
        seed: int = 0,
        most: int = MOST,
        options: Mapping[str, Any] | None = None,
        act_timeout: float | None = None,
        isolation: Isolation | None = None,
    ) -> None:
        self.benchmark = registry.benchmark(name, **(options or {}))
        self.role, self._seats = seat_others(type(self.benchmark), role, agents, agent_options, isolation)
        self.most, self.seed, self.act_timeout = most, seed, act_timeout
        self._lock = threading.RLock()
        self._numbers = itertools.count()
        self._supply = Supply(self.benchmark, split, seed)
        self._free: list[dict[str, Agent]] = [make_agents(type(self.benchmark), self._seats)]
        self._visits: dict[str, Visit] = {}
        self._beginning = 0

    def begin(self, seed: int | None = None, name: str | None = None) -> Visit:
        """Begin an episode: the one of an id, one that a seed decides, or the next one that is drawn."""
        with self._room():
            drawn = [self.seed, next(self._numbers)] if seed is None else [seed]
            rng = np.random.default_rng(drawn if seed is None else seed)
            for _ in range(TRIES):
                visit = self._begun(rng, name, str(drawn))
                if not visit.over:
                    self._visits[visit.handle] = visit
                    return visit
                self._free.append(dict(visit.agents))
        raise HousematesError(f"{visit.id}: it was over before the {self.role} had a turn.")

    def fork(self, handle: str) -> Visit:
        """Begin an episode that goes on from the moment of another one."""
        visit = self.find(handle).fork()
        with self._room():
            self._visits[visit.handle] = visit
            return visit

    def find(self, handle: str) -> Visit:
        """The episode of a handle."""
        visit = self._visits.get(handle)
        if visit is None:
            raise HousematesError("There is no episode of this handle: begin one.")
        return visit

    def end(self, handle: str) -> None:
        """Forget an episode; its agents are free for the next one."""
        with self._lock:
            visit = self._visits.pop(handle, None)
            if visit is not None and len(self._free) < self.most:
                self._free.append(dict(visit.agents))

    def close(self) -> None:
        """Let all agents go."""
        with self._lock:
            for agents in [*self._free, *(visit.agents for visit in self._visits.values())]:
                for agent in agents.values():
                    getattr(agent, "close", lambda: None)()
            self._free.clear()
            self._visits.clear()

    def _begun(self, rng: np.random.Generator, name: str | None, key: str) -> Visit:
        """A new episode; only its instance and its agents are looked for one at a time."""
        with self._lock:
            instance = self._supply.draw(rng) if name is None else self._supply.find(name)
            agents = self._free.pop() if self._free else make_agents(type(self.benchmark), self._seats)
        episode = Episode(self.benchmark, instance, agents, act_timeout=self.act_timeout, key=key)
        brief = keyed(episode.brief(self.role), key)
        episode.advance()
        return Visit(episode, self.role, brief)

    @contextlib.contextmanager
    def _room(self) -> Iterator[None]:
        """Keep a place while an episode begins; one that is over, or that nobody touches, makes room."""
        with self._lock:
            if len(self._visits) + self._beginning >= self.most:
                self._forget_one()
            self._beginning += 1
        try:
            yield
        finally:
            with self._lock:
                self._beginning -= 1

    def _forget_one(self) -> None:
        now = time.monotonic()
        for visit in sorted(self._visits.values(), key=lambda each: (not each.over, each.touched)):
            if visit.over or now - visit.touched > IDLE_S:
                self.end(visit.handle)
                return
        raise Full(f"{self.most} episodes are under way, and there can be no more: end one first.")
