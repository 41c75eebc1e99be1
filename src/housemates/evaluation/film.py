"""A film of any episode: what the role that acts sees, and what it does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from PIL import Image

from housemates.core.session import Session
from housemates.core.trace import Step
from housemates.reporting.film import MARGIN, WARM, Film, Words, squared
from housemates.reporting.video import Picture

SIDE_PX, LINES, FONT_PX, FPS = 360, 4, 15, 4.0
LONGEST = 160
"""Letters of a line of the caption."""


class EpisodeFilm(Film):
    """Grows by one shot an act: `shoot` is a hook of `play`.

    Args:
        session: Whose pictures are taken.
        roles: Those who may act; one with fewer pictures than another leaves some of the film blank.
    """

    def __init__(self, session: Session, roles: Sequence[str]) -> None:
        super().__init__(LINES, FONT_PX, FPS)
        self._panes = max(len(session.pictures(role)) for role in roles)

    def shoot(self, session: Session, step: Step) -> None:
        """Take what a role sees after its act, if anybody sees anything here."""
        if not self._panes:
            return
        seen = [_pane(draw()) for draw in session.observe(step.role).pictures.values()]
        blank = np.full((SIDE_PX, SIDE_PX, 3), MARGIN, np.uint8)
        act = "?" if step.act is None else " ".join([step.act.name, *map(_said, step.act.arguments.values())])
        said = step.outcome.message[:LONGEST]
        caption = [[Words(f"{step.role}: {act[:LONGEST]}")], [Words(said, WARM)]]
        self.add([*seen, *[blank] * (self._panes - len(seen))], caption)


def _pane(picture: Any) -> Picture:
    """A picture as large as its place allows."""
    image = Image.fromarray(picture)
    scale = SIDE_PX / max(image.size)
    width, height = (max(1, round(scale * side)) for side in image.size)
    return squared(np.asarray(image.resize((width, height))), SIDE_PX)


def _said(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return "(mask)"
    return f"({value[0]:.2f}, {value[1]:.2f})" if isinstance(value, tuple) else str(value)
