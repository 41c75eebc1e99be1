"""How the seats of TEACh look to learners: spaces, and the way between them and percepts and acts."""

from __future__ import annotations

import string
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from housemates.benchmarks.base import Act, Benchmark, Offer, Session, Utterance
from housemates.benchmarks.envs import Encoding
from housemates.benchmarks.teach.session import HomeSession, Seeing, TatcSession
from housemates.benchmarks.teach.world import menus
from housemates.benchmarks.teach.world.describing import dialogue_text
from housemates.benchmarks.teach.world.views import Deed
from housemates.errors import HousematesError
from housemates.home.types import object_types
from housemates.render.frames import Frame

CHARACTERS = string.printable
LONGEST = 200
"""Characters of an utterance, and of a task."""
LONGEST_DIALOGUE = 40_000
HISTORY = 256
"""One's own last acts that are observed."""
FAR_M = 1000.0
DEEP_M = 100.0
"""Where there is nothing to see, it is this far away."""


class TeachEncoding(Encoding):
    """A seat in a home.

    ## Observation space
    `rgb`, and with the settings `ids` and `depth` those: the thing at each pixel by its number (0 for the
    building), and metres along the view axis. `pose`: x, y, z, rotation and horizon. `success` of one's last
    act. `dialogue`: all that was said, an utterance a line. `history`: one's own last 256 acts, the newest
    last: 0 for none, else the number of the action plus one, and the largest number for what is not in the
    action space or made no sense. The Follower has `held`, the number of the type in its hand or 0; the
    Commander has `goal`, the task in words.

    ## Action space
    `action`: a number of the role's menu, in its order. `point`: where on its picture the Follower's object
    actions are meant for, x from the left and y from the top. With somebody to talk to, `text`: what is said;
    for the Commander also what is searched for, or the id that is selected.

    Args:
        benchmark: Made with the same options as `housemates eval` takes.
        rgb: Whether pictures are observed.
        ids: Whether the things in them are.
        depth: Whether depth is.
    """

    learner = "follower"
    talks: ClassVar[bool] = False

    def __init__(
        self, benchmark: Benchmark, rgb: bool = True, ids: bool = False, depth: bool = False
    ) -> None:
        super().__init__(benchmark, rgb=rgb, ids=ids, depth=depth)
        self.seeing: Seeing = benchmark.seeing  # type: ignore[attr-defined]
        if self.seeing.pointing == "object":
            raise HousematesError("pointing: expected any or point: actions point at places of the picture.")

    def menu(self, role: str) -> Mapping[str, Offer]:
        """All that a role can do."""
        return menus.menu(role, self.seeing.pointing, self.talks)

    def observation_space(self, role: str) -> spaces.Dict:
        """What `observation` gives."""
        sides = (self.seeing.height, self.seeing.width)
        pictures: dict[str, spaces.Space[Any]] = {
            "rgb": spaces.Box(0, 255, (*sides, 3), np.uint8),
            "ids": spaces.Box(0, 65535, sides, np.uint16),
            "depth": spaces.Box(0.0, DEEP_M, sides, np.float32),
        }
        own: dict[str, spaces.Space[Any]] = {"held": spaces.Discrete(len(object_types()) + 1)}
        if role == "commander":
            own = {"goal": spaces.Text(LONGEST, min_length=0, charset=CHARACTERS)}
        return spaces.Dict(
            {
                **{name: space for name, space in pictures.items() if self.settings[name]},
                "pose": spaces.Box(-FAR_M, FAR_M, (5,), np.float32),
                "success": spaces.Discrete(2),
                "dialogue": spaces.Text(LONGEST_DIALOGUE, min_length=0, charset=CHARACTERS),
                "history": spaces.Box(0, len(self.menu(role)) + 1, (HISTORY,), np.int16),
                **own,
            }
        )

    def action_space(self, role: str) -> spaces.Dict:
        """What `act` takes."""
        parts: dict[str, spaces.Space[Any]] = {"action": spaces.Discrete(len(self.menu(role)))}
        if role == "follower":
            parts["point"] = spaces.Box(0.0, 1.0, (2,), np.float32)
        if self.talks:
            parts["text"] = spaces.Text(LONGEST, min_length=0, charset=CHARACTERS)
        return spaces.Dict(parts)

    def observation(self, session: Session, role: str) -> dict[str, Any]:
        """What a role perceives, as an element of its space."""
        assert isinstance(session, HomeSession)
        history = session.histories[role]
        last = history[-1].outcome.success if history else True
        common = {
            **self._pictures(session, role),
            "success": int(last),
            "dialogue": _dialogue(tuple(session.dialogue)),
            "history": self._numbers(role, history),
        }
        if role == "commander":
            assert isinstance(session, TatcSession)
            pose = np.array(session.commander.pose, dtype=np.float32)
            return {**common, "pose": pose, "goal": plain(session.task.description)[:LONGEST]}
        held = session.world.home.held
        number = 0 if held is None else type_numbers()[held.type]
        return {**common, "pose": np.array(session.follower.pose, dtype=np.float32), "held": number}

    def _pictures(self, session: HomeSession, role: str) -> dict[str, Any]:
        wanted = self.settings
        if not (wanted["rgb"] or wanted["ids"] or wanted["depth"]):
            return {}
        frame: Frame = session.follower.sight.look() if role == "follower" else session.frame(role)
        found: dict[str, Any] = {}
        if wanted["rgb"]:
            found["rgb"] = frame.rgb.copy()
        if wanted["ids"]:
            found["ids"] = frame.ids.copy()
        if wanted["depth"]:
            found["depth"] = np.minimum(frame.depth, np.float32(DEEP_M))
        return found

    def _numbers(self, role: str, history: list[Deed]) -> NDArray[np.int16]:
        numbers = _numbered(role, self.seeing.pointing, self.talks)
        found = np.zeros(HISTORY, np.int16)
        other, recent = len(numbers) + 1, history[-HISTORY:]
        if recent:
            found[-len(recent) :] = [
                numbers.get(deed.act.name, other) if deed.act is not None else other for deed in recent
            ]
        return found

    def act(self, role: str, action: Any) -> Act:
        """The act that an element of the action space means."""
        if not isinstance(action, Mapping) or "action" not in action:
            raise HousematesError(f"Expected a mapping with 'action', found {str(action)[:80]!r}.")
        offers = tuple(self.menu(role).values())
        number = action["action"]
        whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
        if not whole or not 0 <= number < len(offers):
            raise HousematesError(f"action: expected 0 to {len(offers) - 1}, found {number!r}.")
        offer = offers[int(number)]
        kinds = {each.kind: each.name for each in offer.arguments}
        if "point" in kinds:
            return Act(offer.name, {"point": _point(action.get("point"))})
        if kinds:
            (name,) = kinds.values()
            return Act(offer.name, {name: _text(action.get("text"))})
        return Act(offer.name)


class EdhEncoding(TeachEncoding):
    """The Follower of EDH; see `TeachEncoding`."""

    benchmark = "teach-edh"


class TfdEncoding(TeachEncoding):
    """The Follower of TfD; see `TeachEncoding`."""

    benchmark = "teach-tfd"


class TatcEncoding(TeachEncoding):
    """The Commander and the Follower of TATC; see `TeachEncoding`."""

    benchmark = "teach-tatc"
    talks = True


@cache
def type_numbers() -> Mapping[str, int]:
    """The number of each type of thing, from 1 on, in the order of the table of types."""
    return {name: number for number, name in enumerate(object_types(), start=1)}


@cache
def _numbered(role: str, pointing: str, talks: bool) -> Mapping[str, int]:
    return {name: number for number, name in enumerate(menus.menu(role, pointing, talks), start=1)}


@lru_cache(maxsize=64)
def _dialogue(dialogue: tuple[Utterance, ...]) -> str:
    return plain(dialogue_text(dialogue))[-LONGEST_DIALOGUE:]


def _point(value: Any) -> tuple[float, float]:
    try:
        x, y = (float(each) for each in value)
    except (TypeError, ValueError):
        x = y = np.nan
    if not (0.0 <= x <= 1.0 and 0.0 <= y <= 1.0):
        raise HousematesError(f"point: expected x and y between 0 and 1, found {str(value)[:80]}.")
    return x, y


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > LONGEST:
        raise HousematesError(f"text: expected at most {LONGEST} characters, found {str(value)[:80]!r}.")
    return value


def plain(text: str) -> str:
    """The text with a question mark for each character that the space does not have."""
    return "".join(letter if letter in _KNOWN else "?" for letter in text)


_KNOWN = frozenset(CHARACTERS)
