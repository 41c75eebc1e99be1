"""Example aggregation: the next instruction, begun where the follower itself ended the one before."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from housemates.benchmarks.cerealbar.world.hexes import distance
from housemates.benchmarks.cerealbar.world.hexmap import STANDARD, neighbour_table
from housemates.models.cerealbar_plan.data import ACTIONS, Example, moved_to
from housemates.models.cerealbar_plan.rollout import Walker

FAR = 2
"""Hexes from the recorded start beyond which an example counts as implicit."""


def ended_elsewhere(walker: Walker, after: Example) -> bool:
    """Whether an instruction was finished with the right cards, but not where the next one was begun."""
    right = walker.done and walker.changed == set(walker.example.changed)
    return right and walker.pose != after.pose


def recovery(after: Example, pose: int) -> Example | None:
    """An instruction begun at another pose; None if the recorded path cannot be reached from there.

    A shortest path leads to where the recorded follower first flipped a card, or else to where it ended; from
    there on the actions are the recorded ones.
    """
    if len(after.actions) == 1:
        return replace(moved_to(after, pose), visited=[pose // 6], end=pose)
    moment = _first_flip(after)
    way = _way(after, pose, _pose_at(after, moment))
    if way is None:
        return None
    actions = way + after.actions[moment:]
    far = distance(pose // 6, after.pose // 6, STANDARD.width) > FAR
    visited = _visited(after, pose, actions)
    return replace(moved_to(after, pose), actions=actions, visited=visited, implicit=far)


def _first_flip(example: Example) -> int:
    """Actions until the first card was flipped, or all but the last."""
    for number in range(1, len(example.visited)):
        stepped = example.visited[number] != example.visited[number - 1]
        if stepped and example.cards[example.visited[number]]:
            return number
    return len(example.actions) - 1


def _pose_at(example: Example, moment: int) -> int:
    walker = Walker(example)
    for action in example.actions[:moment]:
        walker.act(action)
    return walker.pose


def _visited(example: Example, pose: int, actions: list[int]) -> list[int]:
    walker = Walker(moved_to(example, pose))
    found = []
    for action in actions:
        found.append(walker.pose // 6)
        walker.act(action)
    return found


def _way(example: Example, start: int, target: int) -> list[int] | None:
    """Breadth-first search for actions from pose to pose that flip no other card; None if there are none."""
    shut = example.blocked | example.cards
    shut[target // 6] = False
    came: dict[int, tuple[int, int]] = {start: (-1, -1)}
    todo = [start]
    for pose in todo:
        if pose == target:
            break
        for action, ahead in enumerate(_neighbours()[pose]):
            if ahead >= 0 and ahead not in came and not (action < 2 and shut[ahead // 6]):
                came[ahead] = (pose, action)
                todo.append(int(ahead))
    if target not in came:
        return None
    found: list[int] = []
    pose = target
    while pose != start:
        pose, action = came[pose]
        found.append(action)
    return found[::-1]


@cache
def _neighbours() -> np.ndarray:
    """(poses, 4): the pose that MF, MB, RL and RR lead to on an empty map; -1 is off the map."""
    hexes = neighbour_table(STANDARD)
    at, heading = np.divmod(np.arange(len(hexes) * 6), 6)
    found = np.empty((len(at), len(ACTIONS) - 1), np.int64)
    for action, turn in ((0, 0), (1, 3)):
        to = hexes[at, (heading + turn) % 6]
        found[:, action] = np.where(to >= 0, to * 6 + heading, -1)
    found[:, 2], found[:, 3] = at * 6 + (heading - 1) % 6, at * 6 + (heading + 1) % 6
    return found
