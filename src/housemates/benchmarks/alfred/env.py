"""ALFRED for learners: a Gymnasium environment with pictures, masks and, if wished, words."""

from __future__ import annotations

import string
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from housemates.benchmarks.alfred import metrics
from housemates.benchmarks.alfred.agents.expert import Expert
from housemates.benchmarks.alfred.benchmark import Drawn, drawn_demonstration, generated_episode
from housemates.benchmarks.alfred.generate.sampling import FOLDS, Balancer, rooms_of
from housemates.benchmarks.alfred.session import Act, AlfredSession, Episode
from housemates.benchmarks.alfred.world.dynamics import ACTIONS, INTERACTIONS, STOP
from housemates.benchmarks.alfred.world.sight import SIDE_PX
from housemates.errors import HousematesError

CHARACTERS = string.ascii_letters + string.digits + string.punctuation + " \n"
LONGEST_GOAL, LONGEST_TEXT = 2000, 8000
STEPS, FAILURES = 1000, 10
Observed = dict[str, Any]


class AlfredEnv(gymnasium.Env[Observed, dict[str, Any]]):
    """Do what a goal and step-by-step instructions say.

    ## Action Space
    A dictionary: `action`, one of thirteen by its number in `ACTIONS`; `mask`, 300x300 of 0 and 1, which is
    looked at only by the seven actions on things.

    ## Observation Space
    A dictionary: `rgb` (300x300x3), `goal` and `instructions` (text, one sentence a line), `held` (whether
    something is in the hand), `success` (of the last action); with `text`, what is seen and held in words.

    ## Rewards
    The change in the share of goal conditions that are met; the sum is 1 when the task is done.

    ## Termination
    With `Stop`. Truncated after 1,000 actions or 10 that failed. `info` tells the outcome's message, how many
    goal conditions are met, and in the end the scores.

    ## Arguments
    `fold`: `train`, `valid_seen` or `valid_unseen`; `text`: add observations in words; `episodes`: play these
    instead of new ones. `env.unwrapped.expert()` advises at any state.

    ## Version History
    v1: first version.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        fold: str = "train",
        text: bool = False,
        episodes: list[Episode] | None = None,
        render_mode: str | None = None,
    ) -> None:
        if fold not in FOLDS:
            raise HousematesError(f"fold: expected one of {', '.join(FOLDS)}, found {fold!r}.")
        self.fold = fold
        self.text = text
        self.episodes = episodes
        self.render_mode = render_mode
        self.action_space = spaces.Dict(
            {"action": spaces.Discrete(len(ACTIONS)), "mask": spaces.MultiBinary((SIDE_PX, SIDE_PX))}
        )
        parts: dict[str, spaces.Space[Any]] = {
            "rgb": spaces.Box(0, 255, (SIDE_PX, SIDE_PX, 3), np.uint8),
            "goal": spaces.Text(LONGEST_GOAL, min_length=0, charset=CHARACTERS),
            "instructions": spaces.Text(LONGEST_TEXT, min_length=0, charset=CHARACTERS),
            "held": spaces.Discrete(2),
            "success": spaces.Discrete(2),
        }
        if text:
            parts["text"] = spaces.Text(LONGEST_TEXT, min_length=0, charset=CHARACTERS)
        self.observation_space = spaces.Dict(parts)
        self._balancer: Balancer | None = None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observed, dict[str, Any]]:
        """Begin a new episode, or the one given as the option `episode`."""
        super().reset(seed=seed)
        if seed is not None:
            self._balancer = None
        given = (options or {}).get("episode")
        self.session = AlfredSession(given if given is not None else self._next_episode())
        self._failures = 0
        self._met = self._share()
        return self._observed(), {"id": self.session.episode.id}

    def _next_episode(self) -> Episode:
        if self.episodes:
            return self.episodes[int(self.np_random.integers(len(self.episodes)))]
        if self._balancer is None:
            self._balancer = Balancer(rooms_of(self.fold), self.np_random)
        while True:
            number = int(self.np_random.integers(2**31))
            drawn = Drawn(self._balancer.draw(), number, 0)
            try:
                return generated_episode(f"env-{number}", drawn_demonstration(drawn), number)
            except HousematesError:
                continue

    def step(self, action: dict[str, Any]) -> tuple[Observed, float, bool, bool, dict[str, Any]]:
        """Act, and see what came of it."""
        name = ACTIONS[int(action["action"])]
        mask = np.asarray(action["mask"]) if name in INTERACTIONS else None
        outcome = self.session.act(Act(name, mask))
        self._failures += not outcome.success
        met = self._share()
        reward, self._met = met - self._met, met
        info: dict[str, Any] = {"message": outcome.message, "met": self.session.progress.met}
        cut = self.session.taken >= STEPS or self._failures >= FAILURES
        if name == STOP or cut:
            episode = self.session.episode
            info["scores"] = metrics.of_episode(self.session.progress, episode.length, self.session.taken)
        return self._observed(), reward, name == STOP, cut and name != STOP, info

    def expert(self) -> Expert:
        """An expert for the present episode; `advise(env.session.world)` says what to do at any state."""
        task = self.session.episode.task
        if task is None:
            raise HousematesError("This episode does not tell its task, so no expert can help.")
        return Expert(task, self.session.sight)

    def _share(self) -> float:
        met, total = self.session.progress
        return met / max(total, 1)

    def _observed(self) -> Observed:
        seen = self.session.observe()
        found: Observed = {
            "rgb": seen.frame.rgb.copy(),
            "goal": _plain(seen.goal, LONGEST_GOAL),
            "instructions": _plain("\n".join(seen.instructions), LONGEST_TEXT),
            "held": int(bool(self.session.world.home.agent.held)),
            "success": int(seen.last.success),
        }
        if self.text:
            found["text"] = _plain(seen.text, LONGEST_TEXT)
        return found

    def render(self) -> NDArray[np.uint8] | None:
        """The agent's picture."""
        return self.session.sight.look().rgb.copy() if self.render_mode == "rgb_array" else None


def _plain(text: str, longest: int) -> str:
    return "".join(character for character in text if character in CHARACTERS)[:longest]
