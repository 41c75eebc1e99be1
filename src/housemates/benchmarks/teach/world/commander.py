"""The Commander: the one who knows the task, sees the home from the air, and can find anything."""

from __future__ import annotations

import numpy as np

from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.benchmarks.teach.world.agent_camera import SIDE_PX
from housemates.benchmarks.teach.world.dynamics import TeachWorld
from housemates.benchmarks.teach.world.poses import Pose
from housemates.benchmarks.teach.world.search import find_named, find_view
from housemates.core.actions import Act
from housemates.core.outcome import Outcome, Reason, done, refuse
from housemates.home.naming import Names
from housemates.home.things import GRID_M, Thing, turned
from housemates.render.agent_camera import Eyes
from housemates.render.camera import Camera
from housemates.render.frames import Frame
from housemates.render.maps import top_down

DOWN_DEG = 30.0
ABOVE_M = 1.0
"""Its camera looks down from above its place."""
FLIGHT_M = 25.0
"""How far from the middle of the world it may fly."""
FLIGHTS = {
    "Forward": (0, 0, 1, 0),
    "Backward": (0, 0, -1, 0),
    "TurnLeft": (0, 0, 0, -90),
    "TurnRight": (0, 0, 0, 90),
    "LookUp": (0, 1, 0, 0),
    "LookDown": (0, -1, 0, 0),
    "PanLeft": (-1, 0, 0, 0),
    "PanRight": (1, 0, 0, 0),
}
"""Its moves: steps to the right, up and ahead, and degrees clockwise."""


class Commander:
    """A camera that flies through walls, and the tools that tell about the task and find things."""

    def __init__(
        self,
        world: TeachWorld,
        task: tasks.BoundTask,
        pose: Pose,
        width: int = SIDE_PX,
        height: int = SIDE_PX,
        names: Names | None = None,
    ) -> None:
        self.world = world
        self.names = names or Names()
        self.task = task
        self.pose = pose
        self.width, self.height = width, height
        self.eyes = Eyes(world.home, width, height, camera=self.camera)
        """Its picture; a new one overwrites the last one."""

    def camera(self) -> Camera:
        """Where its camera is."""
        x, y, z, rotation, _ = self.pose
        return Camera((x, y + ABOVE_M, z), rotation, DOWN_DEG, self.width, self.height)

    def look(self) -> Frame:
        """Its picture now, to keep."""
        return self.eyes.renderer.frame(self.camera())

    def map(self) -> np.ndarray:
        """The home from above, with the Follower in it."""
        return top_down(self.eyes.renderer, max(self.width, self.height))

    def act(self, act: Act) -> Outcome:
        """Fly, ask, or search."""
        if act.name in FLIGHTS:
            return self._fly(act.name)
        return TOOLS[act.name](self, act)

    def _fly(self, name: str) -> Outcome:
        right, up, ahead, turn = FLIGHTS[name]
        dx, dz = turned(right * GRID_M, ahead * GRID_M, self.pose.rotation)
        x, y, z, rotation, horizon = self.pose
        there = Pose(x + dx, y + up * GRID_M, z + dz, (rotation + turn) % 360, horizon)
        if max(abs(there.x), abs(there.y), abs(there.z)) > FLIGHT_M:
            return refuse(Reason.TOO_FAR, f"{name}: the home is far away already. Fly back.")
        self.pose = there
        return done()

    def progress_check(self, act: Act) -> Outcome:
        """What is done of the task and what is still to do."""
        progress = tasks.check(self.task, self.world.objects())
        return done(f"{progress.satisfied} of {progress.total} conditions hold.", **progress.as_dict())

    def select(self, act: Act) -> Outcome:
        """Show an object by its id."""
        name = act.arguments["object"]
        thing = self.world.home.things.get(name)
        if thing is None or not thing.solid:
            return refuse(Reason.NO_SUCH_THING, f"Select: there is no {name!r} here.", success=False)
        return self._show(thing)

    def search(self, act: Act) -> Outcome:
        """Show the nearest object that the words may mean."""
        words = act.arguments["text"]
        if not words.strip():
            return refuse(Reason.MALFORMED, "Search: expected the name of an object.", success=False)
        thing = find_named(self.world.home, words)
        return thing if isinstance(thing, Outcome) else self._show(thing)

    def _show(self, thing: Thing) -> Outcome:
        home = self.world.home
        found = find_view(home, thing, self.eyes.renderer)
        if found is None:
            return refuse(
                Reason.NOT_VISIBLE, f"No view shows {self.names.word(thing.id)}.", success=False, oid=thing.id
            )
        return done(found.told(home, self.names), **found.as_dict(home), frame=found.frame, mask=found.mask)


TOOLS = {
    "ProgressCheck": Commander.progress_check,
    "Select": Commander.select,
    "Search": Commander.search,
}
