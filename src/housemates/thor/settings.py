"""What AI2-THOR's Initialize sets, and the cameras that are added to a scene."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec

from housemates.home.types import Vec
from housemates.render.camera import MAX_SIDE_PX
from housemates.thor.arguments import Arguments, angle_given, place_given
from housemates.thor.replies import Refused

NEAR_M, FAR_M = 0.1, 20.0
"""Where the camera's field begins and ends."""
FOV_DEG = 90
OLD_FOV_DEG = 60
"""The field of view of version 2."""
IMAGES = {
    "rgb": ("renderImage",),
    "depth": ("renderDepth", "renderDepthImage"),
    "instances": ("renderInstanceSegmentation", "renderObjectImage"),
    "classes": ("renderSemanticSegmentation", "renderClassImage"),
}
"""The pictures of an event, and the flags that ask for each."""
MOST_AGENTS = 8
MODES = ("default", "locobot", "bot")
"""Bodies of AI2-THOR that walk and see as the home's agent does; arms and drones are none of them."""


class Settings(msgspec.Struct, frozen=True):
    """How a scene is lived in and looked at."""

    width: int = 300
    height: int = 300
    grid_m: float = 0.25
    snap: bool = True
    """Whether moves end on the grid."""
    reach_m: float = 1.5
    fov: int = FOV_DEG
    turn_deg: float = 90.0
    agents: int = 1
    images: frozenset[str] = frozenset(["rgb"])
    old: bool = False
    """Whether the client is of version 2."""

    def initial_images(self, arguments: Arguments) -> frozenset[str]:
        """The pictures that Initialize asks for: those it names, and the plain one by default."""
        asked = _asked(arguments)
        return frozenset(image for image in IMAGES if asked.get(image, image == "rgb"))

    def after(self, arguments: Arguments) -> Settings:
        """The settings after a step, which can ask for more pictures from now on, but not for fewer."""
        more = frozenset(image for image, wanted in _asked(arguments).items() if wanted)
        return self if more <= self.images else msgspec.structs.replace(self, images=self.images | more)

    def images_now(self, arguments: Arguments) -> frozenset[str]:
        """The pictures of one step's event; the plain one alone can be left out for once."""
        images = self.after(arguments).images
        return images if arguments.get("renderImage", True) else images - {"rgb"}


def _asked(arguments: Arguments) -> dict[str, bool]:
    """The pictures that arguments tell about, and whether they are wanted."""
    return {
        image: any(bool(arguments[flag]) for flag in flags if flag in arguments)
        for image, flags in IMAGES.items()
        if any(flag in arguments for flag in flags)
    }


def initialised(settings: Settings, arguments: Arguments) -> Settings:
    """The settings after Initialize; what it does not name is as in a new scene.

    Raises:
        Refused: if a value makes no sense.
    """
    mode = str(arguments.get("agentMode", "default"))
    _need(mode.lower() in MODES, f"Invalid agentMode {mode}")
    grid = float(arguments.get("gridSize", 0.25))
    reach = float(arguments.get("visibilityDistance", arguments.get("visibility_distance", 1.5)))
    fov, agents = round(arguments.get("fieldOfView", settings.fov)), int(arguments.get("agentCount", 1))
    turn = float(arguments.get("rotateStepDegrees", 90.0))
    _need(0.01 <= grid <= 5.0, "gridSize must be greater than 0")
    _need(reach > 0, "visibilityDistance must be greater than 0")
    _need(0 < fov < 180, "fov must be set to (0, 180) noninclusive.")
    _need(0 < turn <= 360, "rotateStepDegrees must be within (0, 360]")
    _need(1 <= agents <= MOST_AGENTS, f"agentCount must be within [1, {MOST_AGENTS}]")
    return msgspec.structs.replace(
        settings,
        grid_m=grid,
        snap=bool(arguments.get("snapToGrid", True)),
        reach_m=reach,
        fov=fov,
        turn_deg=turn,
        agents=agents,
        images=settings.initial_images(arguments),
    )


def resized(settings: Settings, arguments: Arguments) -> Settings:
    """The settings after ChangeResolution."""
    width, height = round(arguments["x"]), round(arguments["y"])
    _need(
        1 <= width <= MAX_SIDE_PX and 1 <= height <= MAX_SIDE_PX,
        f"Screen resolution must be within 1x1 and {MAX_SIDE_PX}x{MAX_SIDE_PX}",
    )
    return msgspec.structs.replace(settings, width=width, height=height)


def _need(holds: bool, message: str) -> None:
    if not holds:
        raise Refused(message)


class ThirdCamera(NamedTuple):
    """A camera that nobody carries."""

    position: Vec
    rotation: Vec
    """Degrees around x (down), y (clockwise) and z."""
    fov: float
    half_m: float = 0.0
    """Half the height of what it shows if it draws without perspective, else 0."""

    def metadata(self, number: int) -> dict[str, Any]:
        """Its entry in an event."""
        return {
            "thirdPartyCameraId": number,
            "position": dict(zip("xyz", self.position, strict=True)),
            "rotation": dict(zip("xyz", self.rotation, strict=True)),
            "fieldOfView": self.fov,
            **({"orthographic": True, "orthographicSize": self.half_m} if self.half_m else {}),
        }


def camera_given(arguments: Arguments, before: ThirdCamera | None = None) -> ThirdCamera:
    """The camera that is asked for; what is not named is as before."""
    known = before or ThirdCamera((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), float(FOV_DEG))
    place, given = place_given(arguments), arguments.get("rotation")
    turns = given if isinstance(given, Mapping) else {}
    angles = [float(turns.get(axis, old)) for axis, old in zip("xyz", known.rotation, strict=True)]
    flat = angle_given(arguments)
    fov = float(arguments.get("fieldOfView", known.fov))
    _need(0 < fov < 180, "fov must be set to (0, 180) noninclusive.")
    half = known.half_m
    if "orthographic" in arguments:
        half = float(arguments.get("orthographicSize", half or 1.0)) if arguments["orthographic"] else 0.0
        _need(half >= 0, "orthographicSize must be greater than 0")
    x, y, z = (float(place.get(axis, old)) for axis, old in zip("xyz", known.position, strict=True))
    _need(max(abs(x), abs(y), abs(z)) <= 1000, "position is too far away")
    return ThirdCamera((x, y, z), (angles[0], angles[1] if flat is None else flat, angles[2]), fov, half)
