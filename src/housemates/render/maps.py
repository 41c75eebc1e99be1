"""A plan of a home from above, with whoever is in it, where they look and where they have been."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from housemates.home.things import Agent, Scene, turned
from housemates.home.types import Vec
from housemates.render.camera import Camera, overhead_camera
from housemates.render.scene import Renderer, Visible

AGENT_COLOURS = ((214, 64, 52), (36, 112, 196), (240, 160, 24), (120, 60, 160))
VIEW_M = 1.5
"""How far a view cone is drawn."""
RAYS = 36
"""Of which a view cone is made."""
PARALLEL = 1e-9
MARGIN_M = 0.3


def top_down(
    renderer: Renderer,
    size: int = 600,
    agents: Sequence[Agent] | None = None,
    trail: Sequence[tuple[float, float]] = (),
) -> NDArray[np.uint8]:
    """The plan as a picture, +z up.

    Args:
        renderer: Draws the home.
        size: Pixels of the longer side.
        agents: Who is shown; the world's own agent by default.
        trail: Places (x, z) that were passed, oldest first.
    """
    camera = map_camera(renderer.world, size)
    base = Image.fromarray(renderer.frame(camera).rgb).convert("RGBA")
    layer = Image.new("RGBA", base.size)
    pen = ImageDraw.Draw(layer)
    floor = renderer.world.scene.floor_y
    width = max(2, size // 150)
    if len(trail) > 1:
        pen.line([_spot(camera, (x, floor, z)) for x, z in trail], (255, 255, 255, 230), width + 2)
        pen.line([_spot(camera, (x, floor, z)) for x, z in trail], (*AGENT_COLOURS[0], 255), width)
    for number, agent in enumerate([renderer.world.agent] if agents is None else agents):
        cone = view_cone(agent, renderer.world.scene)
        _draw_agent(pen, camera, agent, cone, AGENT_COLOURS[number % len(AGENT_COLOURS)], floor)
    return np.asarray(Image.alpha_composite(base, layer).convert("RGB"))


def map_camera(world: Visible, size: int = 600) -> Camera:
    """The camera that sees the whole home from above."""
    spots = [point for structure in world.scene.structures for point in (structure.lo, structure.hi)]
    if not spots:
        spots = [thing.position for thing in world.things.values()] or [world.agent.position]
    low, high = np.min(spots, axis=0) - MARGIN_M, np.max(spots, axis=0) + MARGIN_M
    across, up = float(high[0] - low[0]), float(high[2] - low[2])
    scale = size / max(across, up)
    width, height = max(1, round(across * scale)), max(1, round(up * scale))
    centre = (float(low[0] + high[0]) / 2, world.scene.floor_y, float(low[2] + high[2]) / 2)
    return overhead_camera(centre, height / scale, width, height)


def view_cone(agent: Agent, scene: Scene) -> list[tuple[float, float]]:
    """The corners (x, z) of what lies before an agent on the plan; walls end it, and the home does."""
    walls = [each for each in scene.structures if each.lo[1] <= agent.eye[1] <= each.hi[1]]
    low = np.min([each.lo for each in scene.structures] or [(-math.inf,) * 3], axis=0)
    high = np.max([each.hi for each in scene.structures] or [(math.inf,) * 3], axis=0)
    around = [(agent.x, agent.z)]
    for step in range(RAYS + 1):
        x, z = turned(0.0, 1.0, agent.rotation + agent.fov * (step / RAYS - 0.5))
        met = [_crossing(agent, x, z, each.lo, each.hi)[0] for each in walls]
        far = min(VIEW_M, _crossing(agent, x, z, low, high)[1], *met)
        around.append((agent.x + x * far, agent.z + z * far))
    return around


def _crossing(
    agent: Agent, x: float, z: float, low: Sequence[float], high: Sequence[float]
) -> tuple[float, float]:
    """How far along a ray on the plan a box begins and ends; infinitely far if the ray does not meet it."""
    enter, leave = 0.0, math.inf
    for start, way, axis in ((agent.x, x, 0), (agent.z, z, 2)):
        if abs(way) < PARALLEL:
            if not low[axis] <= start <= high[axis]:
                return math.inf, math.inf
            continue
        near, far = sorted(((low[axis] - start) / way, (high[axis] - start) / way))
        enter, leave = max(enter, near), min(leave, far)
    return (enter, leave) if enter <= leave else (math.inf, math.inf)


def _draw_agent(
    pen: ImageDraw.ImageDraw,
    camera: Camera,
    agent: Agent,
    cone: Sequence[tuple[float, float]],
    colour: tuple[int, int, int],
    floor: float,
) -> None:
    middle = _spot(camera, (agent.x, floor, agent.z))
    reach = VIEW_M * camera.focal / camera.pixel((agent.x, floor, agent.z))[2]
    pen.polygon([_spot(camera, (x, floor, z)) for x, z in cone], (*colour, 70), (*colour, 160))
    radius = max(4.0, reach * 0.13)
    x, z = turned(0.0, 1.0, agent.rotation)
    pen.ellipse(
        (middle[0] - radius, middle[1] - radius, middle[0] + radius, middle[1] + radius),
        (*colour, 255),
        (255, 255, 255, 255),
        2,
    )
    nose = (middle[0] + x * radius * 1.5, middle[1] - z * radius * 1.5)
    pen.line([middle, nose], (255, 255, 255, 255), max(2, math.ceil(radius / 4)))


def _spot(camera: Camera, point: Vec) -> tuple[float, float]:
    column, row, _ = camera.pixel(point)
    return column, row
