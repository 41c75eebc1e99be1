"""Episodes: what the human wants, did, said and meant, and when what she meant is done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

import msgspec
import numpy as np

from housemates.benchmarks.handmethat.tasks.english import CHANGES
from housemates.benchmarks.handmethat.tasks.goals import Goal, read_goal
from housemates.benchmarks.handmethat.tasks.meanings import Grounded, Meaning, fitting
from housemates.benchmarks.handmethat.world.catalog import LOCATIONS
from housemates.benchmarks.handmethat.world.dynamics import HUMAN, Scene, World, make_scene
from housemates.benchmarks.handmethat.world.narration import story
from housemates.benchmarks.handmethat.world.operators import Action


class Episode(msgspec.Struct, frozen=True, dict=True):
    """A human's goal, what she did, what she then asked for and meant, and an expert's answer.

    All fields are plain, so that episodes are written and read quickly; worlds and goals are made of them
    when they are asked for. `Episode.of` takes them as they are.
    """

    name: str
    version: int
    split: str
    level: int
    goal_number: int
    """The template's number, from 0 to 68; -1 if it came from none."""
    goal_pddl: str
    objects: tuple[tuple[str, str | None, str | None], ...]
    """Official name, size and colour of everything that can be moved."""
    initial_state: bytes
    current_state: bytes
    actions: tuple[Action, ...]
    solution: tuple[Action, ...]
    """The human's whole plan, which begins with `actions`."""
    meaning: Meaning
    utterance: Meaning
    understood: Meaning
    """What a listener who knows the goal takes the utterance to mean."""
    useful: tuple[Grounded, ...]
    subgoal: str
    instruction: str
    demo: tuple[str, ...]

    @classmethod
    def of(cls, *, goal: Goal, initial: World, current: World, **fields: Any) -> Episode:
        """An episode of this goal and these two states of one scene."""
        scene = initial.scene
        first = len(LOCATIONS)
        movable = zip(scene.names[first:], scene.sizes[first:], scene.colors[first:], strict=True)
        return cls(
            goal_number=goal.number,
            goal_pddl=goal.pddl,
            objects=tuple(movable),
            initial_state=_packed(initial),
            current_state=_packed(current),
            **fields,
        )

    @cached_property
    def goal(self) -> Goal:
        """What the human works for."""
        return read_goal(self.goal_pddl, self.goal_number)

    @cached_property
    def scene(self) -> Scene:
        """The objects of the home."""
        return make_scene(self.objects)

    @cached_property
    def initial(self) -> World:
        """The state before the human began; never to be changed."""
        return World(self.scene, _unpacked(self.initial_state))

    @cached_property
    def current(self) -> World:
        """The state when the human speaks; never to be changed."""
        return self.begin()

    def begin(self) -> World:
        """A world of one's own in the state when the human speaks."""
        return World(self.scene, self._current_values, self._memo)

    @cached_property
    def _current_values(self) -> list[int]:
        return _unpacked(self.current_state)

    @cached_property
    def _memo(self) -> dict[Any, Any]:
        return {}

    @cached_property
    def wanted(self) -> frozenset[Grounded]:
        """A(m): the grounded subgoals that fulfil the human's meaning."""
        return grounded(self.meaning, fitting(self.current, self.meaning.spec))

    @cached_property
    def story(self) -> str:
        """What the human did and said, in English."""
        return story(self.scene, self.actions, self.instruction)


def _packed(world: World) -> bytes:
    return np.asarray(world.values, dtype="<i2").tobytes()


def _unpacked(state: bytes) -> list[int]:
    values: list[int] = np.frombuffer(state, dtype="<i2").tolist()
    return values


def grounded(meaning: Meaning, objects: Iterable[int], targets: Iterable[str] = ()) -> frozenset[Grounded]:
    """A(m) or A(u): the objects that fit, each with its target; with each of `targets` if it names none."""
    args: Sequence[str | None] = [meaning.arg]
    if meaning.quest == "move_to" and meaning.arg is None:
        args = list(targets)
    return frozenset(Grounded(number, arg) for number in objects for arg in args)


def is_fulfilled(episode: Episode, world: World) -> bool:
    """Whether what the human meant is done."""
    quest = episode.meaning.quest
    if quest == "bring_me":
        given = world.children[world.scene.hand(HUMAN)]
        return bool(given) and any(number in given for number, _ in episode.wanted)
    if quest == "move_to":
        index = world.scene.index
        return any(world.parent(number) == index[arg or LOCATIONS[0]] for number, arg in episode.wanted)
    return any(_changed(world, number, arg) for number, arg in episode.wanted)


def _changed(world: World, number: int, verb: str | None) -> bool:
    assert verb is not None
    if verb == "clean":
        return not world.flag(number, "dusty") and not world.flag(number, "stained")
    _, _, flag, value = CHANGES[verb]
    return world.flag(number, flag) == bool(value)
