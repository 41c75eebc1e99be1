"""Expert demonstrations: commands with which the robot, who knows what is meant, fulfils it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from housemates.benchmarks.handmethat.tasks.episodes import grounded
from housemates.benchmarks.handmethat.tasks.meanings import Grounded, Meaning, fitting
from housemates.benchmarks.handmethat.tasks.planning.estimates import fast_forward, unavoidable
from housemates.benchmarks.handmethat.tasks.planning.grounding import Facts, Problem, needs, problem
from housemates.benchmarks.handmethat.tasks.planning.routes import put, reach
from housemates.benchmarks.handmethat.tasks.planning.search import search
from housemates.benchmarks.handmethat.tasks.subgoals import granted
from housemates.benchmarks.handmethat.world.commands import Commands
from housemates.benchmarks.handmethat.world.dynamics import HUMAN_PLACE, ROBOT, World
from housemates.benchmarks.handmethat.world.operators import Action, perform


def demonstration(world: World, meaning: Meaning, expert: str = "exact") -> tuple[str, ...] | None:
    """The shortest list of commands that fulfils the meaning, or the one that greedy FF search finds."""
    subgoals = sorted(grounded(meaning, fitting(world, meaning.spec)))
    if expert == "ff":
        best = ff_plan(world, meaning.quest, subgoals)
    else:
        found = [
            plan for subgoal in subgoals if (plan := robot_plan(world, meaning.quest, subgoal)) is not None
        ]
        best = min(found, key=len, default=None)
    if best is None:
        return None
    commands = Commands(world, short_names=True)
    return tuple(commands.write(action) for action in best)


def robot_plan(world: World, quest: str, subgoal: Grounded) -> list[Action] | None:
    """The robot's shortest actions that fulfil one grounded subgoal, from its place; None if none do."""
    places = world.scene.index
    if quest == "move_to" and places.get(subgoal.arg or "", subgoal.number) == subgoal.number:
        return None
    if quest == "change_state":
        grounded_problem = _robot_problem(world, quest, [subgoal])
        return search(grounded_problem, unavoidable(grounded_problem, world.scene))
    after = world.copy()
    actions = []
    for action in _carry(after, quest, subgoal):
        if not perform(after, ROBOT, action):
            return None
        actions.append(action)
    return actions


def ff_plan(world: World, quest: str, subgoals: Sequence[Grounded]) -> list[Action] | None:
    """Greedy best-first search with the FF heuristic, for any of the subgoals."""
    grounded_problem = _robot_problem(world, quest, subgoals)
    return search(grounded_problem, fast_forward(grounded_problem), depth_weight=0.0, reopen=False)


def _robot_problem(world: World, quest: str, subgoals: Sequence[Grounded]) -> Problem:
    """The robot's way to any of the subgoals as a grounded problem."""
    goals = [tuple(granted(world, quest, subgoal).changes.items()) for subgoal in subgoals]
    if quest == "bring_me":
        goals = [goal[:1] for goal in goals]
    elif quest == "change_state":
        goals = [_as_wanted(goal, world) for goal in goals]
    return problem(needs(goals, world, ROBOT), world, ROBOT)


def _as_wanted(goal: Facts, world: World) -> Facts:
    """Only the flags that the object has and that are not as they should be."""
    return tuple((variable, value) for variable, value in goal if world.values[variable] != value) or goal


def _carry(world: World, quest: str, subgoal: Grounded) -> Iterator[Action]:
    number, arg = subgoal
    scene = world.scene
    if world.values[scene.held(ROBOT)] != number:
        source = world.parent(number)
        yield from reach(world, source, ROBOT)
        place = world.location(source)
        if source == place:
            yield Action("pick-up-at-location", (number, place))
        else:
            yield Action("pick-up-from-receptacle-at-location", (number, source, place))
    if quest == "bring_me":
        here = world.values[scene.at(ROBOT)]
        if here != HUMAN_PLACE:
            yield Action("move", (here, HUMAN_PLACE))
        yield Action("bring-to-human", (number,))
    else:
        assert arg is not None
        holder = scene.index[arg]
        yield from reach(world, holder, ROBOT)
        yield put(world, number, holder)
