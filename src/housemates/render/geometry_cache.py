"""Worlds as they were when they were first drawn, so that a start that comes again and again is built twice.

Records are immutable: a world whose things are the same objects looks the same.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import is_
from typing import NamedTuple, TypeVar

import numpy as np

from housemates.core.copies import shared
from housemates.home.things import Agent, Scene, Structure, Thing, turned
from housemates.home.types import Vec
from housemates.home.world import HAND_M
from housemates.render import raster
from housemates.render.camera import axes_of
from housemates.render.frames import Label
from housemates.render.shadows import Cast

Name = TypeVar("Name")
Kept = TypeVar("Kept")
STARTS, BUILDINGS = 128, 32
"""How many starts and buildings are kept; each takes up to a megabyte."""
MET = 4096
"""How many starts are remembered to have been met: one is kept when it is met again."""


class Pose(NamedTuple):
    """Where a thing is drawn: the middle of its base and its turn in degrees."""

    position: Vec
    yaw: float


class Drawn(NamedTuple):
    """A thing as it was last turned into faces."""

    thing: Thing
    pose: Pose | None
    """None while it is hidden; its faces keep their room."""


@shared
class Build(NamedTuple):
    """A world as faces, and where what is among them."""

    scene: Scene | None
    agent: Agent | None
    """Who carried what is drawn as carried."""
    records: Sequence[Thing]
    """All things, as they were drawn."""
    drawn: dict[str, Drawn]
    """What is drawn, in the order of its faces; the building comes before all."""
    slots: Mapping[str, int]
    """Which group of faces each thing is."""
    numbers: Mapping[str, int]
    """The instance number of each thing."""
    labels: tuple[Label, ...]
    """The thing behind each instance number."""
    sheet: raster.Sheet
    """Behind the faces is room for more."""
    used: int
    """How many faces were ever given a place."""
    casts: dict[str, Cast]
    """The shadows of each thing."""

    def shows(self, scene: Scene, things: Mapping[str, Thing]) -> bool:
        """Whether this is what a world with these things looks like, but for what is carried."""
        return (
            len(self.records) == len(things)
            and self.stands_in(scene)
            and all(map(is_, things.values(), self.records))
        )

    def stands_in(self, scene: Scene) -> bool:
        """Whether the building is that of a scene."""
        own = self.scene
        if own is scene or own is None:
            return own is scene
        return own.structures is scene.structures and own.floor_y == scene.floor_y

    def copy(self) -> Build:
        """The same with faces of its own, which can be changed."""
        faces = raster.Faces._make(column.copy() for column in self.sheet.faces)
        groups = raster.Groups._make(each.copy() for each in self.sheet.groups)
        shadows = raster.Shadows._make(each.copy() for each in self.sheet.shadows)
        sheet = raster.sheet(faces, groups, shadows, self.sheet.occluders)
        return self._replace(drawn=dict(self.drawn), sheet=sheet, casts=dict(self.casts))


_starts: OrderedDict[tuple[str | int, ...], Build] = OrderedDict()
_buildings: OrderedDict[tuple[str, tuple[Structure, ...]], Build] = OrderedDict()
_met: OrderedDict[int, bool] = OrderedDict()


def recall(scene: Scene, things: Mapping[str, Thing], agent: Agent, looks: str) -> Build | None:
    """What was built of these things before, if it is still known; not to be changed."""
    found = _starts.get(_name(things.values(), agent, looks))
    return found if found is not None and found.shows(scene, things) else None


def alike(scene: Scene, looks: str) -> Build | None:
    """The last start that was built in the same building, to go on from; not to be changed."""
    found = _buildings.get((looks, scene.structures))
    if found is None or found.scene is None or found.scene.floor_y != scene.floor_y:
        return None
    return found._replace(scene=scene)


def remember(build: Build, looks: str) -> None:
    """Keep what was built of a start that was met before; whoever goes on with it makes a copy first."""
    assert build.scene is not None and build.agent is not None
    name = _name(build.records, build.agent, looks)
    if hash(name) in _met:
        _keep(_starts, name, build, STARTS)
    _keep(_met, hash(name), True, MET)
    if not build.agent.held:
        _keep(_buildings, (looks, build.scene.structures), build, BUILDINGS)


def _name(records: Iterable[Thing], agent: Agent, looks: str) -> tuple[str | int, ...]:
    """Tells starts apart; whoever carries something is a part of it, as that is drawn before its eyes."""
    return (looks, id(agent) if agent.held else 0, *map(id, records))


def _keep(kept: OrderedDict[Name, Kept], name: Name, what: Kept, most: int) -> None:
    kept.pop(name, None)
    kept[name] = what
    while len(kept) > most:
        kept.popitem(last=False)


def held_pose(agent: Agent, thing: Thing) -> Pose:
    """Where a carried thing is in the world."""
    (x0, y0, z0), (x1, y1, z1), (x2, y2, z2) = _hand(agent.rotation, agent.horizon)
    x, y, z = agent.eye
    to_right, to_front = turned(thing.position[0], thing.position[2], agent.rotation)
    x, y, z = x + x0 + x1 + x2, y + y0 + y1 + y2, z + z0 + z1 + z2
    return Pose((x + to_right, y + thing.position[1], z + to_front), thing.yaw + agent.rotation)


@lru_cache(maxsize=1024)
def _hand(rotation: float, horizon: float) -> list[list[float]]:
    """How far the hand of who looks that way is from its eye: by what is to the right, up and forward."""
    reach: list[list[float]] = (axes_of(rotation, horizon) * np.array(HAND_M)[:, None]).tolist()
    return reach
