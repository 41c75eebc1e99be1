"""Observations and actions as Gymnasium spaces."""

from __future__ import annotations

import string
from typing import Any

import numpy as np
from gymnasium import spaces

from housemates.benchmarks.teach.world.dynamics import HOME_ACTIONS
from housemates.benchmarks.teach.world.observation import Observation
from housemates.benchmarks.teach.world.roles import FLIGHTS, TOOLS

FOLLOWER_ACTIONS = ("Stop", *HOME_ACTIONS)
"""What a Follower on its own does, in the order of the action space."""
ACTIONS = {
    "commander": ("Stop", "Pass", "Text", *FLIGHTS, *TOOLS),
    "follower": ("Stop", "Pass", "Text", *HOME_ACTIONS),
}
"""What the two can do, in the order of their action spaces."""
CHARACTERS = string.printable
LONGEST = 200
"""Characters of an utterance."""
LONGEST_DIALOGUE = 40_000
FAR = 1000.0
UNKNOWN = "other"


def action_space(names: tuple[str, ...], points: bool, words: bool) -> spaces.Dict:
    """An action: its number, a place (x, y) on the picture, and what is said or searched for."""
    parts: dict[str, spaces.Space[Any]] = {"action": spaces.Discrete(len(names))}
    if points:
        parts["point"] = spaces.Box(0.0, 1.0, (2,), np.float32)
    if words:
        parts["text"] = spaces.Text(LONGEST, min_length=0, charset=CHARACTERS)
    return spaces.Dict(parts)


def observation_space(size: int, names: tuple[str, ...], task: bool = False) -> spaces.Dict:
    """What is perceived; `names` are the actions that the history counts."""
    parts: dict[str, spaces.Space[Any]] = {
        "frame": spaces.Box(0, 255, (size, size, 3), np.uint8),
        "pose": spaces.Box(-FAR, FAR, (5,), np.float32),
        "success": spaces.Discrete(2),
        "dialogue": spaces.Text(LONGEST_DIALOGUE, min_length=0, charset=CHARACTERS),
        "history": spaces.Sequence(spaces.Discrete(len(names) + 1)),
    }
    if task:
        parts["task"] = spaces.Text(LONGEST, min_length=0, charset=CHARACTERS)
    return spaces.Dict(parts)


def observed(observation: Observation, names: tuple[str, ...]) -> dict[str, Any]:
    """An observation as an element of its space."""
    said = "\n".join(f"{each.role}: {each.text}" for each in observation.dialogue)
    numbers = {name: number for number, name in enumerate(names)}
    last = observation.last
    found = {
        "frame": observation.frame().rgb.copy(),
        "pose": np.array(observation.pose, dtype=np.float32),
        "success": int(last is None or last.success),
        "dialogue": plain(said)[-LONGEST_DIALOGUE:],
        "history": tuple(
            numbers.get(deed.act.name if deed.act else UNKNOWN, len(names)) for deed in observation.history
        ),
    }
    if observation.task is not None:
        found["task"] = plain(observation.task.description)[:LONGEST]
    return found


def meaning(action: Any, names: tuple[str, ...]) -> Any:
    """What an element of an action space says, for a session to understand.

    Anything else, such as an `Act` or a name, is passed on as it is; a session refuses what makes no sense.
    """
    if not isinstance(action, dict) or "action" not in action:
        return action
    number = action["action"]
    if not isinstance(number, int | np.integer) or not 0 <= number < len(names):
        return {"name": number} if isinstance(number, str) else action
    name = names[number]
    found: dict[str, Any] = {"name": name}
    if name in HOME_ACTIONS and "point" in action:
        found["x"], found["y"] = _pair(action["point"])
    if name in ("Text", *TOOLS):
        found["text"] = action.get("text")
    return found


def _pair(point: Any) -> tuple[Any, Any]:
    try:
        x, y = point
    except (TypeError, ValueError):
        return point, None
    return _number(x), _number(y)


def _number(value: Any) -> Any:
    return float(value) if isinstance(value, np.floating | np.integer) else value


def plain(text: str) -> str:
    """The text with a question mark for each character that the space does not have."""
    return "".join(letter if letter in _KNOWN else "?" for letter in text)


_KNOWN = frozenset(CHARACTERS)
