"""Questions about a scene: where a ray ends, where one can stand, what it looks like from elsewhere."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from housemates.home.navigation import reachable
from housemates.home.things import GRID_M
from housemates.thor.arguments import Arguments
from housemates.thor.interaction import pixel
from housemates.thor.replies import Refused
from housemates.thor.settings import camera_given
from housemates.thor.simulation import Simulation, answers

MOST_CAMERAS = 16
CAMERA_ABOVE_M = 2.5
"""How high above the floor the camera of the map is said to be."""


@answers("GetCoordinateFromRaycast", required=("x", "y"))
def coordinate_from_raycast(simulation: Simulation, arguments: Arguments) -> dict[str, float]:
    """The point of the scene under a place of the picture."""
    frame = simulation.stage.touch(simulation.now(), simulation.active)
    column, row = pixel(arguments, frame.camera.width, frame.camera.height)
    depth = float(frame.depth[row, column])
    if not math.isfinite(depth):
        raise Refused("Raycast did not hit any object")
    return dict(zip("xyz", frame.camera.point(column + 0.5, row + 0.5, depth), strict=True))


@answers("GetReachablePositions")
def reachable_positions(simulation: Simulation, arguments: Arguments) -> list[dict[str, float]]:
    """Every place of the grid that the agent can walk to."""
    every = max(1, round(float(arguments.get("gridSize", simulation.settings.grid_m)) / GRID_M))
    agent = simulation.world.agent
    return [
        {"x": cell.x * GRID_M, "y": agent.y, "z": cell.z * GRID_M}
        for cell in sorted(reachable(simulation.world))
        if cell.x % every == 0 and cell.z % every == 0
    ]


@answers("SetObjectFilter", required=("objectIds",))
def set_object_filter(simulation: Simulation, arguments: Arguments) -> None:
    """Tell of these objects alone from now on."""
    things = simulation.world.things
    only = frozenset(name for name in arguments["objectIds"] if isinstance(name, str) and name in things)
    simulation.shown = simulation.shown._replace(only=only)


@answers("SetObjectFilterForType", required=("objectTypes",))
def set_object_filter_for_type(simulation: Simulation, arguments: Arguments) -> None:
    """Tell of objects of these types alone from now on."""
    kinds, part = arguments["objectTypes"], bool(arguments.get("allowPartialMatch"))
    only = frozenset(
        thing.id
        for thing in simulation.world.things.values()
        if any(
            kind == thing.type or (part and isinstance(kind, str) and kind in thing.type) for kind in kinds
        )
    )
    simulation.shown = simulation.shown._replace(only=only)


@answers("ResetObjectFilter")
def reset_object_filter(simulation: Simulation, arguments: Arguments) -> None:
    """Tell of all objects again."""
    simulation.shown = simulation.shown._replace(only=None)


@answers("GetMapViewCameraProperties")
def map_view(simulation: Simulation, arguments: Arguments) -> dict[str, Any]:
    """A camera that shows the whole plan from above, as AddThirdPartyCamera takes it."""
    (x, _, z), half = simulation.stage.plan
    height = simulation.world.scene.floor_y + CAMERA_ABOVE_M
    return {
        "position": {"x": x, "y": height, "z": z},
        "rotation": {"x": 90.0, "y": 0.0, "z": 0.0},
        "fieldOfView": float(simulation.settings.fov),
        "orthographic": True,
        "orthographicSize": half,
    }


@answers("GetObjectInFrame", required=("x", "y"))
def object_in_frame(simulation: Simulation, arguments: Arguments) -> str:
    """The object under a place of the picture."""
    frame = simulation.stage.touch(simulation.now(), simulation.active)
    column, row = pixel(arguments, frame.camera.width, frame.camera.height)
    name = frame.thing_at(column, row)
    if name is None:
        raise Refused(f"No object found at ({arguments['x']:g}, {arguments['y']:g})")
    return name


@answers("ToggleMapView")
def toggle_map_view(simulation: Simulation, arguments: Arguments) -> None:
    """Have the agents' cameras show the plan, or what the agents see again."""
    simulation.from_above = not simulation.from_above


@answers("AddThirdPartyCamera", required=("position", "rotation"))
def add_third_party_camera(simulation: Simulation, arguments: Arguments) -> None:
    """Put up a camera that nobody carries."""
    if not isinstance(arguments["position"], Mapping):
        raise Refused("position: expected x, y and z")
    if len(simulation.cameras) == MOST_CAMERAS:
        raise Refused(f"No more than {MOST_CAMERAS} third party cameras.")
    simulation.cameras.append(camera_given(arguments))


@answers("UpdateThirdPartyCamera")
def update_third_party_camera(simulation: Simulation, arguments: Arguments) -> None:
    """Move a camera that nobody carries."""
    number = int(arguments.get("thirdPartyCameraId", 0))
    if not 0 <= number < len(simulation.cameras):
        raise Refused(f"Invalid thirdPartyCameraId: {number}. There are {len(simulation.cameras)} cameras.")
    simulation.cameras[number] = camera_given(arguments, simulation.cameras[number])
