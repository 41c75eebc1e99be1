"""Seats as plain arrays: one number for an act, whatever it needs, and words as numbers.

This is what `actions="flat"` means. An act that needs nothing is one number. One that is pointed at something
has a number for each cell of the picture, and there means the pixel nearest to the cell's middle that shows
something it is for. One that needs a choice has a number for each choice: those of the menu, or the first,
second, ... of those that are offered now, which `choices` shows. What needs words of one's own is left out.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from housemates.benchmarks.spaces import number_of
from housemates.core.actions import Act, Argument, Offer
from housemates.core.session import Session
from housemates.errors import HousematesError
from housemates.render.agent_camera import Eyes
from housemates.render.frames import Frame

CELLS = 8
"""Rows and columns of cells of a picture."""
LISTED = 128
"""How many of the choices that are offered now have a number."""
VOCABULARY = 4096
"""Numbers of words; 0 is no word, and words share one if their checksums do."""
WORDS, CHOICE_WORDS = 512, 12
"""Words of a text, the last of them, and of a choice, the first of them."""
MASK, CHOICES = "action_mask", "choices"
"""Beside the encoding's own parts of an observation: the numbers that make sense now, and what is listed."""
POINTING = ("point", "mask", "object")
"""Ways to point at something in a picture, the best first."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\sA-Za-z0-9]")
"""Names of types are words: `DishSponge` is two, so that an id can be held beside what is asked for."""
Numbers = NDArray[np.int32]
Find = Callable[[Session], Eyes | None]


class Row(NamedTuple):
    """The numbers of an offer."""

    name: str
    kind: str
    """`bare`, `cells`, `choice` or `listed`."""
    first: int
    """The first of its numbers."""
    size: int
    argument: str = ""
    choices: tuple[str, ...] = ()
    ways: tuple[tuple[str, str], ...] = ()
    """For `cells`: kinds and names of the arguments by which it may be pointed."""


class Flat:
    """A seat as plain arrays.

    Args:
        menu: Everything that the role can ever do.
        observation: The encoding's own space.
        eyes: Whose picture is pointed at.
    """

    def __init__(self, menu: Mapping[str, Offer], observation: spaces.Space[Any], eyes: Find) -> None:
        assert isinstance(observation, spaces.Dict)
        self.rows = _rows(menu)
        self.count = sum(row.size for row in self.rows)
        self._eyes = eyes
        self._listed = [row for row in self.rows if row.kind == "listed"]
        self._texts = [name for name, each in observation.spaces.items() if isinstance(each, spaces.Text)]
        parts = dict(observation.spaces)
        parts.update(dict.fromkeys(self._texts, _words_space((WORDS,))))
        if self._listed:
            parts[CHOICES] = _words_space((len(self._listed), LISTED, CHOICE_WORDS))
        parts[MASK] = spaces.Box(0, 1, (self.count,), np.int8)
        self.observation_space = spaces.Dict(parts)
        self.action_space = spaces.Discrete(self.count)

    def meanings(self) -> list[str]:
        """What each number means, such as `Pickup at 3,4`, column and row."""
        found = []
        for row in self.rows:
            ends = [f" {each}" for each in row.choices] or [f" choice {each}" for each in range(row.size)]
            if row.kind == "cells":
                ends = [f" at {each % CELLS},{each // CELLS}" for each in range(row.size)]
            found += [row.name + end for end in ([""] if row.kind == "bare" else ends)]
        return found

    def flattened(self, session: Session, role: str, observation: Mapping[str, Any]) -> dict[str, Any]:
        """An observation of the encoding as plain arrays, with the mask and what is listed."""
        found = dict(observation)
        for name in self._texts:
            found[name] = words(found[name], WORDS, from_end=True)
        offers = {offer.name: offer for offer in session.offers(role)}
        if self._listed:
            found[CHOICES] = np.stack([_table(_choices(offers.get(row.name), row)) for row in self._listed])
        found[MASK] = self._masked(session, role, offers).view(np.int8)
        return found

    def masks(self, session: Session, role: str) -> NDArray[np.bool_]:
        """Which numbers make sense now; all of them if none does."""
        return self._masked(session, role, {offer.name: offer for offer in session.offers(role)})

    def _masked(self, session: Session, role: str, offers: Mapping[str, Offer]) -> NDArray[np.bool_]:
        found, frame, menu = np.zeros(self.count, np.bool_), None, session.menu(role)
        for row in self.rows:
            offer = offers.get(row.name)
            if offer is None:
                continue
            end = row.first + row.size
            if row.kind == "cells":
                frame = frame or self._frame(session)
                found[row.first : end] = _cells(_meant(frame, offer, menu[row.name]))
            elif row.kind == "listed":
                found[row.first : row.first + len(_choices(offer, row))] = True
            else:
                found[row.first : end] = True
        return found if found.any() else ~found

    def act(self, session: Session, role: str, action: Any) -> Act:
        """The act that a number means; what is none raises HousematesError."""
        number = number_of(action, self.count)
        row = next(each for each in reversed(self.rows) if each.first <= number)
        if row.kind == "bare":
            return Act(row.name)
        if row.kind == "choice":
            return Act(row.name, {row.argument: row.choices[number - row.first]})
        offer = next((each for each in session.offers(role) if each.name == row.name), None)
        if row.kind == "listed":
            listed = _choices(offer, row)
            chosen = listed[number - row.first] if number - row.first < len(listed) else ""
            return Act(row.name, {row.argument: chosen})
        frame = self._frame(session)
        pixels = np.zeros(frame.ids.shape, np.bool_)
        if offer is not None:
            pixels = _meant(frame, offer, session.menu(role)[row.name])
        return self._pointed(row, frame, pixels, number - row.first)

    @staticmethod
    def _pointed(row: Row, frame: Frame, pixels: NDArray[np.bool_], cell: int) -> Act:
        down, right = divmod(cell, CELLS)
        height, width = frame.ids.shape
        top, left = down * height // CELLS, right * width // CELLS
        bottom, end = (down + 1) * height // CELLS, (right + 1) * width // CELLS
        middle = ((bottom - top - 1) / 2, (end - left - 1) / 2)
        rows, columns = np.nonzero(pixels[top:bottom, left:end])
        y, x = (int(each) for each in middle)
        if len(rows):
            best = int(np.argmin((rows - middle[0]) ** 2 + (columns - middle[1]) ** 2))
            y, x = int(rows[best]), int(columns[best])
        y, x = y + top, x + left
        way, name = row.ways[0]
        if way == "point":
            return Act(row.name, {name: ((x + 0.5) / width, (y + 0.5) / height)})
        thing = frame.thing_at(x, y) or ""
        return Act(row.name, {name: thing if way == "object" else frame.ids == frame.ids[y, x]})

    def _frame(self, session: Session) -> Frame:
        eyes = self._eyes(session)
        if eyes is None:
            raise HousematesError("actions: there is no picture here at which a flat act could point.")
        return eyes.look()


def _rows(menu: Mapping[str, Offer]) -> list[Row]:
    """The numbers of a menu, in its order."""
    found: list[Row] = []
    for offer in menu.values():
        row = _row(offer, found[-1].first + found[-1].size if found else 0)
        found += [] if row is None else [row]
    return found


def _row(offer: Offer, first: int) -> Row | None:
    """The numbers of an offer; None if it needs words of one's own."""
    needed = [each for each in offer.arguments if each.required or each.name in offer.one_of]
    if not needed:
        return Row(offer.name, "bare", first, 1)
    ways = {each.kind: each.name for each in needed if each.kind in POINTING}
    if offer.one_of or not ways.keys().isdisjoint(("point", "mask")):
        told = tuple((kind, ways[kind]) for kind in POINTING if kind in ways)
        return Row(offer.name, "cells", first, CELLS * CELLS, ways=told)
    (argument, *others) = needed
    if others or argument.kind not in ("choice", "object"):
        return None
    if argument.choices:
        return Row(offer.name, "choice", first, len(argument.choices), argument.name, argument.choices)
    return Row(offer.name, "listed", first, LISTED, argument.name)


def _choices(offer: Offer | None, row: Row) -> tuple[str, ...]:
    """What is offered now for a row."""
    told: Sequence[Argument] = () if offer is None else offer.arguments
    return next((each.choices[:LISTED] for each in told if each.name == row.argument), ())


def _meant(frame: Frame, offer: Offer, ever: Offer) -> NDArray[np.bool_]:
    """The pixels that show what an offer is for now; anything, where none of its kind ever names things."""
    table = np.zeros(len(frame.labels), np.bool_)
    if any(each.kind == "object" for each in ever.arguments):
        named = next((each.choices for each in offer.arguments if each.kind == "object"), ())
        table[[frame.numbers[each] for each in named if each in frame.numbers]] = True
    else:
        table[1:] = True
    return np.asarray(table[frame.ids])


def _cells(pixels: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Whether there is any such pixel in each cell, row by row."""
    height, width = pixels.shape
    rows, columns = (np.arange(CELLS) * side // CELLS for side in (height, width))
    return np.asarray(np.logical_or.reduceat(np.logical_or.reduceat(pixels, rows, 0), columns, 1).ravel())


def _words_space(shape: tuple[int, ...]) -> spaces.Box:
    return spaces.Box(0, VOCABULARY - 1, shape, np.int32)


@lru_cache(maxsize=1 << 15)
def number_of_word(word: str) -> int:
    """The number of a word, the same on every machine."""
    return 1 + zlib.crc32(word.encode()) % (VOCABULARY - 1)


def words(text: str, most: int, from_end: bool = False) -> Numbers:
    """A text as the numbers of its words and signs, filled up with zeros."""
    found = np.zeros(most, np.int32)
    numbers = [number_of_word(each.lower()) for each in _WORD.findall(text)]
    numbers = numbers[-most:] if from_end else numbers[:most]
    found[: len(numbers)] = numbers
    return found


@lru_cache(maxsize=1 << 14)
def _choice(text: str) -> Numbers:
    return words(text, CHOICE_WORDS)


@lru_cache(maxsize=256)
def _table(choices: tuple[str, ...]) -> Numbers:
    """The choices that are listed, one a row."""
    found = np.zeros((LISTED, CHOICE_WORDS), np.int32)
    for number, each in enumerate(choices):
        found[number] = _choice(each)
    return found
