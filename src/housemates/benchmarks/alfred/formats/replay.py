"""Replaying demonstrations low action by low action, and comparing each with the recording."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from housemates.benchmarks.alfred.formats.episodes import LowAction, Trajectory
from housemates.benchmarks.alfred.tasks.goals import Task, home_type, progress, task_of
from housemates.benchmarks.alfred.world import masks
from housemates.benchmarks.alfred.world.agent_camera import Sight
from housemates.benchmarks.alfred.world.dynamics import INTERACTIONS, AlfredWorld
from housemates.benchmarks.alfred.world.masks import Mask
from housemates.benchmarks.alfred.world.stances import Stance, stances
from housemates.core.outcome import Reason, refuse
from housemates.data.replays import Replayed
from housemates.errors import HousematesError
from housemates.home.things import Scene, Thing, place_in, type_in, whole_in
from housemates.home.types import object_type
from housemates.render.frames import Frame

ALIAS_M = 1.2
"""A fixture that is not known by its id is the one of its class that stands within this distance."""
SAME_M = 0.03
"""The same for things that can be carried, whose ids are the places where they stood at the start."""


@dataclass(frozen=True)
class Compared:
    """One recorded action and how it came out here."""

    index: int
    action: str
    success: bool
    reason: str
    message: str = ""
    target: str = ""
    """The recorded object's id here; empty for moves."""
    kind: str = ""
    """The class of the recorded object."""
    picked: str = ""
    """What the recorded mask means in our picture."""
    overlap: float | None = None
    """Intersection over union of our mask of the object and the recorded one; None if nobody looked."""

    @property
    def moves(self) -> bool:
        """Whether it touches nothing."""
        return self.action not in INTERACTIONS

    @property
    def picks_target(self) -> bool:
        """Whether the recorded mask means the recorded object, or another piece of the same whole."""
        return bool(self.picked) and (
            self.picked == self.target or whole_in(self.picked) == whole_in(self.target)
        )


class ReplayedAction(NamedTuple):
    """One action that has just been replayed: the world afterwards, and the picture and mask before it.

    The arrays of the picture are overwritten later.
    """

    low: LowAction
    compared: Compared
    world: AlfredWorld
    frame: Frame
    mask: Mask | None


OnStep = Callable[[ReplayedAction], None]


def replay(
    trajectory: Trajectory,
    scene: Scene,
    by: str = "object",
    look: bool = True,
    on_step: OnStep | None = None,
) -> Replayed[Compared]:
    """Replay every low action of a demonstration.

    A move that is refused here is noted, and the agent is put where the demonstration went, so that each
    action is compared from the place where it was recorded.

    Args:
        trajectory: The recorded demonstration.
        scene: Its floor plan at the start, as `scene_of` makes it.
        by: `object` acts on the recorded object, `mask` on what the recorded mask means in our picture.
        look: Whether masks are compared when acting by object; without it no picture is drawn.
        on_step: Called after each action.
    """
    run = _Run(trajectory, scene, by, look, on_step)
    for index, low in enumerate(trajectory.low_actions):
        run.step(index, low)
    return run.finish()


class _Run:
    """A replay in progress."""

    def __init__(
        self, trajectory: Trajectory, scene: Scene, by: str, look: bool, on_step: OnStep | None
    ) -> None:
        self.trajectory = trajectory
        self.by = by
        self.look = look or on_step is not None
        self.on_step = on_step
        self.world = AlfredWorld(scene)
        self.sight = Sight(self.world.home)
        self.task = _task(trajectory)
        self.stances = list(stances(trajectory))
        self.result: Replayed[Compared] = Replayed(
            trajectory.task_id,
            trajectory.scene.floor_plan,
            self.task.type if self.task else "",
            len(trajectory.low_actions),
            scored=self.task is not None,
        )

    def step(self, index: int, low: LowAction) -> None:
        """Do one recorded action."""
        frame = None if self.on_step is None else self.sight.look()
        if low.name in INTERACTIONS:
            mask = self._mask(index, low)
            compared = self._touch(index, low, mask)
        else:
            mask = None
            compared = self._move(index, low)
        self.result.compared.append(compared)
        if self.on_step is not None and frame is not None:
            self.on_step(ReplayedAction(low, compared, self.world, frame, mask))

    def _move(self, index: int, low: LowAction) -> Compared:
        outcome = self.world.act(low.name)
        self._stand(self.stances[index + 1])
        return Compared(index, low.name, outcome.success, outcome.reason, outcome.message)

    def _touch(self, index: int, low: LowAction, mask: Mask | None) -> Compared:
        target = self._known(low.target)
        picked, overlap = "", None
        if mask is not None and (self.look or self.by == "mask"):
            picked = self.sight.pick(mask) or ""
            overlap = masks.overlap(self.sight.mask(target), mask)
        acted = picked if self.by == "mask" else target
        outcome = (
            self.world.act(low.name, acted)
            if acted
            else refuse(Reason.NOTHING_THERE, "The mask shows nothing.")
        )
        came = (outcome.success, outcome.reason, outcome.message)
        return Compared(index, low.name, *came, target, type_in(low.target), picked, overlap)

    def _stand(self, stance: Stance) -> None:
        """Stand where the demonstration went, also where the way is blocked here."""
        home = self.world.home
        if (home.agent.x, home.agent.z, home.agent.rotation, home.agent.horizon) != stance:
            home.agent = msgspec.structs.replace(
                home.agent, x=stance.x, z=stance.z, rotation=stance.rotation, horizon=stance.horizon
            )

    def _mask(self, index: int, low: LowAction) -> Mask | None:
        runs = low.discrete_action.args.mask
        if not isinstance(runs, list):
            return None
        where = f"{self.trajectory.task_id}: plan.low_actions[{index}].discrete_action.args.mask"
        return masks.from_runs(runs, where)

    def _known(self, name: str) -> str:
        """What a recorded object is called here; one that is nowhere is an error that names it."""
        things = self.world.home.things
        if name in things or whole_in(name) in things:
            return name
        near = thing_near(things.values(), name)
        if near is None:
            raise HousematesError(
                f"{self.trajectory.task_id}: {self.trajectory.scene.floor_plan} has no object {name!r}."
            )
        return near

    def finish(self) -> Replayed[Compared]:
        """Count the goal conditions at the end."""
        if self.task is not None:
            met, total = progress(self.task, self.world)
            self.result.judge(met, total, met == total)
        self.result.digest = self.world.digest()
        return self.result


def thing_near(things: Iterable[Thing], name: str) -> str | None:
    """The thing of the same class that stands nearest to where an unknown id says."""
    kind, place = home_type(type_in(name)), place_in(name)
    near = [(math.dist(place_in(thing.id), place), thing.id) for thing in things if thing.type == kind]
    apart, found = min(near, default=(math.inf, ""))
    return found if apart <= (SAME_M if object_type(kind).can("pickup") else ALIAS_M) else None


def _task(trajectory: Trajectory) -> Task | None:
    if not trajectory.scored:
        return None
    params = msgspec.to_builtins(trajectory.pddl_params)
    return task_of(str(trajectory.task_type), params, trajectory.task_id)
