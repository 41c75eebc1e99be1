"""A recorded game as one sees it: the leader's map, the follower's view and the instructions, as a video."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import Any

import numpy as np

from housemates.benchmarks.cerealbar.formats.episodes import Recording, replay
from housemates.benchmarks.cerealbar.world.state import LEADER, PENDING, ROLES, Game
from housemates.benchmarks.cerealbar.world.views import Picture, follower_picture, leader_picture
from housemates.errors import HousematesError
from housemates.reporting.video import save_video

MAP_SIZE = (800, 640)
VIEW_SIZE = (448, 280)
MARGIN, LINE, LETTERS = 14, 21, 54
INK, FAINT = (30, 30, 34), (140, 140, 148)
TURN_COLOURS = ((214, 232, 250), (252, 228, 206))
"""Behind the words: the leader's turn, the follower's."""
SHOWN = 8
"""Instructions listed at once."""


@cache
def _font(size: int) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(size)


def screen(game: Game, doing: str = "", overhead: bool = False) -> Picture:
    """What the leader sees: the map, the follower's view in the corner, the score and the instructions."""
    from PIL import Image, ImageDraw

    width, height = MAP_SIZE[0] + VIEW_SIZE[0], MAP_SIZE[1]
    page = Image.new("RGB", (width, height), TURN_COLOURS[game.role])
    page.paste(Image.fromarray(leader_picture(game, overhead, *MAP_SIZE)), (0, 0))
    page.paste(Image.fromarray(follower_picture(game, *VIEW_SIZE)), (MAP_SIZE[0], 0))
    pen = ImageDraw.Draw(page)
    left, top = MAP_SIZE[0] + MARGIN, VIEW_SIZE[1] + MARGIN
    turns = f"score {game.score}    turns left {max(game.turns_left, 0)}"
    pen.text((left, top), f"{turns}    {ROLES[game.role]}: {game.steps} steps", INK, _font(17))
    pen.text((left, top + LINE), doing, INK, _font(15))
    top += 2 * LINE + MARGIN // 2
    for words, colour in _lines(game):
        if top > height - LINE:
            break
        pen.text((left, top), words, colour, _font(15))
        top += LINE
    return np.asarray(page)


def _lines(game: Game) -> list[tuple[str, tuple[int, int, int]]]:
    """The last instructions, the current one dark and marked, broken into lines."""
    lines = []
    start = max(0, game.head - 2)
    for number, item in enumerate(game.instructions[start : start + SHOWN], start):
        current = number == game.head and item.state == PENDING
        mark = "> " if current else "  "
        for i, words in enumerate(wrap(item.text, LETTERS) or [""]):
            lines.append(((mark if i == 0 else "  ") + words, INK if current else FAINT))
    return lines


def frames(recording: Recording) -> Iterator[Picture]:
    """A picture before every action, those of waiting apart, and one of the end."""
    names = {"MF": "forward", "MB": "backward", "RL": "turn left", "RR": "turn right"}
    for number, game in replay(recording):
        if number == len(recording.actions):
            yield screen(game, "the game is over")
            return
        role, action = recording.actions[number]
        if action.name != "WAIT":
            end = "ends the turn" if role == LEADER else "instruction done"
            doing = (action.text and "says something") or names.get(action.name, end)
            yield screen(game, f"{ROLES[role]}: {doing}")


def write_video(recording: Recording, path: Path, seconds: float) -> int:
    """Write an .mp4 or .gif with every action shown for so many seconds; return the number of frames."""
    if not 0.02 <= seconds <= 10:
        raise HousematesError(f"--seconds: expected 0.02 to 10, found {seconds}.")
    count = 0

    def counted() -> Iterator[Picture]:
        nonlocal count
        for picture in frames(recording):
            count += 1
            yield picture

    save_video(path, counted(), 1 / seconds)
    return count
