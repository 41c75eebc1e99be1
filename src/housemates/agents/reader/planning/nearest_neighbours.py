"""k-nearest neighbours of a history over IDF-weighted features, and a vote on their continuations' goals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.agents.reader.planning.history_features import (
    FEATURES,
    FRESH,
    Effects,
    History,
    RoleBinding,
    TypedStep,
    effects,
    features,
    named_in,
    part_of,
    subject,
    table_of,
    with_tables_here,
)
from housemates.agents.reader.planning.routines import whole_of
from housemates.core.percepts import Utterance
from housemates.home.kinds import KNIVES

FILE = "histories.npz"
NEAR, ASKED = 250, 120
"""Neighbours that are retrieved, and those that are kept after reranking."""
SHARPNESS = 3.0
"""Inverse temperature of the neighbours' weights."""
UNASKED, MISSED = 0.2, 0.15
"""Penalty for each unasked type a neighbour touches, and for each mentioned one it leaves out."""
BREVITY = 0.02
"""Penalty for each effect of a continuation."""
MOVED = ("food", "thing", "dish", "cup")
"""Roles of mentioned types that are expected to be moved."""
ENDS = ("Pickup", "Place", "Slice")
"""Actions after which a continuation may end."""


class Neighbour(NamedTuple):
    """A past continuation with its types substituted by those bound here."""

    steps: Sequence[TypedStep]
    goal: Effects
    """Those of its effects that its task was about."""
    similarity: float

    def weight(self, most: float) -> float:
        """Its weight, by a softmax over similarity, beside one as similar as `most`."""
        return float(np.exp(SHARPNESS * (self.similarity - most)))


class NearestNeighbours:
    """Histories of people with their continuations, as sparse unit vectors."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.idf = arrays["rarity"].astype(np.float32)
        self._features, self._starts = arrays["signs"], arrays["starts"]
        self._weights = arrays["strengths"].astype(np.float32)
        names, parts = arrays["names"].tolist(), arrays["parts"].tolist()
        known = [TypedStep(*name.split(" ")) for name in names]
        ends = arrays["ends"][:-1]
        self.steps = [[known[number] for number in row] for row in np.split(arrays["steps"], ends)]
        self._held: list[str] = arrays["held"].tolist()
        kinds = arrays["kinds"].tolist()
        rows = np.split(arrays["apt"], arrays["apt_ends"][:-1])
        self._apt = [[kinds[number] for number in row] for row in rows]
        rows = np.split(arrays["casts"], arrays["cast_ends"][:-1])
        self._roles = [dict(parts[number].split("=") for number in row) for row in rows]

    def similarity(self, history: History, roles: RoleBinding) -> NDArray[np.float32]:
        """Cosine similarity of a history to every stored one."""
        query = np.zeros(FEATURES, np.float32)
        for number, weight in features(history, roles).items():
            query[number] = weight * self.idf[number]
        query /= max(float(np.linalg.norm(query)), 1e-6)
        found: NDArray[np.float32] = np.add.reduceat(query[self._features] * self._weights, self._starts)
        return found

    def neighbours(self, history: History, without: NDArray[np.bool_] | None = None) -> list[Neighbour]:
        """The nearest neighbours after reranking, the most similar first; `without` marks those left out."""
        roles = RoleBinding(history)
        similarity = self.similarity(history, roles)
        if without is not None:
            similarity[without] = -1.0
        spoken = _spoken_of(history.said)
        fresh = {kind for kind in _spoken_of(history.said[-FRESH:]) if part_of(kind) in MOVED}
        known = spoken | {whole_of(step.type) for step in history.steps}
        table, found = table_of(history.steps), []
        for number in np.argsort(-similarity)[:NEAR].tolist():
            instead = roles.instead_of(self._roles[number])
            there = [each._replace(type=instead.get(each.type, each.type)) for each in self.steps[number]]
            steps = with_tables_here(there, table)
            unasked = len({whole_of(each.type) for each in steps if is_asked_for(each)} - known)
            missed = len(fresh - {whole_of(each.type) for each in steps})
            apt = {instead.get(kind, kind) for kind in self._apt[number]}
            made = effects(steps, instead.get(self._held[number], self._held[number]))
            goal = Effects({key: count for key, count in made.items() if subject(key) in apt})
            like = float(similarity[number]) - UNASKED * unasked - MISSED * missed
            found.append(Neighbour(steps, goal, like))
        return sorted(found, key=lambda each: -each.similarity)[:ASKED]


class GoalDistribution:
    """Goals of the neighbours, weighted by a softmax over similarity.

    Args:
        neighbours: The most similar first.
        held: Type of what is in the hand.
    """

    def __init__(self, neighbours: Sequence[Neighbour], held: str) -> None:
        self._held = held
        self._odds: dict[frozenset[tuple[tuple[str, ...], int]], float] = {}
        for each in neighbours:
            if each.goal:
                key = frozenset(each.goal.items())
                self._odds[key] = self._odds.get(key, 0.0) + each.weight(neighbours[0].similarity)
        self.total = sum(self._odds.values()) or 1.0

    def reached(self, steps: Sequence[TypedStep]) -> float:
        """Weight of the goals that some steps reach."""
        made = effects(steps, self._held)
        return sum(
            share for goal, share in self._odds.items() if all(made[key] >= count for key, count in goal)
        )

    def value(self, steps: Sequence[TypedStep]) -> float:
        """That weight less `BREVITY` for each effect."""
        return self.reached(steps) - BREVITY * effects(steps, self._held).total()


def prefixes(steps: Sequence[TypedStep]) -> Iterator[tuple[TypedStep, ...]]:
    """The steps and every prefix that may end."""
    yield tuple(steps)
    for end, step in enumerate(steps[:-1], 1):
        if step.action in ENDS:
            yield tuple(steps[:end])


def _spoken_of(said: Sequence[Utterance]) -> set[str]:
    """Types that the Commander mentions."""
    return {kind for each in said if each.role == "commander" for _, kind in named_in(each.text) if kind}


def is_asked_for(step: TypedStep) -> bool:
    """Whether a step is about something that people ask for by name."""
    return step.action in ("Pickup", "Slice") and step.type not in KNIVES


@cache
def shipped_neighbours() -> NearestNeighbours:
    """The index that comes with the package."""
    with (
        resources.files(__package__).joinpath(FILE).open("rb") as stream,
        np.load(stream, allow_pickle=False) as file,
    ):
        return NearestNeighbours({name: file[name] for name in file.files})
