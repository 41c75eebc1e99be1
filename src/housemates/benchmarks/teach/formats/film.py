"""A replayed session as a video, with what the paper's appendix G shows.

Side by side are what the Follower sees, what the Commander's camera sees, what was searched for last, with
its place lit, and the home from above; beneath them what is said, done, and still to do.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from housemates.benchmarks.teach.formats.episodes import Game, Interaction
from housemates.benchmarks.teach.formats.replay import ReplayedInteraction
from housemates.benchmarks.teach.tasks.catalogue import Progress, check, game_task
from housemates.benchmarks.teach.world.actions import COMMANDER, FOLLOWER
from housemates.benchmarks.teach.world.commander import Commander
from housemates.benchmarks.teach.world.poses import from_official, of_agent
from housemates.core.actions import Act
from housemates.core.outcome import spoken
from housemates.reporting.film import GREY, MARGIN, WARM, HomeFilm, Words
from housemates.reporting.video import Picture

SPOKEN_FRAMES = 7
"""How many frames an utterance stays."""
CLICK = (255, 40, 160)
PROGRESS_CHECK = 500
FINDING = {"Select": "object", "Search": "text"}
"""The Commander's ways of finding something, and what they are told."""
NAMES = {COMMANDER: "Commander", FOLLOWER: "Follower"}


class SessionFilm(HomeFilm):
    """Pictures of a session, taken step by step."""

    def __init__(self, game: Game, side_px: int = 320, font_px: int = 15) -> None:
        super().__init__(side_px, lines=6, font_px=font_px, fps=4)
        self.title = f"{game.task.task_name}, {game.plan}"
        self._task = game_task(game.task.definition(), game.id)
        self._above = of_agent(game.episode.initial_state.agents[COMMANDER])
        self._commander: Commander | None = None
        self._found: Picture = np.full((side_px, side_px, 3), MARGIN, np.uint8)
        self._progress = ""
        self._said: list[str] = []

    def shoot(self, step: ReplayedInteraction) -> None:
        """Take a picture after a step."""
        home, each = step.world.home, step.interaction
        if each.text is not None:
            self._said = [*self._said, f"{NAMES[each.agent_id]}: {each.text}"][-2:]
        view = self.view(home)
        if each.action.touches:
            view = marked(view, each)
        seen = self._of_the_commander(step)
        if not self._progress or each.action.touches:
            self._progress = standing(check(self._task, step.world.objects()))
        frames = SPOKEN_FRAMES if each.text is not None else 1
        self.take(home, self._caption(step), view, frames, others=[seen, self._found])

    def _of_the_commander(self, step: ReplayedInteraction) -> Picture:
        """What the Commander's camera sees; what it finds is kept beside it."""
        each, side = step.interaction, self.side_px
        if self._commander is None:
            self._commander = Commander(step.world, self._task, self._above, side, side)
        if each.agent_id == COMMANDER and isinstance(each.pose, list):
            self._commander.pose = from_official(each.pose)
        argument = FINDING.get(each.action.offer)
        if argument is not None and isinstance(each.query, str) and each.query:
            outcome = self._commander.act(Act(each.action.offer, {argument: each.query}))
            if outcome.success:
                self._found = shining(outcome.data["frame"].rgb, outcome.data["mask"], side)
        return self._commander.look().rgb.copy()

    def _caption(self, step: ReplayedInteraction) -> Iterator[list[Words]]:
        yield [Words(f"{self.title}   {step.interaction.time_start:.1f} s", GREY)]
        yield [Words(deed(step), WARM)]
        yield [Words(self._progress, GREY)]
        for line in self._said:
            yield [Words(line)]


def standing(progress: Progress) -> str:
    """How far the task has come, and what of it is still to be done."""
    told = f"{progress.satisfied} of {progress.total} conditions hold"
    open_ones = [each.description for each in progress.subgoals if not each.success]
    return f"{told}; still to do: {' '.join(open_ones)}" if open_ones else f"{told}."


def shining(picture: Picture, mask: NDArray[np.bool_], side: int) -> Picture:
    """A picture with what a mask covers as it is, and all else darker."""
    shown = np.where(mask[..., None], picture, picture // 3).astype(np.uint8)
    return np.asarray(Image.fromarray(shown).resize((side, side)))


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
