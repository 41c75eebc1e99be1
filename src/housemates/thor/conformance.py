"""AI2-THOR's own records beside ours: recorded states are loaded, and every field is compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from housemates.benchmarks.teach.formats.episodes import Game
from housemates.data.replays import share
from housemates.errors import HousematesError
from housemates.thor.controller import Controller
from housemates.thor.scenes import Record

NEAR_M = 0.01
"""Lengths that differ no more than this are the same."""
ADDED = "simbot"
"""How the fields begin that TEACh adds to AI2-THOR's."""
STATIC = {
    "affordances": (
        "receptacle", "toggleable", "breakable", "canFillWithLiquid", "dirtyable", "canBeUsedUp", "cookable",
        "sliceable", "openable", "pickupable", "moveable", "canChangeTempToHot", "canChangeTempToCold",
        "mass", "salientMaterials", "objectType", "name",
    ),
    "receptacles": ("receptacleObjectIds",),
    "parents": ("parentReceptacles",),
    "boxes": ("axisAlignedBoundingBox", "objectOrientedBoundingBox"),
}  # fmt: skip
"""The fields whose values depend on poses and assets alone, by what they tell."""


class Compared(NamedTuple):
    """What came of comparing some fields of one kind."""

    kind: str
    same: bool


def poses_of(objects: Sequence[Record]) -> list[dict[str, Any]]:
    """The poses of what is loose among records, as SetObjectPoses takes them."""
    return [
        {"objectName": record["name"], "position": record["position"], "rotation": record["rotation"]}
        for record in objects
        if record["pickupable"] or record["moveable"]
    ]


def load(controller: Controller, game: Game) -> Any:
    """Go to a game's floor plan and put everything where its first state has it; returns the event.

    Raises:
        HousematesError: if there is no such plan, or its records make no sense.
    """
    try:
        controller.reset(game.plan)
        poses = poses_of(game.episode.initial_state.objects)
        return controller.step("SetObjectPoses", objectPoses=poses, raise_for_failure=True)
    except (KeyError, RuntimeError, ValueError) as error:
        raise HousematesError(f"{game.id}: cannot be loaded ({str(error).strip()}).") from None


def compare(controller: Controller, game: Game) -> Iterator[Compared]:
    """Load a game's first state and compare every record of it with ours."""
    ours = {each["objectId"]: each for each in load(controller, game).metadata["objects"]}
    for theirs in game.episode.initial_state.objects:
        mine = ours.get(theirs["objectId"], {})
        yield Compared("objects", bool(mine))
        for name, value in theirs.items():
            if mine and not name.startswith(ADDED):
                yield Compared("fields", name in mine)
                yield Compared("types", name in mine and _kind_fits(value, mine[name]))
        for kind, names in STATIC.items():
            yield from (Compared(kind, name in mine and _same(theirs[name], mine[name])) for name in names)


def _kind_fits(theirs: Any, mine: Any) -> bool:
    """Whether two values are of one JSON type; an empty list may be null."""
    return mine is None or theirs is None or _kind(theirs) is _kind(mine)


def _kind(value: Any) -> type:
    return float if isinstance(value, int | float) and not isinstance(value, bool) else type(value)


def _same(theirs: Any, mine: Any) -> bool:
    if isinstance(theirs, Mapping) and isinstance(mine, Mapping):
        return _corners_near(theirs["cornerPoints"], mine["cornerPoints"])
    if isinstance(theirs, list) or isinstance(mine, list):
        return sorted(theirs or ()) == sorted(mine or ())
    return bool(theirs == mine)


def _corners_near(theirs: Sequence[Sequence[float]], mine: Sequence[Sequence[float]]) -> bool:
    """Whether the corners of two boxes, in whatever order, span the same room."""
    return bool(np.abs(np.sort(theirs, axis=0) - np.sort(mine, axis=0)).max() <= 2 * NEAR_M)


def summary(found: Sequence[Sequence[Compared]]) -> dict[str, Any]:
    """How often ours is the same, by kind and over all static fields."""
    n, agree = Counter[str](), Counter[str]()
    for each in chain.from_iterable(found):
        kinds = [each.kind, "static"] if each.kind in STATIC else [each.kind]
        n.update(kinds)
        agree.update(kinds if each.same else ())
    return {
        "states": len(found),
        **{kind: {"n": n[kind], "agree": agree[kind], "share": share(agree[kind], n[kind])} for kind in n},
    }
