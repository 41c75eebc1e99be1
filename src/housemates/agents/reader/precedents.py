"""What people did next in a situation like this one, and how it is done here."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.agents.reader.chores import KNIVES, Chores
from housemates.agents.reader.words import Mentions, dialogue, words_of
from housemates.benchmarks.embodied.body import Doing
from housemates.benchmarks.embodied.finding import basins
from housemates.benchmarks.embodied.hands import Stuck
from housemates.benchmarks.seat import Utterance

FILE = "precedents.npz"
SIGNS = 1 << 15
"""How many signs of situations are told apart."""
FRESH = 3
"""How many of the last utterances say what is to be done now."""
ASKED = 120
"""How many of the likest situations are asked."""
SHARPNESS = 3.0
"""How much more the likest of them count."""
UNASKED, MISSED = 0.2, 0.15
"""What it counts against a precedent to be about something unasked, or not about something spoken of."""
BREVITY = 0.02
"""What every effect costs, so that of two ways the shorter is chosen."""
WEIGHTS = {"said": 1.0, "pair": 1.0, "answered": 0.5, "before": 0.15, "did": 0.7, "last": 1.0, "held": 2.0}
"""How much each kind of sign counts."""
SWITCHED = ("Faucet", "CoffeeMachine", "Toaster")
"""What is switched for a task."""


class Step(NamedTuple):
    """An action of people and the type of what it was done to."""

    action: str
    type: str


class Situation(NamedTuple):
    """What was said so far, and what the Follower did."""

    said: Sequence[Utterance]
    steps: Sequence[Step]


def holding(steps: Sequence[Step]) -> str:
    """The type of what is in the hand after some steps."""
    held = ""
    for step in steps:
        held = {"Pickup": step.type, "Place": ""}.get(step.action, held)
    return held


def signs(situation: Situation) -> dict[int, float]:
    """The signs of a situation, and how strong each is."""
    found: Counter[tuple[str, str]] = Counter()
    for left, utterance in enumerate(reversed(situation.said)):
        words, fresh = words_of(utterance.text), left < FRESH
        if utterance.role != "commander":
            found.update(("answered", word) for word in words if fresh)
            continue
        found.update(("said" if fresh else "before", word) for word in words)
        found.update(("pair", f"{one} {two}") for one, two in pairwise(words) if fresh)
    found.update(("did", " ".join(step)) for step in situation.steps)
    found.update(("last", " ".join(step)) for step in situation.steps[-3:])
    found["held", holding(situation.steps)] += 1
    strong: dict[int, float] = {}
    for (kind, text), count in found.items():
        number = zlib.crc32(f"{kind} {text}".encode()) % SIGNS
        strong[number] = strong.get(number, 0.0) + WEIGHTS[kind] * (1 + float(np.log(count)))
    return strong


def effects(steps: Sequence[Step], held: str) -> frozenset[tuple[str, ...]]:
    """What steps leave behind: where things are, what is on, what was cut and touched."""
    places: dict[str, str] = {}
    switched: dict[str, str] = {}
    other: set[tuple[str, ...]] = set()
    for action, kind in steps:
        if action == "Pickup":
            held = kind
            places.pop(kind, None)
            other.add(("touched", kind))
        elif action == "Place":
            if held:
                places[held] = basins((kind,))[0]
            held = ""
        elif action == "Slice":
            other.add(("cut", kind))
        elif kind in SWITCHED:
            switched[kind] = action
    if held:
        other.add(("held", held))
    return frozenset({*places.items(), *switched.items(), *other})


def _spoken(step: Step) -> bool:
    """Whether a step is about something that people ask for by its name."""
    return step.action in ("Pickup", "Slice") and step.type not in KNIVES


class Precedents:
    """Situations of people with what they did next."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.rarity = arrays["rarity"].astype(np.float32)
        self._signs, self._starts = arrays["signs"], arrays["starts"]
        self._strengths = arrays["strengths"].astype(np.float32)
        names = arrays["names"].tolist()
        rows = np.split(arrays["steps"], arrays["ends"][:-1])
        self.steps = [[Step(*names[number].split(" ")) for number in row] for row in rows]
        self._effects = [
            effects(steps, held) for steps, held in zip(self.steps, arrays["held"].tolist(), strict=True)
        ]

        self._kinds = sorted({step.type for steps in self.steps for step in steps if _spoken(step)})
        place = {kind: number for number, kind in enumerate(self._kinds)}
        self._about = np.zeros((len(self.steps), len(self._kinds)), np.float32)
        for row, steps in enumerate(self.steps):
            for step in steps:
                if step.type in place:
                    self._about[row, place[step.type]] = 1.0

    def alike(self, situation: Situation) -> NDArray[np.float32]:
        """How like each precedent a situation is."""
        query = np.zeros(SIGNS, np.float32)
        for number, strength in signs(situation).items():
            query[number] = strength * self.rarity[number]
        query /= max(float(np.linalg.norm(query)), 1e-6)
        found: NDArray[np.float32] = np.add.reduceat(query[self._signs] * self._strengths, self._starts)
        return found

    def _strangeness(self, situation: Situation) -> NDArray[np.float32]:
        """How much each precedent is about other things than are spoken of, and not about those that are."""
        commanded = [each for each in situation.said if each.role == "commander"]
        ever, now = (
            Mentions(dialogue(said)).of(self._kinds) for said in (commanded, situation.said[-FRESH:])
        )
        spoken_of = np.array(ever) + [2 * (step in {s.type for s in situation.steps}) for step in self._kinds]
        unasked = self._about @ (spoken_of == 0)
        missed = (1 - self._about) @ (np.array(now) > 0)
        return np.asarray(UNASKED * unasked + MISSED * missed, np.float32)

    def next(self, situation: Situation) -> list[Step]:
        """What to do next: of what people did, that which serves most of what others like them did."""
        alike = self.alike(situation) - self._strangeness(situation)
        near = np.argsort(-alike)[:ASKED]
        weights = np.exp(SHARPNESS * (alike[near] - alike[near[0]]))
        made = [self._effects[number] for number in near]

        def worth(index: int) -> float:
            served = sum(
                float(weight) for weight, each in zip(weights, made, strict=True) if each <= made[index]
            )
            return served - BREVITY * len(made[index])

        return self.steps[int(near[max(range(len(near)), key=worth)])]


@cache
def shipped_precedents() -> Precedents:
    """Those that come with the package."""
    with (
        resources.files(__package__).joinpath(FILE).open("rb") as stream,
        np.load(stream, allow_pickle=False) as file,
    ):
        return Precedents({name: file[name] for name in file.files})


class Imitation:
    """Does steps of people with the things that are here."""

    def __init__(self, chores: Chores) -> None:
        self.chores = chores

    def carry_out(self, steps: Sequence[Step]) -> Doing[list[Stuck]]:
        """Do steps in turn; those that cannot be done are left out, and returned as troubles."""
        troubles = []
        for step in steps:
            try:
                yield from self._do(step)
            except Stuck as trouble:
                troubles.append(trouble)
        return troubles

    def _do(self, step: Step) -> Doing[None]:
        chores, hands = self.chores, self.chores.hands
        types = basins((step.type,))
        if step.action == "Pickup":
            yield from chores.take(types)
            return
        if step.action == "Place":
            held = hands.held
            if held is not None:
                yield from chores.bring(held, types)
            return
        if step.action == "Slice":
            yield from chores.take(KNIVES)
        thing = yield from chores.find(types)
        if step.action == "Slice":
            yield from hands.slice(thing)
        elif step.action == "Pour":
            if hands.held is not None:
                yield from hands.pour(thing)
        elif step.action in ("ToggleOn", "ToggleOff"):
            yield from hands.switch(thing, on=step.action == "ToggleOn")
        elif step.action == "Open":
            yield from hands.open(thing)
        elif thing.open:
            yield from hands.close(thing)
