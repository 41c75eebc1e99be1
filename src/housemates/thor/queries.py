"""Questions about a scene: where a ray ends, where one can stand, what it looks like from elsewhere."""

from __future__ import annotations

import math

from housemates.home.navigation import reachable
from housemates.home.things import GRID_M
from housemates.thor.arguments import Arguments
from housemates.thor.interaction import pixel
from housemates.thor.replies import Refused
from housemates.thor.settings import camera_given
from housemates.thor.simulation import Simulation, answers

MOST_CAMERAS = 16


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


@answers("ToggleMapView")
def toggle_map_view(simulation: Simulation, arguments: Arguments) -> None:
    """Have the agents' cameras show the plan, or what the agents see again."""
    simulation.from_above = not simulation.from_above


@answers("AddThirdPartyCamera", required=("position", "rotation"))
def add_third_party_camera(simulation: Simulation, arguments: Arguments) -> None:
    """Put up a camera that nobody carries."""
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
