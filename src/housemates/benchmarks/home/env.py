"""The home for learners: what its observations and actions are as arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from housemates.benchmarks.encoding import Encoding
from housemates.benchmarks.home.benchmark import Home
from housemates.benchmarks.home.session import ROLE, HomeSession, menu
from housemates.benchmarks.spaces import TYPE_NUMBERS, MenuActions, held_space, picture_spaces
from housemates.core.actions import Act, Menu
from housemates.core.benchmark import Benchmark
from housemates.core.session import Session
from housemates.home.things import HORIZON_RANGE_DEG
from housemates.render.agent_camera import Eyes


class HomeEncoding(Encoding):
    """One agent in one home.

    ## Action Space
    `Dict(action=Discrete(n), point=Box(0, 1, (2,)))`. An action is a number: its place in the menu, which is
    that of its row in `home/actions.toml`, from 0 (`Forward`, `Backward`, `TurnLeft`, ...). The point is a
    place in the picture, x and y as fractions from its top left corner; moves do not read it.

    ## Observation Space
    A `Dict` of
    - `rgb`: what the agent sees (absent with `rgb=False`),
    - `ids`: the number of the thing at each pixel, 0 for the building (with `ids=True`),
    - `depth`: metres along the view axis at each pixel, at most 100 (with `depth=True`),
    - `pose`: x and z in metres, rotation and horizon in degrees,
    - `held`: the number of the held thing's type, 0 for an empty hand,
    - `success`: whether the last action worked.

    ## Rewards
    1 when the goal is reached, else 0.

    ## Episode End
    Terminated when the goal is reached, truncated after `steps` actions.

    ## Version History
    - v3: an object named by its id is touched only where a pixel of it is seen.
    - v2: contact shadows, another shape of faucets; in nine rooms some things stand elsewhere.
    - v1: first version.

    Args:
        benchmark: Made with the same options as `housemates eval` takes.
        rgb: Whether pictures are observed.
        ids: Whether the things in them are.
        depth: Whether depth is.
    """

    benchmark = "home"
    learner = ROLE
    split = "train"

    def __init__(
        self, benchmark: Benchmark, rgb: bool = True, ids: bool = False, depth: bool = False
    ) -> None:
        super().__init__(benchmark, rgb=rgb, ids=ids, depth=depth)
        assert isinstance(benchmark, Home)
        self.size = benchmark.size
        pointing = "point" if benchmark.options.pointing == "any" else benchmark.options.pointing
        self._menu = menu(pointing)
        self.actions = MenuActions(self._menu, point=True)

    def menu(self, role: str) -> Menu:
        """Moves, and what can be done to things."""
        return self._menu

    def observation_space(self, role: str) -> spaces.Dict:
        """Pictures, pose, hand and success."""
        low = np.array([-1000, -1000, 0, HORIZON_RANGE_DEG[0]], dtype=np.float32)
        high = np.array([1000, 1000, 270, HORIZON_RANGE_DEG[1]], dtype=np.float32)
        return spaces.Dict(
            {
                **picture_spaces(*self.size, self.settings),
                "pose": spaces.Box(low, high, dtype=np.float32),
                "held": held_space(),
                "success": spaces.Discrete(2),
            }
        )

    def action_space(self, role: str) -> spaces.Space[Any]:
        """What to do, and where on the picture."""
        return self.actions.space

    def observation(self, session: Session, role: str) -> dict[str, Any]:
        """All but the pictures."""
        assert isinstance(session, HomeSession)
        agent, held = session.world.agent, session.world.held
        last = session.observe(role).last
        return {
            "pose": np.array([agent.x, agent.z, agent.rotation, agent.horizon], dtype=np.float32),
            "held": TYPE_NUMBERS[held.type] if held else 0,
            "success": int(last is None or last.success),
        }

    def eyes(self, session: Session, role: str) -> Eyes:
        """The camera of the agent, whose arrays are the picture's."""
        assert isinstance(session, HomeSession)
        return session.eyes

    def act(self, role: str, action: Any) -> Act:
        """The move or touch that a number and a point mean."""
        return self.actions.act(action)
