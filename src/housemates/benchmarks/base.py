"""The protocols: what a benchmark, an instance, a session, an agent and a trace are.

The runner, the environments and every door for other programs know no more than this, so a fifth benchmark
is a new folder and nothing else.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import numpy as np

from housemates.benchmarks.seat import (
    Act,
    Argument,
    Brief,
    Handle,
    Limits,
    Offer,
    Percept,
    Utterance,
    register,
)
from housemates.benchmarks.understanding import Menu, understand
from housemates.decoding import Whole
from housemates.errors import HousematesError
from housemates.home.outcome import Outcome

__all__ = [
    "Act",
    "Agent",
    "Argument",
    "Benchmark",
    "Brief",
    "Halt",
    "Handle",
    "Instance",
    "Left",
    "Limits",
    "Offer",
    "Outcome",
    "Percept",
    "Reference",
    "Result",
    "Session",
    "Step",
    "Summary",
    "Trace",
    "Utterance",
]


class Agent:
    """Whoever acts: a script, a planner, a network, a language model or a person.

    An agent is made once and plays many episodes. To derive from this class is convenient, not needed:
    `reset` and `act` are what counts.
    """

    privileged: ClassVar[bool] = False
    """Whether it looks at what its role may not know. Such an agent has `witness`, and results say so."""

    def reset(self, brief: Brief) -> None:
        """Forget the last episode and get ready for the next one."""

    def act(self, percept: Percept) -> Any:
        """Answer what is perceived with an `Act`, a name, a mapping, a tool call or a line of text."""
        raise NotImplementedError(f"{type(self).__name__} has no act(percept)")

    def extras(self) -> Mapping[str, Any]:
        """What it shows beside its acts, as plain values, such as its `plan`; nobody needs it to play."""
        return {}

    def witness(self, instance: Instance, session: Session) -> None:
        """For privileged agents, after `reset`: the whole instance and the session itself."""

    def close(self) -> None:
        """Let go of what it holds; there are no more episodes."""


class Left(Exception):
    """Raised by an agent that leaves: the episode ends there."""


class Halt(HousematesError):
    """Raised by an agent when nobody can go on: the run stops, and what is not finished does not count."""


class Reference(msgspec.Struct, frozen=True):
    """Where instances come from, before anything is read: small, and the same in every process."""

    id: str
    data: Any = None
    """What `Benchmark.open` needs: a place in a file, or what something is made from; plain values."""
    seed: int = 0


@dataclass(frozen=True)
class Instance:
    """One thing to be scored."""

    id: str
    task: str
    """What kind of thing is asked, as tables group it."""
    data: Any
    """The benchmark's own record; only privileged agents see it."""
    seed: int = 0
    tags: Mapping[str, str] = field(default_factory=dict)
    """What else tables group by."""


@dataclass
class Step:
    """One act of one role and what came of it."""

    role: str
    act: Act | None
    """None if the answer made no sense."""
    outcome: Outcome
    text: str | None = None
    """What the role had read, if it asked for the text."""
    answer: str = ""
    """What was answered, where it made no sense."""


@dataclass
class Trace:
    """Everything that happened in one episode, in order, and how it ended."""

    steps: list[Step] = field(default_factory=list)
    failures: int = 0
    ended: str = ""
    """`done`; `steps` or `failures`, which are limits; `left`; `error`."""
    error: str = ""
    """Which agent failed and how, in one sentence."""
    traceback: str = ""
    usage: dict[str, dict[str, int | float]] = field(default_factory=dict)
    """What each role's agent says it has used up since `reset`, such as tokens."""
    briefs: dict[str, Brief] = field(default_factory=dict)
    """What each role was told."""

    def pointed(self) -> tuple[str, ...]:
        """How agents pointed at things: `mask`, `object`, `point`."""
        used = {key for step in self.steps if step.act for key in step.act.arguments}
        return tuple(sorted(used & {"mask", "object", "point"}))


class Session(ABC):
    """One running episode: whose turn it is, what they perceive, and what their act does.

    A session gives each role what it may know: `brief`, `observe` and `act` are what everybody uses, the
    methods below them are what a benchmark fills in. `world` and other attributes are for privileged agents
    and for scoring.
    """

    def __init__(self, instance: Instance, limits: Limits) -> None:
        self.turn = 0
        """How many acts there were."""
        self.limits = limits
        self._key = register(self)
        self._code = hashlib.blake2b(f"{instance.seed} {instance.id}".encode(), digest_size=8)
        self._last: dict[str, Outcome] = {}
        self.acted: Act | None = None
        """The last act, as it was understood."""

    def brief(self, role: str) -> Brief:
        """What a role is told before its first turn."""
        code = self._code.copy()
        code.update(role.encode())
        return Brief(
            self._code.hexdigest(),
            role,
            self.rules(role),
            self.goal(role),
            tuple(self.menu(role).values()),
            self.limits,
            int.from_bytes(code.digest(), "big") >> 1,
            self.settings(role),
        )

    def observe(self, role: str | None = None) -> Percept:
        """What a role perceives now: the one whose turn it is, if none is named."""
        role = self.role if role is None else role
        if role is None:
            raise HousematesError("The episode is over: nobody has a turn.")
        return Percept(role, self.turn, self._last.get(role), self._key)

    def act(self, action: Any) -> Outcome:
        """Let the role whose turn it is act; what makes no sense is a failed act, never an exception."""
        role = self.role
        if role is None:
            raise HousematesError("The episode is over: nobody has a turn.")
        menu = self.menu(role)
        act = understand(action, menu, lambda: self.offers(role))
        if isinstance(act, Outcome):
            self.acted = None
            outcome = self.misunderstood(role, act)
        else:
            self.acted = act
            outcome = self.do(role, act)
        self.turn += 1
        self._last[role] = outcome
        return outcome

    def drawn(self, role: str, name: str) -> np.ndarray:
        """A picture of a role, as an array of one's own; agents call it through `Percept.pictures`."""
        return np.array(self.draw(role, name))

    def handle(self, method: str, *arguments: Any) -> Handle:
        """A call of one of the session's methods that an agent may have; it holds no part of the session."""
        return Handle(self._key, self.turn, method, *arguments)

    @property
    @abstractmethod
    def role(self) -> str | None:
        """The role whose turn it is; None when the episode is over."""

    @abstractmethod
    def menu(self, role: str) -> Menu:
        """All that a role can ever do, by name."""

    @abstractmethod
    def rules(self, role: str) -> str:
        """How things go for a role, in words."""

    @abstractmethod
    def goal(self, role: str) -> str:
        """What is asked of a role, in words, as far as it may know it."""

    @abstractmethod
    def text(self, role: str) -> str:
        """What a role perceives, in words that are enough to act on."""

    @abstractmethod
    def do(self, role: str, act: Act) -> Outcome:
        """Carry out an act of the menu whose arguments are of the right kind."""

    @abstractmethod
    def digest(self) -> str:
        """A fingerprint of everything that can differ between two episodes."""

    def settings(self, role: str) -> Mapping[str, Any]:
        """The benchmark's own settings that a role may know."""
        return {}

    def offers(self, role: str) -> tuple[Offer, ...]:
        """What a role may do now, with the choices there are."""
        return tuple(self.menu(role).values())

    def said(self, role: str) -> Sequence[Utterance]:
        """All that a role has heard and said."""
        return ()

    def view(self, role: str) -> Any:
        """The benchmark's own typed view of what a role perceives; it leads to nothing else."""
        return None

    def pictures(self, role: str) -> Sequence[str]:
        """The names of a role's pictures."""
        return ()

    def draw(self, role: str, name: str) -> np.ndarray:
        """Draw a picture; it may be overwritten by the next one."""
        raise HousematesError(f"There is no picture {name!r}.")

    def facts(self) -> Mapping[str, str]:
        """The state in words, thing by thing, for those who watch what changes; no agent is told it."""
        return {}

    def overview(self) -> np.ndarray | None:
        """All from above, for those who watch; None where that cannot be drawn, or a role sees it anyway."""
        return None

    def misunderstood(self, role: str, refusal: Outcome) -> Outcome:
        """What follows from an answer that makes no sense: by default, nothing but the refusal."""
        return refusal

    def reward(self, role: str) -> float:
        """What the last act brought a role, for learners."""
        return 0.0


class Result(msgspec.Struct, frozen=True):
    """What is kept of one episode."""

    id: str
    task: str
    scores: dict[str, float]
    """Its numbers, shares from 0 to 1; empty if there was an error."""
    tags: dict[str, str] = {}
    steps: Whole = 0
    failures: Whole = 0
    ended: str = "done"
    error: str = ""
    """One sentence; such an episode counts as a failure everywhere."""
    traceback: str = ""
    digest: str = ""
    """Of the world at the end."""
    pointed: tuple[str, ...] = ()
    seconds: float = 0.0
    usage: dict[str, dict[str, int | float]] = {}
    """What agents say they have used up, by role."""
    source: str = ""
    """Id of the reference it comes from."""
    of: int = 1
    """How many episodes that reference has."""

    @classmethod
    def of_trace(cls, instance: Instance, trace: Trace, scores: dict[str, float], **more: Any) -> Result:
        """What is kept of an episode that was played."""
        told = (dict(instance.tags), len(trace.steps), trace.failures, trace.ended, trace.error)
        return cls(instance.id, instance.task, scores, *told, trace.traceback, **more)

    @property
    def scored(self) -> bool:
        """Whether it counts: it has numbers, or an error. Not so where a file does not tell its goal."""
        return bool(self.scores or self.error)

    def score(self, name: str) -> float:
        """One of its numbers; 0 if it has none."""
        return self.scores.get(name, 0.0)


@dataclass(frozen=True)
class Summary:
    """What a benchmark makes of its results. Shares are in percent."""

    metrics: Mapping[str, float]
    """Numbers of the whole run."""
    tables: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    """Title -> row -> column -> number: by task, by level, ..."""
    paper: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """The paper's rows for the same thing, by the names of the metrics."""


class Benchmark(ABC):
    """Gives instances, makes a session for one, and scores a trace."""

    name: ClassVar[str]
    """As on the command line: `teach-tatc`."""
    id: ClassVar[str]
    """With its version: `housemates/teach-tatc-v2`. Whatever could change a score changes the version."""
    roles: ClassVar[tuple[str, ...]]
    limits: ClassVar[Limits]
    agents: ClassVar[Mapping[str, Mapping[str, str]]]
    """Role -> name -> `module:Class`, or the same with a function that makes an agent."""
    partners: ClassVar[Mapping[str, str]] = {}
    """Role -> the agent that sits there where somebody else takes another seat and nobody says who."""
    splits: ClassVar[Mapping[str, str]] = {"generated": ""}
    """Which instances there are -> the option that names their data; empty if they need none."""
    episodes: ClassVar[int] = 100
    """How many instances of the split `generated` are taken if nobody says how many."""
    Data: ClassVar[Any]
    """The type of `Instance.data`, which msgspec writes and reads, so that instances can be kept on disk."""
    Options: ClassVar[type[Any]]
    """A frozen dataclass: its fields are the options, the strings beneath them their help."""
    seat_options: ClassVar[frozenset[str]] = frozenset()
    """Those of them that decide how agents see and act; instances are the same whatever they are."""

    def __init__(self, options: Any = None) -> None:
        self.options = options if options is not None else self.Options()

    @abstractmethod
    def references(self, split: str, seed: int) -> Iterator[Reference]:
        """Where the instances of a split come from, in order and without reading them.

        `generated` makes new ones from the seed, without end. A split that is not there is refused.
        """

    @abstractmethod
    def open(self, reference: Reference) -> Sequence[Instance]:
        """The instances of a reference, read or made; always the same."""

    @abstractmethod
    def session(self, instance: Instance) -> Session:
        """Begin an episode."""

    @abstractmethod
    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """The numbers of one finished episode, shares from 0 to 1; `success` is among them."""

    @abstractmethod
    def summarise(self, results: Sequence[Result], split: str) -> Summary:
        """The tables of a run; it depends on the results alone. One without scores is a failure."""

    def expert(self, role: str) -> str:
        """The name of the agent that knows best what to do in a seat, for trying things out."""
        return self.partners.get(role, "first")

    def files(self) -> Sequence[Path]:
        """Files and folders that decide what is asked; results carry their fingerprints."""
        return ()
