"""Makes the picture of the README: `python docs/picture.py`."""

from __future__ import annotations

from pathlib import Path

from housemates.home import World
from housemates.home.scenes import load
from housemates.render.camera import agent_camera
from housemates.render.scene import Renderer
from housemates.render.video import save_png, still

if __name__ == "__main__":
    world = World(load("kitchen-03"))
    picture = still(Renderer(world), agent_camera(world.agent, 880, 520))
    save_png(Path(__file__).with_name("kitchen.png"), picture)
