"""How the seats of TEACh look to learners: spaces, and the way between them and percepts and acts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from housemates.benchmarks.encoding import Encoding
from housemates.benchmarks.spaces import (
    TYPE_NUMBERS,
    MenuActions,
    held_space,
    picture_spaces,
    plain,
    text_space,
)
from housemates.benchmarks.teach.session import HomeSession, TatcSession
from housemates.benchmarks.teach.world import menus
from housemates.benchmarks.teach.world.descriptions import dialogue_text
from housemates.benchmarks.teach.world.views import ActionRecord, Seeing
from housemates.core.actions import Act, Menu
from housemates.core.benchmark import Benchmark
from housemates.core.percepts import Utterance
from housemates.core.session import Session
from housemates.errors import HousematesError
from housemates.render.agent_camera import Eyes

LONGEST = 200
"""Characters of an utterance, and of a task."""
LONGEST_DIALOGUE = 40_000
HISTORY = 256
"""One's own last acts that are observed."""
FAR_M = 1000.0
NOTHING_TOLD = (0, np.zeros(HISTORY, np.int16))


class _Told:
    """What learners were told of a session at the last look."""

    def __init__(self) -> None:
        self.histories: dict[str, tuple[int, NDArray[np.int16]]] = {}
        """Role -> how many acts there were, and the last of them in numbers."""
        self._count, self._dialogue = 0, ""

    def all_said(self, dialogue: Sequence[Utterance]) -> str:
        """All that was said, an utterance a line; dialogues only grow."""
        if len(dialogue) != self._count:
            self._count, self._dialogue = len(dialogue), plain(dialogue_text(dialogue), LONGEST_DIALOGUE)
        return self._dialogue


class TeachEncoding(Encoding):
    """A seat in a home.

    ## Observation Space
    `rgb`, and with the settings `ids` and `depth` those: the thing at each pixel by its number (0 for the
    building), and metres along the view axis. `pose`: x, y, z, rotation and horizon. `success` of one's last
    act. `dialogue`: all that was said, an utterance a line. `history`: one's own last 256 acts, the newest
    last: 0 for none, else the number of the action plus one, and the largest number for what is not in the
    action space or made no sense. The Follower has `held`, the number of the type in its hand or 0; the
    Commander has `goal`, the task in words.

    ## Action Space
    `action`: a number of the role's menu, in its order. `point`: where on its picture the Follower's object
    actions are meant for, x from the left and y from the top. With somebody to talk to, `text`: what is said;
    for the Commander also what is searched for, or the id that is selected.

    ## Rewards
    At the end 1 if all is done that was asked, else 0.

    ## Episode End
    Terminated by `Stop`, in TATC also when the task is done; truncated after 1,000 actions or 30 that failed.

    ## Version History
    - v3: an object named by its id is touched only where it is seen and within reach.
    - v2: contact shadows, another shape of faucets; in nine rooms some things stand elsewhere.
    - v1: first version.

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
        self.actions = {
            role: MenuActions(menus.menu(role, "point", self.talks), point=True, text=LONGEST)
            for role in benchmark.roles
        }
        self._told: WeakKeyDictionary[HomeSession, _Told] = WeakKeyDictionary()

    def menu(self, role: str) -> Menu:
        """The role's actions or the skills, and with somebody to talk to what is said."""
        return menus.menu(role, "point", self.talks, self.seeing.skilled)

    def observation_space(self, role: str) -> spaces.Dict:
        """What a role perceives."""
        own = {"goal": text_space(LONGEST)} if role == "commander" else {"held": held_space()}
        return spaces.Dict(
            {
                **picture_spaces(self.seeing.width, self.seeing.height, self.settings),
                "pose": spaces.Box(-FAR_M, FAR_M, (5,), np.float32),
                "success": spaces.Discrete(2),
                "dialogue": text_space(LONGEST_DIALOGUE),
                "history": spaces.Box(0, len(self.actions[role].names) + 1, (HISTORY,), np.int16),
                **own,
            }
        )

    def action_space(self, role: str) -> spaces.Space[Any]:
        """The space of the actions that `act` takes."""
        return self.actions[role].space

    def observation(self, session: Session, role: str) -> dict[str, Any]:
        """All but the pictures."""
        assert isinstance(session, HomeSession)
        history = session.histories[role]
        told = self._told.get(session)
        if told is None:
            told = self._told[session] = _Told()
        common = {
            "success": int(history[-1].outcome.success) if history else 1,
            "dialogue": told.all_said(session.dialogue),
            "history": self._numbers(told, history, role),
        }
        if role == "commander":
            assert isinstance(session, TatcSession)
            pose = np.array(session.commander.pose, dtype=np.float32)
            goal = "" if session.by_progress else session.asked.description
            return {**common, "pose": pose, "goal": plain(goal, LONGEST)}
        held = session.world.home.held
        number = 0 if held is None else TYPE_NUMBERS[held.type]
        return {**common, "pose": np.array(session.follower.pose, dtype=np.float32), "held": number}

    def eyes(self, session: Session, role: str) -> Eyes:
        """The Follower's, or the Commander's camera."""
        assert isinstance(session, HomeSession)
        if role == "commander":
            assert isinstance(session, TatcSession)
            return session.commander.eyes
        return session.follower.sight

    def _numbers(self, told: _Told, history: Sequence[ActionRecord], role: str) -> NDArray[np.int16]:
        """The history in numbers; what was told at the last look is gone on from."""
        count, before = told.histories.get(role, NOTHING_TOLD)
        new = min(len(history) - count, HISTORY)
        found = before.copy()
        if new:
            found[:-new] = before[new:]
            found[-new:] = [self._number(role, deed) for deed in history[-new:]]
            told.histories[role] = (len(history), found.copy())
        return found

    def _number(self, role: str, deed: ActionRecord) -> int:
        numbers = self.actions[role].numbers
        return 1 + (len(numbers) if deed.act is None else numbers.get(deed.act.name, len(numbers)))

    def act(self, role: str, action: Any) -> Act:
        """The act that an element of the action space means."""
        return self.actions[role].act(action)


class EdhEncoding(TeachEncoding):
    """The Follower of EDH: what is still to be done after a part of a recorded dialogue."""

    benchmark = "teach-edh"


class TfdEncoding(TeachEncoding):
    """The Follower of TfD: a whole recorded task from its dialogue."""

    benchmark = "teach-tfd"


class TatcEncoding(TeachEncoding):
    """The Commander, who knows the task, and the Follower, who does it."""

    benchmark = "teach-tatc"
    talks = True
