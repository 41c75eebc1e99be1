"""A replayed session as a video: what the Follower sees, the room from above, what is said and done."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from PIL import Image, ImageDraw

from housemates.benchmarks.teach.formats.episodes import Game, Interaction
from housemates.benchmarks.teach.formats.replay import ReplayedInteraction
from housemates.benchmarks.teach.world.actions import COMMANDER, FOLLOWER
from housemates.core.outcome import spoken
from housemates.reporting.film import GREY, WARM, HomeFilm, Words
from housemates.reporting.video import Picture

SPOKEN_FRAMES = 7
"""How many frames an utterance stays."""
CLICK = (255, 40, 160)
PROGRESS_CHECK = 500
NAMES = {COMMANDER: "Commander", FOLLOWER: "Follower"}


class SessionFilm(HomeFilm):
    """Pictures of a session, taken step by step."""

    def __init__(self, game: Game, side_px: int = 400, font_px: int = 15) -> None:
        super().__init__(side_px, lines=6, font_px=font_px, fps=4)
        self.title = f"{game.task.task_name}, {game.plan}"
        self._said: list[str] = []

    def shoot(self, step: ReplayedInteraction) -> None:
        """Take a picture after a step."""
        home, each = step.world.home, step.interaction
        if each.text is not None:
            self._said = [*self._said, f"{NAMES[each.agent_id]}: {each.text}"][-2:]
        view = self.view(home)
        if each.action.touches:
            view = marked(view, each)
        self.take(home, self._caption(step), view, SPOKEN_FRAMES if each.text is not None else 1)

    def _caption(self, step: ReplayedInteraction) -> Iterator[list[Words]]:
        yield [Words(f"{self.title}   {step.interaction.time_start:.1f} s", GREY)]
        yield [Words(deed(step), WARM)]
        for line in self._said:
            yield [Words(line)]


def deed(step: ReplayedInteraction) -> str:
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
