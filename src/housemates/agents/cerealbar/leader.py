"""The leader: plans sets for both players, and turns a plan into moves and instructions."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from housemates.agents.cerealbar.planner import Distances, SetPlan, best_plans
from housemates.benchmarks.cerealbar.session import ACTS, END_TURN, WATCH
from housemates.benchmarks.cerealbar.world.cards import Card
from housemates.benchmarks.cerealbar.world.hexmap import HexMap
from housemates.benchmarks.cerealbar.world.observe import Observation
from housemates.benchmarks.cerealbar.world.paths import after, around_and_back, walk
from housemates.benchmarks.cerealbar.world.state import DONE_STATE, FOLLOWER, PENDING, STEPS
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept


@dataclass(frozen=True)
class Assignment:
    """What one instruction asks for: cards to flip in order, then perhaps a card to wait beside."""

    flips: tuple[int, ...]
    beside: int | None = None
    spell_out: bool = False
    """Describe the way step by step, as an earlier attempt failed."""


class Speaker(Protocol):
    """Puts an assignment into words."""

    def begin(self, rng: np.random.Generator) -> None:
        """Get ready for a new game."""

    def phrase(self, seen: Observation, assignment: Assignment, pose: int) -> str:
        """The instruction for a follower who will be in this pose when reading it."""


class CoordinateSpeaker:
    """Names hexes by their coordinates, for followers that understand nothing else."""

    def begin(self, rng: np.random.Generator) -> None:
        """Nothing; coordinates need no manner."""

    def phrase(self, seen: Observation, assignment: Assignment, pose: int) -> str:
        """`collect (x,y) ... wait (x,y)`."""
        width = seen.map.size.width
        parts = [f"({at % width},{at // width})" for at in assignment.flips]
        words = ["collect", *parts] if parts else []
        if assignment.beside is not None:
            words += ["wait", f"({assignment.beside % width},{assignment.beside // width})"]
        return " ".join(words)


@dataclass(frozen=True)
class IssuedInstruction:
    """An instruction that was given: the set it serves, and the cards it wants flipped."""

    target: tuple[int, ...]
    flips: tuple[tuple[int, Card, bool], ...]
    """Hex, card, and whether it should be selected afterwards."""

    def left(self, seen: Observation) -> list[int]:
        """Hexes of the cards that still have to be flipped."""
        return [
            at
            for at, card, want in self.flips
            if seen.cards.get(at) == card and (at in seen.selected) != want
        ]


class ScriptLine(NamedTuple):
    """An act of the leader's script, and what it gives the follower to do."""

    act: Act
    given: IssuedInstruction | None = None


def route(
    hexmap: HexMap, pose: int, flips: Sequence[int], cards: set[int], back: bool
) -> list[list[str]] | None:
    """The walks from card to card, other cards being obstacles; None if one cannot be reached."""
    legs = []
    for at in flips:
        leg = (
            around_and_back(hexmap, pose, cards) if pose // 6 == at else walk(hexmap, pose, {at}, cards, back)
        )
        if leg is None:
            return None
        legs.append(leg)
        pose = after(hexmap, pose, leg)
    return legs


@dataclass(frozen=True)
class PlayStyle:
    """How a leader plays; the defaults play as well as they can."""

    back: bool = True
    """Walk backward where that is shorter, and expect the follower to."""
    lookahead: bool = True
    """Choose a set with regard to the one after it."""
    ahead: float = 1.0
    """Probability that the follower is told about the next set when it has steps left."""
    split: float = 0.0
    """Probability that an assignment of several cards becomes several instructions."""
    silent: float = 0.0
    """Probability that a turn passes without an instruction that is due."""
    whim: int = 1
    """Number of best plans from which one is drawn."""


class Drawn(np.random.SeedSequence):
    """A seed sequence of bits that were drawn before."""

    def __init__(self, drawn: Sequence[int]) -> None:
        super().__init__(0)
        self._drawn = drawn

    def generate_state(self, n_words: int, dtype: Any = np.uint64) -> NDArray[Any]:
        """The first `n_words` of the bits, as `dtype`."""
        return np.array(self._drawn[:n_words], dtype)


class Leader(Agent):
    """Chooses sets over both players' reach, takes its own share, and tells the follower the rest."""

    def __init__(self, speaker: Speaker, style: PlayStyle) -> None:
        self.speaker = speaker
        self.style = style
        self.rng = np.random.default_rng(0)
        self.given: list[IssuedInstruction] = []
        self.script: deque[ScriptLine] = deque()
        self.moment = (-1, -1)

    def reset(self, brief: Brief) -> None:
        """Forget the last game; all chance comes from the brief."""
        self.rng = np.random.Generator(np.random.PCG64(Drawn(brief.data["manner"])))
        self.speaker.begin(self.rng)
        self.given, self.script, self.moment = [], deque(), (-1, -1)

    def act(self, percept: Percept) -> Act:
        """The next act of this turn's script; a new one is written each turn and after each set."""
        observation: Observation = percept.data
        if not observation.legal:
            return WATCH
        if self.moment != (observation.turn, observation.score):
            self.moment = (observation.turn, observation.score)
            self.script = deque(self.write(observation))
        line = self.script.popleft() if self.script else ScriptLine(END_TURN)
        if line.given:
            self.given.append(line.given)
        return line.act

    def write(self, seen: Observation) -> list[ScriptLine]:
        """The actions from now to the end of this turn."""
        groups = self.pending(seen)
        distances = Distances(seen.map, seen.faces, (seen.pose, seen.partner or 0), self.style.back)
        assigned = groups[0] if groups else []
        lookahead = self.style.lookahead and len(groups) < 2
        whim = int(self.rng.random() * self.style.whim)
        plans = best_plans(distances, seen.selected, seen.steps, assigned, lookahead, whim)
        if not plans:
            return [ScriptLine(END_TURN)]
        first, second = plans[0], plans[1] if len(plans) > 1 else None
        moves, completes = self.own_moves(seen, first, second)
        if completes and not first.follower:
            return moves
        silent = self.rng.random() < self.style.silent
        orders = [] if silent else self.instruct(seen, first, second, groups, completes)
        return [*moves, *orders, ScriptLine(END_TURN)]

    def pending(self, seen: Observation) -> list[list[int]]:
        """Cards the follower was told to flip and has not, by the set they serve, in order."""
        waiting = [i for i, (_, state) in enumerate(seen.instructions) if state == PENDING]
        groups: dict[tuple[int, ...], list[int]] = {}
        for given in (self.given[i] for i in waiting if i < len(self.given)):
            left = given.left(seen)
            if left:
                groups.setdefault(given.target, []).extend(left)
        return list(groups.values())

    def missed(self, seen: Observation) -> set[int]:
        """Cards that the follower was told to flip, said it was done, and did not flip."""
        done = [i for i, (_, state) in enumerate(seen.instructions) if state == DONE_STATE]
        return {at for i in done if i < len(self.given) for at in self.given[i].left(seen)}

    def own_moves(
        self, seen: Observation, first: SetPlan, second: SetPlan | None
    ) -> tuple[list[ScriptLine], bool]:
        """Steps of this turn, and whether they finish the leader's share."""
        cards = set(seen.cards)
        legs = route(seen.map, seen.pose, first.leader, cards, self.style.back)
        if legs is None:
            return [], not first.leader
        moves = [move for leg in legs for move in leg]
        completes = len(moves) <= seen.steps
        if completes and second and second.leader and first.follower:
            pose = after(seen.map, seen.pose, moves)
            moves += self.approach(seen.map, pose, second.leader[0], cards)
        return [ScriptLine(ACTS[move]) for move in moves[: seen.steps]], completes

    def approach(self, hexmap: HexMap, pose: int, card: int, cards: set[int]) -> list[str]:
        """A walk towards a card that stops before it."""
        way = walk(hexmap, pose, {card}, cards, self.style.back) or []
        while way and way[-1][0] == "R":
            way.pop()
        return way[:-1]

    def instruct(
        self,
        seen: Observation,
        first: SetPlan,
        second: SetPlan | None,
        groups: list[list[int]],
        completes: bool,
    ) -> list[ScriptLine]:
        """Instructions for the follower's share, and for what it can do with the steps that are left."""
        told = [at for group in groups for at in group]
        new = tuple(at for at in first.follower if at not in told)
        cards, pose, spare = set(seen.cards), seen.partner or 0, STEPS[FOLLOWER]
        actions: list[ScriptLine] = []
        for flips in (told, new):
            legs = route(seen.map, pose, flips, cards, self.style.back) or []
            if flips is new and new:
                actions = self.assignments(seen, first, new, legs, pose)
            moves = [move for leg in legs for move in leg]
            pose, spare = after(seen.map, pose, moves), spare - len(moves)
        useful = second is not None and second.follower and spare >= 2 and len(groups) < 2
        if second and useful and self.rng.random() < self.style.ahead:
            actions += self.ahead(seen, second, pose, completes)
        return actions

    def assignments(
        self, seen: Observation, plan: SetPlan, flips: tuple[int, ...], legs: list[list[str]], pose: int
    ) -> list[ScriptLine]:
        """One instruction for all the cards, or one for each."""
        failed = not self.missed(seen).isdisjoint(flips)
        if len(flips) != len(legs) or self.rng.random() >= self.style.split:
            return [self.tell(seen, plan, Assignment(flips, spell_out=failed), pose)]
        lines = []
        for at, leg in zip(flips, legs, strict=True):
            lines.append(self.tell(seen, plan, Assignment((at,), spell_out=failed), pose))
            pose = after(seen.map, pose, leg)
        return lines

    def ahead(self, seen: Observation, second: SetPlan, pose: int, completes: bool) -> list[ScriptLine]:
        """What to say about the set after this one: take it, or only go there if this one is not done."""
        if completes:
            return [self.tell(seen, second, Assignment(second.follower), pose)]
        return [self.tell(seen, second, Assignment((), second.follower[0]), pose)]

    def tell(self, seen: Observation, plan: SetPlan, assignment: Assignment, pose: int) -> ScriptLine:
        """The instruction for an assignment."""
        faces = seen.faces
        wants = tuple((at, faces[at], at not in seen.selected) for at in assignment.flips)
        return ScriptLine(
            Act("Say", {"text": self.speaker.phrase(seen, assignment, pose)}),
            IssuedInstruction(plan.target, wants),
        )


def planner() -> Leader:
    """A leader that names hexes by their coordinates."""
    return Leader(CoordinateSpeaker(), PlayStyle())
