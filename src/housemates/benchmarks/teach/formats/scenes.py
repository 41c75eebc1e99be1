"""The floor plan of a recorded game as it was when the game began."""

from __future__ import annotations

from housemates.benchmarks.teach.formats.episodes import Game
from housemates.benchmarks.teach.formats.writer import recorded_scene
from housemates.benchmarks.teach.world.actions import FOLLOWER
from housemates.data.store import Store
from housemates.errors import HousematesError
from housemates.home.scenes.plans.rebuild import rebuild
from housemates.home.things import Scene


def scene_of(game: Game, store: Store | None = None) -> Scene:
    """Rebuild the plan from the game's initial state and what the store knows about it.

    The game's own moves are never looked at. A game that was recorded here carries its home with it.
    """
    kept = recorded_scene(game)
    if kept is not None:
        return kept
    start = game.episode.initial_state
    knowledge = None if store is None else store.knowledge(game.plan)
    try:
        return rebuild(game.plan, start.objects, start.agents[FOLLOWER], knowledge)
    except HousematesError as error:
        raise HousematesError(f"{game.id}: {error}") from None
