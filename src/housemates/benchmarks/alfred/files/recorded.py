"""Episodes of trajectory files: official ones in rebuilt floor plans, our own in our rooms."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import msgspec

from housemates.benchmarks.alfred.files.episodes import Trajectory
from housemates.benchmarks.alfred.files.rooms import is_room, room_start
from housemates.benchmarks.alfred.files.scenes import scene_of
from housemates.benchmarks.alfred.session import Episode
from housemates.benchmarks.alfred.tasks.goals import task_of
from housemates.data.store import Store, open_store
from housemates.errors import HousematesError
from housemates.home.things import Scene


def recorded_episode(trajectory: Trajectory, directive: int, store: str | None) -> Episode:
    """The episode that a trajectory tells of, with one person's words."""
    anns = trajectory.turk_annotations.anns
    said = anns[min(directive, len(anns) - 1)] if anns else None
    task = None
    if trajectory.scored:
        params = msgspec.to_builtins(trajectory.pddl_params)
        task = task_of(str(trajectory.task_type), params, trajectory.task_id)
    return Episode(
        id=trajectory.task_id,
        start=start_of(trajectory, store),
        length=len(trajectory.low_actions),
        task=task,
        goal=said.task_desc if said else "",
        instructions=tuple(said.high_descs) if said else (),
    )


def start_of(trajectory: Trajectory, store: str | None) -> Scene:
    """Where a trajectory begins: in one of our rooms, or in a floor plan that a store knows."""
    if is_room(trajectory.scene.floor_plan):
        return room_start(trajectory)
    found = _store(store)
    if found is None:
        raise HousematesError(
            f"{trajectory.task_id}: {trajectory.scene.floor_plan} is a floor plan of AI2-THOR: "
            "name a store of imported data (store=DIR)."
        )
    return scene_of(trajectory, found)


@lru_cache(maxsize=2)
def _store(folder: str | None) -> Store | None:
    return open_store(Path(folder) if folder is not None else None)
