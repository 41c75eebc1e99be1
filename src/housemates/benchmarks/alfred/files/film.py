"""A replayed demonstration as a video: what the agent sees, the room from above, what is told and done."""

from __future__ import annotations

from collections.abc import Iterator

from housemates.benchmarks.alfred.files.episodes import Trajectory
from housemates.benchmarks.alfred.files.replay import Step
from housemates.benchmarks.alfred.world.masks import Mask
from housemates.home.outcome import spoken
from housemates.reporting.filming import GREY, LIGHT, WARM, Reel, Words

SIDE_PX = 300
CAPTION_PX = 84
FONT_PX = 13
FPS = 5
TOUCH_FRAMES = 4
"""How many frames an interaction stays."""
RECORDED, OURS = (255, 40, 160), (60, 220, 90)


class Film(Reel):
    """Pictures of a demonstration, taken step by step."""

    def __init__(self, trajectory: Trajectory) -> None:
        """A film of this demonstration, with the first person's words."""
        super().__init__(SIDE_PX, CAPTION_PX, FONT_PX, FPS)
        self.trajectory = trajectory

    def shoot(self, step: Step) -> None:
        """Take a picture of a step: before it, with the masks that it is about."""
        view = step.frame.rgb.copy()
        if step.mask is not None:
            view[edge(step.frame.mask(step.compared.target))] = OURS
            view[edge(step.mask)] = RECORDED
        self.add(step.world.home, view, self._caption(step), 1 if step.mask is None else TOUCH_FRAMES)

    def _caption(self, step: Step) -> Iterator[Words]:
        yield Words((8, 4), self.trajectory.goal[:92], LIGHT)
        yield Words((8, 24), self._instruction(step.low.high_idx)[:92], GREY)
        yield Words((8, 44), deed(step), WARM)
        if step.mask is not None:
            yield Words((8, 62), "recorded mask", RECORDED)
            yield Words((120, 62), f"ours, IoU {step.compared.overlap or 0.0:.2f}", OURS)

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
