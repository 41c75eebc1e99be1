"""A replayed demonstration as a video: what the agent sees, the room from above, what is told and done."""

from __future__ import annotations

from collections.abc import Iterator

from housemates.benchmarks.alfred.formats.episodes import Trajectory
from housemates.benchmarks.alfred.formats.replay import ReplayedAction
from housemates.core.outcome import spoken
from housemates.render.overlay import edge
from housemates.reporting.film import GREY, WARM, HomeFilm, Words

TOUCH_FRAMES = 4
"""How many frames an interaction stays."""
RECORDED, OURS = (255, 40, 160), (60, 220, 90)


class DemonstrationFilm(HomeFilm):
    """Pictures of a demonstration, taken step by step, with the first person's words."""

    def __init__(self, trajectory: Trajectory) -> None:
        super().__init__(side_px=300, lines=6, font_px=13, fps=5)
        self.trajectory = trajectory

    def shoot(self, step: ReplayedAction) -> None:
        """Take a picture of a step: before it, with the masks that it is about."""
        view = step.frame.rgb.copy()
        if step.mask is not None:
            view[edge(step.frame.mask(step.compared.target))] = OURS
            view[edge(step.mask)] = RECORDED
        frames = 1 if step.mask is None else TOUCH_FRAMES
        self.take(step.world.home, self._caption(step), view, frames)

    def _caption(self, step: ReplayedAction) -> Iterator[list[Words]]:
        yield [Words(self.trajectory.goal)]
        yield [Words(self._instruction(step.low.high_idx), GREY)]
        yield [Words(deed(step), WARM)]
        if step.mask is not None:
            ours = f"ours, IoU {step.compared.overlap or 0.0:.2f}"
            yield [Words("recorded mask", RECORDED), Words(ours, OURS)]

    def _instruction(self, index: int) -> str:
        anns = self.trajectory.turk_annotations.anns
        sentences = anns[0].high_descs if anns else []
        return sentences[index] if index < len(sentences) else ""


def deed(step: ReplayedAction) -> str:
    """What was done, in a few words."""
    done = step.compared
    what = f"{done.action} {spoken(done.kind)}" if done.kind else done.action
    return f"{done.index}: {what}" + ("" if done.success else f": refused. {done.message}")
