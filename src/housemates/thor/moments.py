"""A moment of a scene: all that an event is made of, and the stage on which it is looked at again."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from types import MappingProxyType
from typing import NamedTuple

import msgspec
import numpy as np

from housemates.core.copies import shared
from housemates.home.things import Agent, Scene, Thing
from housemates.home.types import Vec
from housemates.home.world import Snapshot, World
from housemates.render.agent_camera import Eyes
from housemates.render.camera import Camera, agent_camera, overhead_camera
from housemates.render.frames import Frame
from housemates.render.scene import Renderer
from housemates.thor.replies import Reply
from housemates.thor.scenes import Place
from housemates.thor.settings import Settings, ThirdCamera

CLICK_PX = 600
"""Height of the picture in which rays are followed."""
MAP_MARGIN_M = 0.2
STRAIGHT_DOWN_DEG = 90


class Shown(NamedTuple):
    """What events tell otherwise than the world alone would have it."""

    only: frozenset[str] | None = None
    """Ids of the objects in the metadata; all of them if there is no filter."""
    openness: Mapping[str, float] = MappingProxyType({})
    """How far things stand open that do not stand open all the way."""
    hand_turn: Vec = (0.0, 0.0, 0.0)
    """How what is held is turned before the agent, in degrees."""
    light: Vec | None = None
    """By how much red, green and blue are brighter than usual."""


@shared
class Moment(NamedTuple):
    """All that changes in a scene, after an action. Records are immutable, so it is cheap to keep."""

    things: dict[str, Thing]
    agents: tuple[Agent, ...]
    active: int
    """Whose action it was; what that agent holds is in the frame of its hand."""
    cameras: tuple[ThirdCamera, ...]
    settings: Settings
    images: frozenset[str]
    from_above: bool
    """Whether the agents' cameras show the plan."""
    reply: Reply
    shown: Shown = Shown()


class MapView(NamedTuple):
    """How the plan is seen from above: the middle of the picture, and half its height in metres."""

    centre: Vec
    half_m: float


class Stage:
    """Where moments of one scene are looked at, the last one or earlier ones."""

    def __init__(self, place: Place, scene: Scene) -> None:
        self.place = place
        self.world = World(scene)
        self.renderer = Renderer(self.world)
        self._shown: tuple[Moment, int] | None = None
        self._eyes: dict[tuple[int, int, bool], Eyes] = {}

    def show(self, moment: Moment, agent: int) -> World:
        """The world of a moment as one of the agents finds it."""
        if self._shown is None or self._shown[0] is not moment or self._shown[1] != agent:
            self.world.restore(Snapshot(moment.things, moment.agents[moment.active], 0))
            if agent != moment.active:
                lay_down(self.world)
                self.world.agent = msgspec.structs.replace(moment.agents[agent], held="")
            self._shown = (moment, agent)
        return self.world

    def look(self, moment: Moment, agent: int) -> Frame:
        """What an agent sees, or the plan; the next look overwrites its arrays."""
        self.show(moment, agent)
        size = moment.settings
        if moment.from_above:
            plan = self.plan
            return self.renderer.frame(overhead_camera(plan.centre, 2 * plan.half_m, size.width, size.height))
        return self._look(size.width, size.height, False)

    def touch(self, moment: Moment, agent: int) -> Frame:
        """What an agent's finger meets: see `Renderer.frame`."""
        self.show(moment, agent)
        size = moment.settings
        return self._look(max(1, round(CLICK_PX * size.width / size.height)), CLICK_PX, True)

    def _look(self, width: int, height: int, to_touch: bool) -> Frame:
        eyes = self._eyes.get((width, height, to_touch))
        if eyes is None:
            eyes = Eyes(self.world, width, height, to_touch, self.renderer)
            self._eyes = {**dict(list(self._eyes.items())[-3:]), (width, height, to_touch): eyes}
        return eyes.look()

    def watch(self, moment: Moment, number: int) -> Frame:
        """What one of the added cameras sees; turned by quarters where it is rolled over."""
        self.show(moment, moment.active)
        camera, size = moment.cameras[number], moment.settings
        down, around, roll = camera.rotation
        lens = Camera(camera.position, around, down, size.width, size.height, camera.fov)
        if camera.half_m and round(down) == STRAIGHT_DOWN_DEG:
            x, _, z = camera.position
            middle = (x, self.world.scene.floor_y, z)
            lens = overhead_camera(middle, 2 * camera.half_m, size.width, size.height)
        frame = self.renderer.frame(lens)
        quarters = round(roll / 90) % 4
        if not quarters or (size.width != size.height and quarters % 2):
            return frame
        return Frame(
            lens,
            np.rot90(frame.rgb, -quarters).copy(),
            np.rot90(frame.ids, -quarters).copy(),
            np.rot90(frame.depth, -quarters).copy(),
            frame.labels,
        )

    def camera(self, moment: Moment, agent: int) -> Camera:
        """The camera of an agent."""
        size = moment.settings
        return agent_camera(moment.agents[agent], size.width, size.height)

    @cached_property
    def plan(self) -> MapView:
        """How this scene is seen from above."""
        corners = [
            point for structure in self.world.scene.structures for point in (structure.lo, structure.hi)
        ]
        spots = (
            corners or [thing.position for thing in self.world.scene.things] or [self.world.agent.position]
        )
        low, high = np.min(spots, axis=0) - MAP_MARGIN_M, np.max(spots, axis=0) + MAP_MARGIN_M
        middle = (low + high) / 2
        half = float(max(high[0] - low[0], high[2] - low[2])) / 2
        return MapView((float(middle[0]), self.world.scene.floor_y, float(middle[2])), half)


def lay_down(world: World) -> None:
    """Have what the agent holds stay in the air where it is, so that somebody else can look at it or act."""
    held = world.held
    if held is None:
        return
    here = world.in_world(held)
    world.agent = msgspec.structs.replace(world.agent, held="")
    world.move(held, here.position, here.yaw, ())


def take_up(world: World, held: str) -> None:
    """Take back into the hand what was laid down in the air."""
    if not held:
        return
    thing = world.things[held]
    world.move(thing, (0.0, -thing.size[1] / 2, 0.0), 0.0, ())
    world.agent = msgspec.structs.replace(world.agent, held=held)
