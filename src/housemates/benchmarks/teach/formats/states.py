"""A recorded game at moments between its actions, by replaying it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from housemates.benchmarks.teach.formats.episodes import Game
from housemates.benchmarks.teach.formats.replay import ReplayedInteraction, replay
from housemates.benchmarks.teach.formats.scenes import scene_of
from housemates.benchmarks.teach.world.dynamics import Moment, TeachWorld
from housemates.data.store import Store
from housemates.home import World
from housemates.home.things import Scene


class Past:
    """What was replayed of a game."""

    def __init__(self, scene: Scene, moments: Mapping[int, Moment]) -> None:
        self.scene = scene
        self.moments = moments
        """The world before the interactions of these indices."""
        self._world = TeachWorld(World(scene))

    def objects(self, moment: int) -> list[dict[str, Any]]:
        """The objects of a moment as the task checker wants them; not to be changed.

        Moments share the entries of what is the same in them.
        """
        self._world.restore(self.moments[moment])
        return self._world.objects()


def recall(game: Game, moments: Sequence[int], store: Store | None = None) -> Past:
    """Replay a game and keep the world as it was before the interactions of these indices.

    Args:
        game: What was recorded.
        moments: Places among its interactions; their number is the end.
        store: What is known about its floor plan.
    """
    scene = scene_of(game, store)
    found = {0: TeachWorld(World(scene)).snapshot()}

    def note(step: ReplayedInteraction) -> None:
        if step.index + 1 in wanted:
            found[step.index + 1] = step.world.snapshot()

    wanted = set(moments)
    replay(game, scene, on_step=note, refusals=False)
    return Past(scene, found)
