"""The state as tensors for learning: one binary plane a property, in the world's or the player's frame."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.cerealbar.world.cards import Card, is_extendable
from housemates.benchmarks.cerealbar.world.hexes import HEADINGS, Size, axial, rotate
from housemates.benchmarks.cerealbar.world.hexmap import HexMap
from housemates.benchmarks.cerealbar.world.observe import Observation
from housemates.benchmarks.cerealbar.world.state import LEADER, ROLES
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


def _rows(kinds: Iterable[tuple[str, ...]]) -> NDArray[np.int64]:
    """For each kind the numbers of its planes, padded with that of a plane that is cut off."""
    found = [[INDEX[name] for name in names if name in INDEX] for names in kinds]
    most = max(map(len, found))
    return np.array([row + [len(PROPERTIES)] * (most - len(row)) for row in found])


GROUND = _rows((f"terrain: {terrain.name}",) for terrain in TERRAINS)[:, 0]
STANDING = _rows(
    (f"prop: {prop.family}", f"kind: {prop.name}", f"{prop.family} facing {heading}")
    for prop in PROPS
    for heading in HEADINGS
)
FACES = {
    Card(number, colour, shape): (
        INDEX[f"card colour: {colour}"],
        INDEX[f"card shape: {shape}"],
        INDEX[f"card count: {number}"],
    )
    for number in COUNTS
    for colour in COLOURS
    for shape in SHAPES
}
PLAYERS = tuple(tuple(INDEX[f"{name} facing {heading}"] for heading in HEADINGS) for name in ROLES)
STATES = {state: INDEX[f"card: {state}"] for state in SELECTION}


@cache
def _cells(size: Size) -> tuple[int, ...]:
    """Where each hex is in a flat plane `[x, y]`."""
    return tuple(at % size.width * size.height + at // size.width for at in range(size.width * size.height))


@lru_cache(maxsize=64)
def _still(hexmap: HexMap, seen: frozenset[int] | None) -> Planes:
    """The planes of ground and props where they are known, each plane in one row."""
    hexes = len(hexmap.terrain)
    planes = np.zeros((len(PROPERTIES) + 1, hexes), dtype=np.uint8)
    known = np.arange(hexes) if seen is None else np.array(sorted(seen), dtype=np.int64)
    cells = np.array(_cells(hexmap.size))
    planes[GROUND[hexmap.ground[known]], cells[known]] = 1
    known = known[hexmap.standing[known] != NO_PROP]
    planes[STANDING[hexmap.standing[known] * 6 + hexmap.turned[known]], cells[known, None]] = 1
    return planes[:-1].copy()


@lru_cache(maxsize=128)
def _with_cards(
    hexmap: HexMap,
    seen: frozenset[int] | None,
    cards: tuple[tuple[int, Card | None], ...],
    selected: frozenset[int],
    state: str,
) -> Planes:
    """The planes of everything but the players; selected cards are in this state."""
    planes = _still(hexmap, seen).copy()
    size, cells = planes.shape[1], _cells(hexmap.size)
    on, off = STATES[state], STATES["unselected"]
    marks = [(on if at in selected else off) * size + cells[at] for at, _ in cards]
    marks += [plane * size + cells[at] for at, card in cards if card for plane in FACES[card]]
    planes.reshape(-1)[marks] = 1
    return planes


def encode(seen: Observation) -> Planes:
    """The known state as `[property, x, y]` of zeros and ones; hexes never seen are all zeros."""
    state = "selected"
    if seen.role == LEADER and not is_extendable([seen.faces[at] for at in seen.selected]):
        state = "invalid"
    planes = _with_cards(seen.map, seen.seen, tuple(seen.cards.items()), seen.selected, state).copy()
    cells = _cells(seen.map.size)
    planes[PLAYERS[seen.role][seen.pose % 6], cells[seen.pose // 6]] = 1
    if seen.partner is not None:
        planes[PLAYERS[1 - seen.role][seen.partner % 6], cells[seen.partner // 6]] = 1
    return planes.reshape(-1, *seen.map.size)


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
