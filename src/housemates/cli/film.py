"""Filming an agent at work: its own view, the room from above, and a caption."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from housemates.errors import HousematesError
from housemates.home import World
from housemates.home.things import turned
from housemates.render.camera import Camera, agent_camera, overhead_camera
from housemates.render.scene import Renderer

SIDE_PX = 480
CAPTION_PX = 48
FPS = 6
KEY_FRAME_REPEATS = 8
"""How many frames of the video a key frame lasts."""
Picture = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Shot:
    """One picture of the film."""

    picture: Picture
    caption: str
    key: bool


@dataclass
class Film:
    """All pictures of a world in the order of their taking."""

    world: World
    shots: list[Shot] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._renderer = Renderer(self.world)
        self._plan = _plan_camera(self.world)

    def shoot(self, caption: str, key: bool = False) -> None:
        """Take a picture now; key frames stay longer and are shown on the page."""
        self.shots.append(Shot(self._compose(caption), caption, key))

    def _compose(self, caption: str) -> Picture:
        view = self._renderer.frame(agent_camera(self.world.agent, SIDE_PX, SIDE_PX)).rgb
        plan = Image.fromarray(self._renderer.frame(self._plan).rgb)
        _mark_agent(ImageDraw.Draw(plan, "RGBA"), self.world, self._plan)
        whole = Image.new("RGB", (2 * SIDE_PX, SIDE_PX + CAPTION_PX), "#20242a")
        whole.paste(Image.fromarray(view), (0, 0))
        whole.paste(plan, (SIDE_PX, 0))
        font = ImageFont.load_default(20)
        ImageDraw.Draw(whole).text((14, SIDE_PX + 12), caption, fill="white", font=font)
        return np.asarray(whole)

    def save(self, folder: Path) -> Path:
        """Write the key frames as PNG and the whole as MP4; return the video's path."""
        frames = folder / "frames"
        frames.mkdir(parents=True, exist_ok=True)
        for old in frames.glob("*.png"):
            old.unlink()
        for number, shot in enumerate(shot for shot in self.shots if shot.key):
            Image.fromarray(shot.picture).save(frames / f"{number:02}.png")
        video = folder / "coffee.mp4"
        pictures = [shot.picture for shot in self.shots for _ in range(KEY_FRAME_REPEATS if shot.key else 1)]
        write_mp4(video, pictures)
        return video


def write_mp4(path: Path, pictures: list[Picture]) -> None:
    """Write pictures of one size as a video that browsers play."""
    try:
        import imageio_ffmpeg
    except ImportError:
        raise HousematesError("Videos need the extra 'video': pip install 'housemates[video]'.") from None
    height, width = pictures[0].shape[:2]
    writer = imageio_ffmpeg.write_frames(
        str(path), (width, height), fps=FPS, macro_block_size=2, output_params=["-crf", "26"]
    )
    writer.send(None)
    for picture in pictures:
        writer.send(np.ascontiguousarray(picture))
    writer.close()


def _plan_camera(world: World) -> Camera:
    floors = [thing for thing in world.things.values() if thing.type == "Floor"]
    x = sum(floor.position[0] for floor in floors) / len(floors)
    z = sum(floor.position[2] for floor in floors) / len(floors)
    metres = max(max(floor.size[0], floor.size[2]) for floor in floors) * 1.06
    return overhead_camera((x, 0.0, z), metres, SIDE_PX, SIDE_PX)


def _mark_agent(draw: ImageDraw.ImageDraw, world: World, camera: Camera) -> None:
    """A dot where the agent stands and a cone over what it looks at."""
    agent = world.agent
    half = math.radians(agent.fov / 2)
    corners = [(agent.x, agent.z)]
    for side in (-half, half):
        x, z = turned(math.sin(side) * 1.2, math.cos(side) * 1.2, agent.rotation)
        corners.append((agent.x + x, agent.z + z))
    pixels = [camera.pixel((x, agent.y, z))[:2] for x, z in corners]
    draw.polygon(pixels, fill=(255, 214, 64, 90), outline=(255, 190, 0, 220))
    column, row = pixels[0]
    draw.ellipse((column - 8, row - 8, column + 8, row + 8), fill=(220, 60, 40, 255), outline="white")
