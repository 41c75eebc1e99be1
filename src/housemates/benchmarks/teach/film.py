"""A replayed session as a video: what the Follower sees, the room from above, what is said and done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from housemates.benchmarks.teach.actions import COMMANDER, FOLLOWER
from housemates.benchmarks.teach.episodes import Interaction
from housemates.benchmarks.teach.replay import Step
from housemates.home.outcome import spoken
from housemates.render.camera import agent_camera
from housemates.render.maps import top_down
from housemates.render.scene import Renderer
from housemates.render.video import Picture, save_video, still

SIDE_PX = 400
CAPTION_PX = 96
FPS = 4
SPOKEN_FRAMES = 7
"""How many frames an utterance stays."""
MARGIN = (228, 228, 228)
DARK, LIGHT, WARM, GREY = (32, 34, 38), (240, 240, 240), (255, 196, 92), (150, 154, 160)
CLICK = (255, 40, 160)
PROGRESS_CHECK = 500
NAMES = {COMMANDER: "Commander", FOLLOWER: "Follower"}


class Film:
    """Pictures of a session, taken step by step."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.pictures: list[tuple[Picture, int]] = []
        self._renderer: Renderer | None = None
        self._trail: list[tuple[float, float]] = []
        self._said: list[str] = []

    def shoot(self, step: Step) -> None:
        """Take a picture after a step."""
        home = step.world.home
        if self._renderer is None:
            self._renderer = Renderer(home)
        if step.interaction.text is not None:
            self._said = [*self._said, f"{NAMES[step.interaction.agent_id]}: {step.interaction.text}"][-2:]
        self._trail.append((home.agent.x, home.agent.z))
        view = still(self._renderer, agent_camera(home.agent, SIDE_PX, SIDE_PX))
        if step.interaction.action.touches:
            view = marked(view, step.interaction)
        plan = squared(top_down(self._renderer, SIDE_PX, trail=self._trail), SIDE_PX)
        pair = np.concatenate([view, plan], axis=1)
        frames = SPOKEN_FRAMES if step.interaction.text is not None else 1
        self.pictures.append((np.concatenate([pair, self._caption(step, pair.shape[1])]), frames))

    def save(self, path: Path) -> None:
        """Write the video."""
        save_video(path, self._frames(), FPS)

    def _frames(self) -> Iterator[Picture]:
        for picture, count in self.pictures:
            yield from [picture] * count

    def _caption(self, step: Step, width: int) -> Picture:
        bar = Image.new("RGB", (width, CAPTION_PX), DARK)
        pen = ImageDraw.Draw(bar)
        font = ImageFont.load_default(15)
        pen.text((8, 6), f"{self.title}   {step.interaction.time_start:.1f} s", fill=GREY, font=font)
        pen.text((8, 26), deed(step), fill=WARM, font=font)
        for row, line in enumerate(self._said):
            pen.text((8, 50 + 20 * row), line[:110], fill=LIGHT, font=font)
        return np.asarray(bar)


def deed(step: Step) -> str:
    """What was done, in a few words."""
    each = step.interaction
    who, name = NAMES[each.agent_id], each.action.name
    if each.text is not None:
        return f"{who} speaks"
    if each.action_id == PROGRESS_CHECK:
        return f"{who} checks the progress: {'done' if each.success else 'not done yet'}"
    if each.action.touches:
        target = spoken(str(each.oid).split("|")[0]) if each.oid else "?"
        name = f"{name} {target}"
    if isinstance(each.query, str) and each.query:
        name = f"{name} {each.query}"
    text = f"{who}: {name}" + ("" if each.success else " (failed)")
    if step.compared is not None and not step.compared.agree:
        text += f"   here: {step.compared.message or 'it works'}"
    return text


def marked(picture: Picture, interaction: Interaction) -> Picture:
    """The picture with a ring where the click was."""
    if not isinstance(interaction.x, int | float) or not isinstance(interaction.y, int | float):
        return picture
    image = Image.fromarray(picture)
    height, width = picture.shape[:2]
    x, y, radius = interaction.x * width, interaction.y * height, width / 40
    pen = ImageDraw.Draw(image)
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), outline=(255, 255, 255), width=4)
    pen.ellipse((x - radius, y - radius, x + radius, y + radius), outline=CLICK, width=2)
    return np.asarray(image)


def squared(picture: Picture, side: int) -> Picture:
    """The picture in the middle of a square."""
    height, width = picture.shape[:2]
    square = np.full((side, side, 3), MARGIN, np.uint8)
    top, left = (side - height) // 2, (side - width) // 2
    square[top : top + height, left : left + width] = picture
    return square
