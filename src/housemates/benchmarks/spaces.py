"""What all encodings share: spaces for words, pictures and acts, and the way back from them."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from housemates.core.actions import Act, Argument, Offer
from housemates.errors import HousematesError
from housemates.files import shipped
from housemates.render.agent_camera import CHANNELS, FAR_M

CHARACTERS = string.printable
"""What words are made of; any other character becomes a question mark."""
TYPE_NUMBERS: dict[str, int] = {
    name: number for number, name in enumerate(shipped(__package__, "numbers.toml")["types"], start=1)
}
"""The number of each type of thing in `held`; 0 is an empty hand. New types get new numbers at the end."""
MOST_TYPES = 512
_OTHER = re.compile(r"[^\t-\r -~]")


def text_space(longest: int) -> spaces.Text:
    """Words of at most this many characters."""
    return spaces.Text(longest, min_length=0, charset=CHARACTERS)


def plain(text: str, longest: int) -> str:
    """A text as an element of its space; of one that is too long, the end."""
    return _OTHER.sub("?", text[-longest:])


def held_space() -> spaces.Discrete:
    """What is in the hand: `TYPE_NUMBERS`, or 0."""
    return spaces.Discrete(MOST_TYPES)


def picture_spaces(width: int, height: int, channels: Mapping[str, bool]) -> dict[str, spaces.Space[Any]]:
    """The arrays of a picture that are wanted, by name."""
    every: dict[str, spaces.Space[Any]] = {
        "rgb": spaces.Box(0, 255, (height, width, 3), np.uint8),
        "ids": spaces.Box(0, 65535, (height, width), np.uint16),
        "depth": spaces.Box(0.0, FAR_M, (height, width), np.float32),
    }
    return {name: every[name] for name in CHANNELS if channels.get(name)}


class MenuActions:
    """Acts of a menu as an action space: which one, by its number, and what it is told.

    The space is a `Dict` of `action`, and `point`, `mask` and `text` where they are wanted and some offer
    takes such a thing; a plain `Discrete` if none is.

    Args:
        menu: Everything that the role can do, in the order of the numbers.
        point: Whether things are pointed at by a place (x, y) of the picture.
        mask: Height and width of masks, if things are pointed at by their pixels.
        text: How long a text may be, if any may be given.
    """

    def __init__(
        self,
        menu: Mapping[str, Offer],
        point: bool = False,
        mask: tuple[int, int] | None = None,
        text: int = 0,
    ) -> None:
        self.names = tuple(menu)
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self._bare = [Act(name) for name in self.names]
        wanted = {"point": point, "mask": mask is not None, "text": bool(text)}
        self._sources = [_sources(offer, wanted) for offer in menu.values()]
        parts: dict[str, spaces.Space[Any]] = {"action": spaces.Discrete(len(self.names))}
        used = {kind for told in self._sources for kind in told.values()}
        if "point" in used:
            parts["point"] = spaces.Box(0.0, 1.0, (2,), np.float32)
        if "mask" in used and mask is not None:
            parts["mask"] = spaces.MultiBinary(mask)
        if "text" in used:
            parts["text"] = text_space(text)
        self._mask = mask
        self._longest = text
        self.space: spaces.Space[Any] = spaces.Dict(parts) if len(parts) > 1 else parts["action"]

    def act(self, action: Any) -> Act:
        """The act that an element of the space means; whatever is none raises HousematesError."""
        if not isinstance(self.space, spaces.Dict):
            return self._bare[number_of(action, len(self.names))]
        if not isinstance(action, Mapping) or "action" not in action:
            wanted = ", ".join(self.space.spaces)
            raise HousematesError(f"Expected an action with {wanted}, found {_short(action)}.")
        number = number_of(action["action"], len(self.names))
        told = self._sources[number]
        if not told:
            return self._bare[number]
        return Act(self.names[number], {name: self._read(kind, action) for name, kind in told.items()})

    def _read(self, kind: str, action: Mapping[str, Any]) -> Any:
        if kind not in action:
            raise HousematesError(f"{self.names[int(action['action'])]}: expected {kind} in the action.")
        value = action[kind]
        if kind == "point":
            return point_of(value)
        if kind == "mask":
            assert self._mask is not None
            return mask_in(value, self._mask)
        if not isinstance(value, str) or len(value) > self._longest:
            raise HousematesError(
                f"text: expected at most {self._longest} characters, found {_short(value)}."
            )
        return value


def _sources(offer: Offer, wanted: Mapping[str, bool]) -> dict[str, str]:
    """Which arguments of an offer come from which part of the action."""
    found: dict[str, str] = {}
    for argument in offer.arguments:
        part = _part(argument)
        needed = argument.required or argument.name in offer.one_of
        if part and wanted[part] and needed and part not in found.values():
            found[argument.name] = part
    return found


def _part(argument: Argument) -> str:
    if argument.kind == "object":
        return "text" if argument.required else ""
    return {"point": "point", "mask": "mask", "text": "text", "choice": "text"}.get(argument.kind, "")


def number_of(value: Any, count: int) -> int:
    """A whole number from 0 to below `count`; anything else raises HousematesError."""
    if isinstance(value, np.ndarray) and value.size == 1:
        value = value.reshape(-1)[0]
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 0 <= value < count:
        raise HousematesError(f"Unknown action {_short(value)}: expected a number from 0 to {count - 1}.")
    return int(value)


def point_of(value: Any) -> tuple[float, float]:
    """A place of the picture, from 0 to 1; anything else raises HousematesError."""
    try:
        x, y = (float(each) for each in value)
    except (TypeError, ValueError):
        x = y = np.nan
    if not (0.0 <= x <= 1.0 and 0.0 <= y <= 1.0):
        raise HousematesError(f"point: expected x and y from 0 to 1, found {_short(value)}.")
    return x, y


def mask_in(value: Any, shape: tuple[int, int]) -> np.ndarray:
    """Pixels of the picture, as booleans; anything but an array of 0 and 1 of its size is refused."""
    mask = np.asarray(value)
    if mask.shape != shape or mask.dtype.kind not in "biu" or mask.min() < 0 or mask.max() > 1:
        raise HousematesError(f"mask: expected {shape[0]}x{shape[1]} of 0 and 1, found {_short(value)}.")
    return mask.astype(bool)


def _short(value: Any) -> str:
    value = value.item() if isinstance(value, np.generic) else value
    text = repr(value) if not isinstance(value, np.ndarray) else f"an array {value.shape} of {value.dtype}"
    return text if len(text) <= 60 else text[:57] + "..."
