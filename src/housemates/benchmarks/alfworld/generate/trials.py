"""Games of ALFRED's trajectories: the home as the demonstration begins, and the task that it shows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import numpy as np

from housemates.benchmarks.alfred.formats import splits
from housemates.benchmarks.alfred.formats.episodes import Trajectory
from housemates.benchmarks.alfred.formats.loader import start_of
from housemates.benchmarks.alfred.tasks.goals import home_type, task_of
from housemates.benchmarks.alfworld.generate.games import Harder, Made, emptied, of_home
from housemates.benchmarks.alfworld.generate.problem import told_things
from housemates.benchmarks.alfworld.generate.tasks import Task
from housemates.benchmarks.alfworld.tasks.types import TYPES
from housemates.data.packs import Place
from housemates.errors import HousematesError
from housemates.home.world import World


def trials(data: Path) -> Iterator[tuple[str, str, Place]]:
    """The trajectories of a file, folder or store: what they are called, their split, and where they are."""
    found = False
    for split in splits.SPLITS:
        try:
            for name, place in splits.places(data, split):
                found = True
                yield name, split, place
        except HousematesError:
            continue
        if data.is_file():
            return
    if not found:
        raise HousematesError(f"{data}: holds no trajectory.")


def of_trial(name: str, split: str, place: Place, store: Path | None, harder: Harder, seed: int) -> Made:
    """The game of a trajectory; in people's words if `harder.words` says so.

    Raises:
        HousematesError: It is of a task that has no such game, or its home lacks what the task needs.
    """
    trajectory = splits.read(place, split)
    task = _task(trajectory)
    world = emptied(start_of(trajectory, store))
    _check(trajectory, task, world)
    rng = np.random.default_rng([seed, 19])
    made = of_home(name, world, [task], harder, rng)
    people = trajectory.turk_annotations.anns
    if harder.words == "people" and people:
        said = people[int(rng.integers(len(people)))].task_desc.strip().rstrip(".")
        made = of_home(name, world, [task], harder, rng, said)
    return made


def _task(trajectory: Trajectory) -> Task:
    params = msgspec.to_builtins(trajectory.pddl_params)
    asked = task_of(str(trajectory.task_type), params, trajectory.task_id)
    if asked.type not in TYPES or asked.object_sliced:
        raise HousematesError(f"{trajectory.task_id}: tasks with slices or movable receptacles are no games.")
    where = home_type(asked.parent_target) if asked.parent_target else ""
    return Task(asked.type, home_type(asked.object_target), where, asked.toggle_target)


def _check(trajectory: Trajectory, task: Task, world: World) -> None:
    """See that the home has what the task needs."""
    things, places = told_things(world)
    there = {each.type for each in (*things, *places)}
    missing = [each for each in (task.thing, task.place, task.lamp) if each and each not in there]
    few = task.type == "pick_two_obj_and_place" and sum(each.type == task.thing for each in things) < 2
    if missing or few:
        lacking = missing[0] if missing else f"second {task.thing}"
        raise HousematesError(f"{trajectory.task_id}: its rebuilt home has no {lacking} within reach.")
