"""Official trajectories into the store: the files themselves, and what they teach about their plans."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import msgspec

from housemates.benchmarks.alfred.formats.episodes import TRAJECTORIES, LowAction, Trajectory
from housemates.benchmarks.alfred.formats.middles import MOST, sightings
from housemates.benchmarks.alfred.formats.puts import MOST as MOST_PUTS
from housemates.benchmarks.alfred.formats.puts import puts
from housemates.benchmarks.alfred.formats.scenes import lying, movable_things
from housemates.benchmarks.alfred.tasks.goals import home_type
from housemates.benchmarks.alfred.world.dynamics import FOV_DEG
from housemates.benchmarks.alfred.world.stances import stances
from housemates.data.intake import Intake
from housemates.data.records import Text
from housemates.errors import HousematesError
from housemates.home.scenes.plans.knowledge import PlanKnowledge
from housemates.home.scenes.plans.puts import Put
from housemates.home.things import Agent, Thing, place_in, type_in
from housemates.home.types import object_types
from housemates.typed_json import decode

SAME_RAY = 0.02
"""Lines of sight that differ less than this, in metres at their start and in direction, are one."""


def learn_trajectory(knowledge: PlanKnowledge, trajectory: Trajectory) -> None:
    """Learn where the demonstration walked, what lay where, and the names of the fixtures that it touched."""
    things = movable_things(trajectory.scene.object_poses, trajectory.task_id)
    knowledge.rests.update(lying(things))
    _learn_middles(knowledge, trajectory, things)
    learn_puts(knowledge, trajectory, things)
    knowledge.learn_steps(((stance.x, stance.z) for stance in stances(trajectory)), people=False)
    for low in trajectory.low_actions:
        if low.target and is_fixture(low.target, trajectory.task_id):
            knowledge.named.setdefault(low.target, place_in(low.target))


def _learn_middles(knowledge: PlanKnowledge, trajectory: Trajectory, things: Iterable[Thing]) -> None:
    by_id = {thing.id: thing for thing in things}
    for seen in sightings(_acting(trajectory), by_id):
        known = knowledge.middles.setdefault(seen.asset, [])
        if len(known) < MOST:
            known.append((seen.x, seen.z))


def learn_puts(knowledge: PlanKnowledge, trajectory: Trajectory, things: Iterable[Thing]) -> None:
    """Learn where things came to lie that the demonstration put down and touched again."""
    assets = {thing.id: thing.name for thing in things}
    for receptacle, put in puts(_acting(trajectory), assets):
        known = knowledge.puts.setdefault(receptacle, [])
        alike = [index for index, each in enumerate(known) if _who(each) == _who(put)]
        same = [index for index in alike if math.dist(known[index][3:9], put[3:9]) <= SAME_RAY]
        if same:
            known[same[0]] = known[same[0]]._replace(times=known[same[0]].times + 1)
        elif len(alike) < MOST_PUTS:
            known.append(put)


def _who(put: Put) -> tuple[str, str, int, int]:
    """What was put down, and from which cell."""
    return (put.name, put.kind, put.x, put.z)


def _acting(trajectory: Trajectory) -> Iterator[tuple[LowAction, Agent]]:
    """Each low action with where the agent stands before it."""
    height = float(trajectory.scene.init_action.y)
    agents = (
        Agent(here.x, here.z, here.rotation, here.horizon, y=height, fov=FOV_DEG)
        for here in stances(trajectory)
    )
    return zip(trajectory.low_actions, agents, strict=False)


def is_fixture(name: str, source: str) -> bool:
    """Whether an id names something that nobody can carry away; `source` is named if its class is unknown."""
    kind = object_types().get(home_type(type_in(name)))
    if kind is None:
        raise HousematesError(f"{source}: unknown class of object in {name!r}.")
    return not kind.can("pickup")


class _Scene(msgspec.Struct):
    floor_plan: str


class _Place(msgspec.Struct):
    """All of a trajectory that tells its floor plan."""

    scene: _Scene


def plan_of(text: Text[Trajectory]) -> str:
    """The floor plan of a trajectory that is not read yet."""
    return decode(text.text, _Place, text.source).scene.floor_plan


INTAKE = Intake(
    records=TRAJECTORIES,
    plan=plan_of,
    learn=learn_trajectory,
    layouts=("layouts.json.zst",),
)
import_trajectories = INTAKE.take
