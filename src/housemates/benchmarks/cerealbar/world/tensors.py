"""The state as tensors for learning: one binary plane a property, in the world's or the player's frame."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.cerealbar.world.cards import is_extendable
from housemates.benchmarks.cerealbar.world.hexes import HEADINGS, Size, axial, rotate
from housemates.benchmarks.cerealbar.world.hexmap import HexMap
from housemates.benchmarks.cerealbar.world.observe import Observation
from housemates.benchmarks.cerealbar.world.state import FOLLOWER, LEADER
from housemates.benchmarks.cerealbar.world.tables import (
    COLOURS,
    COUNTS,
    FAMILIES,
    NO_PROP,
    PROPS,
    SHAPES,
    TERRAINS,
    props_of,
)

Planes = NDArray[np.uint8]
TURNED = ("hut", "windmill", "tower", "tent")
SELECTION = ("unselected", "selected", "invalid")


def _names() -> tuple[str, ...]:
    kinds = {family: [PROPS[i].name for i in props_of(family)] for family in ("hut", "tree", "plant")}
    return (
        *(f"terrain: {terrain.name}" for terrain in TERRAINS),
        *(f"prop: {family}" for family in FAMILIES),
        *(f"kind: {name}" for name in kinds["hut"]),
        *(f"{family} facing {heading}" for family in TURNED for heading in HEADINGS),
        *(f"kind: {name}" for family in ("tree", "plant") for name in kinds[family]),
        *(f"card colour: {colour}" for colour in COLOURS),
        *(f"card shape: {shape}" for shape in SHAPES),
        *(f"card count: {count}" for count in COUNTS),
        *(f"card: {state}" for state in SELECTION),
        *(f"leader facing {heading}" for heading in HEADINGS),
        *(f"follower facing {heading}" for heading in HEADINGS),
    )


PROPERTIES = _names()
"""The name of each plane."""
INDEX = {name: number for number, name in enumerate(PROPERTIES)}


@lru_cache(maxsize=64)
def _ground(hexmap: HexMap) -> Planes:
    """The planes that never change, with hexes in one row."""
    planes = np.zeros((len(PROPERTIES), len(hexmap.terrain)), dtype=np.uint8)
    for at, (ground, prop, rotation) in enumerate(
        zip(hexmap.terrain, hexmap.prop, hexmap.rotation, strict=True)
    ):
        planes[INDEX[f"terrain: {TERRAINS[ground].name}"], at] = 1
        if prop == NO_PROP:
            continue
        kind = PROPS[prop]
        planes[INDEX[f"prop: {kind.family}"], at] = 1
        if f"kind: {kind.name}" in INDEX:
            planes[INDEX[f"kind: {kind.name}"], at] = 1
        if kind.family in TURNED:
            planes[INDEX[f"{kind.family} facing {HEADINGS[rotation]}"], at] = 1
    return planes


def encode(seen: Observation) -> Planes:
    """The known state as `[property, x, y]` of zeros and ones; hexes never seen are all zeros."""
    planes = _ground(seen.map).copy()
    if seen.seen is not None:
        planes[:, [at for at in range(planes.shape[1]) if at not in seen.seen]] = 0
    chosen = [face for at in seen.selected if (face := seen.cards.get(at))]
    state = "selected" if seen.role == FOLLOWER or is_extendable(chosen) else "invalid"
    for at, card in seen.cards.items():
        planes[INDEX[f"card: {state if at in seen.selected else 'unselected'}"], at] = 1
        if card:
            planes[INDEX[f"card colour: {card.colour}"], at] = 1
            planes[INDEX[f"card shape: {card.shape}"], at] = 1
            planes[INDEX[f"card count: {card.number}"], at] = 1
    poses = {seen.role: seen.pose, 1 - seen.role: seen.partner}
    for role, name in ((LEADER, "leader"), (FOLLOWER, "follower")):
        pose = poses[role]
        if pose is not None:
            planes[INDEX[f"{name} facing {HEADINGS[pose % 6]}"], pose // 6] = 1
    width, height = seen.map.size
    return np.ascontiguousarray(planes.reshape(-1, height, width).transpose(0, 2, 1))


def radius(size: Size) -> int:
    """The longest distance between two hexes of a map."""
    return size.height - 1 + size.width - 1


@lru_cache(maxsize=4096)
def ego_index(size: Size, pose: int, reach: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each hex of the map goes in the frame of a pose: hexes, and cells of a flat square."""
    side = 2 * reach + 1
    home_q, home_r = axial(pose // 6, size.width)
    hexes, cells = [], []
    for at in range(size.width * size.height):
        q, r = axial(at, size.width)
        dq, dr = rotate(q - home_q, r - home_r, -(pose % 6))
        if abs(dq) <= reach and abs(dr) <= reach:
            hexes.append(at)
            cells.append((dq + reach) * side + dr + reach)
    return np.array(hexes), np.array(cells)


def egocentric(planes: Planes, pose: int, reach: int) -> Planes:
    """Turn world planes into the frame of a pose, by exact rotation of hexes in axial coordinates.

    The result is `[property, q, r]` with the player in the middle, who always faces towards greater `r`.
    """
    size = Size(planes.shape[1], planes.shape[2])
    flat = planes.transpose(0, 2, 1).reshape(planes.shape[0], -1)
    hexes, cells = ego_index(size, pose, reach)
    side = 2 * reach + 1
    out = np.zeros((planes.shape[0], side * side), dtype=planes.dtype)
    out[:, cells] = flat[:, hexes]
    return out.reshape(-1, side, side)


def from_egocentric(planes: Planes, pose: int, size: Size) -> Planes:
    """Undo `egocentric` for the hexes it kept; the others are zeros."""
    reach = planes.shape[1] // 2
    hexes, cells = ego_index(size, pose, reach)
    flat = np.zeros((planes.shape[0], size.width * size.height), dtype=planes.dtype)
    flat[:, hexes] = planes.reshape(planes.shape[0], -1)[:, cells]
    return np.ascontiguousarray(flat.reshape(-1, size.height, size.width).transpose(0, 2, 1))
