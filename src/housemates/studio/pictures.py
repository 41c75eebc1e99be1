"""The pictures of the home page; `python -m housemates.studio.pictures` draws them again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image

from housemates.benchmarks.cerealbar.generate.maps import new_game
from housemates.benchmarks.cerealbar.world.views import follower_picture
from housemates.home import World
from housemates.home.scenes import load
from housemates.render.camera import Camera
from housemates.render.scene import Renderer

FOLDER = Path(__file__).with_name("static") / "pictures"
SIZE = (640, 400)
QUALITY = 84
BOARD_SEED = 3


class Shot(NamedTuple):
    """A room, where a camera stands (x, y, z), towards which place (x, z) it looks, and how far down."""

    room: str
    eye: tuple[float, float, float]
    towards: tuple[float, float]
    horizon: float
    fov: float = 58.0


SHOTS: Mapping[str, Shot] = {
    "teach-tatc": Shot("kitchen-07", (2.74, 1.75, 1.86), (-0.3, -0.3), 21),
    "alfred": Shot("living-room-07", (-2.49, 1.75, -2.24), (0.0, 0.2), 20),
    "handmethat": Shot("kitchen-04", (1.94, 1.7, 2.18), (0.6, 0.6), 34, 52),
    "alfred-annotation": Shot("bedroom-09", (1.69, 1.7, 1.48), (-0.2, -0.3), 20),
}
"""Benchmark -> the picture of its card."""


def shot(
    room: str, eye: tuple[float, float, float], towards: tuple[float, float], horizon: float, fov: float
) -> np.ndarray:
    """What a camera in a room sees."""
    rotation = math.degrees(math.atan2(towards[0] - eye[0], towards[1] - eye[2])) % 360
    return Renderer(World(load(room))).frame(Camera(eye, rotation, horizon, *SIZE, fov)).rgb


def main() -> None:
    """Draw the pictures of the home page and write them."""
    FOLDER.mkdir(exist_ok=True)
    drawn = {name: shot(*each) for name, each in SHOTS.items()}
    drawn["cerealbar"] = follower_picture(new_game(BOARD_SEED))
    for name, picture in drawn.items():
        image = Image.fromarray(picture).resize(SIZE, Image.Resampling.LANCZOS)
        image.save(FOLDER / f"{name}.jpg", quality=QUALITY, optimize=True)


if __name__ == "__main__":
    main()
