"""The Gymnasium and PettingZoo faces of any session: one seat with agents in the others, or all in turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from housemates.core.agent import Agent
from housemates.core.benchmark import Instance
from housemates.core.copies import copied
from housemates.core.episode import Snapshot
from housemates.core.loading import make_agents, seat_others
from housemates.core.session import Session
from housemates.envs.base import EpisodeEnv, Seats
from housemates.errors import HousematesError, nearest
from housemates.render.overlay import page_of

TRIES = 20
"""Episodes that the other seats may end before the learner has a turn, until that is called a mistake."""


class SeatEnv(EpisodeEnv, gymnasium.Env[Any, Any]):
    """One seat of a benchmark, with agents in the others.

    `info` has `message`, `success` and `id`, and at the end `scores`; `offers()`, `action_masks()` and
    `thor_metadata()` tell more when they are asked. `reset(options={"id": ...})` picks an instance. An
    episode is terminated when the session is over, truncated at its limits. A step takes an element of the
    action space, or an `Act`.

    Args:
        env_id: Such as `housemates/home-v3`.
        role: The seat that learns; the one that the environment is meant for by default.
        agents: Role -> name of the agent in another seat, as `housemates eval` takes it.
        agent_options: Their options; `ROLE.KEY` for one of them.
        render_mode: `rgb_array` for the seat's picture, `ansi` for its text.
        act_timeout: Seconds that an agent in another seat may think about one act.
        observations: See `Seats`, as for all that follows.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "ansi"], "render_fps": 5}  # noqa: RUF012
    _kept = ("_np_random", "_np_random_seed", "spec")

    def __init__(
        self,
        env_id: str,
        role: str | None = None,
        agents: Mapping[str, str] | None = None,
        agent_options: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
        observations: str = "arrays",
        actions: str = "structured",
        split: str | None = None,
        seed: int = 0,
        supply: int | None = None,
        act_timeout: float | None = None,
        **options: Any,
    ) -> None:
        self._given = {
            "env_id": env_id,
            "role": role,
            "agents": agents,
            "agent_options": agent_options,
            "render_mode": render_mode,
            "observations": observations,
            "actions": actions,
            "split": split,
            "seed": seed,
            "supply": supply,
            "act_timeout": act_timeout,
            **options,
        }
        self._sit(Seats(env_id, observations, actions, split, seed, supply, options))

    def _sit(self, seats: Seats) -> None:
        given = self._given
        self.render_mode = _mode(given["render_mode"], self.metadata)
        self.seats = seats
        self.role = _role(seats, given["role"])
        self.partners = _partners(seats, self.role, given["agents"] or {}, given["agent_options"] or {})
        self.observation_space, self.action_space = seats.spaces[self.role]

    def beside(self) -> SeatEnv:
        """Another environment like this one, with the same supply."""
        twin = type(self).__new__(type(self))
        twin._given = self._given
        twin._sit(self.seats)
        return twin

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode: one that is drawn, or the one that the option `id` names."""
        info = self.restart(seed, options)
        return self.seats.observed(self.session, self.role), info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Act, and let the others act until it is one's turn again."""
        told = self.go_on(action)
        return self.seats.observed(self.session, self.role), *told

    def restart(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """What `reset` does, without looking."""
        super().reset(seed=seed)
        named, rng = (options or {}).get("id"), self.np_random
        for _ in range(TRIES):
            supply = self.seats.supply
            self._begin(supply.draw(rng) if named is None else supply.find(named))
            if not self.episode.over:
                return self._info(None)
        raise HousematesError(f"{self.instance.id}: it was over before the {self.role} had a turn.")

    def go_on(self, action: Any) -> tuple[float, bool, bool, dict[str, Any]]:
        """What `step` does, without looking."""
        episode = self._begun()
        if episode.trace.ended:
            raise HousematesError("The episode is over: reset the environment.")
        outcome = episode.act(self.role, self.seats.meant(episode.session, self.role, action))
        if not episode.trace.ended:
            return episode.earned, False, False, self._info(outcome)
        episode.check()
        ended = episode.session.role is None
        return episode.earned, ended, not ended, self._info(outcome)

    def restore(self, snapshot: Snapshot) -> tuple[Any, dict[str, Any]]:
        """Go back to a moment, as often as wanted; returns what `reset` does."""
        info = self.put_back(snapshot)
        return self.seats.observed(self.session, self.role), info

    def put_back(self, snapshot: Snapshot) -> dict[str, Any]:
        """What `restore` does, without looking."""
        self._begun().restore(snapshot)
        own = (step.outcome for step in reversed(self.trace.steps) if step.role == self.role)
        return self._info(next(own, None))

    def render(self) -> Any:
        """The seat's picture or its text, whatever was asked for."""
        return _rendered(self.session, self.role, self.render_mode)

    def _own_role(self) -> str:
        return self.role

    def _advance(self, act: Any) -> float:
        self.episode.act(self.role, act)
        self.episode.check()
        return self.episode.earned


class SeatsEnv(EpisodeEnv, AECEnv[str, Any, Any]):  # type: ignore[misc]
    """All seats of a benchmark, each acting at its turn.

    `infos[role]` has `message`, `success` and `id`, and at the end `scores`. All agents are terminated when
    the session is over and truncated at its limits.

    Args:
        env_id: Such as `housemates/teach-tatc-v3`.
        render_mode: `rgb_array` for the picture of the seat whose turn it is, `ansi` for its text.
        observations: See `Seats`, as for all that follows.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["rgb_array", "ansi"],
        "render_fps": 5,
        "is_parallelizable": False,
    }
    _kept = (
        *("_np_random", "agents", "agent_selection", "rewards", "_cumulative_rewards", "terminations"),
        *("truncations", "infos", "_skip_agent_selection"),
    )

    def __init__(
        self,
        env_id: str,
        render_mode: str | None = None,
        observations: str = "arrays",
        actions: str = "structured",
        split: str | None = None,
        seed: int = 0,
        supply: int | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self._given = {
            "env_id": env_id,
            "render_mode": render_mode,
            "observations": observations,
            "actions": actions,
            "split": split,
            "seed": seed,
            "supply": supply,
            **options,
        }
        self.seats = Seats(env_id, observations, actions, split, seed, supply, options)
        self.metadata = {**type(self).metadata, "name": env_id.rpartition("/")[2].replace("-", "_")}
        self.render_mode = _mode(render_mode, self.metadata)
        self.partners = {}
        self.possible_agents = list(self.seats.benchmark.roles)
        self._np_random: np.random.Generator | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What a role perceives."""
        return self.seats.spaces[agent][0]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """What a role can answer."""
        return self.seats.spaces[agent][1]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode: one that is drawn, or the one that the option `id` names."""
        if seed is not None or self._np_random is None:
            self._np_random = np.random.default_rng(seed)
        named, supply = (options or {}).get("id"), self.seats.supply
        self._begin(supply.draw(self._np_random) if named is None else supply.find(named))

    def _begin(self, instance: Instance) -> None:
        super()._begin(instance)
        roles = self.possible_agents
        self.agents = list(roles)
        self.agent_selection = self.session.role or roles[0]
        self.rewards = dict.fromkeys(roles, 0.0)
        self._cumulative_rewards = dict.fromkeys(roles, 0.0)
        self.terminations = dict.fromkeys(roles, False)
        self.truncations = dict.fromkeys(roles, False)
        self.infos = {role: self._info(None) for role in roles}

    def snapshot(self) -> Snapshot:
        """This moment, rewards and infos included, which `restore` takes."""
        return Snapshot(super().snapshot().episode, copied(self._kept_now(), {}))

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a moment, as often as wanted."""
        self._begun().restore(snapshot)
        self.__dict__.update(copied(dict(snapshot.beside), {}))

    def observe(self, agent: str) -> Any:
        """What a role perceives, also out of turn."""
        return self.seats.observed(self.session, agent)

    def step(self, action: Any) -> None:
        """Act for the role whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
        else:
            self._advance(self._meant(agent, action))

    def _own_role(self) -> str:
        return self.agent_selection

    def _advance(self, act: Any) -> None:
        agent, roles = self.agent_selection, self.possible_agents
        self.episode.take(act)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = {role: self.session.reward(role) for role in roles}
        self.infos[agent] = self._info(self.trace.steps[-1].outcome)
        over = self.session.role is None
        self.terminations = dict.fromkeys(roles, over)
        self.truncations = dict.fromkeys(roles, self.episode.over and not over)
        if self.episode.over:
            self.infos = {role: {**info, **self.infos[agent]} for role, info in self.infos.items()}
        self.agent_selection = self.session.role or agent
        self._accumulate_rewards()

    def render(self) -> Any:
        """The picture or the text of the seat whose turn it is, whatever was asked for."""
        return _rendered(self.session, self.agent_selection, self.render_mode)


def _mode(render_mode: str | None, metadata: Mapping[str, Any]) -> str | None:
    if render_mode is not None and render_mode not in metadata["render_modes"]:
        known = " or ".join(metadata["render_modes"])
        raise HousematesError(f"Unknown render mode {render_mode!r}: expected {known}.")
    return render_mode


def _role(seats: Seats, named: str | None) -> str:
    roles = seats.benchmark.roles
    role = named or seats.encoding.learner
    if role not in roles:
        raise HousematesError(f"{seats.benchmark.name} has no role {role!r}: {nearest(role, roles)}.")
    return role


def _partners(
    seats: Seats, learner: str, named: Mapping[str, str], options: Mapping[str, Any]
) -> dict[str, Agent]:
    """Make the agents of the other seats."""
    kind = type(seats.benchmark)
    if learner in named:
        raise HousematesError(f"agents: the {learner} is the seat that learns; name the others only.")
    words = [f"{role}={name}" for role, name in named.items()]
    _, others = seat_others(kind, learner, words, options)
    return make_agents(kind, others)


def _rendered(session: Session, role: str, mode: str | None) -> Any:
    if mode is None:
        return None
    if mode == "ansi":
        return session.text(role)
    pictures = session.pictures(role)
    return session.drawn(role, pictures[0]) if pictures else page_of(session.text(role))
