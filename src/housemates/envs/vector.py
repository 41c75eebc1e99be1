"""Many environments in one process: sessions are stepped one after the other, pictures drawn in one call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array, iterate

from housemates.core.copies import copied
from housemates.core.episode import Snapshot
from housemates.envs.seats import SeatEnv
from housemates.errors import HousematesError
from housemates.render.agent_camera import Eyes, Gallery

TOLD = {"success": bool, "reason": object, "message": object, "id": object}
"""What the info of every environment has, and as what arrays."""


class SeatVectorEnv(VectorEnv[Any, Any, Any]):
    """Environments of one seat, which give what as many single ones would, each begun with a seed of its own.

    Args:
        env_id: Such as `housemates/home-v3`.
        num_envs: How many.
        autoreset_mode: When an environment whose episode is over begins the next one; see Gymnasium.
        copy: Give out arrays of the caller's own; else the next step overwrites them, and nothing is copied.
        options: As for a single environment.
    """

    def __init__(
        self,
        env_id: str,
        num_envs: int = 1,
        autoreset_mode: str | AutoresetMode = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        **options: Any,
    ) -> None:
        if num_envs < 1:
            raise HousematesError(f"num_envs: expected at least 1, found {num_envs}.")
        first = SeatEnv(env_id, **options)
        self.envs = [first, *(first.beside() for _ in range(num_envs - 1))]
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**first.metadata, "autoreset_mode": self.autoreset_mode}
        self.render_mode = first.render_mode
        self.single_observation_space = first.observation_space
        self.single_action_space = first.action_space
        self.observation_space = batch_space(first.observation_space, num_envs)
        self.action_space = batch_space(first.action_space, num_envs)
        self._seats, self._role = first.seats, first.role
        self._channels = self._seats.channels[self._role]
        self._over = np.zeros(num_envs, dtype=bool)
        self._gallery: Gallery | None = None
        self._copy = copy
        self._batch: Any = None

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode everywhere, or where the option `reset_mask` is true."""
        chosen = np.ones(self.num_envs, dtype=bool)
        options = dict(options or {})
        if "reset_mask" in options:
            chosen = np.asarray(options.pop("reset_mask"), dtype=bool)
        seeds = _seeds(seed, self.num_envs)
        infos: dict[str, Any] = {}
        for number in np.flatnonzero(chosen).tolist():
            self._add_info(infos, self.envs[number].restart(seeds[number], options), number)
        self._over[chosen] = False
        return self._observed(), infos

    def step(self, actions: Any) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Act in all environments."""
        rewards = np.zeros(self.num_envs, dtype=np.float64)
        ended, cut = np.zeros(self.num_envs, dtype=bool), np.zeros(self.num_envs, dtype=bool)
        infos: dict[str, Any] = {}
        every: list[dict[str, Any]] = []
        each_action = actions if isinstance(actions, list | tuple) else iterate(self.action_space, actions)
        final: dict[int, Any] = {}
        for number, (env, action) in enumerate(zip(self.envs, each_action, strict=True)):
            if self.autoreset_mode is AutoresetMode.NEXT_STEP and self._over[number]:
                info = env.restart()
            else:
                rewards[number], ended[number], cut[number], info = env.go_on(action)
                if self.autoreset_mode is AutoresetMode.SAME_STEP and (ended[number] or cut[number]):
                    final[number] = self._seats.observed(env.session, self._role)
                    self._add_info(infos, {"final_info": info, "final_obs": final[number]}, number)
                    info = env.restart()
            every.append(info)
        self._over = ended | cut
        return self._observed(), rewards, ended, cut, self._joined_infos(infos, every)

    def _joined_infos(self, infos: dict[str, Any], every: list[dict[str, Any]]) -> dict[str, Any]:
        """What `_add_info` makes of the infos of all environments, those that all have in one go."""
        for name, kind in TOLD.items():
            infos[name] = np.array([info.pop(name) for info in every], dtype=kind)
            infos[f"_{name}"] = np.ones(self.num_envs, dtype=bool)
        for number, info in enumerate(every):
            if info:
                self._add_info(infos, info, number)
        return infos

    def action_masks(self) -> np.ndarray:
        """What each environment's `action_masks` tells, one a row."""
        return np.stack([env.action_masks() for env in self.envs])

    def fork(self) -> Self:
        """As many independent environments, each at the moment of its own here.

        Raises:
            HousematesError: An agent cannot be copied.
        """
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.envs = [copied(env, {}) for env in self.envs]
        twin._over, twin._gallery, twin._batch = self._over.copy(), None, None
        return twin

    def snapshot(self) -> list[Snapshot]:
        """The moment of each environment."""
        return [env.snapshot() for env in self.envs]

    def restore(self, snapshots: Sequence[Snapshot]) -> tuple[Any, dict[str, Any]]:
        """Let each environment go on from a moment, several from the same one if wanted.

        Returns:
            What `reset` does.
        """
        if len(snapshots) != self.num_envs:
            raise HousematesError(f"snapshots: expected {self.num_envs}, found {len(snapshots)}.")
        infos: dict[str, Any] = {}
        for number, (env, snapshot) in enumerate(zip(self.envs, snapshots, strict=True)):
            self._add_info(infos, env.put_back(snapshot), number)
            self._over[number] = env.episode.over
        return self._observed(), infos

    def _observed(self) -> Any:
        """What all environments perceive, in arrays of the caller's own."""
        sessions = [env.session for env in self.envs]
        seats, role = self._seats, self._role
        eyes = [seats.encoding.eyes(each, role) for each in sessions] if self._channels else []
        together = [each for each in eyes if isinstance(each, Eyes)]
        if len(together) < len(sessions):
            return self._joined(
                [seats.observed(each, role) for each in sessions], self.single_observation_space
            )
        if self._gallery is None:
            self._gallery = Gallery(self.num_envs, together[0].width, together[0].height)
        look = self._gallery.arrays if self._copy else self._gallery.shown
        pictures = look(together, self._channels)
        space = self.single_observation_space
        assert isinstance(space, spaces.Dict)
        rest = spaces.Dict({name: each for name, each in space.spaces.items() if name not in pictures})
        found = self._joined([seats.unseen(each, role) for each in sessions], rest)
        return {name: pictures[name] if name in pictures else found[name] for name in space.spaces}

    def _joined(self, observations: list[Any], space: spaces.Space[Any]) -> Any:
        if self._batch is None or self._copy:
            self._batch = create_empty_array(space, self.num_envs)
        return concatenate(space, observations, self._batch)

    def render(self) -> tuple[Any, ...]:
        """What each of them renders."""
        return tuple(env.render() for env in self.envs)

    def close_extras(self, **_: Any) -> None:
        """Let the agents in the other seats go."""
        for env in self.envs:
            env.close()


def _seeds(seed: int | Sequence[int | None] | None, count: int) -> list[int | None]:
    """A seed for each: the given ones, or one more than that of the one before."""
    if seed is None:
        return [None] * count
    if isinstance(seed, int | np.integer):
        return [int(seed) + number for number in range(count)]
    if len(seed) != count:
        raise HousematesError(f"seed: expected one number or {count}, found {len(seed)}.")
    return list(seed)
