"""Replays of recorded episodes: what is kept of one, and what many have in common."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from housemates.data.records import Skipped

Compared = TypeVar("Compared")
Item = TypeVar("Item")


@dataclass
class Replayed(Generic[Compared]):
    """What came of replaying one recorded episode."""

    id: str
    plan: str
    """The floor plan."""
    task: str
    """What kind of thing was asked."""
    steps: int
    """How many actions the recording has."""
    compared: list[Compared] = field(default_factory=list)
    """Each recorded action beside ours."""
    scored: bool = True
    """Whether the file tells its goal; those of ALFRED's tests do not."""
    success: bool = False
    goal_conditions: int = 0
    satisfied: int = 0
    digest: str = ""
    """Of the world at the end."""

    def judge(self, satisfied: int, goal_conditions: int, success: bool) -> None:
        """Note how much of the goal is reached at the end."""
        self.satisfied, self.goal_conditions, self.success = satisfied, goal_conditions, success


@dataclass(frozen=True)
class Done(Generic[Compared]):
    """A replay, and what it took."""

    replay: Replayed[Compared]
    cpu_s: float


class Run(NamedTuple):
    """All replays of a command."""

    replays: Sequence[Replayed[Any]]
    facts: dict[str, Any]
    """Their counts."""
    skipped: Sequence[Skipped]


def digest(replays: Iterable[Replayed[Any]]) -> str:
    """A fingerprint of how all episodes ended."""
    text = "".join(f"{each.id} {each.digest}\n" for each in replays)
    return hashlib.sha256(text.encode()).hexdigest()


def summed(done: Sequence[Done[Any]]) -> dict[str, Any]:
    """The numbers that replays of any benchmark have: how much was replayed, how fast, and how it ended."""
    steps, seconds = sum(each.replay.steps for each in done), sum(each.cpu_s for each in done)
    return {
        "steps": steps,
        "steps_per_cpu_s": round(steps / seconds) if seconds else 0,
        "digest": digest(each.replay for each in done),
    }


def for_people(facts: Mapping[str, Any], replays: Iterable[Replayed[Any]]) -> dict[str, Any]:
    """The counts of a run as people read them: how many ended well is told as a share of those scored."""
    return {**facts, "succeeded": counted(each.success for each in replays if each.scored)}


def counted(holds: Iterable[bool]) -> dict[str, Any]:
    """How many there are, of how many it holds, and the share."""
    values = list(holds)
    return {"n": len(values), "agree": sum(values), "share": share(sum(values), len(values))}


def share(part: int, whole: int) -> float | None:
    """A part of a whole; None if there is nothing."""
    return round(part / whole, 4) if whole else None


def grouped(items: Iterable[Item], key: Callable[[Item], str]) -> dict[str, list[Item]]:
    """Items by what `key` says of them, in the order in which they come up."""
    groups: dict[str, list[Item]] = {}
    for each in items:
        groups.setdefault(key(each), []).append(each)
    return groups
