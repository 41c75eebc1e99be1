"""ALFRED for learners: pictures, words and numbers in, an action with a mask or a point out."""

from __future__ import annotations

import operator
import string
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from gymnasium import spaces

from housemates.benchmarks.alfred.benchmark import AlfredOptions
from housemates.benchmarks.alfred.session import AlfredSession
from housemates.benchmarks.alfred.world.dynamics import ACTIONS, INTERACTIONS
from housemates.benchmarks.base import Act, Benchmark, Session
from housemates.benchmarks.envs import Encoding
from housemates.benchmarks.understanding import nearest
from housemates.errors import HousematesError

CHARACTERS = string.ascii_letters + string.digits + string.punctuation + " \n"
LONGEST = {"goal": 2000, "instructions": 8000, "text": 8000}
FAR_M = 100.0
"""What depth is where there is nothing."""


class AlfredEncoding(Encoding):
    """Do what a goal and step-by-step instructions say.

    ## Action Space
    A dictionary: `action`, one of thirteen by its number in `dynamics.ACTIONS`; `mask`, the picture's size of
    0 and 1, which is looked at only by the seven actions on things. With the option `pointing=point`, a
    `point` (x, y from 0 to 1) takes the place of the mask.

    ## Observation Space
    A dictionary: `rgb` (300x300x3, or as the option `size` says), `goal` and `instructions` (text, one
    sentence a line), `held` (whether something is in the hand), `success` (of the last action); by settings
    `ids` (the number of the thing at each pixel, 0 for the building), `depth` (metres, at most 100) and
    `text` (what is seen and held, in words).

    ## Rewards
    The change in the share of goal conditions that are met; the sum is 1 when the task is done.

    ## Episode End
    Terminated by `Stop`, truncated after 1,000 actions or 10 that failed.

    ## Settings
    `rgb` (yes unless told otherwise), `ids`, `depth`, `text`: which of these are observed.

    ## Version History
    v1: first version.
    """

    benchmark = "alfred"
    learner = "agent"

    def __init__(
        self,
        benchmark: Benchmark,
        rgb: bool = True,
        ids: bool = False,
        depth: bool = False,
        text: bool = False,
    ) -> None:
        super().__init__(benchmark, rgb=rgb, ids=ids, depth=depth, text=text)
        options: AlfredOptions = benchmark.options
        if options.pointing == "object":
            raise HousematesError("pointing: an environment takes mask or point, found 'object'.")
        self.size = options.size
        self.way = "point" if options.pointing == "point" else "mask"
        """How things are pointed at."""
        self._wanted = [name for name, wanted in self.settings.items() if wanted]

    def observation_space(self, role: str) -> spaces.Dict:
        """Pictures of the size that the benchmark has, words and flags."""
        sides = (self.size, self.size)
        parts: dict[str, spaces.Space[Any]] = {
            "rgb": spaces.Box(0, 255, (*sides, 3), np.uint8),
            "ids": spaces.Box(0, np.iinfo(np.uint16).max, sides, np.uint16),
            "depth": spaces.Box(0.0, FAR_M, sides, np.float32),
            **{
                name: spaces.Text(longest, min_length=0, charset=CHARACTERS)
                for name, longest in LONGEST.items()
            },
            "held": spaces.Discrete(2),
            "success": spaces.Discrete(2),
        }
        return spaces.Dict({name: part for name, part in parts.items() if self.settings.get(name, True)})

    def action_space(self, role: str) -> spaces.Dict:
        """The number of an action, and where it points."""
        points: dict[str, spaces.Space[Any]] = {
            "mask": spaces.MultiBinary((self.size, self.size)),
            "point": spaces.Box(0.0, 1.0, (2,), np.float32),
        }
        return spaces.Dict({"action": spaces.Discrete(len(ACTIONS)), self.way: points[self.way]})

    def observation(self, session: Session, role: str) -> dict[str, Any]:
        """What the agent perceives, as arrays of its own."""
        assert isinstance(session, AlfredSession)
        last = session.observe(role).last
        found = {
            "goal": _plain(session.episode.goal, LONGEST["goal"]),
            "instructions": _plain("\n".join(session.episode.instructions), LONGEST["instructions"]),
            "held": int(bool(session.world.home.agent.held)),
            "success": int(last is None or last.success),
        }
        return found | {name: self._seen(session, role, name) for name in self._wanted}

    def _seen(self, session: AlfredSession, role: str, name: str) -> Any:
        if name == "text":
            return _plain(session.text(role), LONGEST["text"])
        array: np.ndarray = getattr(session.sight.look(), name)
        return np.minimum(array, FAR_M) if name == "depth" else array.copy()

    def act(self, role: str, action: Any) -> Act:
        """The act of a dictionary of the action space; a move needs no mask and no point."""
        if not isinstance(action, Mapping) or not {"action"} <= set(action) <= {"action", self.way}:
            raise HousematesError(
                f"Expected a dictionary with action and {self.way}, found {str(action)[:80]!r}."
            )
        name = ACTIONS[_number(action["action"], len(ACTIONS))]
        if name not in INTERACTIONS:
            return Act(name)
        if self.way not in action:
            raise HousematesError(f"{name}: expected a {self.way}.")
        return Act(name, {self.way: self._pointed(action[self.way])})

    def _pointed(self, value: Any) -> Any:
        array = np.asarray(value)
        if self.way == "point":
            if (
                array.shape != (2,)
                or array.dtype.kind not in "fiu"
                or not ((array >= 0) & (array <= 1)).all()
            ):
                raise HousematesError(f"point: expected x and y from 0 to 1, found {str(value)[:80]}.")
            return tuple(array.tolist())
        sides = (self.size, self.size)
        if (
            array.shape != sides
            or array.dtype.kind not in "bui"
            or array.max(initial=0) > 1
            or array.min() < 0
        ):
            raise HousematesError(
                f"mask: expected {sides[0]}x{sides[1]} of 0 and 1, found {array.dtype} {array.shape}."
            )
        return array

    def action(self, act: Act) -> dict[str, Any]:
        """The element of the action space that means an act, such as the one that an expert advises."""
        if act.name not in ACTIONS:
            raise HousematesError(f"Unknown action {act.name!r}: {nearest(act.name, ACTIONS)}.")
        if set(act.arguments) - {self.way}:
            raise HousematesError(f"{act.name}: expected a {self.way}, found {', '.join(act.arguments)}.")
        nothing = np.zeros((self.size, self.size), np.int8) if self.way == "mask" else np.zeros(2, np.float32)
        given = act.arguments.get(self.way, nothing)
        return {"action": ACTIONS.index(act.name), self.way: np.asarray(given, nothing.dtype)}


def _number(value: Any, count: int) -> int:
    """A number from 0 to below `count`; also as an array of one."""
    try:
        number = -1 if isinstance(value, bool | np.bool_) else operator.index(value)
    except TypeError:
        number = -1
    if not 0 <= number < count:
        raise HousematesError(
            f"action: expected a whole number from 0 to {count - 1}, found {str(value)[:40]!r}."
        )
    return number


@lru_cache(maxsize=64)
def _plain(text: str, longest: int) -> str:
    """A text of the characters that its space knows."""
    return "".join(character for character in text if character in CHARACTERS)[:longest]
