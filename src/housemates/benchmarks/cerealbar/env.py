"""The game for learners: Gymnasium for a follower, PettingZoo for both players."""

from __future__ import annotations

import string
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from housemates.benchmarks.base import Agent, Instance, Outcome
from housemates.benchmarks.cerealbar.agents.baselines import pair
from housemates.benchmarks.cerealbar.files.episodes import Recording
from housemates.benchmarks.cerealbar.tasks.recorded import RecordedSession, take_apart
from housemates.benchmarks.cerealbar.world.dynamics import act, new_game
from housemates.benchmarks.cerealbar.world.observe import Memory, Observation, observe
from housemates.benchmarks.cerealbar.world.state import (
    FOLLOWER,
    LEADER,
    MOVES,
    ROLES,
    TURNS,
    Action,
    Game,
    Options,
    say,
)
from housemates.benchmarks.cerealbar.world.tables import RULES
from housemates.benchmarks.cerealbar.world.tensors import PROPERTIES, egocentric, encode, radius

ACTIONS = (*MOVES, "DONE")
CHARACTERS = string.ascii_letters + string.digits + string.punctuation + " "
LONGEST = RULES["instruction"]["longest"]
Observed = dict[str, Any]


def plain(text: str) -> str:
    """A text with the characters of the text space only."""
    return "".join(character for character in text if character in CHARACTERS)[:LONGEST]


def observation_space(options: Options, ego: bool) -> spaces.Dict:
    """Planes of properties, the current instruction, what is left, and which actions are possible."""
    side = 2 * radius(options.size) + 1
    shape = (side, side) if ego else tuple(options.size)
    return spaces.Dict(
        {
            "map": spaces.Box(0, 1, (len(PROPERTIES), *shape), np.uint8),
            "instruction": spaces.Text(LONGEST, min_length=0, charset=CHARACTERS),
            "steps": spaces.Discrete(max(TURNS["leader_steps"], TURNS["follower_steps"]) + 1),
            "turns_left": spaces.Discrete(TURNS["most"] + 1),
            "legal": spaces.Box(0, 1, (len(ACTIONS),), np.int8),
        }
    )


def observed(seen: Observation, ego: bool) -> Observed:
    """An observation as tensors and text."""
    planes = encode(seen)
    if ego:
        planes = egocentric(planes, seen.pose, radius(seen.map.size))
    mask = np.array([name in seen.legal for name in ACTIONS], dtype=np.int8)
    return {
        "map": planes,
        "instruction": plain(seen.instruction),
        "steps": seen.steps,
        "turns_left": max(0, min(seen.turns_left, TURNS["most"])),
        "legal": mask,
    }


class FollowerEnv(gymnasium.Env[Observed, np.int64]):
    """Follow a leader's instructions.

    ## Action Space
    `Discrete(5)`: forward, backward, turn left, turn right, DONE with the current instruction.

    ## Observation Space
    A dictionary: `map` (97 binary planes), `instruction`, `steps` and `turns_left`, `legal`.

    ## Rewards
    1 for every set, by whichever player. A refused action changes nothing; `info["refused"]` says why.

    ## Termination
    When no turns are left, or when a recorded leader has nothing more to say.

    ## Arguments
    `leader`: `talking` or `planner`; `recording`: a game whose leader is played instead, with `ten_steps` in
    every turn or as many as were recorded; `partial`: see as people do, not everything; `ego`: planes in the
    follower's frame; `game`: options of the game.

    ## Version History
    v1: first version.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        leader: str = "talking",
        recording: Recording | None = None,
        ten_steps: bool = True,
        partial: bool = False,
        ego: bool = False,
        game: Options | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.options = game or Options()
        self.leader: Agent = pair(leader)["leader"]
        self.script = take_apart(recording) if recording else None
        self.ten_steps = ten_steps
        self.partial = partial
        self.ego = ego
        self.render_mode = render_mode
        self.action_space = spaces.Discrete(len(ACTIONS))
        self.observation_space = observation_space(self.options, ego)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begin a new game, or the recorded one again."""
        super().reset(seed=seed)
        self.memory = Memory() if self.partial else None
        self.session: RecordedSession | None = None
        if self.script:
            self.session = RecordedSession(
                self.script, self.script.completed[0], self.ten_steps, self.partial
            )
            self.game = self.session.game
        else:
            number = int(self.np_random.integers(2**31))
            self.game = new_game(number, self.options)
            self.leader.reset(Instance("env", "game", None, number))
            self.lead()
        return self.look(), {}

    def step(self, action: np.int64) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Act, and let the leader take its turn if the follower's is over."""
        before = self.game.score
        outcome = self.carry_out(Action(ACTIONS[int(action)]))
        info = {} if outcome.success else {"refused": outcome.message}
        return self.look(), float(self.game.score - before), self.over, False, info

    def carry_out(self, action: Action) -> Outcome:
        """The follower's action, then the leader's turn."""
        if self.session:
            return self.session.act(action)
        outcome = act(self.game, FOLLOWER, action)
        self.lead()
        return outcome

    @property
    def over(self) -> bool:
        """Whether the episode is."""
        return self.session.role is None if self.session else self.game.over

    def lead(self) -> None:
        """Let the leader act until it is the follower's turn."""
        while not self.game.over and self.game.role == LEADER:
            if not act(self.game, LEADER, self.leader.act(observe(self.game, LEADER))).success:
                act(self.game, LEADER, Action("DONE"))

    def look(self) -> Observed:
        """What the follower perceives."""
        memory = self.session.memory if self.session else self.memory
        return observed(observe(self.game, FOLLOWER, memory), self.ego)

    def render(self) -> NDArray[np.uint8] | None:
        """The follower's first-person picture."""
        if self.render_mode != "rgb_array":
            return None
        from housemates.benchmarks.cerealbar.world.views import follower_picture

        return follower_picture(self.game)


class TwoPlayerEnv(AECEnv[str, Observed, Any]):  # type: ignore[misc]
    """Both players of a game, in turn.

    The follower's actions are `Discrete(5)`. The leader's are a dictionary: `act`, the same five and a sixth
    that says `text`. Rewards are shared: 1 for every set. A refused action ends nothing and changes nothing.
    """

    metadata = {"name": "cerealbar_v1", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, partial: bool = False, ego: bool = False, game: Options | None = None) -> None:
        super().__init__()
        self.options = game or Options()
        self.partial = partial
        self.ego = ego
        self.possible_agents = list(ROLES)
        self.render_mode = None
        space = observation_space(self.options, ego)
        self.observation_spaces = dict.fromkeys(ROLES, space)
        text = spaces.Text(LONGEST, min_length=0, charset=CHARACTERS)
        leader = spaces.Dict({"act": spaces.Discrete(len(ACTIONS) + 1), "text": text})
        self.action_spaces = {"leader": leader, "follower": spaces.Discrete(len(ACTIONS))}
        self.rng = np.random.default_rng(0)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same for both."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What each can do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game."""
        if seed is not None:
            self.rng = np.random.default_rng(seed)
        self.game: Game = new_game(int(self.rng.integers(2**31)), self.options)
        self.memory = Memory() if self.partial else None
        self.agents = list(ROLES)
        self.agent_selection = ROLES[self.game.role]
        self.rewards = dict.fromkeys(ROLES, 0.0)
        self._cumulative_rewards = dict.fromkeys(ROLES, 0.0)
        self.terminations = dict.fromkeys(ROLES, False)
        self.truncations = dict.fromkeys(ROLES, False)
        self.infos: dict[str, dict[str, Any]] = {role: {} for role in ROLES}

    def observe(self, agent: str) -> Observed:
        """What a player perceives, also out of turn."""
        return observed(observe(self.game, ROLES.index(agent), self.memory), self.ego)

    def step(self, action: Any) -> None:
        """Act for the player whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        before = self.game.score
        outcome = act(self.game, ROLES.index(agent), self.meaning(agent, action))
        self.infos[agent] = {} if outcome.success else {"refused": outcome.message}
        self.rewards = dict.fromkeys(ROLES, float(self.game.score - before))
        if self.game.over:
            self.terminations = dict.fromkeys(ROLES, True)
        self.agent_selection = ROLES[self.game.role]
        self._accumulate_rewards()

    def meaning(self, agent: str, action: Any) -> Action:
        """The game's action for an element of the action space."""
        if agent == "follower":
            return Action(ACTIONS[int(action)])
        number = int(action["act"])
        return say(action["text"]) if number == len(ACTIONS) else Action(ACTIONS[number])
