"""A replayed demonstration as a video: what the agent sees, the room from above, what is told and done."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from housemates.benchmarks.alfred.episodes import Trajectory
from housemates.benchmarks.alfred.masks import Mask
from housemates.benchmarks.alfred.replay import Step
from housemates.home.outcome import spoken
from housemates.render.maps import top_down
from housemates.render.scene import Renderer
from housemates.render.video import Picture, save_video

SIDE_PX = 300
CAPTION_PX = 84
FPS = 5
TOUCH_FRAMES = 4
"""How many frames an interaction stays."""
MARGIN = (228, 228, 228)
DARK, LIGHT, WARM, GREY = (32, 34, 38), (240, 240, 240), (255, 196, 92), (150, 154, 160)
RECORDED, OURS = (255, 40, 160), (60, 220, 90)


class Film:
    """Pictures of a demonstration, taken step by step."""

    def __init__(self, trajectory: Trajectory) -> None:
        """A film of this demonstration, with the first person's words."""
        self.trajectory = trajectory
        self.pictures: list[tuple[Picture, int]] = []
        self._above: Renderer | None = None
        self._trail: list[tuple[float, float]] = []

    def shoot(self, step: Step) -> None:
        """Take a picture of a step: before it, with the masks that it is about."""
        home = step.world.home
        if self._above is None:
            self._above = Renderer(home)
        self._trail.append((home.agent.x, home.agent.z))
        view = step.frame.rgb.copy()
        if step.mask is not None:
            view[edge(step.frame.mask(step.compared.target))] = OURS
            view[edge(step.mask)] = RECORDED
        plan = squared(top_down(self._above, SIDE_PX, trail=self._trail), SIDE_PX)
        pair = np.concatenate([view, plan], axis=1)
        picture = np.concatenate([pair, self._caption(step, pair.shape[1])])
        self.pictures.append((picture, 1 if step.mask is None else TOUCH_FRAMES))

    def save(self, path: Path) -> None:
        """Write the video."""
        save_video(path, (picture for picture, count in self.pictures for _ in range(count)), FPS)

    def _caption(self, step: Step, width: int) -> Picture:
        bar = Image.new("RGB", (width, CAPTION_PX), DARK)
        pen = ImageDraw.Draw(bar)
        font = ImageFont.load_default(13)
        pen.text((8, 4), self.trajectory.goal[:92], fill=LIGHT, font=font)
        pen.text((8, 24), self._instruction(step.low.high_idx)[:92], fill=GREY, font=font)
        pen.text((8, 44), deed(step), fill=WARM, font=font)
        if step.mask is not None:
            pen.text((8, 62), "recorded mask", fill=RECORDED, font=font)
            pen.text((120, 62), f"ours, IoU {step.compared.overlap or 0.0:.2f}", fill=OURS, font=font)
        return np.asarray(bar)

    def _instruction(self, index: int) -> str:
        anns = self.trajectory.turk_annotations.anns
        sentences = anns[0].high_descs if anns else []
        return sentences[index] if index < len(sentences) else ""


def deed(step: Step) -> str:
    """What was done, in a few words."""
    done = step.compared
    what = f"{done.action} {spoken(done.kind)}" if done.kind else done.action
    return f"{step.index}: {what}" + ("" if done.success else f": refused. {done.message}")


def edge(mask: Mask) -> Mask:
    """The pixels of a mask that have a neighbour outside it."""
    inner = mask.copy()
    inner[1:] &= mask[:-1]
    inner[:-1] &= mask[1:]
    inner[:, 1:] &= mask[:, :-1]
    inner[:, :-1] &= mask[:, 1:]
    return mask & ~inner


def squared(picture: Picture, side: int) -> Picture:
    """The picture in the middle of a square."""
    height, width = picture.shape[:2]
    square = np.full((side, side, 3), MARGIN, np.uint8)
    top, left = (side - height) // 2, (side - width) // 2
    square[top : top + height, left : left + width] = picture
    return square
