"""Followers: one that reads coordinates, and one that parses English."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass

from housemates.agents.cerealbar.language.listener import Goal, parse
from housemates.agents.cerealbar.language.scene import holds, relate, sector
from housemates.benchmarks.cerealbar.session import ACTS, FINISHED
from housemates.benchmarks.cerealbar.world.hexes import distance, neighbours
from housemates.benchmarks.cerealbar.world.landmarks import landmarks
from housemates.benchmarks.cerealbar.world.observe import Observation
from housemates.benchmarks.cerealbar.world.paths import around_and_back, steps_to_all, walk
from housemates.core.actions import Act
from housemates.core.agent import Agent
from housemates.core.percepts import Brief, Percept

COORDINATES = re.compile(r"\((\d+),(\d+)\)")
CARD_GOALS = ("collect", "deselect")
LOOKS = 5
"""Turns spent looking for a card."""
LINK, DIRECTION = 6.0, 3.0
"""Steps of walking that a true relation and a true direction outweigh."""


@dataclass
class ToCard:
    """A walk onto one card around all others; from a card underfoot it leaves and comes back."""

    target: int
    left: bool
    back: bool
    flipped: bool = False

    def next(self, seen: Observation) -> str | None:
        """The next move; None once the card was flipped, or where there is no way to it."""
        cards = set(seen.cards)
        if self.flipped or self.target not in cards:
            return None
        if seen.pose // 6 == self.target and not self.left:
            way = around_and_back(seen.map, seen.pose, cards)
            move = way[0] if way else None
            self.left = move in ("MF", "MB")
            return move
        way = walk(seen.map, seen.pose, {self.target}, cards, self.back)
        self.flipped = way is not None and len(way) == 1
        return way[0] if way else None


def to_card(seen: Observation, target: int, back: bool) -> ToCard:
    """Begin a walk onto a card, with steps backward or without."""
    return ToCard(target, seen.pose // 6 != target, back)


def step_beside(seen: Observation, target: int, back: bool) -> str | None:
    """The next move to a hex beside a place; None if one is there or cannot get there."""
    cards = set(seen.cards)
    around = {at for at in neighbours(seen.map.size)[target] if at >= 0 and seen.map.passable[at]} - cards
    if seen.pose // 6 in around:
        return None
    way = walk(seen.map, seen.pose, around, cards, back)
    return way[0] if way else None


class CoordinateFollower(Agent):
    """Walks shortest paths to the coordinates it is told, around other cards."""

    def reset(self, brief: Brief) -> None:
        """Forget the last game."""
        self.number = -1
        self.walk: ToCard | None = None

    def act(self, percept: Percept) -> Act:
        """The next step to the first goal of the current instruction."""
        observation: Observation = percept.data
        if self.number != len(observation.instructions):
            self.number = len(observation.instructions)
            self.read(observation)
        while self.flips or self.walk:
            self.walk = self.walk or to_card(observation, self.flips.popleft(), back=True)
            move = self.walk.next(observation)
            if move:
                return ACTS[move]
            self.walk = None
        move = step_beside(observation, self.beside, back=True) if self.beside is not None else None
        return ACTS[move] if move else FINISHED

    def read(self, observation: Observation) -> None:
        """Parse the instruction's coordinates into goals."""
        width = observation.map.size.width
        collect, _, rest = observation.instruction.partition("wait")
        self.flips = deque(int(y) * width + int(x) for x, y in COORDINATES.findall(collect))
        self.beside = next((int(y) * width + int(x) for x, y in COORDINATES.findall(rest)), None)
        self.walk = None


class EnglishFollower(Agent):
    """Pursues the goals of a parsed instruction in turn, on shortest paths around other cards."""

    def reset(self, brief: Brief) -> None:
        """Forget the last game."""
        self.number = -1
        self.goals: deque[Goal] = deque()
        self.start_goal()

    def start_goal(self) -> None:
        """Reset what is known about the next goal."""
        self.walk: ToCard | None = None
        self.place: int | None = None
        self.looked = 0

    def act(self, percept: Percept) -> Act:
        """The next step towards the current goal, or Finished."""
        observation: Observation = percept.data
        if self.number != len(observation.instructions):
            self.number = len(observation.instructions)
            self.goals = deque(parse(observation.instruction))
            self.start_goal()
        while self.goals:
            move = self.pursue(observation, self.goals[0])
            if move and move in observation.legal:
                return ACTS[move]
            self.goals.popleft()
            self.start_goal()
        return FINISHED

    def pursue(self, seen: Observation, goal: Goal) -> str | None:
        """The next move for a goal; None when it is reached or hopeless."""
        if goal.kind in ("turn", "step"):
            return self.by_count(seen, goal)
        if goal.kind == "near":
            return self.approach(seen, goal)
        if self.walk is None:
            target = self.resolve(seen, goal)
            if target is None:
                return self.look_around(goal)
            self.walk = to_card(seen, target, back=False)
        return self.walk.next(seen)

    def by_count(self, seen: Observation, goal: Goal) -> str | None:
        """Turn or step as often as was said; a turn is skipped if the next goal is in sight."""
        following = self.goals[1] if len(self.goals) > 1 else None
        if goal.kind == "turn" and following and self.is_known(seen, following):
            return None
        if self.looked == abs(goal.amount):
            return None
        self.looked += 1
        if goal.kind == "turn":
            return "RR" if goal.amount > 0 else "RL"
        return "MF" if goal.amount > 0 else "MB"

    def is_known(self, seen: Observation, goal: Goal) -> bool:
        """Whether a goal can be resolved without turning first."""
        return goal.kind == "near" or (goal.kind in CARD_GOALS and self.resolve(seen, goal) is not None)

    def approach(self, seen: Observation, goal: Goal) -> str | None:
        """Walk beside the nearest landmark or card that fits."""
        if self.place is None:
            here, width = seen.pose // 6, seen.map.size.width
            if goal.landmark:
                fitting = [mark for mark in landmarks(seen.map) if mark.kind == goal.landmark]
                places = [hexagon for mark in fitting for hexagon in mark.hexes]
            else:
                places = [at for at, face in seen.cards.items() if goal.card.fits(face)]
            if not places:
                return self.look_around(goal)
            self.place = min(places, key=lambda at: (distance(at, here, width), at))
        return step_beside(seen, self.place, back=False)

    def look_around(self, goal: Goal) -> str | None:
        """Turn on the spot, first to where the instruction points."""
        self.looked += 1
        return None if self.looked > LOOKS else "RL" if goal.direction == "left" else "RR"

    def resolve(self, seen: Observation, goal: Goal) -> int | None:
        """The known card that fits the words best and is not too far."""
        undo = goal.kind == "deselect"
        fitting = [at for at, face in seen.cards.items() if goal.card.fits(face)]
        wanted = [at for at in fitting if (at in seen.selected) == undo] or fitting
        if not wanted:
            return None
        steps = steps_to_all(seen.map, seen.pose, seen.cards, back=False)
        costs = {at: min(int(steps[at * 6 : at * 6 + 6].min()), 99) for at in wanted}
        return min(sorted(wanted), key=lambda at: self.misfit(seen, goal, at, costs[at]))

    def misfit(self, seen: Observation, goal: Goal, at: int, steps: int) -> float:
        """Cost of a card as the referent of a goal, in steps."""
        value = float(steps)
        related = relate(seen.map, seen.pose, at) if goal.links else []
        for relation, kind in goal.links:
            value -= LINK * holds(related, relation, kind)
        if goal.direction:
            value -= DIRECTION * (sector(seen.map, seen.pose, at) == goal.direction)
        if goal.order == "farthest":
            value -= 2.0 * steps
        return value
