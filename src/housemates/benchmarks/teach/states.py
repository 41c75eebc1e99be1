"""The objects of a recorded game at moments between its actions, by replaying it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from housemates.benchmarks.teach.episodes import Game
from housemates.benchmarks.teach.replay import Step, replay
from housemates.benchmarks.teach.scenes import scene_of
from housemates.benchmarks.teach.world import TeachWorld
from housemates.home import World
from housemates.home.scenes.plans.store import Store


def states_at(game: Game, moments: Sequence[int], store: Store | None = None) -> list[list[dict[str, Any]]]:
    """The objects before the interactions of these indices.

    Args:
        game: What was recorded.
        moments: Places among its interactions; their number is the end.
        store: What is known about its floor plan.
    """
    scene = scene_of(game, store)
    found = {0: TeachWorld(World(scene)).objects()}

    def note(step: Step) -> None:
        if step.index + 1 in wanted:
            found[step.index + 1] = step.world.objects()

    wanted = set(moments)
    replay(game, scene, on_step=note, refusals=False)
    return [found[moment] for moment in moments]
