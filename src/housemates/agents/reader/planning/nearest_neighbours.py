"""What people did next in a situation like this one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from heapq import nlargest
from importlib import resources
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.agents.reader.planning.history_features import (
    FRESH,
    SIGNS,
    Cast,
    Effects,
    Situation,
    Step,
    effects,
    holding,
    named_in,
    part_of,
    signs,
    subject,
    table_of,
    with_tables_here,
)
from housemates.agents.reader.planning.routines import whole_of
from housemates.core.percepts import Utterance
from housemates.home.kinds import KNIVES

FILE = "precedents.npz"
NEAR, ASKED = 250, 120
"""How many of the likest situations are looked at, and how many of them are asked."""
SHARPNESS = 3.0
"""How much more the likest of them count."""
UNASKED, MISSED = 0.2, 0.15
"""What it counts against a precedent to be about something unasked, or not about something spoken of."""
BREVITY = 0.02
"""What every effect costs, so that of two ways the shorter is chosen."""
MOVED = ("food", "thing", "dish", "cup")
"""The parts of what is spoken of to be moved."""
ENDS = ("Pickup", "Place", "Slice")
"""After which steps one may stop."""


class Precedent(NamedTuple):
    """What people did next, with the things that are here in place of theirs."""

    steps: Sequence[Step]
    wanted: Effects
    """What of its effects the task was about."""
    alike: float


class Way(NamedTuple):
    """Steps that may come next, and the share of all wishes that they serve."""

    steps: list[Step]
    share: float


class Precedents:
    """Situations of people with what they did next."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.rarity = arrays["rarity"].astype(np.float32)
        self._signs, self._starts = arrays["signs"], arrays["starts"]
        self._strengths = arrays["strengths"].astype(np.float32)
        names, parts = arrays["names"].tolist(), arrays["parts"].tolist()
        known = [Step(*name.split(" ")) for name in names]
        ends = arrays["ends"][:-1]
        self.steps = [[known[number] for number in row] for row in np.split(arrays["steps"], ends)]
        self._held: list[str] = arrays["held"].tolist()
        kinds = arrays["kinds"].tolist()
        rows = np.split(arrays["apt"], arrays["apt_ends"][:-1])
        self._apt = [[kinds[number] for number in row] for row in rows]
        rows = np.split(arrays["casts"], arrays["cast_ends"][:-1])
        self._casts = [dict(parts[number].split("=") for number in row) for row in rows]

    def alike(self, situation: Situation, cast: Cast) -> NDArray[np.float32]:
        """How like each precedent a situation is."""
        query = np.zeros(SIGNS, np.float32)
        for number, strength in signs(situation, cast).items():
            query[number] = strength * self.rarity[number]
        query /= max(float(np.linalg.norm(query)), 1e-6)
        found: NDArray[np.float32] = np.add.reduceat(query[self._signs] * self._strengths, self._starts)
        return found

    def near(self, situation: Situation) -> list[Precedent]:
        """The likest precedents, the likest first."""
        cast = Cast(situation)
        alike = self.alike(situation, cast)
        spoken = _spoken_of(situation.said)
        fresh = {kind for kind in _spoken_of(situation.said[-FRESH:]) if part_of(kind) in MOVED}
        known = spoken | {whole_of(step.type) for step in situation.steps}
        table, found = table_of(situation.steps), []
        for number in np.argsort(-alike)[:NEAR].tolist():
            instead = cast.instead_of(self._casts[number])
            there = [each._replace(type=instead.get(each.type, each.type)) for each in self.steps[number]]
            steps = with_tables_here(there, table)
            unasked = len({whole_of(each.type) for each in steps if _is_asked_for(each)} - known)
            missed = len(fresh - {whole_of(each.type) for each in steps})
            apt = {instead.get(kind, kind) for kind in self._apt[number]}
            made = effects(steps, instead.get(self._held[number], self._held[number]))
            wanted = Effects({key: count for key, count in made.items() if subject(key) in apt})
            like = float(alike[number]) - UNASKED * unasked - MISSED * missed
            found.append(Precedent(steps, wanted, like))
        return sorted(found, key=lambda each: -each.alike)[:ASKED]

    def next(self, situation: Situation) -> list[Step]:
        """What to do next: of what people did, that which serves most of what others like them wanted."""
        return self.ways(situation, 1)[0].steps

    def ways(self, situation: Situation, count: int) -> list[Way]:
        """What may be done next, that which is worth most first."""
        near = self.near(situation)
        wishes = Wishes(near, holding(situation.steps))
        known = dict.fromkeys(way for each in near for way in _beginnings(each.steps))
        best = (_spared(each, wishes.worth) for each in nlargest(count, known, wishes.worth))
        return [Way(steps, wishes.served(steps) / wishes.total) for steps in best]


class Wishes:
    """What people in situations like this one wanted, with how much their wishes count.

    Args:
        near: Those situations, the likest first.
        held: The type of what is in the hand here.
    """

    def __init__(self, near: Sequence[Precedent], held: str) -> None:
        self._held = held
        self._odds: dict[frozenset[tuple[tuple[str, ...], int]], float] = {}
        for each in near:
            if each.wanted:
                key = frozenset(each.wanted.items())
                count = float(np.exp(SHARPNESS * (each.alike - near[0].alike)))
                self._odds[key] = self._odds.get(key, 0.0) + count
        self.total = sum(self._odds.values()) or 1.0

    def served(self, steps: Sequence[Step]) -> float:
        """How much the wishes count that some steps serve."""
        made = effects(steps, self._held)
        return sum(
            share for wanted, share in self._odds.items() if all(made[key] >= count for key, count in wanted)
        )

    def worth(self, steps: Sequence[Step]) -> float:
        """The same, less what the steps cost."""
        return self.served(steps) - BREVITY * effects(steps, self._held).total()


def _beginnings(steps: Sequence[Step]) -> Iterator[tuple[Step, ...]]:
    """All of some steps, and the first of them as far as one may stop there."""
    yield tuple(steps)
    for end, step in enumerate(steps[:-1], 1):
        if step.action in ENDS:
            yield tuple(steps[:end])


def _spared(steps: Sequence[Step], worth: Callable[[Sequence[Step]], float]) -> list[Step]:
    """Steps without putting things aside that serves nobody."""
    for at in range(len(steps) - 2, -1, -1):
        pair, shorter = steps[at : at + 2], (*steps[:at], *steps[at + 2 :])
        aside = [each.action for each in pair] == ["Pickup", "Place"] and part_of(pair[1].type) == "table"
        if aside and shorter and worth(shorter) >= worth(steps):
            steps = shorter
    return list(steps)


def _spoken_of(said: Sequence[Utterance]) -> set[str]:
    """The types that the Commander names."""
    return {kind for each in said if each.role == "commander" for _, kind in named_in(each.text) if kind}


def _is_asked_for(step: Step) -> bool:
    """Whether a step is about something that people ask for by its name."""
    return step.action in ("Pickup", "Slice") and step.type not in KNIVES


@cache
def shipped_precedents() -> Precedents:
    """Those that come with the package."""
    with (
        resources.files(__package__).joinpath(FILE).open("rb") as stream,
        np.load(stream, allow_pickle=False) as file,
    ):
        return Precedents({name: file[name] for name in file.files})
