"""Rehearsal: search over poses and clicks for acts that work, on a copy of the home."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from housemates.agents.teach.planning import PlannedStep
from housemates.agents.teach.rule.viewpoints import clicks, poses
from housemates.benchmarks.teach.world.agent_camera import SIDE_PX
from housemates.benchmarks.teach.world.dynamics import LOOK_DEG, TeachWorld
from housemates.benchmarks.teach.world.pointing import resolve
from housemates.core.actions import Act
from housemates.home import World
from housemates.home.containment import has_inside
from housemates.home.navigation import Pose, agent_at
from housemates.home.routes import Routes
from housemates.home.things import Thing
from housemates.render.camera import agent_camera
from housemates.render.frames import Frame
from housemates.render.scene import Renderer

TRIES = 100
"""Poses tried for one subplan."""
REVISIONS = 2
"""Alternatives tried for a step because the next one failed after it."""
OPENINGS = 5
"""The same for opening, as a door may block the way."""
OPEN_SHARE = 0.9
"""Least share of the room that stays reachable when a door is opened."""


class Rehearsal:
    """A copy of a home on which steps are tried before they are instructed.

    Args:
        world: The home.
        width: Of the Follower's picture, in pixels.
        height: Of the same.
    """

    def __init__(self, world: TeachWorld, width: int = SIDE_PX, height: int = SIDE_PX) -> None:
        self._size = (width, height)
        self.world = TeachWorld(World(world.home.scene))
        self.blamed: PlannedStep | None = None
        """The step that failed in the last rehearsal."""
        self._deepest = -1
        self._tries = 0
        self._renderer = Renderer(self.world.home)
        self._frame: Frame | None = None

    def acts(self, world: TeachWorld, steps: Sequence[PlannedStep]) -> list[Act] | None:
        """Acts that do these steps in turn, by backtracking search; None if some step fails."""
        self.world.restore(world.snapshot())
        self._tries = TRIES
        self.blamed, self._deepest = None, -1
        return self._rest(steps, 0)

    def _rest(self, steps: Sequence[PlannedStep], number: int) -> list[Act] | None:
        """Acts for the steps from a number on; earlier choices are revised where they lead nowhere."""
        if number == len(steps):
            return []
        step, home = steps[number], self.world.home
        moment = self.world.snapshot()
        routes = Routes(home, LOOK_DEG)
        for revision, (pose, act) in enumerate(self._attempts(step, routes)):
            later = self._rest(steps, number + 1)
            if later is not None:
                return [*(Act(move) for move in routes.moves(pose)), act, *later]
            if revision == (OPENINGS if step.action == "Open" else REVISIONS):
                break
        self.world.restore(moment)
        if step.optional:
            return self._rest(steps, number + 1)
        if number > self._deepest:
            self.blamed, self._deepest = step, number
        return None

    def _attempts(self, step: PlannedStep, routes: Routes) -> Iterator[tuple[Pose, Act]]:
        """Do a step from one pose after the other, awkward ones last; yields pose and act of each success."""
        moment = self.world.snapshot()
        target = self.world.home.things.get(step.target)
        awkward: list[Pose] = []
        for pose in poses(self.world.home, target, routes) if target is not None else ():
            if self._tries <= 0:
                break
            self._tries -= 1
            act = self._attempt(step, pose)
            if act is not None and self._makes_trouble(step, routes):
                awkward.append(pose)
            elif act is not None:
                yield pose, act
            self.world.restore(moment)
        for pose in () if self._is_for_heating(step) else awkward:
            act = self._attempt(step, pose)
            if act is not None:
                yield pose, act
            self.world.restore(moment)

    def _attempt(self, step: PlannedStep, pose: Pose) -> Act | None:
        """Do a step from a pose; None, with the world unchanged, if it fails."""
        home = self.world.home
        home.agent = agent_at(home.agent, pose)
        frame = self._look()
        for x, y in clicks(frame, step.target, home.agent.position, edge=self._packs(step)):
            pointed = resolve(home, frame, step.action, x, y)
            if pointed is None or pointed.thing != step.target:
                continue
            moment = self.world.snapshot()
            outcome = self.world.act(step.action, target=pointed.thing, at=pointed.at)
            if outcome.success and self._served(step, moment.home.things.get(step.place)):
                return Act(step.action, {"object": step.target, "point": (x, y)})
            self.world.restore(moment)
        return None

    def _is_for_heating(self, step: PlannedStep) -> bool:
        """Whether a thing is put somewhere to be taken out again soon."""
        place = self.world.home.things.get(step.place)
        return step.action == "Place" and place is not None and place.kind.heats

    def _packs(self, step: PlannedStep) -> bool:
        """Whether a thing is put into a box or drawer, where more fits if one begins at the edge."""
        place = self.world.home.things.get(step.place)
        return step.action == "Place" and place is not None and place.type in ("Box", "Drawer")

    def _look(self) -> Frame:
        """What the Follower can touch from where it is."""
        camera = agent_camera(self.world.home.agent, *self._size)
        self._frame = self._renderer.frame(camera, self._frame, to_touch=True)
        return self._frame

    def _served(self, step: PlannedStep, before: Thing | None) -> bool:
        """Whether switching something on did something to what it was switched on for."""
        return step.action != "ToggleOn" or not step.place or self.world.home.things[step.place] is not before

    def _makes_trouble(self, step: PlannedStep, before: Routes) -> bool:
        """Whether an open door now shuts off some of the room, or what was put away cannot be taken out."""
        home = self.world.home
        if step.action == "Open":
            after = Routes(home, LOOK_DEG)
            return after.reached < OPEN_SHARE * before.reached
        if step.action == "Place" and has_inside(home.things[step.place]):
            return next(clicks(self._look(), step.thing, home.agent.position), None) is None
        return False
