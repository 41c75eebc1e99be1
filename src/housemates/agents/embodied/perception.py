"""How far segmentation and depth are trusted: exact from the simulator, or noisy from a network."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Perception:
    """What an agent assumes of its segmentation and depth; the defaults are those of exact perception.

    Distances are in metres, confidences between 0 and 1.
    """

    stable_ids: bool = True
    """Whether an id names the same object in every picture; else it is matched by type and place."""
    trusted_types: bool = True
    """Whether a look tells the type of an object; else outcomes of object actions confirm or correct it."""
    trusted_depth: bool = True
    """Whether points of several looks are merged, and what seems to be in the way is."""
    min_confidence_carried: float = 0.0
    """The least confidence in an object that can be carried for it to be believed in."""
    min_confidence_fixed: float = 0.0
    """The least confidence in any other object for it to be believed in."""
    certain: float = 0.8
    """From this confidence the type of a fixed object is believed rather than an outcome."""

    sharper_ratio: float = math.inf
    """A look with so many times the pixels of the best one before replaces it."""
    vanish_looks: int = 1
    """After so many looks through the place where an object was it is forgotten."""
    phantom_views: float = math.inf
    """Not seen from so many viewpoints in a row, an object counts as missed once."""
    keeps_put_down: bool = False
    """Whether an object is believed to lie where it was put down until it is seen again."""
    same_place_m: float = 0.0
    """Containers of a type nearer to each other than this are one."""

    view_ranges_m: tuple[float, ...] = (1.36,)
    """How near a viewpoint has to be; a later range counts only where an earlier one has no viewpoint."""
    comfort_m: float = math.inf
    """Viewpoints farther away than this cost more."""
    stretch_m: float = 0.0
    """What is seen nearer than this is tried even if it seems out of reach."""

    obstacle_range_m: float = math.inf
    """Obstacles farther away than this are not put on the map."""
    obstacle_margin_m: float = 0.01
    """How much nearer than the agent's radius something may be without being an obstacle."""
    obstacle_looks: int = 1
    """How often something is seen before it counts as an obstacle."""
    bump_reach: float = math.inf
    """A bump is blamed on something movable seen within so many half steps."""
    wall_m: float = 0.0
    """How far to both sides of a bump an unseen wall is assumed at least."""
    trapped_poses: int = 0
    """With no more reachable poses than this, bumps are forgotten."""

    looks_ahead: bool = False
    """Whether it looks down at ground where it never stood, and skips looks on ground where it did."""
    closes_doors: bool = False
    """Whether every open door that may be in the way is closed, as it is hard to see from close by."""
    retries: bool = False
    """Whether a failure is tried again as it was, since the next look may be better."""
    object_tries: int = 3
    """How many objects of a type are tried when one is to be taken."""
    task_tries: int = 3
    """How often a task is begun."""
    failure_budget: float = 0.6
    """The share of all failures after which no more containers are opened."""


EXACT = Perception()
"""The simulator's segmentation and depth."""
NOISY = Perception(
    stable_ids=False,
    trusted_types=False,
    trusted_depth=False,
    min_confidence_carried=0.4,
    min_confidence_fixed=0.75,
    sharper_ratio=1.2,
    vanish_looks=3,
    phantom_views=2,
    keeps_put_down=True,
    same_place_m=0.25,
    view_ranges_m=(1.36, 2.5),
    comfort_m=1.15,
    stretch_m=1.9,
    obstacle_range_m=1.8,
    obstacle_margin_m=0.09,
    obstacle_looks=3,
    bump_reach=4,
    wall_m=1.0,
    trapped_poses=12,
    looks_ahead=True,
    closes_doors=True,
    retries=True,
    object_tries=6,
    task_tries=10,
    failure_budget=0.8,
)
"""Segmentation and depth that a network predicts from colours."""
