"""Episodes of trajectory files: official ones in rebuilt floor plans, our own in our rooms."""

from __future__ import annotations

from pathlib import Path

import msgspec

from housemates.benchmarks.alfred.formats.episodes import HighAction, Plan, Trajectory
from housemates.benchmarks.alfred.formats.replay import thing_near
from housemates.benchmarks.alfred.formats.rooms import is_room, room_start
from housemates.benchmarks.alfred.formats.scenes import scene_of
from housemates.benchmarks.alfred.tasks.episode import Done, Episode, Part
from housemates.benchmarks.alfred.tasks.goals import task_of
from housemates.benchmarks.alfred.world.dynamics import AlfredWorld
from housemates.data.store import opened
from housemates.errors import HousematesError
from housemates.home.things import Scene

ABOUT_WHAT_IS_HELD = ("HeatObject", "CoolObject", "CleanObject", "ToggleObject")
"""Sub-goals of official plans that name the appliance or lamp as their object."""


def recorded_episode(trajectory: Trajectory, directive: int, store: Path | None) -> Episode:
    """The episode that a trajectory tells of, with one person's words; with none if it has none at all."""
    anns = trajectory.turk_annotations.anns
    if directive >= max(1, len(anns)):
        raise HousematesError(
            f"{trajectory.task_id}: has {len(anns)} directives, counted from 0: there is no {directive}."
        )
    said = anns[directive] if anns else None
    task = None
    if trajectory.scored:
        params = msgspec.to_builtins(trajectory.pddl_params)
        task = task_of(str(trajectory.task_type), params, trajectory.task_id)
    return Episode(
        id=f"{trajectory.task_id}/{directive}",
        start=start_of(trajectory, store),
        length=len(trajectory.low_actions),
        task=task,
        goal=said.task_desc if said else "",
        instructions=tuple(said.high_descs) if said else (),
    )


def start_of(trajectory: Trajectory, store: Path | None) -> Scene:
    """Where a trajectory begins: in one of our rooms, or in a floor plan that a store knows."""
    if is_room(trajectory.scene.floor_plan):
        return room_start(trajectory)
    found = opened(store)
    if found is None:
        raise HousematesError(
            f"{trajectory.task_id}: {trajectory.scene.floor_plan} is a floor plan of AI2-THOR: "
            "name a store of imported data (store=DIR)."
        )
    return scene_of(trajectory, found)


def recorded_parts(trajectory: Trajectory) -> list[Part]:
    """The sub-goals of a demonstration; none if the file does not tell them."""
    if not isinstance(trajectory.plan, Plan):
        return []
    deeds: dict[int, list[Done]] = {}
    for low in trajectory.plan.low_actions:
        deeds.setdefault(low.high_idx, []).append((low.name, low.target or None))
    return [_part(high, tuple(deeds.get(n, ()))) for n, high in enumerate(trajectory.plan.high_pddl)]


def _part(high: HighAction, deeds: tuple[Done, ...]) -> Part:
    thing = str(high.planner_action.get("objectId", ""))
    place = str(high.planner_action.get("receptacleObjectId", ""))
    kind = high.discrete_action.action
    return Part(kind, "", thing, deeds) if kind in ABOUT_WHAT_IS_HELD else Part(kind, thing, place, deeds)


def known_as(world: AlfredWorld, name: str) -> str:
    """What a recorded object is called in a rebuilt plan; the same name if nothing stands there."""
    if not name or name in world.home.things:
        return name
    return thing_near(world.home.things.values(), name) or name
