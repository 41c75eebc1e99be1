"""How doors open: one leaf or two, and where the hinge is, from open boxes or from where people pointed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec
import numpy as np
import numpy.typing as npt

from housemates.home.scenes.plans.orientation import PIVOT_NEAR_M
from housemates.home.things import AGENT_RADIUS_M, Thing, turned
from housemates.home.types import Vec

WITH_DOORS = ("Fridge", "Cabinet")
DOUBLE_DOOR = 0.6
"""What has a door that comes out less than this share of its width has two leaves."""
DOUBLE = "_double"
"""Ends the names of shapes with two leaves."""
NARROW = 0.1
"""A leaf that is narrower than its cabinet by more than this share of it does not reach from side to side."""
HINGE_M = 0.004
"""A door comes out at least so much farther on the side of its hinge."""
MISSED = 2.0
"""How much more a look that cannot have been so counts than one that may."""
CLEAR = 2.0
"""By how much another door must agree better with the looks than the one that is taken otherwise."""

Growth = tuple[float, float, float, float]
"""How far a box grows towards -x, -z, +x and +z when its thing is opened."""
Array = npt.NDArray[np.float64]


class Look(NamedTuple):
    """Where somebody stood and pointed: from an eye along a ray."""

    eye: Vec
    ray: Vec
    action: str
    """`Open`, `Close`, or anything else for what is in the open thing."""


def with_door(thing: Thing, growth: Growth | None, looks: Sequence[Look]) -> Thing:
    """The thing with the door that agrees best with how its box grew and where people pointed.

    Args:
        thing: Something with a door that faces its front.
        growth: How its box grew when it was opened, if that was seen.
        looks: Where people pointed while it was open.
    """
    first = thing if growth is None else _grown(thing, growth)
    if growth is not None and (first.shape.endswith(DOUBLE) or _side(thing, growth)):
        return first
    best, score = first, _agreement(first, looks)
    others = [msgspec.structs.replace(first, mirrored=not first.mirrored)]
    if growth is None:
        others.append(double(first))
    for other in others if looks else []:
        agreement = _agreement(other, looks)
        if agreement >= score + CLEAR:
            best, score = other, agreement
    return best


def _grown(thing: Thing, growth: Growth) -> Thing:
    towards = _towards(growth)
    both = thing.type == "Fridge" or min(towards[(thing.yaw + side) % 360] for side in (90, 270)) > 0
    if both and towards[thing.yaw] < DOUBLE_DOOR * thing.size[0]:
        return double(thing)
    side = _side(thing, growth)
    hung = msgspec.structs.replace(thing, mirrored=side > 0) if side else thing
    return hung if thing.type == "Fridge" else _narrowed(hung, towards[thing.yaw])


def _narrowed(thing: Thing, leaf: float) -> Thing:
    """With a leaf narrower than itself, in its middle unless its hinge is at one of its sides."""
    width = thing.size[0]
    spare = round(width - leaf, 4)
    if spare < NARROW * width:
        return thing
    if abs(thing.pivot[0]) < width / 2 - PIVOT_NEAR_M:
        return msgspec.structs.replace(thing, walls=(spare / 2, spare / 2))
    return msgspec.structs.replace(thing, walls=(spare, 0.0) if thing.mirrored else (0.0, spare))


def _side(thing: Thing, growth: Growth) -> float:
    """How much farther the box grew to the right than to the left, if that tells the side of the hinge."""
    towards = _towards(growth)
    more = towards[(thing.yaw + 90) % 360] - towards[(thing.yaw - 90) % 360]
    return more if abs(more) >= HINGE_M else 0.0


def _towards(growth: Growth) -> dict[float, float]:
    """By yaw."""
    return {270.0: growth[0], 180.0: growth[1], 90.0: growth[2], 0.0: growth[3]}


def double(thing: Thing) -> Thing:
    """The thing with two leaves, which come out half as far as one."""
    shape = f"{thing.shape or thing.kind.shape}{DOUBLE}"
    return msgspec.structs.replace(thing, shape=shape, mirrored=False)


def _agreement(thing: Thing, looks: Sequence[Look]) -> float:
    """How many looks to close it meet its open door, less those that cannot have been so.

    Such are those to close it that meet nothing, those into it that meet its door, and those to open it
    from where the door would have come.
    """
    if not looks:
        return 0.0
    is_open, closed = (msgspec.structs.replace(thing, open=state).shape_parts() for state in (True, False))
    bounds = np.array([(*part.lo, *part.hi) for part in is_open])
    leaves = np.array([part not in closed for part in is_open])
    eyes = np.array([_turned(thing, look.eye, thing.position) for look in looks])
    rays = np.array([_turned(thing, look.ray, (0.0, 0.0, 0.0)) for look in looks])
    met = _first_met(bounds, eyes, rays)
    at_leaf = np.where(met >= 0, leaves[met], False)
    closing, opening = (np.array([look.action == action for look in looks]) for action in ("Close", "Open"))
    right = at_leaf & closing
    wrong = (
        (closing & (met < 0)) | (opening & _at_place(bounds[leaves], eyes)) | (at_leaf & ~closing & ~opening)
    )
    return float(right.sum() - MISSED * wrong.sum())


def _at_place(bounds: Array, eyes: Array) -> npt.NDArray[np.bool_]:
    """Whether any of the boxes reaches to where somebody stands, below the eyes."""
    eyes = eyes[:, None]
    away = np.maximum(np.maximum(bounds[:, :3] - eyes, eyes - bounds[:, 3:]), 0.0)
    near = np.hypot(away[..., 0], away[..., 2]) < AGENT_RADIUS_M
    return np.asarray((near & (bounds[:, 1] < eyes[..., 1])).any(axis=1))


def _first_met(bounds: Array, eyes: Array, rays: Array) -> npt.NDArray[np.int64]:
    """Which of the boxes each look meets first; -1 for none."""
    eyes, rays = eyes[:, None], np.where(np.abs(rays) < 1e-9, 1e-9, rays)[:, None]
    first, second = (bounds[None, :, :3] - eyes) / rays, (bounds[None, :, 3:] - eyes) / rays
    enter, leave = np.minimum(first, second).max(axis=2), np.maximum(first, second).min(axis=2)
    depth = np.where((enter <= leave) & (leave > 0), enter, np.inf)
    nearest: npt.NDArray[np.int64] = depth.argmin(axis=1)
    return np.where(np.isfinite(depth.min(axis=1)), nearest, -1)


def _turned(thing: Thing, point: Vec, origin: Vec) -> Vec:
    x, z = turned(point[0] - origin[0], point[2] - origin[2], -thing.yaw)
    return (x, point[1] - origin[1], z)
