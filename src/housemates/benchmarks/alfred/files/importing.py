"""Official trajectories into the store: the files themselves, and what they teach about their plans."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from housemates.benchmarks.alfred.files.episodes import FILE, Trajectory, TrajectoryText, read_texts
from housemates.benchmarks.alfred.files.middles import MOST, sightings
from housemates.benchmarks.alfred.files.scenes import lying, movable_things
from housemates.benchmarks.alfred.tasks.goals import home_type
from housemates.benchmarks.alfred.world.dynamics import FOV_DEG
from housemates.benchmarks.alfred.world.stances import stances
from housemates.data.intake import Plans, finish, take_in
from housemates.data.records import Skipped
from housemates.data.store import Source, Store
from housemates.errors import HousematesError
from housemates.home.scenes.plans.knowledge import PlanKnowledge
from housemates.home.things import Agent, Thing, place_in, type_in
from housemates.home.types import object_types
from housemates.parallel import track

LAYOUTS = "layouts.json.zst"


def import_trajectories(store: Store, path: Path, label: str | None = None) -> Source:
    """Read a tree, a file or a packed file into the store; what is there already is left alone.

    Args:
        store: Where to.
        path: Where from.
        label: Title of a progress bar; no bar if None.
    """
    unread: list[Skipped] = []
    texts = track(read_texts([path], unread), _count(path), label)
    source = take_in(store, "alfred", path, texts, _learn)
    finish(store, source, unread)
    return source


def _learn(text: TrajectoryText, plans: Plans) -> str:
    trajectory = text.parse()
    knowledge = plans(trajectory.scene.floor_plan)
    if knowledge is not None:
        learn_trajectory(knowledge, trajectory)
    return trajectory.scene.floor_plan


def learn_trajectory(knowledge: PlanKnowledge, trajectory: Trajectory) -> None:
    """Learn where the demonstration walked, what lay where, and the names of the fixtures that it touched."""
    things = movable_things(trajectory.scene.object_poses, trajectory.task_id)
    knowledge.rests.update(lying(things))
    _learn_middles(knowledge, trajectory, things)
    knowledge.learn_steps(((stance.x, stance.z) for stance in stances(trajectory)), people=False)
    for low in trajectory.low_actions:
        if low.target and is_fixture(low.target, trajectory.task_id):
            knowledge.named.setdefault(low.target, place_in(low.target))


def _learn_middles(knowledge: PlanKnowledge, trajectory: Trajectory, things: Iterable[Thing]) -> None:
    height = float(trajectory.scene.init_action.y)
    agents = (
        Agent(here.x, here.z, here.rotation, here.horizon, y=height, fov=FOV_DEG)
        for here in stances(trajectory)
    )
    by_id = {thing.id: thing for thing in things}
    for seen in sightings(zip(trajectory.low_actions, agents, strict=False), by_id):
        known = knowledge.middles.setdefault(seen.asset, [])
        if len(known) < MOST:
            known.append((seen.x, seen.z))


def is_fixture(name: str, source: str) -> bool:
    """Whether an id names something that nobody can carry away; `source` is named if its class is unknown."""
    kind = object_types().get(home_type(type_in(name)))
    if kind is None:
        raise HousematesError(f"{source}: unknown class of object in {name!r}.")
    return not kind.can("pickup")


def _count(path: Path) -> int | None:
    return sum(1 for _ in path.rglob(FILE)) if path.is_dir() else None


def layouts_beside(paths: Iterable[Path]) -> Path | None:
    """The layouts in the folder of the trajectories, if they are there."""
    for path in paths:
        folder = path if path.is_dir() else path.parent
        if (folder / LAYOUTS).is_file():
            return folder / LAYOUTS
    return None
