"""Makes the picture of the README: `python docs/picture.py`."""

from __future__ import annotations

from pathlib import Path

from PIL import Image

from housemates.home import World
from housemates.home.scenes import load
from housemates.render.camera import agent_camera
from housemates.render.scene import Renderer

if __name__ == "__main__":
    world = World(load("kitchen-03"))
    rgb = Renderer(world).frame(agent_camera(world.agent, 900, 500)).rgb
    Image.fromarray(rgb).save(Path(__file__).with_name("kitchen.png"), optimize=True)
