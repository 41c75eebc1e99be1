"""Sub-goal evaluation: a demonstration is played up to a sub-goal, and the agent must reach that one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from housemates.benchmarks.alfred import metrics
from housemates.benchmarks.alfred.agents.baselines import ExpertAgent
from housemates.benchmarks.alfred.agents.expert import Expert
from housemates.benchmarks.alfred.agents.guiding import AT_APPLIANCES, SubGoalExpert, Target
from housemates.benchmarks.alfred.benchmark import Alfred, Drawn, drawn_demonstration
from housemates.benchmarks.alfred.files.episodes import HighAction, Plan
from housemates.benchmarks.alfred.files.replay import thing_near
from housemates.benchmarks.alfred.generate.demonstration import SubGoal
from housemates.benchmarks.alfred.session import Act, AlfredSession, Episode
from housemates.benchmarks.alfred.tasks.goals import Task
from housemates.benchmarks.alfred.world.dynamics import LOOK_DEG, AlfredWorld
from housemates.benchmarks.base import Agent, Instance, Outcome, Session, Trace
from housemates.home.navigation import Pose, pose_of
from housemates.home.routes import Routes

CLOSE = 3
"""A place is reached when the pose of the demonstration is fewer actions away than this."""
KINDS = tuple(metrics.published()["subgoals"])


NO_TARGET = Target("")


@dataclass(frozen=True)
class Part(Episode):
    """A sub-goal of an episode."""

    target: Target = NO_TARGET


class Place(NamedTuple):
    """Which sub-goal of which episode."""

    whole: Any
    number: int


class SubGoalSession(AlfredSession):
    """An episode that is over when its sub-goal is reached."""

    def __init__(self, part: Part) -> None:
        super().__init__(part)
        self.target = part.target
        self.over = self.reached

    @property
    def reached(self) -> bool:
        """Whether the sub-goal is."""
        return CHECKS[self.target.kind](self.world, self.target)

    def act(self, action: Any) -> Outcome:
        """Carry out an action; the episode ends with the one that reaches the sub-goal."""
        outcome = super().act(action)
        self.over = self.over or self.reached
        return outcome


def _arrived(world: AlfredWorld, target: Target) -> bool:
    """Whether the pose of the demonstration is less than three actions away."""
    assert target.pose is not None
    here, there = pose_of(world.home.agent), target.pose
    if abs(here.x - there.x) + abs(here.z - there.z) >= CLOSE:
        return False
    ways = Routes(world.home, LOOK_DEG)
    return ways.reaches(there) and ways.length(there) < CLOSE


def _inside(world: AlfredWorld, target: Target) -> bool:
    thing = world.home.things.get(target.thing)
    return thing is not None and any(other.id == target.place for other in world.home.ancestors(thing))


CHECKS: dict[str, Callable[[AlfredWorld, Target], bool]] = {
    "GotoLocation": _arrived,
    "PickupObject": lambda world, target: world.home.agent.held == target.thing,
    "PutObject": _inside,
    "CoolObject": lambda world, target: target.thing in world.marks.cooled,
    "HeatObject": lambda world, target: target.thing in world.marks.heated,
    "CleanObject": lambda world, target: target.thing in world.marks.cleaned,
    "SliceObject": lambda world, target: world.home.things[target.thing].sliced,
    "ToggleObject": lambda world, target: world.home.things[target.place].on,
}
"""When each kind of sub-goal is reached."""


class SubGoals(Alfred):
    """Reach one sub-goal after the beginning of a demonstration."""

    name = "alfred-subgoals"
    id = "housemates/alfred-subgoals-v1"

    def instances(self, split: str, episodes: int | None, seed: int) -> Sequence[Instance]:
        """Every sub-goal of the episodes of a split."""
        found: list[Instance] = []
        for whole in super().instances(split, episodes, seed):
            for number, kind in self._kinds(whole):
                found.append(Instance(f"{whole.id}-{number}", kind, Place(whole, number), seed))
        return found

    def _kinds(self, whole: Instance) -> Iterator[tuple[int, str]]:
        if isinstance(whole.data, Drawn):
            for number, subgoal in enumerate(drawn_demonstration(whole.data).subgoals()):
                kind = _kind(subgoal)
                if kind in KINDS:
                    yield number, kind
            return
        plan = whole.data[0].parse().plan
        for number, high in enumerate(plan.high_pddl if isinstance(plan, Plan) else ()):
            if high.discrete_action.action in KINDS:
                yield number, high.discrete_action.action

    def session(self, instance: Instance) -> Session:
        """Play the demonstration up to the sub-goal."""
        whole, number = instance.data
        episode = self.episode(whole)
        if isinstance(whole.data, Drawn):
            return SubGoalSession(_generated(episode, drawn_demonstration(whole.data).subgoals(), number))
        return SubGoalSession(_recorded(episode, whole.data[0].parse().plan, number))

    def agents(self, name: str) -> Mapping[str, Agent]:
        """The same as for whole tasks; the expert here serves the sub-goal that is asked for."""
        return {"agent": SubGoalAgent(self.by)} if name == "expert" else super().agents(name)

    def score(self, instance: Instance, session: Session, trace: Trace) -> dict[str, float]:
        """Whether the sub-goal was reached, plain and weighted by the path."""
        assert isinstance(session, SubGoalSession)
        success = float(session.reached)
        return {
            "success": success,
            "success_weighted": metrics.length_weighted(success, session.episode.length, session.taken),
        }

    def summarise(self, scores: Sequence[tuple[Instance, dict[str, float]]]) -> dict[str, Any]:
        """Table 4."""
        return metrics.subgoal_tables([(instance.task, score) for instance, score in scores])


class SubGoalAgent(ExpertAgent):
    """The expert, asked for one sub-goal."""

    def make(self, session: AlfredSession, task: Task) -> Expert:
        """The expert of a session's sub-goal."""
        assert isinstance(session, SubGoalSession)
        return SubGoalExpert(task, session.target, session.sight if self.by == "mask" else None)


def _kind(subgoal: SubGoal) -> str:
    return "PutObject" if subgoal.step.action == "StackObject" else subgoal.step.action


def _generated(episode: Episode, subgoals: Sequence[SubGoal], number: int) -> Part:
    """The sub-goal of this number of one of our own demonstrations."""
    prefix = [Act(deed.action, target=deed.target) for each in subgoals[:number] for deed in each.deeds]
    mine = subgoals[number]
    rest = [Act(deed.action, target=deed.target) for deed in mine.deeds]
    target = Target(_kind(mine), mine.step.thing, mine.step.place, _end(episode, [*prefix, *rest]))
    return _part(episode, prefix, len(rest), target)


def _recorded(episode: Episode, plan: Plan, number: int) -> Part:
    """The sub-goal of this number of an official demonstration."""
    before = [low for low in plan.low_actions if low.high_idx < number]
    mine = [low for low in plan.low_actions if low.high_idx == number]
    world = AlfredWorld(episode.start)
    prefix = []
    for low in before:
        act = Act(low.name, target=_known(world, low.target) if low.target else None)
        world.act(act.action, act.target)
        prefix.append(act)
    high: HighAction = plan.high_pddl[number]
    thing = _known(world, str(high.planner_action.get("objectId", "")))
    place = _known(world, str(high.planner_action.get("receptacleObjectId", "")))
    kind = high.discrete_action.action
    if kind in ("ToggleObject", *AT_APPLIANCES):
        thing, place = world.home.agent.held, thing
    if kind == "GotoLocation":
        for low in mine:
            world.act(low.name)
    return _part(episode, prefix, len(mine), Target(kind, thing, place, pose_of(world.home.agent)))


def _known(world: AlfredWorld, name: str) -> str:
    if not name or name in world.home.things:
        return name
    return thing_near(world.home.things.values(), name) or name


def _end(episode: Episode, acts: Sequence[Act]) -> Pose:
    """Where the agent stands after some acts."""
    world = AlfredWorld(episode.start)
    for act in acts:
        world.act(act.action, act.target)
    return pose_of(world.home.agent)


def _part(episode: Episode, prefix: Sequence[Act], length: int, target: Target) -> Part:
    fields = {name: getattr(episode, name) for name in ("id", "start", "task", "goal", "instructions")}
    return replace(Part(length=length, **fields), prefix=tuple(prefix), target=target)
