"""The records a world is made of: things, the agent, and the scene they live in. All are immutable."""

from __future__ import annotations

import math
from typing import NamedTuple

import msgspec

from housemates.errors import HousematesError
from housemates.home import shapes
from housemates.home.types import ObjectType, Vec, object_type

GRID_M = 0.25
REACH_M = 1.5
AGENT_RADIUS_M = 0.2
AGENT_HEIGHT_M = 0.901
"""Height of the agent's position above the floor."""
CAMERA_ABOVE_AGENT_M = 0.675
HORIZON_RANGE_DEG = (-30, 60)
HOUSE = "house"
"""What the scene of several rooms is called, where that of one room is called a kitchen."""


class Zone(NamedTuple):
    """A rectangle of a receptacle on which things come to stand.

    Its corners are given around the middle of the receptacle's base along axes turned by `yaw`.

    Their pivots come to the inner corners of an eight by eight lattice, and they do not stick out.
    Without width and depth it is the one place where things stand.
    """

    x0: float
    z0: float
    x1: float
    z1: float
    y: float
    """How high above the receptacle's base things stand."""
    yaw: float = 0.0
    """How it, and things that nothing hinders, are turned against the receptacle."""


class Thing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One object: what it is, where it is and what state it is in.

    `position` is the middle of the base of its box. A held thing and what it carries have their
    position and yaw in the frame of the agent's hand.
    """

    id: str
    type: str
    position: Vec
    size: Vec
    yaw: float = 0.0
    """Clockwise from +z seen from above, in degrees."""
    parents: tuple[str, ...] = ()
    """What it rests on or in; the first is the nearest."""
    look: int = 0
    """Which of its type's looks it has."""
    open: bool = False
    on: bool = False
    sliced: bool = False
    cooked: bool = False
    dirty: bool = False
    broken: bool = False
    used_up: bool = False
    liquid: str = ""
    """What it is filled with, for example `water` or `coffee`."""
    temperature: str = "RoomTemp"
    warm_until: int = 0
    """The step at which its temperature goes back to `RoomTemp`; 0 while its cause lasts."""
    controls: tuple[str, ...] = ()
    """What it works on: a knob its burners, a faucet its basins."""
    levels: tuple[float, ...] = ()
    """Heights of its supports above its base, where they are not its shape's defaults."""
    shape: str = ""
    """The shape it has, where it is not its type's."""
    mirrored: bool = False
    """Whether left and right are swapped, as for the hinge of a door."""
    lacks: tuple[str, ...] = ()
    """What its type affords but this one does not."""
    slices: int = 0
    """How many pieces it gives, where it is not its type's number."""
    parts: tuple[shapes.Part, ...] = ()
    """Its own parts, where its type's shape does not describe it, such as an L-shaped counter."""
    pivot: Vec = (0.0, 0.0, 0.0)
    """The point that AI2-THOR gives as its position, in its own frame."""
    zones: tuple[Zone, ...] = ()
    """Where things come to stand on it, where that is known better than its parts tell."""
    walls: tuple[float, ...] = ()
    """How far its cavity is from its left, right and back, and each of its supports from its front, where
    that is not as in its shape."""
    tilt: str = ""
    """How it is turned over, if it is: axis and degrees. Its size and parts are as it lies."""
    name: str = ""
    """AI2-THOR's asset name, where it has one."""

    @property
    def kind(self) -> ObjectType:
        """Its row in the table of types."""
        return object_type(self.type)

    @property
    def affords(self) -> frozenset[str]:
        """All that can be done with it."""
        every = object_type(self.type).affords
        return every.difference(self.lacks) if self.lacks else every

    def can(self, affordance: str) -> bool:
        """Whether it affords this, for example `pickup` or `open`."""
        return affordance in object_type(self.type).affords and affordance not in self.lacks

    @property
    def heel(self) -> bool:
        """Whether it is the end of a loaf, which cannot be cut any further."""
        return self.slices < 0

    @property
    def solid(self) -> bool:
        """Whether it takes up space; what has been cut up does not."""
        return not self.sliced

    def states(self) -> frozenset[str]:
        """The states that decide which of its parts exist and how they look."""
        return _states(self.open, self.on, bool(self.liquid), self.temperature == "Hot", self.dirty)

    def shape_parts(self) -> tuple[shapes.Part, ...]:
        """Its parts in its own frame."""
        if self.parts:
            return self.parts
        return shapes.parts(
            self.shape or self.kind.shape, self.size, self.states(), self.levels, self.mirrored, self.walls
        )


_STATES: dict[tuple[bool, ...], frozenset[str]] = {
    (is_open, on, filled, hot, dirty): frozenset(
        [
            "open" if is_open else "closed",
            "on" if on else "off",
            "filled" if filled else "dry",
            "hot" if hot else "cool",
            *(["dirty"] if dirty else []),
        ]
    )
    for is_open in (False, True)
    for on in (False, True)
    for filled in (False, True)
    for hot in (False, True)
    for dirty in (False, True)
}


def _states(is_open: bool, on: bool, filled: bool, hot: bool, dirty: bool) -> frozenset[str]:
    return _STATES[is_open, on, filled, hot, dirty]


class Agent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the agent stands and looks, and what is in its hand."""

    x: float
    z: float
    rotation: int = 0
    """0, 90, 180 or 270 degrees clockwise from +z."""
    horizon: int = 30
    """Degrees the camera looks down."""
    held: str = ""
    """Id of the thing in its hand."""
    y: float = AGENT_HEIGHT_M
    fov: int = 90
    """Field of view of its camera in degrees."""

    @property
    def position(self) -> Vec:
        """The agent's position, from which reach is measured."""
        return (self.x, self.y, self.z)

    @property
    def eye(self) -> Vec:
        """Where its camera is."""
        return (self.x, self.y + CAMERA_ABOVE_AGENT_M, self.z)


class Structure(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of the building that is no object: a wall, the body of a stove, the space under a counter."""

    lo: Vec
    hi: Vec
    material: str


class Scene(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A home as it is at the start of an episode."""

    id: str
    room: str
    """kitchen, living room, bedroom, bathroom or house."""
    things: tuple[Thing, ...]
    agent: Agent
    structures: tuple[Structure, ...] = ()
    floor_y: float = 0.0
    walkable: tuple[tuple[int, int], ...] | None = None
    """Cells (x, z in grid steps) where the agent may stand, if known; else they follow from the parts."""


def floor_boxes(floor: Thing) -> list[tuple[float, float, float, float]]:
    """The rectangles of a floor: left, back, right and front edge, seen from above."""
    x, _, z = floor.position
    parts = floor.shape_parts()
    return [(x + part.lo[0], z + part.lo[2], x + part.hi[0], z + part.hi[2]) for part in parts]


def turned(x: float, z: float, yaw_deg: float) -> tuple[float, float]:
    """Turn a horizontal vector clockwise (seen from above, +z north, +x east) by `yaw_deg`."""
    cosine, sine = _cos_sin(yaw_deg)
    return x * cosine + z * sine, z * cosine - x * sine


def _cos_sin(yaw_deg: float) -> tuple[float, float]:
    quarter = _QUARTERS.get(yaw_deg % 360)
    if quarter is not None:
        return quarter
    radians = math.radians(yaw_deg)
    return math.cos(radians), math.sin(radians)


_QUARTERS = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), 180.0: (-1.0, 0.0), 270.0: (0.0, -1.0)}


def to_world(thing: Thing, point: Vec) -> Vec:
    """A point of the thing's own frame in the world's frame."""
    x, z = turned(point[0], point[2], thing.yaw)
    return (thing.position[0] + x, thing.position[1] + point[1], thing.position[2] + z)


def to_local(thing: Thing, point: Vec) -> Vec:
    """A point of the world's frame in the thing's own frame."""
    x, z = turned(point[0] - thing.position[0], point[2] - thing.position[2], -thing.yaw)
    return (x, point[1] - thing.position[1], z)


def thor_position(thing: Thing) -> Vec:
    """The position that AI2-THOR would give for it."""
    return to_world(thing, thing.pivot)


def opening_shift(thing: Thing) -> Vec:
    """How far what lies in a thing moves when it is opened, as in a drawer, in the world's frame."""
    shift = shapes.shape(thing.shape or thing.kind.shape).open_shift
    x, z = turned(shift[0] * thing.size[0], shift[2] * thing.size[2], thing.yaw)
    return (x, shift[1] * thing.size[1], z)


def object_id(kind: str, position: Vec) -> str:
    """An id in AI2-THOR's style, such as `Mug|-01.18|+00.91|+00.53`."""
    return "|".join([kind, *(f"{value:+06.2f}" for value in position)])


def place_in(name: str) -> Vec:
    """The position that an id in AI2-THOR's style tells."""
    try:
        x, y, z = (float(value) for value in name.split("|")[1:4])
    except ValueError:
        raise HousematesError(f"{name!r}: expected an id such as Mug|-01.18|+00.91|+00.53.") from None
    return (x, y, z)


def type_in(name: str) -> str:
    """The type that an id tells: the first word, or the last of `Sink|...|SinkBasin` and of slices."""
    words = name.split("|")
    return words[4].split("_")[0] if len(words) > 4 else words[0]


def whole_in(name: str) -> str:
    """The id of what a piece was cut from; the id of anything else as it is, also of `Sink|...|SinkBasin`."""
    words = name.split("|")
    return name if len(words) < 5 or words[4].endswith("Basin") else "|".join(words[:4])
