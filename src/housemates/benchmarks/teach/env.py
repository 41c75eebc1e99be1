"""TEACh's benchmarks as environments: Gymnasium for the Follower on its own, PettingZoo for the two."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from housemates.benchmarks.base import Instance, Trace
from housemates.benchmarks.teach.edh import Edh, FollowerBenchmark, Tfd
from housemates.benchmarks.teach.following import FollowerSession
from housemates.benchmarks.teach.spaces import (
    ACTIONS,
    FOLLOWER_ACTIONS,
    action_space,
    meaning,
    observation_space,
    observed,
)
from housemates.benchmarks.teach.tatc import Tatc, TatcSession
from housemates.errors import HousematesError

Observed = dict[str, Any]


class FollowerEnv(gymnasium.Env[Observed, Any]):
    """A Follower on its own, from a moment of a session.

    ## Description
    The Follower is given what was said and what it did so far, and is to do the rest. What makes no sense
    is a failed action with a sentence in `info["message"]`.

    ## Action Space
    `Dict(action=Discrete(17), point=Box(0, 1, (2,)))`: a number of `FOLLOWER_ACTIONS` (0 is Stop), and the
    place on the picture that an object action is meant for, x from the left and y from the top. An `Act`, a
    mapping with its fields, or a name is understood, too.

    ## Observation Space
    A `Dict` of `frame` (RGB, `size` x `size`), `pose` (x, y, z, rotation, horizon), `success` of the last
    action, `dialogue` so far, one utterance a line, and `history`: the numbers of one's own actions, where
    17 stands for speaking and for what made no sense.

    ## Rewards
    At the end 1 if the goal is reached, else 0. `info["scores"]` then has all the numbers of the attempt.

    ## Episode End
    Terminated by Stop; truncated after 1,000 actions or 30 failed ones.

    ## Arguments
    Those of the benchmark: `games` and `store` for recorded sessions; without games, new sessions are
    generated from the seed. `reset(options={"instance": ID})` picks one of the recorded instances.

    ## Version History
    v1: first version.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 5}  # noqa: RUF012
    benchmark_class: type[FollowerBenchmark]

    def __init__(self, render_mode: str | None = None, **options: Any) -> None:
        self.benchmark = self.benchmark_class(**options)
        self.render_mode = render_mode
        self.action_space = action_space(FOLLOWER_ACTIONS, points=True, words=False)
        self.observation_space = observation_space(self.benchmark.size, FOLLOWER_ACTIONS)
        self._recorded: Sequence[Instance] | None = None
        self.session: FollowerSession

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begin one of the recorded instances, or a generated one."""
        super().reset(seed=seed)
        self.instance = self._choose((options or {}).get("instance"))
        self.session = self.benchmark.session(self.instance)
        self.trace = Trace()
        return self._look(), {"instance": self.instance.id, "task": self.instance.task, "message": ""}

    def step(self, action: Any) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Act."""
        if self.session.role is None:
            raise HousematesError("The episode is over: reset the environment.")
        answer = self.session.act(meaning(action, FOLLOWER_ACTIONS))
        self.trace.note("follower", action, answer)
        info: dict[str, Any] = {"message": answer.message, "target": answer.oid}
        stopped, cut = self.session.role is None, bool(self.benchmark.limits.reached(self.trace))
        if stopped or cut:
            info["scores"] = self.benchmark.score(self.instance, self.session, self.trace)
        reward = info["scores"]["success"] if stopped or cut else 0.0
        return self._look(), reward, stopped, cut and not stopped, info

    def render(self) -> NDArray[np.uint8] | None:
        """The Follower's picture."""
        return self.session.follower.look().rgb.copy() if self.render_mode == "rgb_array" else None

    def _look(self) -> Observed:
        return observed(self.session.observe(), FOLLOWER_ACTIONS)

    def _choose(self, wanted: str | None) -> Instance:
        if self.benchmark.recordings.games is None:
            seed, first, skipped = (int(self.np_random.integers(each)) for each in (2**31, 12, 3))
            return next(islice(self.benchmark.generated(seed, first), skipped, None))
        if self._recorded is None:
            self._recorded = self.benchmark.instances("recorded", None, 0)
        if wanted is None:
            return self._recorded[int(self.np_random.integers(len(self._recorded)))]
        found = [each for each in self._recorded if each.id == wanted]
        if not found:
            raise HousematesError(f"There is no instance {wanted!r} in {self.benchmark.recordings.games}.")
        return found[0]


class EdhEnv(FollowerEnv):
    """Execution from Dialogue History; see `FollowerEnv`."""

    benchmark_class = Edh


class TfdEnv(FollowerEnv):
    """Trajectory from Dialogue; see `FollowerEnv`."""

    benchmark_class = Tfd


class TatcEnv(AECEnv[str, Observed, Any]):  # type: ignore[misc]
    """Two-Agent Task Completion: Commander and Follower in turn.

    Actions are dictionaries: `action` is a number of `ACTIONS[role]`; `text` is what is said, searched for or
    selected; `point` is where on its picture the Follower acts. Whoever speaks or passes hands the turn over,
    with anything else one keeps it. Observations are those of `FollowerEnv`; the Commander also has `task`.
    `infos[role]` has the `message` and the `answer` of the Commander's tools. Both get 1 when the task is
    complete. Ends with completion or Stop, is cut off after 1,000 actions or 30 failed ones.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "teach_tatc_v1",
        "render_modes": [],
        "is_parallelizable": False,
    }

    def __init__(self, render_mode: str | None = None, **options: Any) -> None:
        """Options are those of the benchmark; without games, tasks are sampled in generated rooms."""
        super().__init__()
        self.benchmark = Tatc(**options)
        self.render_mode = render_mode
        self.possible_agents = list(ACTIONS)
        size = self.benchmark.size
        self.observation_spaces = {
            role: observation_space(size, names, task=role == "commander") for role, names in ACTIONS.items()
        }
        self.action_spaces = {
            role: action_space(names, points=role == "follower", words=True)
            for role, names in ACTIONS.items()
        }
        self.rng = np.random.default_rng(0)
        self._recorded: Sequence[Instance] | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What each perceives."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What each can do."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a sampled session, or one of a recorded game's task and initial state."""
        if seed is not None:
            self.rng = np.random.default_rng(seed)
        self.instance = self._choose()
        self.session: TatcSession = self.benchmark.session(self.instance)
        self.trace = Trace()
        roles = self.possible_agents
        self.agents = list(roles)
        self.agent_selection = roles[0]
        self.rewards = dict.fromkeys(roles, 0.0)
        self._cumulative_rewards = dict.fromkeys(roles, 0.0)
        self.terminations = dict.fromkeys(roles, False)
        self.truncations = dict.fromkeys(roles, False)
        self.infos: dict[str, dict[str, Any]] = {role: {} for role in roles}

    def observe(self, agent: str) -> Observed:
        """What one of the two perceives, also out of turn."""
        return observed(self.session.observation(agent), ACTIONS[agent])

    def step(self, action: Any) -> None:
        """Act for the one whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        answer = self.session.act(meaning(action, ACTIONS[agent]))
        self.trace.note(agent, action, answer)
        self.infos[agent] = {"message": answer.message, "answer": dict(answer.data)}
        over = self.session.role is None
        complete = over and self.session.session.complete
        self.rewards = dict.fromkeys(self.possible_agents, float(complete))
        if over:
            self.terminations = dict.fromkeys(self.possible_agents, True)
        elif self.benchmark.limits.reached(self.trace):
            self.truncations = dict.fromkeys(self.possible_agents, True)
        self.agent_selection = self.session.role or agent
        self._accumulate_rewards()

    def scores(self) -> dict[str, float]:
        """The numbers of the session so far."""
        return self.benchmark.score(self.instance, self.session, self.trace)

    def _choose(self) -> Instance:
        if self.benchmark.recordings.games is None:
            return self.benchmark.instances("generated", 12, int(self.rng.integers(2**31)))[
                int(self.rng.integers(12))
            ]
        if self._recorded is None:
            self._recorded = self.benchmark.instances("recorded", None, 0)
        return self._recorded[int(self.rng.integers(len(self._recorded)))]
