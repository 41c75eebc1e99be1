"""What a task plays: a benchmark, its instances, and who sits in which seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from housemates.core import registry
from housemates.core.benchmark import Instance
from housemates.core.loading import Seating, seat_all
from housemates.core.options import pairs
from housemates.errors import HousematesError

MODEL = "model"
"""Who sits where nobody of ours does."""


@dataclass(frozen=True)
class TaskSettings:
    """All that decides what is asked; plain values, so that logs tell it."""

    benchmark: str
    split: str
    episodes: int
    seed: int
    options: str
    """`KEY=VALUE`, separated by spaces."""
    agents: str
    """`ROLE=AGENT`, separated by spaces; other seats are for models."""


class House:
    """A plan that was carried out."""

    def __init__(self, plan: TaskSettings) -> None:
        if plan.episodes < 1:
            raise HousematesError(f"episodes: expected 1 or more, found {plan.episodes}.")
        self.plan = plan
        self.benchmark = registry.benchmark(plan.benchmark, **pairs(plan.options.split(), "options"))
        kind = type(self.benchmark)
        everybody = seat_all(kind, [*plan.agents.split(), *(f"{role}={MODEL}" for role in self._free())], {})
        self.ours: Mapping[str, Seating] = {
            role: seating for role, seating in everybody.items() if seating.name != MODEL
        }
        """The seats that agents of ours have."""
        if len(self.ours) == len(kind.roles):
            raise HousematesError(f"agents: expected a seat of {kind.name} that is left for a model.")
        self.instances: Mapping[str, Instance] = {each.id: each for each in self._opened()}
        """By id, in order."""

    def _free(self) -> list[str]:
        named = {word.partition("=")[0] for word in self.plan.agents.split()}
        return [role for role in self.benchmark.roles if role not in named]

    def _opened(self) -> list[Instance]:
        references = self.benchmark.references(self.plan.split, self.plan.seed)
        found = (instance for reference in references for instance in self.benchmark.open(reference))
        opened = list(islice(found, self.plan.episodes))
        if not opened:
            raise HousematesError(f"{self.plan.benchmark}: split {self.plan.split!r} has no instances.")
        return opened


@lru_cache(maxsize=8)
def house(plan: TaskSettings) -> House:
    """The house of a plan; tasks, solvers and scorers share it."""
    return House(plan)


def words(given: Any) -> str:
    """What `-T` was given as words: a text, separated by spaces or commas, a list or a mapping."""
    if isinstance(given, Mapping):
        return " ".join(f"{key}={value}" for key, value in given.items())
    if isinstance(given, list | tuple):
        return " ".join(map(str, given))
    return " ".join(str(given or "").replace(",", " ").split())
