"""Finding things for the Commander: by name or id, with a view that shows them or what hides them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.teach.world.names import types_named
from housemates.core.outcome import Outcome, Reason, refuse, spoken
from housemates.home import World
from housemates.home.containment import has_inside
from housemates.home.naming import Names
from housemates.home.navigation import agent_at, standing_poses
from housemates.home.things import Thing, thor_position, turned
from housemates.home.types import Vec
from housemates.render.camera import Camera, agent_camera, look_at
from housemates.render.frames import Frame
from housemates.render.maps import map_camera
from housemates.render.scene import Renderer

VIEW_PX = 300
VIEWS = 8
"""Standing places from which a view is tried."""
LEAST_PX = 12
"""Fewer pixels do not show a thing."""
HOTSPOTS = 90
"""A view is divided into so many columns and rows; those with the thing in them are its hot spots."""


@dataclass(frozen=True)
class Found:
    """A thing, and a view of it."""

    oid: str
    shown_oid: str
    """What the view shows: the thing itself, or what it is in or on if that hides it."""
    frame: Frame
    mask: NDArray[np.bool_]
    """Where the view shows it."""
    hidden_in: str | None
    """The closed thing that it is in."""

    @property
    def camera(self) -> Camera:
        """Where the view is from."""
        return self.frame.camera

    def told(self, world: World, names: Names) -> str:
        """Where the thing is, in a sentence."""
        thing = world.things[self.oid]
        return f"The {names.called(thing)} is {whereabouts(world, thing, names)}."

    def as_dict(self, world: World) -> dict[str, Any]:
        """The answer in the official form, and with what we know beyond it."""
        thing = world.in_world(world.things[self.oid])
        camera = self.camera
        eye, ahead = camera.position, turned(0.0, 1.0, camera.rotation)
        return {
            "success": True,
            "oid": self.oid,
            "shown_oid": self.shown_oid,
            "view_pos_norm": on_map(world, eye),
            "view_rot_norm": [round(ahead[0], 4) + 0.0, round(-ahead[1], 4) + 0.0],
            "pos_norm": on_map(world, thor_position(thing)),
            "view_hotspot_width": round(1 / HOTSPOTS, 4),
            "view_hotspots": _hotspots(self.mask),
            "object_type": thing.type,
            "position": [round(value, 3) for value in thor_position(thing)],
            "hidden_in": self.hidden_in,
            "rests_on": thing.parents[0] if thing.parents else None,
            "held": world.in_hand(thing),
            "view": {
                "position": [round(value, 3) for value in eye],
                "rotation": camera.rotation,
                "horizon": camera.horizon,
                "fov": camera.fov,
            },
        }


def whereabouts(world: World, thing: Thing, names: Names) -> str:
    """What a thing is in or on, in words: `on the counter top [CounterTop|...]`."""
    if thing.id == world.agent.held:
        return "in the Follower's hand"
    shut = world.enclosing(thing)
    holder = shut or next(world.ancestors(thing), None)
    if holder is None:
        return "by itself"
    way = "shut in" if shut is not None else "in" if has_inside(holder) else "on"
    return f"{way} the {names.called(holder)}"


def find_named(world: World, words: str) -> Thing | Outcome:
    """The nearest thing that the words mean and nobody holds, or the refusal of a search for it."""
    free = [thing for thing in world.things.values() if thing.solid and not world.in_hand(thing)]
    kinds = types_named(words, {thing.type: None for thing in free})
    for kind in kinds:
        nearest = [thing for thing in free if thing.type == kind]
        return min(nearest, key=lambda thing: (math.dist(thing.position, world.agent.position), thing.id))
    held = world.held
    if held is not None and types_named(words, [held.type]):
        told = f"Search: The {spoken(held.type)} is in the Follower's hand."
        return refuse(Reason.IN_HAND, told, success=False, type=held.type)
    return refuse(Reason.NO_SUCH_THING, f"Search: There is nothing like {words!r} here.", success=False)


def find_view(world: World, thing: Thing, renderer: Renderer) -> Found | None:
    """A view of a thing, of what it is shut in, or of what it rests on; None if nothing shows it."""
    shut = world.enclosing(thing)
    for shown in [shut] if shut is not None else [thing, *world.ancestors(thing)]:
        frame = _best_frame(world, shown, renderer)
        if frame is not None:
            hidden_in = None if shut is None else shut.id
            return Found(thing.id, shown.id, frame, frame.mask(shown.id), hidden_in)
    return None


def _best_frame(world: World, thing: Thing, renderer: Renderer) -> Frame | None:
    """The picture that shows most of a thing: from where somebody can stand, else from the air."""
    standing = [] if world.in_hand(thing) else list(_standing(world, thing))
    for cameras in (standing, list(_flying(world.in_world(thing)))):
        frames = renderer.frames(cameras) if cameras else []
        seen = [(frame.visible().get(thing.id, 0), -number) for number, frame in enumerate(frames)]
        best = max(seen, default=(0, 0))
        if best[0] >= LEAST_PX:
            best_frame = frames[-best[1]]
            arrays = (best_frame.rgb.copy(), best_frame.ids.copy(), best_frame.depth.copy())
            return Frame(best_frame.camera, *arrays, best_frame.labels)
    return None


def _standing(world: World, thing: Thing) -> Iterator[Camera]:
    for pose in standing_poses(world, thing)[:VIEWS]:
        yield agent_camera(agent_at(world.agent, pose), VIEW_PX, VIEW_PX)


def _flying(thing: Thing) -> Iterator[Camera]:
    middle = (thing.position[0], thing.position[1] + thing.size[1] / 2, thing.position[2])
    away = 0.8 + max(thing.size)
    for turn in range(0, 360, 45):
        dx, dz = turned(0.0, away, turn)
        yield look_at((middle[0] + dx, middle[1] + 0.7 * away, middle[2] + dz), middle, VIEW_PX, VIEW_PX)


def on_map(world: World, point: Vec) -> list[float]:
    """Where a point is on the map of the home: across and down, 0 to 1."""
    camera = map_camera(world)
    column, row, _ = camera.pixel((point[0], world.scene.floor_y, point[2]))
    return [round(column / camera.width, 4), round(row / camera.height, 4)]


def _hotspots(mask: NDArray[np.bool_]) -> list[list[float]]:
    rows, columns = np.nonzero(mask)
    height, width = mask.shape
    cells = sorted(
        {*zip((columns * HOTSPOTS // width).tolist(), (rows * HOTSPOTS // height).tolist(), strict=True)}
    )
    return [[round(column / HOTSPOTS, 4), round(row / HOTSPOTS, 4)] for column, row in cells]
