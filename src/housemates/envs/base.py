"""What environments are made of: the seats of a benchmark as learners see them, and an episode."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from gymnasium import spaces

from housemates.benchmarks.spaces import plain, text_space
from housemates.core import registry
from housemates.core.actions import Act, Offer
from housemates.core.agent import Agent
from housemates.core.benchmark import Benchmark, Instance
from housemates.core.copies import Memo, copied
from housemates.core.episode import Episode, Snapshot
from housemates.core.options import read_arguments, read_options
from housemates.core.outcome import Outcome, done
from housemates.core.session import Session
from housemates.core.trace import Trace
from housemates.envs.flat import Flat
from housemates.envs.instance_pool import Supply
from housemates.errors import HousematesError, nearest
from housemates.render.agent_camera import CHANNELS

if TYPE_CHECKING:
    from housemates.benchmarks.encoding import Encoding

LONGEST_TEXT, LONGEST_LINE = 20_000, 2_000
"""Characters of an observation and of an action in words."""


class UnknownOption(HousematesError, TypeError):
    """An option that an environment does not have; libraries that try their own options catch a TypeError."""


class Seats:
    """What environments of one and of all seats share: how they are made, begun, observed and scored.

    Args:
        env_id: Gymnasium id of the environment.
        observations: `arrays` as the encoding has them, or `text`, and then actions are lines of text, too.
        actions: `structured` as the encoding has them, or `flat`: one number, with plain arrays alone.
        split: Which instances; `generated` ones are made from the seed.
        seed: What generated instances are made from; which one is drawn depends on `reset(seed=...)`.
        supply: How many references to draw from.
        options: Of the benchmark and of its encoding.
    """

    def __init__(
        self,
        env_id: str,
        observations: str,
        actions: str,
        split: str | None,
        seed: int,
        supply: int | None,
        options: Mapping[str, Any],
    ) -> None:
        if observations not in ("arrays", "text"):
            raise HousematesError(f"observations: expected arrays or text, found {observations!r}.")
        if actions not in ("structured", "flat"):
            raise HousematesError(f"actions: expected structured or flat, found {actions!r}.")
        if actions == "flat" and observations == "text":
            raise HousematesError("actions: flat ones go with observations=arrays.")
        made = registry.encoding_class(env_id)
        kind = registry.benchmark_class(made.benchmark)
        own = {key: value for key, value in options.items() if key in kind.Options.__dataclass_fields__}
        rest = {key: value for key, value in options.items() if key not in own}
        self.benchmark = kind(read_options(kind.Options, own, env_id))
        self.encoding = made(self.benchmark, **_settings(made, kind, rest, env_id))
        self.text = observations == "text"
        flat = actions == "flat"
        if not (self.text or flat) and getattr(self.benchmark.options, "acts", "low") == "skills":
            raise HousematesError(
                "acts: skills are spoken: expected observations=text, actions=flat, or acts=low."
            )
        self.supply = Supply(self.benchmark, split or made.split, seed, supply)
        self.flat = {role: self._flat(role) for role in kind.roles} if flat else {}
        """Role -> the seat as plain arrays, with flat actions."""
        self.spaces = {role: self._both(role) for role in kind.roles}
        """Role -> what it perceives and what it can answer."""
        self.channels = {
            role: [name for name in CHANNELS if isinstance(space, spaces.Dict) and name in space.spaces]
            for role, (space, _) in self.spaces.items()
        }

    def _both(self, role: str) -> tuple[spaces.Space[Any], spaces.Space[Any]]:
        if self.text:
            return text_space(LONGEST_TEXT), text_space(LONGEST_LINE)
        if role in self.flat:
            return self.flat[role].observation_space, self.flat[role].action_space
        return self.encoding.observation_space(role), self.encoding.action_space(role)

    def _flat(self, role: str) -> Flat:
        space = self.encoding.observation_space(role)
        return Flat(self.encoding.menu(role), space, partial(self.encoding.eyes, role=role))

    def observed(self, session: Session, role: str) -> Any:
        """What a role perceives now, as an element of its space."""
        if self.text:
            return plain(session.text(role), LONGEST_TEXT)
        eyes = self.encoding.eyes(session, role) if self.channels[role] else None
        pictures = eyes.arrays(self.channels[role]) if eyes is not None else {}
        return {**self.unseen(session, role), **pictures}

    def unseen(self, session: Session, role: str) -> dict[str, Any]:
        """What a role perceives now but its picture's arrays, which are best asked for before."""
        found = self.encoding.observation(session, role)
        return self.flat[role].flattened(session, role, found) if role in self.flat else found

    def meant(self, session: Session, role: str, action: Any) -> Any:
        """What an action says to a session; whatever is not in the action space raises HousematesError."""
        if isinstance(action, Act):
            return action
        if role in self.flat:
            return self.flat[role].act(session, role, action)
        if not self.text:
            return self.encoding.act(role, action)
        if not isinstance(action, str) or len(action) > LONGEST_LINE:
            raise HousematesError(
                f"Expected a line of at most {LONGEST_LINE} characters, found {str(action)[:60]!r}."
            )
        return action


class EpisodeEnv:
    """An environment as a face of an episode.

    A copy shares the spaces and the supply, and goes on from the same state. It is pickled as the arguments
    it was made with, the instance and what learners have answered, from which the episode is played again.
    """

    seats: Seats
    partners: dict[str, Agent]
    """Who sits in the seats that do not learn."""
    episode: Episode
    """The running episode."""
    _given: dict[str, Any]
    _np_random: np.random.Generator | None
    _kept: ClassVar[tuple[str, ...]] = ("_np_random",)
    """Attributes that a copy has besides those that follow from the episode."""

    @property
    def session(self) -> Session:
        """The running session, for experts and for looking behind the scenes."""
        return self._begun().session

    @property
    def instance(self) -> Instance:
        """What is asked in this episode."""
        found = self._begun().instance
        assert found is not None
        return found

    @property
    def trace(self) -> Trace:
        """What has happened in this episode."""
        return self._begun().trace

    def fork(self) -> Self:
        """An independent environment at this moment, with copies of the agents in the other seats.

        Raises:
            HousematesError: The episode is over, or an agent cannot be copied.
        """
        return self._with(self._begun().fork(), {})

    def snapshot(self) -> Snapshot:
        """This moment of the episode, which `restore` takes here and in environments like this one."""
        return self._begun().snapshot()

    def _with(self, episode: Episode, memo: Memo) -> Self:
        """An environment like this one in which another episode is under way."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.__dict__.update(copied(self._kept_now(), memo))
        twin.episode, twin.partners = episode, dict(episode.agents)
        return twin

    def _kept_now(self) -> dict[str, Any]:
        return {name: self.__dict__[name] for name in self._kept if name in self.__dict__}

    def offers(self) -> tuple[Offer, ...]:
        """What the role whose turn it is may do now, with the choices there are."""
        role = self.session.role
        return self.session.offers(role) if role is not None else ()

    def action_masks(self) -> np.ndarray:
        """Which numbers of flat actions make sense now, else of `action` are offered, as booleans."""
        role = self._own_role()
        if role in self.seats.flat:
            return self.seats.flat[role].masks(self.session, role)
        offered = {offer.name for offer in self.offers()}
        return np.array([name in offered for name in self.session.menu(role)], dtype=bool)

    def _own_role(self) -> str:
        """The role that a learner acts for now, or did last."""
        raise NotImplementedError

    def thor_metadata(self) -> dict[str, Any]:
        """What AI2-THOR's `event.metadata` would hold now, in seats whose session tells it."""
        tell = getattr(self.session, "thor_metadata", None)
        if tell is None:
            raise HousematesError(f"{self.seats.benchmark.name} has no AI2-THOR metadata.")
        found: dict[str, Any] = tell()
        return found

    def close(self) -> None:
        """Let the agents in the other seats go."""
        for agent in self.partners.values():
            agent.close()
        self.partners = {}

    def _begun(self) -> Episode:
        if not hasattr(self, "episode"):
            raise HousematesError("There is no episode yet: reset the environment first.")
        return self.episode

    def _begin(self, instance: Instance) -> None:
        timeout, key = self._given.get("act_timeout"), self._brief_key()
        self.episode = Episode(self.seats.benchmark, instance, self.partners, act_timeout=timeout, key=key)
        self.episode.advance()
        self.episode.check()

    def _brief_key(self) -> str:
        """What the ids and seeds follow from that partners are told: the seed of the draws."""
        assert self._np_random is not None
        sequence = self._np_random.bit_generator.seed_seq
        return str(getattr(sequence, "entropy", ""))

    def _meant(self, role: str, action: Any) -> Any:
        """What a learner's action says to the session, if it is in the action space and not too late."""
        if self._begun().over:
            raise HousematesError("The episode is over: reset the environment.")
        return self.seats.meant(self.session, role, action)

    def _info(self, last: Outcome | None) -> dict[str, Any]:
        came = done() if last is None else last
        told = {"success": came.success, "reason": came.reason.value, "message": came.message}
        info: dict[str, Any] = {**told, "id": self.instance.id}
        if self.episode.over:
            info["ended"], info["scores"] = self.trace.ended, self.episode.scores()
        return info

    def _advance(self, act: Any) -> Any:
        """Go on with what a learner has answered."""
        raise NotImplementedError

    def __getstate__(self) -> dict[str, Any]:
        episode = None
        if hasattr(self, "episode"):
            own = [each for each in self.trace.steps if each.role not in self.partners]
            episode = (self.instance, [each.answer if each.act is None else each.act.plain() for each in own])
        return {"given": self._given, "episode": episode, "kept": self._kept_now()}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__init__(**state["given"])  # type: ignore[misc]
        if state["episode"] is not None:
            instance, acts = state["episode"]
            self._np_random = state["kept"]["_np_random"]
            self._begin(instance)
            for act in acts:
                self._advance(act)
        self.__dict__.update(state["kept"])

    def __deepcopy__(self, memo: Memo) -> Self:
        if hasattr(self, "episode"):
            return self._with(copied(self.episode, memo), memo)
        twin = type(self)(**self._given)
        twin.__dict__.update(copied(self._kept_now(), memo))
        return twin


def _settings(
    encoding: type[Encoding], benchmark: type[Benchmark], given: Mapping[str, Any], env_id: str
) -> dict[str, Any]:
    """What is left for the encoding after the benchmark has taken its options."""
    parameters = inspect.signature(encoding).parameters
    if not any(each.kind is each.VAR_KEYWORD for each in parameters.values()):
        for key in given:
            if key not in parameters or key == "benchmark":
                known = [*benchmark.Options.__dataclass_fields__, *list(parameters)[1:]]
                told = f"{env_id} got an unexpected keyword argument {key!r}"
                raise UnknownOption(f"{told}: {nearest(key, known)}.")
    return read_arguments(encoding, given, env_id)
