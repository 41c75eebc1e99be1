"""The game for learners: spaces, and the way between them and the seats."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces

from housemates.benchmarks.cerealbar.benchmark import GameOptions
from housemates.benchmarks.cerealbar.session import LONGEST, menus
from housemates.benchmarks.cerealbar.world.state import TURNS, Options
from housemates.benchmarks.cerealbar.world.tensors import PROPERTIES, egocentric, encode, radius
from housemates.benchmarks.encoding import Encoding
from housemates.benchmarks.spaces import MenuActions, plain, text_space
from housemates.core.actions import Act, Menu
from housemates.core.benchmark import Benchmark
from housemates.core.session import Session


class GameEncoding(Encoding):
    """A game as binary planes, with the current instruction.

    ## Action Space
    Follower: `Discrete(5)`: forward, backward, turn left, turn right, done with the current instruction.
    Leader: a dictionary: `action`, the same moves, end the turn, say `text`. Where a game has options under
    which a role may say or do more, its `action` has more numbers, and `text` is what they need.

    ## Observation Space
    A dictionary: `map` (97 binary planes), `instructions` (the follower's current one), `success` of the last
    action, `steps` and `turns_left`, `legal` (which actions are possible).

    ## Rewards
    1 for every set, by whichever player.

    ## Episode End
    Terminated when the turns have run out; in recorded games when the leader has nothing more to say.

    ## Version History
    - v2: with `view=partial` the follower knows only what it has seen, from the first moment.
    - v1: first version.

    Args:
        benchmark: Made with the same options as `housemates eval` takes.
        ego: Give planes in the player's own frame.
    """

    benchmark: ClassVar[str] = "cerealbar"
    learner: ClassVar[str] = "follower"

    def __init__(self, benchmark: Benchmark, ego: bool = False) -> None:
        super().__init__(benchmark, ego=ego)
        options = benchmark.options
        self.game = options.game if isinstance(options, GameOptions) else Options()
        self.menus = menus(self.game, isinstance(options, GameOptions) and options.clock)
        self.actions = {role: MenuActions(menu, text=LONGEST) for role, menu in self.menus.items()}
        self.ego = ego

    def menu(self, role: str) -> Menu:
        """Moves, and what the role says."""
        return self.menus[role]

    def observation_space(self, role: str) -> spaces.Dict:
        """Planes of properties, the current instruction, what is left, and which actions are possible."""
        side = 2 * radius(self.game.size) + 1
        shape = (side, side) if self.ego else tuple(self.game.size)
        return spaces.Dict(
            {
                "map": spaces.Box(0, 1, (len(PROPERTIES), *shape), np.uint8),
                "instructions": text_space(LONGEST),
                "success": spaces.Discrete(2),
                "steps": spaces.Discrete(max(TURNS["leader_steps"], TURNS["follower_steps"]) + 1),
                "turns_left": spaces.Discrete(TURNS["most"] + 1),
                "legal": spaces.Box(0, 1, (len(self.menus[role]),), np.int8),
            }
        )

    def action_space(self, role: str) -> spaces.Space[Any]:
        """The role's menu in order, with a text where something on it needs one."""
        return self.actions[role].space

    def observation(self, session: Session, role: str) -> dict[str, Any]:
        """What a role perceives, as tensors and text."""
        percept = session.observe(role)
        seen = percept.data
        planes = encode(seen)
        if self.ego:
            planes = egocentric(planes, seen.pose, radius(seen.map.size))
        offered = {offer.name for offer in percept.offers}
        return {
            "map": planes,
            "instructions": plain(seen.instruction, LONGEST),
            "success": int(percept.last is None or percept.last.success),
            "steps": seen.steps,
            "turns_left": max(0, min(seen.turns_left, TURNS["most"])),
            "legal": np.array([name in offered for name in self.menus[role]], dtype=np.int8),
        }

    def act(self, role: str, action: Any) -> Act:
        """The act that an element of the action space means."""
        return self.actions[role].act(action)


class RecordedEncoding(GameEncoding):
    """Follow the leaders of recorded games."""

    benchmark: ClassVar[str] = "cerealbar-recorded"
