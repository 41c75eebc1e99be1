"""A film of any episode: what every role sees, and what each says and does, long enough to be read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from PIL import Image

from housemates.core.session import Session
from housemates.core.trace import Step
from housemates.reporting.film import DARK, GREY, WARM, Film, Words
from housemates.reporting.video import Picture

SIDE_PX, LINES, FONT_PX, FPS = 360, 4, 15, 4.0
IN_A_ROW = 3
"""Pictures side by side at most."""
LETTERS_A_S = 15.0
"""How fast people read a caption."""
FAILED_S = 1.0
"""How long what went wrong stays at least."""


class EpisodeFilm(Film):
    """Grows by one shot an act, or several where much is said: `shoot` is a hook of `play`.

    Args:
        session: Whose pictures are taken.
        roles: Through whose eyes; all of them look at each act.
    """

    def __init__(self, session: Session, roles: Sequence[str]) -> None:
        super().__init__(LINES, FONT_PX, FPS)
        self._seen = [role for role in roles if session.pictures(role)]
        self._places: dict[str, tuple[int, int]] = {}

    def shoot(self, session: Session, step: Step) -> None:
        """Take what all roles see after an act, if anybody sees anything here."""
        if not self._seen:
            return
        panes = [
            self._pane(f"{role}: {name}", draw())
            for role in self._seen
            for name, draw in session.observe(role).pictures.items()
        ]
        across = _columns(len(panes))
        rows = [panes[start : start + across] for start in range(0, len(panes), across)]
        picture = _stacked([np.concatenate(row, axis=1) for row in rows])
        words = (
            "?" if step.act is None else " ".join([step.act.name, *map(_said, step.act.arguments.values())])
        )
        caption = [[Words(f"{step.role}: {words}")]]
        if step.outcome.message:
            caption.append([Words(step.outcome.message, WARM)])
        self.add_read([picture], caption, self._seconds(step, words))

    def _seconds(self, step: Step, words: str) -> float:
        """How long a shot stays: what is said is read, what fails is noticed."""
        spoken = step.act is not None and "text" in step.act.arguments
        letters = len(words) + len(step.outcome.message) if spoken or not step.outcome.success else 0
        return max(FAILED_S if letters else 1 / FPS, letters / LETTERS_A_S)

    def _pane(self, name: str, picture: Any) -> Picture:
        """A picture of one height with its name below; later ones of the name take the place of the first."""
        image = Image.fromarray(picture)
        wanted = (max(1, round(image.width * SIDE_PX / image.height)), SIDE_PX)
        width, height = self._places.setdefault(name, wanted)
        shown = np.asarray(image.resize((width, height)))
        return np.concatenate([shown, self.written([[Words(name, GREY)]], width, 1)])


def _columns(panes: int) -> int:
    """How many pictures lie side by side: four are two by two."""
    return 2 if panes == 4 else min(panes, IN_A_ROW)


def _stacked(rows: Sequence[Picture]) -> Picture:
    """Rows one below the other, the narrower ones in the middle."""
    width = max(row.shape[1] for row in rows)
    parts = []
    for row in rows:
        left = (width - row.shape[1]) // 2
        part = np.full((row.shape[0], width, 3), DARK, np.uint8)
        part[:, left : left + row.shape[1]] = row
        parts.append(part)
    return np.concatenate(parts)


def _said(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return "(mask)"
    return f"({value[0]:.2f}, {value[1]:.2f})" if isinstance(value, tuple) else str(value)
