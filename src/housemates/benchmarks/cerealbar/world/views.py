"""Pictures of a game: the follower's own view, and the leader's two views of the whole map."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.cerealbar.world.hexes import DEGREES, centre
from housemates.benchmarks.cerealbar.world.hexmap import HexMap
from housemates.benchmarks.cerealbar.world.models import (
    card_mesh,
    ground_mesh,
    looks,
    player_mesh,
    prop_mesh,
    stand,
)
from housemates.benchmarks.cerealbar.world.state import FOLLOWER, LEADER, ROLES, Game
from housemates.benchmarks.cerealbar.world.tables import NO_PROP
from housemates.benchmarks.cerealbar.world.visibility import CLEAR
from housemates.home.types import Vec
from housemates.render import raster
from housemates.render.camera import Camera
from housemates.render.mesh import Mesh
from housemates.render.mesh_transforms import empty_faces, place
from housemates.render.patterns import textures

Picture = NDArray[np.uint8]
FOLLOWER_SIZE = (960, 600)
FOLLOWER_FOV, FOLLOWER_PITCH = 85.0, 35.0
"""Degrees from top to bottom, and down from the horizon."""
LEADER_SIZE = (900, 700)
ANGLED = 35.0
FOG_DEPTH = 0.35
"""The share of the way to its end over which fog becomes dense."""
TILT = 55.0
"""Degrees by which cards are lifted towards the follower, who would else see only their edges."""


class Placed(NamedTuple):
    """A mesh somewhere in the world."""

    mesh: Mesh
    position: Vec
    yaw: float


class Built(NamedTuple):
    """Everything that the rasteriser needs of a world."""

    faces: raster.Faces
    groups: raster.Groups


def build(things: list[Placed]) -> Built:
    """Put all meshes in their places."""
    counts = [len(thing.mesh.corners) for thing in things]
    runs = raster.side_by_side(counts)
    faces = empty_faces(sum(counts))
    spheres = np.empty((len(things), 4), np.float32)
    for slot, thing in enumerate(things):
        place(thing.mesh, thing.position, thing.yaw, 0, faces, int(runs[slot, 0]))
        middle, radius = thing.mesh.sphere
        reach = radius + float(np.hypot(middle[0], middle[2]))
        spheres[slot] = (thing.position[0], thing.position[1] + middle[1], thing.position[2], reach)
    return Built(faces, raster.Groups(runs, spheres))


@lru_cache(maxsize=8)
def _still(hexmap: HexMap) -> Built:
    """Ground and props, which never change."""
    things = []
    for at, prop in enumerate(hexmap.prop):
        east, north = centre(at, hexmap.size.width)
        things.append(Placed(ground_mesh(hexmap, at), (east, 0.0, north), 0.0))
        if prop != NO_PROP:
            things.append(Placed(prop_mesh(prop), stand(hexmap, at), DEGREES[hexmap.rotation[at]]))
    return build(things)


def _moving(game: Game, viewer: int) -> list[Placed]:
    """Cards as the viewer sees them, and the players; the follower does not see itself."""
    edge = "invalid" if viewer == LEADER and not game.valid else "selected"
    covered = viewer == FOLLOWER and game.options.covers
    turn, tilt = (DEGREES[game.heading[FOLLOWER]], TILT) if viewer == FOLLOWER else (0.0, 0.0)
    things = []
    for at, card in sorted(game.cards.items()):
        mesh = card_mesh(None if covered else card, edge if at in game.selected else "", tilt)
        things.append(Placed(mesh, stand(game.map, at), turn))
    for role in (LEADER, FOLLOWER):
        if role != FOLLOWER or viewer == LEADER:
            where = stand(game.map, game.position[role])
            things.append(Placed(player_mesh(ROLES[role]), where, DEGREES[game.heading[role]]))
    return things


def _together(a: Built, b: Built) -> Built:
    columns = zip(a.faces, b.faces, strict=True)
    faces = raster.Faces(*(np.concatenate([first, second]) for first, second in columns))
    runs = np.concatenate([a.groups.runs, b.groups.runs + np.int32(len(a.faces.instance))])
    return Built(faces, raster.Groups(runs, np.concatenate([a.groups.spheres, b.groups.spheres])))


def draw(game: Game, viewer: int, camera: Camera) -> raster.Pictures:
    """What a camera sees of a game, with what only this player is shown."""
    world = _together(_still(game.map), build(_moving(game, viewer)))
    red, green, blue = looks("sky")
    return raster.draw(world.faces, world.groups, [camera], textures(), (red, green, blue))


def follower_camera(game: Game, width: int = FOLLOWER_SIZE[0], height: int = FOLLOWER_SIZE[1]) -> Camera:
    """Where the follower looks from."""
    east, level, north = stand(game.map, game.position[FOLLOWER])
    heading = DEGREES[game.heading[FOLLOWER]]
    return Camera((east, level + looks("eye"), north), heading, FOLLOWER_PITCH, width, height, FOLLOWER_FOV)


def follower_picture(
    game: Game, width: int = FOLLOWER_SIZE[0], height: int = FOLLOWER_SIZE[1], fog: float = CLEAR
) -> Picture:
    """The follower's first-person view; with fog, what is farther than `fog` hex radii cannot be seen."""
    made = draw(game, FOLLOWER, follower_camera(game, width, height))
    picture: Picture = made.rgb[0]
    if fog == CLEAR:
        return picture
    share = np.clip((made.depth[0] - fog * (1 - FOG_DEPTH)) / (fog * FOG_DEPTH), 0.0, 1.0)[..., None]
    mixed: Picture = (picture * (1.0 - share) + np.array(looks("sky")) * share).astype(np.uint8)
    return mixed


def leader_camera(hexmap: HexMap, pitch: float, width: int, height: int) -> Camera:
    """A camera so far away that the map is drawn almost in parallel, all of it in the picture."""
    east, north = (np.array(centre(len(hexmap.terrain) - 1, hexmap.size.width)) / 2).tolist()
    down = math.radians(pitch)
    far = looks("far")
    eye = (east, far * math.sin(down), north - far * math.cos(down))
    tall = (2 * north + 4.0) * math.sin(down) + 3.5 * math.cos(down)
    wide = (2 * east + 4.0) * height / width
    return Camera(eye, 0.0, pitch, width, height, math.degrees(2 * math.atan(max(tall, wide) / 2 / far)))


def leader_picture(
    game: Game, overhead: bool = False, width: int = LEADER_SIZE[0], height: int = LEADER_SIZE[1]
) -> Picture:
    """The leader's view of the whole map: at an angle, or from straight above."""
    camera = leader_camera(game.map, 90.0 if overhead else ANGLED, width, height)
    picture: Picture = draw(game, LEADER, camera).rgb[0]
    return picture
