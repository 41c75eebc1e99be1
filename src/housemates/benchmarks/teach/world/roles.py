"""The two roles: the Follower, who alone can touch things, and the Commander, who knows and sees all."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.benchmarks.teach.world.actions import COMMANDER, FOLLOWER, action_named
from housemates.benchmarks.teach.world.dynamics import HOME_ACTIONS, TeachWorld
from housemates.benchmarks.teach.world.pointing import Pointed
from housemates.benchmarks.teach.world.poses import Pose
from housemates.benchmarks.teach.world.search import find_named, find_view
from housemates.benchmarks.teach.world.sight import SIDE_PX, Sight
from housemates.home.outcome import Outcome
from housemates.home.things import GRID_M, Thing, turned
from housemates.render.camera import Camera
from housemates.render.frames import Frame
from housemates.render.scene import Renderer

ROLES = {"commander": COMMANDER, "follower": FOLLOWER}
COMMANDER_DOWN_DEG = 30.0
COMMANDER_ABOVE_M = 1.0
"""The Commander's camera looks down from above its place."""
FLIGHT_M = 25.0
"""How far from the middle of the world the Commander may fly."""


@dataclass(frozen=True)
class Act:
    """Something that one of the two does."""

    name: str
    """As the official format calls it: `Forward`, `Pickup`, `Text`, `SearchObject`, ..."""
    x: float | None = None
    """Where on the Follower's picture, 0 to 1 from the left."""
    y: float | None = None
    """0 to 1 from the top."""
    oid: str | None = None
    """An object's id, for scripts that know it."""
    text: str | None = None
    """What is said or searched for."""


@dataclass(frozen=True)
class Answer(Outcome):
    """What comes of an act, with what the Commander's tools answer."""

    data: Mapping[str, Any] = field(default_factory=dict)
    oid: str | None = None
    """The object that was acted on."""
    x: float | None = None
    y: float | None = None
    """Where on the picture."""


def understand(action: Any) -> Act | Answer:
    """Whatever an agent says as an act; a refusal if it makes no sense.

    A name alone, a mapping with the fields of `Act` and an `Act` are understood.
    """
    if isinstance(action, Act):
        return action
    if isinstance(action, str):
        return Act(action)
    if isinstance(action, Mapping):
        known = {each.name for each in fields(Act)}
        unknown = [key for key in action if key not in known]
        if not unknown and isinstance(action.get("name"), str):
            return Act(**action)
    return Answer(False, f"Expected an action with a name, found {str(action)[:80]!r}.")


class Follower:
    """Who moves about and touches things, pointing at them on its picture."""

    def __init__(self, world: TeachWorld, sight: Sight, window: str) -> None:
        self.world = world
        self.sight = sight
        self.window = window

    @property
    def actions(self) -> tuple[str, ...]:
        """What it can do."""
        return (*HOME_ACTIONS, "Text")

    @property
    def pose(self) -> Pose:
        """Where it stands and looks."""
        agent = self.world.home.agent
        return Pose(agent.x, agent.y, agent.z, agent.rotation, agent.horizon)

    def look(self) -> Frame:
        """Its picture now; the arrays are overwritten by the next one."""
        return self.sight.look()

    def act(self, act: Act) -> Answer:
        """Move, touch or speak; what cannot be done is refused with a sentence that helps."""
        if act.name == "Text":
            return _say(act)
        if action_named(act.name).moves:
            outcome = self.world.act(act.name)
            return Answer(outcome.success, outcome.message)
        return self._touch(act)

    def _touch(self, act: Act) -> Answer:
        name = act.name
        if act.oid is not None and act.x is None and act.y is None:
            thing = self.world.home.things.get(str(act.oid))
            if thing is None:
                return Answer(False, f"{name}: there is no {act.oid!r} here.")
            act = Act(name, *self.sight.click_on(thing), thing.id)
        if not (_is_share(act.x) and _is_share(act.y)):
            return Answer(False, f"{name}: expected x and y between 0 and 1, found {act.x!r} and {act.y!r}.")
        assert act.x is not None and act.y is not None
        pointed = self._pointed(name, float(act.x), float(act.y), act.oid)
        if pointed is None:
            self.world.settle(name)
            return Answer(False, f"{name}: there is nothing for it where you point.", x=act.x, y=act.y)
        outcome = self.world.act(name, target=pointed.thing, at=pointed.at)
        return Answer(outcome.success, outcome.message, oid=pointed.thing, x=float(act.x), y=float(act.y))

    def _pointed(self, name: str, x: float, y: float, oid: str | None) -> Pointed | None:
        if oid is not None:
            return self.sight.touch(name, oid, x, y)
        return self.sight.point(name, x, y, self.window)


class Commander:
    """Who sees the home from a camera that flies through walls, knows the task, and can find anything."""

    def __init__(self, world: TeachWorld, task: tasks.BoundTask, pose: Pose, size: int = SIDE_PX) -> None:
        self.world = world
        self.task = task
        self.pose = pose
        self.size = size
        self._renderer = Renderer(world.home)

    @property
    def actions(self) -> tuple[str, ...]:
        """What it can do."""
        return (*FLIGHTS, *TOOLS, "Text")

    @property
    def camera(self) -> Camera:
        """Where its camera is."""
        x, y, z, rotation, _ = self.pose
        return Camera((x, y + COMMANDER_ABOVE_M, z), rotation, COMMANDER_DOWN_DEG, self.size, self.size)

    def look(self) -> Frame:
        """Its picture now."""
        return self._renderer.frame(self.camera)

    def act(self, act: Act) -> Answer:
        """Fly, ask, search or speak."""
        if act.name == "Text":
            return _say(act)
        if act.name in FLIGHTS:
            return self._fly(act.name)
        return TOOLS[act.name](self, act)

    def _fly(self, name: str) -> Answer:
        right, up, ahead, turn = FLIGHTS[name]
        dx, dz = turned(right * GRID_M, ahead * GRID_M, self.pose.rotation)
        x, y, z, rotation, horizon = self.pose
        there = Pose(x + dx, y + up * GRID_M, z + dz, (rotation + turn) % 360, horizon)
        if max(abs(there.x), abs(there.y), abs(there.z)) > FLIGHT_M:
            return Answer(False, f"{name}: the home is far away already. Fly back.")
        self.pose = there
        return Answer(True)

    def progress_check(self, act: Act | None = None) -> Answer:
        """What is done of the task and what is still to do."""
        progress = tasks.check(self.task, self.world.objects())
        return Answer(True, data=progress.as_dict())

    def select(self, act: Act) -> Answer:
        """Show an object by its id."""
        name = act.oid if act.oid is not None else act.text
        thing = self.world.home.things.get(str(name))
        if thing is None or not thing.solid:
            return Answer(False, f"SelectOid: there is no {name!r} here.", {"success": False})
        return self._show(thing)

    def search(self, act: Act) -> Answer:
        """Show the nearest object that the words may mean."""
        if not isinstance(act.text, str) or not act.text.strip():
            return Answer(False, "SearchObject: expected the name of an object.", {"success": False})
        thing = find_named(self.world.home, act.text)
        if isinstance(thing, str):
            return Answer(False, f"SearchObject: {thing}", {"success": False})
        return self._show(thing)

    def _show(self, thing: Thing) -> Answer:
        home = self.world.home
        found = find_view(home, thing, self._renderer)
        if found is None:
            return Answer(False, f"No view shows {thing.id}.", {"success": False})
        data = {**found.as_dict(home), "frame": found.frame, "mask": found.mask}
        return Answer(True, data=data, oid=thing.id)


FLIGHTS = {
    "Forward": (0, 0, 1, 0),
    "Backward": (0, 0, -1, 0),
    "Turn Left": (0, 0, 0, -90),
    "Turn Right": (0, 0, 0, 90),
    "Look Up": (0, 1, 0, 0),
    "Look Down": (0, -1, 0, 0),
    "Pan Left": (-1, 0, 0, 0),
    "Pan Right": (1, 0, 0, 0),
}
"""The Commander's moves: steps to the right, up and ahead, and degrees clockwise."""

TOOLS = {
    "OpenProgressCheck": Commander.progress_check,
    "SelectOid": Commander.select,
    "SearchObject": Commander.search,
}


def _say(act: Act) -> Answer:
    if not isinstance(act.text, str) or not act.text.strip():
        return Answer(False, "Text: expected something to say.")
    return Answer(True)


def _is_share(value: Any) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and math.isfinite(value)
        and 0.0 <= value <= 1.0
    )
