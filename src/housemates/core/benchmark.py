"""What a benchmark is: references, instances, results, and the class that gives, begins and scores them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from housemates.core.percepts import Limits
from housemates.core.session import Session
from housemates.core.trace import Trace
from housemates.typed_json import Whole


class Reference(msgspec.Struct, frozen=True):
    """Where instances come from, before anything is read: small, and the same in every process."""

    id: str
    data: Any = None
    """What `Benchmark.open` needs: a place in a file, or what something is made from; plain values."""
    seed: int = 0
    text: str | None = None
    """The record itself, where another process was spared looking for it; see `Benchmark.text`."""


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
    """What agents say they have used up, by role, and how many percepts they read, of how many tokens."""
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
    """With its version: `housemates/teach-tatc-v3`. Whatever could change a score changes the version."""
    roles: ClassVar[tuple[str, ...]]
    limits: ClassVar[Limits]
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

    @classmethod
    def tasks(cls) -> tuple[str, ...]:
        """Every kind of task that an instance can have, as `Instance.task` names it; empty if unknown."""
        return ()

    @abstractmethod
    def references(self, split: str, seed: int) -> Iterator[Reference]:
        """Where the instances of a split come from, in order and without reading them.

        `generated` makes new ones from the seed, without end. A split that is not there is refused.
        """

    @abstractmethod
    def open(self, reference: Reference) -> Sequence[Instance]:
        """The instances of a reference, read or made; always the same."""

    def text(self, reference: Reference) -> str | None:
        """The record of a reference in a packed file, if it stands in one.

        Handed to `open` with the reference, it spares another process a stream of its own, which may take
        64 MB.
        """
        return None

    @abstractmethod
    def session(self, instance: Instance) -> Session:
        """Return a new session of the instance."""

    @abstractmethod
    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """The numbers of one finished episode, shares from 0 to 1; `success` is among them."""

    @abstractmethod
    def summarise(self, results: Sequence[Result], split: str) -> Summary:
        """The tables of a run; it depends on the results alone. One without scores is a failure."""

    def files(self) -> Sequence[Path]:
        """Files and folders that decide what is asked; results carry their fingerprints."""
        return ()
