"""AI2-THOR's records of objects and agents as files have them: the types of all that is read of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import msgspec

from housemates.errors import HousematesError
from housemates.home.types import object_types
from housemates.typed_json import convert

Metres = Annotated[float, msgspec.Meta(ge=-100, le=100)]
"""Within any home."""
Height = Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)]
"""Some things fall through the floor, and go on falling."""
Side = Annotated[float, msgspec.Meta(ge=0, le=100)]
Degrees = Annotated[float, msgspec.Meta(ge=-3600, le=3600)]
Corner = tuple[Metres, Height, Metres]


class Point(msgspec.Struct):
    """A point in metres, y up."""

    x: Metres
    y: Height
    z: Metres


class Sides(msgspec.Struct):
    """How large a box is."""

    x: Side
    y: Side
    z: Side


class Turns(msgspec.Struct):
    """Turns about the three axes."""

    x: Degrees
    y: Degrees
    z: Degrees


class Box(msgspec.Struct):
    """A box along the axes."""

    center: Point
    size: Sides


class Corners(msgspec.Struct, rename="camel"):
    """The corners of a box that is turned."""

    corner_points: Annotated[list[Corner], msgspec.Meta(min_length=8, max_length=8)] | None


class ObjectForm(msgspec.Struct, rename="camel", kw_only=True):
    """An object of a recorded state; what else its record says is kept but never read."""

    object_id: str
    object_type: str
    position: Point
    rotation: Turns
    axis_aligned_bounding_box: Box
    object_oriented_bounding_box: Corners | None = None
    name: str = ""
    parent_receptacles: list[str] | None = None
    temperature: str = msgspec.field(default="RoomTemp", name="ObjectTemperature")
    pickupable: bool = False
    receptacle: bool = False
    sliceable: bool = False
    openable: bool = False
    is_open: bool = False
    is_toggled: bool = False
    is_sliced: bool = False
    is_cooked: bool = False
    is_dirty: bool = False
    is_broken: bool = False
    is_used_up: bool = False
    is_filled_with_liquid: bool = False
    is_picked_up: bool = False


class AgentForm(msgspec.Struct, rename="camel"):
    """An agent or a camera of a recorded state."""

    position: Point
    rotation: Turns
    camera_horizon: Degrees = 0.0


def check_objects(objects: Sequence[Mapping[str, Any]], place: str) -> None:
    """Refuse records of objects that are none, naming the field; `place` is where they stand."""
    for item in convert(objects, list[ObjectForm], place):
        if item.object_type not in object_types():
            raise HousematesError(f"{place}: {item.object_id!r}: objectType: unknown {item.object_type!r}.")


def check_agents(agents: Sequence[Mapping[str, Any]], place: str) -> None:
    """Refuse records of agents that are none."""
    convert(agents, list[AgentForm], place)
