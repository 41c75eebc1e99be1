"""Scripted players: random, idle, and those that plan."""

from __future__ import annotations

import re

import numpy as np

from housemates.benchmarks.base import Instance
from housemates.benchmarks.cerealbar.observe import Observation
from housemates.benchmarks.cerealbar.paths import around_and_back, walk
from housemates.benchmarks.cerealbar.world import DONE, LEADER, Action, say

COORDINATES = re.compile(r"\((\d+),(\d+)\)")


class RandomPlayer:
    """Walks at random; as a leader, says so; as a follower, finishes an instruction now and then."""

    def reset(self, instance: Instance) -> None:
        """Seed from the instance."""
        self.rng = np.random.default_rng([instance.seed, 17])

    def act(self, observation: Observation) -> Action:
        """Any legal action; DONE with a chance of one in ten."""
        moves = [name for name in observation.legal if name != "DONE"]
        if moves and self.rng.random() < 0.9:
            return Action(moves[int(self.rng.random() * len(moves))])
        if observation.role == LEADER and not observation.waiting:
            return say("wander around")
        return DONE


class IdlePlayer:
    """Does nothing: the leader ends its turn, the follower marks every instruction as done."""

    def reset(self, instance: Instance) -> None:
        """Nothing to forget."""

    def act(self, observation: Observation) -> Action:
        """DONE."""
        return DONE


class CoordinateFollower:
    """Walks optimal paths to the coordinates it is told, around cards it must not touch."""

    def reset(self, instance: Instance) -> None:
        """Forget the last game."""
        self.number = -1
        self.flips: list[int] = []
        self.beside: int | None = None

    def act(self, observation: Observation) -> Action:
        """The next step to the first goal of the current instruction."""
        if self.number != len(observation.instructions):
            self.number = len(observation.instructions)
            self.read(observation)
        cards = set(observation.cards)
        pose = observation.pose
        while self.flips:
            goal = self.flips[0]
            if goal // 6 in cards:
                at_goal = pose // 6 == goal // 6
                way = around_and_back(observation.map, pose, cards) if at_goal and goal % 6 else None
                way = way or walk(observation.map, pose, {goal // 6}, cards - {goal // 6})
                if way:
                    if at_goal:
                        self.flips[0] -= goal % 6
                    if len(way) == 1:
                        self.flips.pop(0)
                    return Action(way[0])
            self.flips.pop(0)
        if self.beside is not None and self.beside in cards:
            around = {at for at in observation.map.exits[self.beside] if at >= 0 and at not in cards}
            way = walk(observation.map, pose, around, cards)
            if way:
                return Action(way[0])
        return DONE

    def read(self, observation: Observation) -> None:
        """Turn the instruction's coordinates into goals."""
        collect, _, rest = observation.instruction.partition("wait")
        width = observation.map.size.width
        found = [[int(y) * width + int(x) for x, y in COORDINATES.findall(part)] for part in (collect, rest)]
        self.flips = [at * 6 + 1 for at in found[0]]
        self.beside = found[1][0] if found[1] else None
