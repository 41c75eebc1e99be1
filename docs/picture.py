"""Makes the picture of the README: `python docs/picture.py`."""

from __future__ import annotations

from pathlib import Path

from housemates.home import World
from housemates.home.scenes import load
from housemates.render.camera import look_at
from housemates.render.scene import Renderer
from housemates.reporting.video import save_png, still

SCENE = "kitchen-03"
EYE, TARGET = (1.7, 1.7, 1.3), (-1.2, 0.75, -1.0)

if __name__ == "__main__":
    camera = look_at(EYE, TARGET, 880, 480, fov=62.0)
    picture = still(Renderer(World(load(SCENE))), camera)
    save_png(Path(__file__).with_name("kitchen.png"), picture)
