"""What rests on or in what, told from where things are: the official files give poses only."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from typing import NamedTuple

import msgspec

from housemates.home.containment import has_inside
from housemates.home.placement import is_dish
from housemates.home.things import Thing, to_local
from housemates.home.types import Vec

ABOVE_M = 0.09
"""How far above a surface the base of what it carries may be found."""
BELOW_M = 0.06
EDGE_M = 0.04
DEEP_M = 0.02
"""How far a thing may reach below the box that it is in."""


class Rest(NamedTuple):
    """A surface that may carry a thing: how far its height is off, and whose it is."""

    off: float
    name: str


def carried(thing: Thing) -> bool:
    """Whether a thing can be carried about."""
    return thing.kind.can("pickup")


def parents_of(things: Sequence[Thing], wanted: Callable[[Thing], bool] = carried) -> list[Thing]:
    """The things, each that is wanted with what it rests on or in."""
    holders = [thing for thing in things if thing.can("receptacle") and thing.type != "Floor"]
    floor = next((thing for thing in things if thing.type == "Floor"), None)
    direct = {thing.id: _holder(thing, holders) or _floor(thing, floor) for thing in things if wanted(thing)}
    dishes = {thing.id for thing in things if carried(thing)}
    return [
        msgspec.structs.replace(thing, parents=_chain(thing.id, direct, dishes))
        if thing.id in direct
        else thing
        for thing in things
    ]


def _floor(thing: Thing, floor: Thing | None) -> str:
    """The floor under a thing that rests on nothing else; what cannot be carried may hang on a wall."""
    if floor is None:
        return ""
    return floor.id if carried(thing) or thing.position[1] - floor.position[1] <= ABOVE_M else ""


def _chain(name: str, direct: Mapping[str, str], dishes: Container[str]) -> tuple[str, ...]:
    """A thing's holder and, while that is a dish, the dish's holder."""
    found = [direct[name]] if direct[name] else []
    while found and found[-1] in dishes and direct.get(found[-1]) and direct[found[-1]] not in found:
        found.append(direct[found[-1]])
    return tuple(found)


def _holder(thing: Thing, holders: Sequence[Thing]) -> str:
    """The surface that carries a thing, also one inside a box, else the box that it is in."""
    others = [holder for holder in holders if holder.id != thing.id]
    rests = [rest for holder in others for rest in _rests(thing, holder)]
    if rests:
        return min(rests).name
    if any(_on_top(thing.position, holder) for holder in others):
        return ""
    boxes = [holder for holder in others if has_inside(holder) and _within(thing.position, holder)]
    return min(boxes, key=_volume).id if boxes else ""


def _on_top(point: Vec, box: Thing) -> bool:
    """Whether a point lies on the top of something that can be shut, where nothing is meant to stand."""
    x, y, z = to_local(box, point)
    width, height, depth = box.size
    inside = abs(x) <= width / 2 and abs(z) <= depth / 2
    return has_inside(box) and inside and abs(y - height) <= BELOW_M


def _volume(thing: Thing) -> float:
    return thing.size[0] * thing.size[1] * thing.size[2]


def _within(point: Vec, holder: Thing) -> bool:
    x, y, z = to_local(holder, point)
    width, height, depth = holder.size
    return abs(x) <= width / 2 and abs(z) <= depth / 2 and -DEEP_M <= y < height - DEEP_M


def _rests(thing: Thing, holder: Thing) -> list[Rest]:
    if is_dish(holder) and not _smaller(thing, holder):
        return []
    x, y, z = to_local(holder, thing.position)
    found = []
    for part in holder.shape_parts():
        if part.support is None:
            continue
        above = y - part.hi[1]
        if (
            part.lo[0] - EDGE_M <= x <= part.hi[0] + EDGE_M
            and part.lo[2] - EDGE_M <= z <= part.hi[2] + EDGE_M
            and -BELOW_M <= above <= ABOVE_M
        ):
            found.append(Rest(abs(above), holder.id))
    return found


def _smaller(thing: Thing, dish: Thing) -> bool:
    return thing.size[0] * thing.size[2] < dish.size[0] * dish.size[2]
