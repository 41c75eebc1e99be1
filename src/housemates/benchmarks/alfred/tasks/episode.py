"""An episode: what is asked, where it begins, what is said; and its sub-goals as episodes of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import msgspec

from housemates.benchmarks.alfred.tasks.goals import Task
from housemates.benchmarks.alfred.tasks.subgoals import CHECKS, Target
from housemates.benchmarks.alfred.world.dynamics import AlfredWorld
from housemates.home.navigation import pose_of
from housemates.home.things import Scene

Done = tuple[str, str | None]
"""An action, and the id of the thing that it is done to."""


class Episode(msgspec.Struct, frozen=True):
    """A task, where it begins, how long the expert takes, and what people say about it."""

    id: str
    start: Scene
    length: int
    """Actions of the demonstration."""
    task: Task | None
    """None where the file does not tell; such an episode can be run but not scored."""
    goal: str = ""
    instructions: tuple[str, ...] = ()
    prefix: tuple[Done, ...] = ()
    """What is done before the agent takes over."""
    target: Target | None = None
    """The one sub-goal that is asked for, if it is not the whole task."""


class Part(NamedTuple):
    """A sub-goal as a demonstration tells it."""

    kind: str
    thing: str
    """Empty where it is about what is held."""
    place: str
    deeds: tuple[Done, ...]


def cut(
    episode: Episode, parts: Iterable[Part], known: Callable[[AlfredWorld, str], str]
) -> Iterator[Episode]:
    """Each sub-goal of an episode as one of its own.

    Args:
        episode: The whole.
        parts: All that its demonstration does.
        known: What an id of the demonstration is called in the world as it is then.
    """
    world = AlfredWorld(episode.start)
    before: tuple[Done, ...] = ()
    for number, part in enumerate(parts):
        thing = known(world, part.thing) if part.thing else world.home.agent.held
        place = known(world, part.place)
        deeds = tuple(_do(world, action, target and known(world, target)) for action, target in part.deeds)
        if part.kind in CHECKS:
            target = Target(part.kind, thing, place, pose_of(world.home.agent))
            yield msgspec.structs.replace(
                episode, id=f"{episode.id}-{number}", length=len(deeds), prefix=before, target=target
            )
        before += deeds


def _do(world: AlfredWorld, action: str, target: str | None) -> Done:
    world.act(action, target)
    return action, target
