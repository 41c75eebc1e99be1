"""The home behind a game as it is at a moment of it: what the texts tell can be seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import numpy as np

from housemates.benchmarks.alfworld.world.game import Game
from housemates.benchmarks.alfworld.world.state import State
from housemates.home import World
from housemates.home.actions import force
from housemates.home.interactions import swing
from housemates.home.navigation import Cell, Pose, agent_at, reachable, standing_poses
from housemates.home.placement import find_spot
from housemates.home.things import Scene, Thing, object_id
from housemates.home.world import parents_on
from housemates.render.agent_camera import Eyes

_SIGNS = (("|", "_bar_"), ("-", "_minus_"), ("+", "_plus_"), (".", "_dot_"), (",", "_comma_"))
TRIED = 16
"""Poses before a receptacle that are compared by what they show."""
TRIED_EACH = 6
"""Poses before each thing in it that are compared with them."""
GLANCE_PX = 96
"""The side of the pictures by which they are compared."""
SHOWN_PX = 4
"""How many of their pixels a thing needs to count as seen."""


def mangled(name: str) -> str:
    """An id as PDDL can have it; a basin is named after what it is of, as in AI2-THOR."""
    kind, _, rest = name.partition("|")
    if kind.endswith("Basin") and not name.endswith(kind):
        name = f"{kind.removesuffix('Basin')}|{rest}|{kind}"
    for sign, word in _SIGNS:
        name = name.replace(sign, word)
    return name


def turn(world: World, place: Thing, is_open: bool) -> Thing:
    """A receptacle that is open or shut, with what is in it, whoever stands in its way."""
    if place.can("open") and place.open != is_open:
        swing(world, place, is_open)
    return world.things[place.id]


def put(world: World, thing: Thing, place: Thing) -> bool:
    """Put a thing, a new one if it has no id, in or on a receptacle if there is room, open or not."""
    opened = turn(world, place, True)
    spot = find_spot(world, thing, opened)
    if spot is not None and thing.id:
        world.move(thing, spot.position, spot.yaw, parents_on(world, opened))
    elif spot is not None:
        name, parents = object_id(thing.type, spot.position), parents_on(world, opened)
        if name not in world.things:
            changes = {"id": name, "position": spot.position, "yaw": spot.yaw, "parents": parents}
            world.add(msgspec.structs.replace(thing, **changes))
    turn(world, opened, place.open)
    return spot is not None


class Scenery:
    """Draws the moments of a game; what is drawn depends on the state alone, not on how it came about.

    Args:
        scene: The home as the game begins.
        game: The game that tells of it.
        width: Of the picture, in pixels.
        height: Of the picture, in pixels.
    """

    def __init__(self, scene: Scene, game: Game, width: int, height: int) -> None:
        self.scene, self.game = scene, game
        self.world = World(scene)
        self.eyes = Eyes(self.world, width, height)
        known = {mangled(thing.id).lower(): thing.id for thing in scene.things}
        self.things = [known[each] for each in game.ids["object"]]
        self.places = [known[each] for each in game.ids["receptacle"]]
        self._start = self.world.snapshot()
        self._shown: tuple[object, ...] | None = None
        self._poses: dict[int, Pose] = {}
        self._cells: set[Cell] | None = None

    def __deepcopy__(self, memo: Any) -> Scenery:
        """One of its own for the same home, which has drawn nothing yet."""
        return Scenery(self.scene, self.game, self.eyes.width, self.eyes.height)

    def show(self, state: State) -> Eyes:
        """What the agent sees at a moment."""
        wanted = state.snapshot()
        if wanted != self._shown:
            pose = self._pose(state.location)
            self.world.restore(self._start)
            self._arrange(state)
            if pose is not None:
                self.world.agent = agent_at(self.world.agent, pose)
            self._shown = wanted
        return self.eyes

    def _arrange(self, state: State) -> None:
        """Bring the home into the state: what was moved, opened, switched on, cleaned, and taken."""
        world, game = self.world, self.game
        for number, place in self._moved(state):
            put(world, world.things[self.things[number]], world.things[self.places[place]])
        for number, name in enumerate(self.places):
            if game.openable >> number & 1:
                turn(world, world.things[name], bool(state.opened >> number & 1))
        for number, name in enumerate(self.things):
            thing = world.things[name]
            changes = {
                "dirty": thing.dirty and not state.flags["isclean"] >> number & 1,
                "on": thing.on or bool(state.flags["istoggled"] >> number & 1),
            }
            if any(getattr(thing, key) != value for key, value in changes.items()):
                world.update(thing, **changes)
        if state.held >= 0:
            force(world, "Pickup", target=self.things[state.held])

    def _moved(self, state: State) -> Iterator[tuple[int, int]]:
        """The things that lie where they did not lie at first, and where they lie now, in order."""
        for place, inside in enumerate(state.inside):
            for number in inside:
                if number not in self.game.inside[place]:
                    yield number, place

    def _pose(self, location: int) -> Pose | None:
        """Where one stands to see a receptacle and what is in it; None where the agent begins."""
        if location == self.game.start:
            return None
        if location not in self._poses:
            self._poses[location] = self._best(self.game.receptacles_at[location][0])
        return self._poses[location]

    def _best(self, place: int) -> Pose:
        """The pose, of those with the clearest view, that shows most of what is in a receptacle at first."""
        world = World(self.scene)
        if self._cells is None:
            self._cells = reachable(world)
        target = turn(world, world.things[self.places[place]], True)
        inside = {self.things[each] for each in self.game.inside[place]}
        eyes, found = Eyes(world, GLANCE_PX, GLANCE_PX), []
        poses = standing_poses(world, target, self._cells)[:TRIED]
        for each in sorted(inside):
            poses += standing_poses(world, world.things[each], self._cells)[:TRIED_EACH]
        for pose in dict.fromkeys(poses):
            world.agent = agent_at(world.agent, pose)
            seen = eyes.look().visible()
            shown = sum(seen.get(each, 0) >= SHOWN_PX for each in inside)
            found.append((-shown, -seen.get(target.id, 0), pose))
        if not found:
            return _nearest(target, self._cells)
        return min(found)[2]


def _nearest(thing: Thing, cells: set[Cell]) -> Pose:
    """The nearest cell, turned to a thing that cannot be reached from any."""
    x, _, z = thing.position
    cell = min(cells, key=lambda each: ((each.x / 4 - x) ** 2 + (each.z / 4 - z) ** 2, each))
    turn = np.degrees(np.arctan2(x - cell.x / 4, z - cell.z / 4))
    return Pose(cell.x, cell.z, round(turn / 90) * 90 % 360, 30)
