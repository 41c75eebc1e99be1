"""Filming an agent at work: its own view, the room from above, and a caption."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from housemates.home import World
from housemates.render.camera import agent_camera
from housemates.render.maps import top_down
from housemates.render.overlay import captioned
from housemates.render.scene import Renderer
from housemates.reporting.video import Picture, save_png, save_video, still

SIDE_PX = 480
MARGIN_COLOUR = 228
FPS = 6
KEY_FRAME_REPEATS = 8
"""How many frames of the video a key frame lasts."""


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
        self._trail: list[tuple[float, float]] = []

    def shoot(self, caption: str, key: bool = False) -> None:
        """Take a picture now; key frames stay longer and are shown on the page."""
        agent = self.world.agent
        self._trail.append((agent.x, agent.z))
        view = still(self._renderer, agent_camera(agent, SIDE_PX, SIDE_PX))
        plan = _square(top_down(self._renderer, SIDE_PX, trail=self._trail))
        self.shots.append(Shot(captioned(np.concatenate([view, plan], axis=1), caption), caption, key))

    def save_frames(self, folder: Path) -> None:
        """Write the key frames as PNG files, in place of those of an earlier film."""
        for old in folder.glob("*.png"):
            old.unlink()
        for number, shot in enumerate(shot for shot in self.shots if shot.key):
            save_png(folder / f"{number:02}.png", shot.picture)

    def save_video(self, path: Path) -> None:
        """Write the whole as a video."""
        shots = (shot for shot in self.shots for _ in range(KEY_FRAME_REPEATS if shot.key else 1))
        save_video(path, (shot.picture for shot in shots), FPS)


def _square(picture: Picture) -> Picture:
    """The picture in the middle of a square."""
    height, width = picture.shape[:2]
    square = np.full((SIDE_PX, SIDE_PX, 3), MARGIN_COLOUR, np.uint8)
    top, left = (SIDE_PX - height) // 2, (SIDE_PX - width) // 2
    square[top : top + height, left : left + width] = picture
    return square
