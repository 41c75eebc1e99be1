"""How people go on: continuations that the neighbours propose, ranked by what several models say of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from heapq import nlargest
from importlib import resources
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.agents.reader.language.text import words_of
from housemates.agents.reader.planning.history_features import (
    NEW,
    Effects,
    History,
    TypedStep,
    effects,
    holding,
    part_of,
    subject,
    unified,
)
from housemates.agents.reader.planning.nearest_neighbours import (
    MOVED,
    GoalDistribution,
    NearestNeighbours,
    Neighbour,
    is_asked_for,
    prefixes,
    shipped_neighbours,
)
from housemates.agents.reader.planning.routines import whole_of
from housemates.agents.reader.planning.step_features import Situation
from housemates.agents.reader.planning.step_policy import StepPolicy

FILE = "continuations.npz"
POLICY, RANKER = "policy ", "ranker "
"""Prefixes of the names of each network's arrays."""
VALUED, WHOLE = 40, 10
"""Continuations proposed: those of the highest value to the neighbours, and the likeliest whole ones."""
ABOUT = 0.4
"""Least probability that the task is about a type whose effects count as a goal."""
ENDINGS = ("Pickup", "Place", "Slice", "Open", "Close", "ToggleOn", "ToggleOff", "Pour")
FAINT = 1e-3
Goals = dict[frozenset[tuple[tuple[str, ...], int]], float]
"""Weight of each goal, a set of effects with counts."""
Column = Sequence[float] | NDArray[Any]


class Continuation(NamedTuple):
    """Steps, and how likely they are what is wanted."""

    steps: list[TypedStep]
    share: float


class Proposals(NamedTuple):
    """Possible continuations of a history, with what is known of each."""

    ways: list[tuple[TypedStep, ...]]
    columns: dict[str, NDArray[np.float32]]
    """Name of a feature, which begins with who says it -> its value for each continuation."""

    def table(self) -> NDArray[np.float32]:
        """The features as (continuations, columns)."""
        return np.stack(list(self.columns.values()), axis=1)


class Continuations:
    """The neighbours' continuations, ranked by a network over what neighbours, policy and words say."""

    def __init__(self, neighbours: NearestNeighbours, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.neighbours, self.arrays = neighbours, arrays
        self.policy = StepPolicy(_of(arrays, POLICY))
        self._ranker = {name: value.astype(np.float32) for name, value in _of(arrays, RANKER).items()}

    def next(self, history: History) -> list[TypedStep]:
        """The continuation that is likeliest wanted."""
        return self.likeliest(history, 1)[0].steps

    def likeliest(self, history: History, count: int) -> list[Continuation]:
        """The likeliest continuations, the best first."""
        found = proposals(history, self.neighbours.neighbours(history), self.policy)
        scores = self.scores(found.table())
        share = 1 / (1 + np.exp(-scores))
        best = np.argsort(-scores, kind="stable")[:count].tolist()
        return [Continuation(list(found.ways[number]), float(share[number])) for number in best]

    def scores(self, table: NDArray[np.float32]) -> NDArray[np.float32]:
        """The ranker's score of each row of features, the mean of its networks' log-odds."""
        ranker = self._ranker
        rows = (table - ranker["mean"]) / ranker["deviation"]
        hidden = np.maximum(np.einsum("rf,nhf->nrh", rows, ranker["near"]) + ranker["near bias"][:, None], 0)
        scores = np.einsum("nrh,nh->nr", hidden, ranker["far"]) + ranker["far bias"]
        return np.asarray(scores.mean(axis=0), np.float32)


def proposals(history: History, neighbours: Sequence[Neighbour], policy: StepPolicy) -> Proposals:
    """What the neighbours' continuations are, and what is said for and against each."""
    situation = Situation(history)
    goals = GoalDistribution(neighbours, situation.held)
    votes = _Votes(neighbours)
    whole = nlargest(WHOLE, votes.whole, key=lambda way: votes.whole[way])
    ways = list(dict.fromkeys([*nlargest(VALUED, votes.begun, goals.value), *whole]))
    about = policy.about(situation)
    made = [effects(way, situation.held) for way in ways]
    apt = {unified(kind) for kind, sure in about.items() if sure > ABOUT}
    columns = {
        **_neighbours_say(ways, votes, goals),
        **_policy_says(policy, situation, ways, made, apt),
        **_goals_say(made, votes, situation.held, apt),
        **_about_says(situation, ways, made, about),
        **_words_say(situation, ways),
        **_shape_says(situation, ways, made),
    }
    return Proposals(ways, {name: np.asarray(each, np.float32) for name, each in columns.items()})


class _Votes:
    """The neighbours' weight for each continuation as a whole, and for each beginning."""

    def __init__(self, neighbours: Sequence[Neighbour]) -> None:
        self.whole: dict[tuple[TypedStep, ...], float] = {}
        self.begun: dict[tuple[TypedStep, ...], float] = {}
        self.first: dict[tuple[TypedStep, ...], int] = {}
        """The rank of the nearest neighbour that begins so."""
        self.nearest = neighbours[0].similarity
        weights = [each.weight(self.nearest) for each in neighbours]
        for rank, (each, weight) in enumerate(zip(neighbours, weights, strict=True)):
            share = weight / sum(weights)
            self.whole[tuple(each.steps)] = self.whole.get(tuple(each.steps), 0.0) + share
            for way in prefixes(each.steps):
                self.begun[way] = self.begun.get(way, 0.0) + share
                self.first.setdefault(way, rank)


def _neighbours_say(
    ways: Sequence[tuple[TypedStep, ...]], votes: _Votes, goals: GoalDistribution
) -> dict[str, Column]:
    reached = np.array([goals.reached(way) / goals.total for way in ways])
    return {
        "neighbours reached": reached,
        "neighbours reached less": reached - reached.max(),
        "neighbours whole": np.log([votes.whole.get(way, 0.0) + FAINT for way in ways]),
        "neighbours begun": np.log([votes.begun.get(way, 0.0) + FAINT for way in ways]),
        "neighbours rank": [votes.first.get(way, 99) / 40 for way in ways],
        "neighbours nearest": [votes.nearest] * len(ways),
        "neighbours surest": [float(reached.max())] * len(ways),
    }


def _policy_says(
    policy: StepPolicy,
    situation: Situation,
    ways: Sequence[tuple[TypedStep, ...]],
    made: Sequence[Effects],
    apt: set[str],
) -> dict[str, Column]:
    odds = policy.odds(situation, ways)
    full = odds.steps + odds.stop
    share = np.exp(full - full.max())
    share /= share.sum()
    votes = _reached(made, _goals(made, share.tolist(), apt))
    return {
        "policy steps": odds.steps / 5,
        "policy full": full / 5,
        "policy full less": (full - full.max()) / 5,
        "policy stop": odds.stop / 3,
        "policy rarest": odds.rarest / 3,
        "policy mean": odds.steps / [len(way) for way in ways],
        "policy share": np.log(share + FAINT),
        "policy reached": votes,
        "policy reached less": votes - votes.max(),
        "policy surest": [float(share.max())] * len(ways),
        "policy surest goal": [float(votes.max())] * len(ways),
    }


def _goals_say(made: Sequence[Effects], votes: _Votes, held: str, apt: set[str]) -> dict[str, Column]:
    whole = [effects(way, held) for way in votes.whole]
    reached = _reached(made, _goals(whole, votes.whole.values(), apt))
    return {"goals reached": reached, "goals reached less": reached - reached.max()}


def _about_says(
    situation: Situation,
    ways: Sequence[tuple[TypedStep, ...]],
    made: Sequence[Effects],
    about: Mapping[str, float],
) -> dict[str, Column]:
    sure = [[about.get(kind, 0.0) for kind in {subject(key) for key in each}] or [0.0] for each in made]
    ends = [holding((*situation.history.steps, *way)) for way in ways]
    return {
        "about held": [about.get(end, 0.0) if end else 0.5 for end in ends],
        "about mean": [float(np.mean(each)) for each in sure],
        "about least": [min(each) for each in sure],
        "about most": [max(each) for each in sure],
    }


def _words_say(situation: Situation, ways: Sequence[tuple[TypedStep, ...]]) -> dict[str, Column]:
    fresh = {kind for kind in situation.mentioned if part_of(kind) in MOVED}
    known = {*situation.mentioned, *(whole_of(each.type) for each in situation.history.steps)}
    types = [{whole_of(each.type) for each in way} for way in ways]
    moved = [{whole_of(each.type) for each in way if is_asked_for(each)} for way in ways]
    last = situation.history.said[-1]
    return {
        "words left": [float(len(fresh - each)) for each in types],
        "words heeded": [float(len(fresh & each)) for each in types],
        "words unasked": [float(len(each - known)) for each in moved],
        "words follower's": [float(last.role == "follower")] * len(ways),
        "words last": [min(len(words_of(last.text)), 20) / 10] * len(ways),
        "words said": [len(situation.history.said) / 10] * len(ways),
    }


def _shape_says(
    situation: Situation, ways: Sequence[tuple[TypedStep, ...]], made: Sequence[Effects]
) -> dict[str, Column]:
    steps = situation.history.steps
    return {
        "shape steps": [len(way) / 8 for way in ways],
        "shape effects": [each.total() / 5 for each in made],
        "shape held": [float(bool(holding((*steps, *way)))) for way in ways],
        "shape held before": [float(bool(situation.held))] * len(ways),
        "shape taken": [sum(each.action == "Pickup" for each in way) / 3 for way in ways],
        "shape new": [sum(each.which == NEW for each in way) / 2 for way in ways],
        "shape before": [len(steps) / 20] * len(ways),
        **{f"shape ends {name}": [float(way[-1].action == name) for way in ways] for name in ENDINGS},
    }


def _goals(made: Sequence[Effects], weights: Iterable[float], apt: set[str]) -> Goals:
    """The weight of each set of effects on what the task is about."""
    found: Goals = {}
    for each, weight in zip(made, weights, strict=True):
        goal = frozenset((key, count) for key, count in each.items() if subject(key) in apt)
        if goal:
            found[goal] = found.get(goal, 0.0) + weight
    return found


def _reached(made: Sequence[Effects], goals: Goals) -> NDArray[np.float64]:
    """The share of the goals that each of some effects reaches."""
    total = sum(goals.values()) or 1.0
    return np.array(
        [
            sum(share for goal, share in goals.items() if all(each[key] >= n for key, n in goal)) / total
            for each in made
        ]
    )


def _of(arrays: Mapping[str, NDArray[Any]], prefix: str) -> dict[str, NDArray[Any]]:
    return {name.removeprefix(prefix): each for name, each in arrays.items() if name.startswith(prefix)}


@cache
def shipped_continuations() -> Continuations:
    """Neighbours and networks that come with the package."""
    with (
        resources.files(__package__).joinpath(FILE).open("rb") as stream,
        np.load(stream, allow_pickle=False) as file,
    ):
        return Continuations(shipped_neighbours(), {name: file[name] for name in file.files})
