"""ALFRED for learners: pictures, words and flags in, an action with a mask or a point out."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from gymnasium import spaces

from housemates.benchmarks.alfred.benchmark import Alfred
from housemates.benchmarks.alfred.session import AGENT, AlfredSession
from housemates.benchmarks.alfred.world.agent_camera import Sight
from housemates.benchmarks.alfred.world.menu import MENUS, SKILLED
from housemates.benchmarks.encoding import Encoding
from housemates.benchmarks.spaces import MenuActions, picture_spaces, plain, text_space
from housemates.core.actions import Act, Menu
from housemates.core.benchmark import Benchmark
from housemates.core.session import Session
from housemates.errors import HousematesError

LONGEST_GOAL, LONGEST_TEXT = 2000, 8000


class AlfredEncoding(Encoding):
    """Do what a goal and step-by-step instructions say.

    ## Action Space
    A dictionary: `action`, one of thirteen by its number in `dynamics.ACTIONS`; `mask`, 0 or 1 for each pixel
    of the picture, which is looked at only by the seven actions on things. With the option `pointing=point`
    a `point` (x, y from 0 to 1) takes the place of the mask.

    ## Observation Space
    A dictionary: `rgb` (300x300x3, or as the option `size` says; absent with `rgb=False`), `goal` and
    `instructions` (text, one sentence a line), `held` (whether something is in the hand), `success` (of the
    last action); with `ids=True` the number of the thing at each pixel, 0 for the building; with `depth=True`
    metres along the view axis, at most 100; with `text=True` what is seen and held, in words.

    ## Rewards
    The change in the share of goal conditions that are met; the sum is 1 when the task is done.

    ## Episode End
    Terminated by `Stop`, truncated after 1,000 actions or 10 that failed.

    ## Version History
    - v3: an object named by its id is touched only where a pixel of it is seen.
    - v2: contact shadows, another shape of faucets; in nine rooms some things stand elsewhere.
    - v1: first version.

    Args:
        benchmark: Made with the same options as `housemates eval` takes.
        rgb: Whether pictures are observed.
        ids: Whether the things in them are.
        depth: Whether depth is.
        text: Whether what is seen and held is, in words.
    """

    benchmark = "alfred"
    learner = AGENT

    def __init__(
        self,
        benchmark: Benchmark,
        rgb: bool = True,
        ids: bool = False,
        depth: bool = False,
        text: bool = False,
    ) -> None:
        super().__init__(benchmark, rgb=rgb, ids=ids, depth=depth, text=text)
        assert isinstance(benchmark, Alfred)
        pointing = benchmark.options.pointing
        if pointing == "object":
            raise HousematesError("pointing: expected mask or point: actions point at places of the picture.")
        self.size = benchmark.size
        mask = (self.size[1], self.size[0]) if pointing != "point" else None
        self.actions = MenuActions(MENUS[pointing], point=mask is None, mask=mask)
        self._menu = SKILLED if benchmark.options.acts == "skills" else MENUS[pointing]

    def menu(self, role: str) -> Menu:
        """The thirteen actions, or skills and Stop."""
        return self._menu

    def observation_space(self, role: str) -> spaces.Dict:
        """Pictures, words and flags."""
        parts: dict[str, spaces.Space[Any]] = {
            **picture_spaces(*self.size, self.settings),
            "goal": text_space(LONGEST_GOAL),
            "instructions": text_space(LONGEST_TEXT),
            "held": spaces.Discrete(2),
            "success": spaces.Discrete(2),
        }
        return spaces.Dict(parts | ({"text": text_space(LONGEST_TEXT)} if self.settings["text"] else {}))

    def action_space(self, role: str) -> spaces.Space[Any]:
        """What to do, and where on the picture."""
        return self.actions.space

    def observation(self, session: Session, role: str) -> dict[str, Any]:
        """All but the pictures."""
        assert isinstance(session, AlfredSession)
        last = session.observe(role).last
        found = {
            "goal": _plain(session.episode.goal, LONGEST_GOAL),
            "instructions": _plain("\n".join(session.episode.instructions), LONGEST_TEXT),
            "held": int(bool(session.world.home.agent.held)),
            "success": int(last is None or last.success),
        }
        return found | ({"text": plain(session.text(role), LONGEST_TEXT)} if self.settings["text"] else {})

    def eyes(self, session: Session, role: str) -> Sight:
        """The camera of the agent, whose arrays are the picture's."""
        assert isinstance(session, AlfredSession)
        return session.sight

    def act(self, role: str, action: Any) -> Act:
        """The act that a number and a mask or point mean."""
        return self.actions.act(action)


_plain = lru_cache(maxsize=64)(plain)
