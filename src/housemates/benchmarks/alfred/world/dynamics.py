"""ALFRED's dynamics: the home with thirteen actions, a narrow camera, and memory of heat, cold and water."""

from __future__ import annotations

import hashlib
import math
from typing import Any, NamedTuple

import msgspec

from housemates.core.outcome import Outcome, done
from housemates.errors import HousematesError
from housemates.home import Scene, Snapshot, Thing, World, act
from housemates.home.actions import InSight
from housemates.home.geometry import in_reach, in_view, point_in_view, visible
from housemates.home.interactions import basin_of
from housemates.home.placement import Surface, surfaces
from housemates.home.things import to_local, to_world
from housemates.home.types import Vec

FOV_DEG = 60
LOOK_DEG = 15
START_HORIZON_DEG = 30
STOP = "Stop"
MOVES: dict[str, tuple[str, dict[str, Any]]] = {
    "MoveAhead": ("Forward", {}),
    "RotateRight": ("TurnRight", {}),
    "RotateLeft": ("TurnLeft", {}),
    "LookUp": ("LookUp", {"degrees": LOOK_DEG}),
    "LookDown": ("LookDown", {"degrees": LOOK_DEG}),
}
"""The five moves, and the home's actions with their arguments."""
MOVE_NAMES = {home: name for name, (home, _) in MOVES.items()}
"""What the home's moves are called here."""
INTERACTIONS = {
    "PickupObject": "Pickup",
    "PutObject": "Place",
    "OpenObject": "Open",
    "CloseObject": "Close",
    "ToggleObjectOn": "ToggleOn",
    "ToggleObjectOff": "ToggleOff",
    "SliceObject": "Slice",
}
"""The seven actions on things, and what they are called in the home."""
BELOW_AGENT_M = 0.1
"""Of several shelves things come to stand on the one this far below the agent's middle."""
FROM_EDGE_M = 0.12
"""How far behind the nearest edge of a surface things come to stand, if there is so much room."""
ACTIONS = (*MOVES, *INTERACTIONS, STOP)


class Marks(NamedTuple):
    """Ids of what has been heated, cooled and cleaned so far."""

    heated: frozenset[str] = frozenset()
    cooled: frozenset[str] = frozenset()
    cleaned: frozenset[str] = frozenset()


class Moment(NamedTuple):
    """All that changes, at one moment."""

    home: Snapshot
    marks: Marks


class AlfredWorld:
    """A home in which an agent acts by ALFRED's rules."""

    def __init__(self, scene: Scene) -> None:
        """Start from the scene as it is, looking through ALFRED's camera."""
        agent = msgspec.structs.replace(scene.agent, fov=FOV_DEG)
        self.home = World(msgspec.structs.replace(scene, agent=agent))
        self.marks = Marks()

    def snapshot(self) -> Moment:
        """Return a copy of the state, as `restore` takes it."""
        return Moment(self.home.snapshot(), self.marks)

    def restore(self, moment: Moment) -> None:
        """Go back to a moment that was kept."""
        self.home.restore(moment.home)
        self.marks = moment.marks

    def digest(self) -> str:
        """A fingerprint of the home and of what has been heated, cooled and cleaned."""
        marks = [sorted(each) for each in self.marks]
        return hashlib.sha256(self.home.digest().encode() + msgspec.json.encode(marks)).hexdigest()

    def diff(self, since: Moment) -> dict[str, dict[str, tuple[Any, Any]]]:
        """What is different from `since`: id -> field -> (before, now)."""
        changes = self.home.diff(since.home)
        for name in Marks._fields:
            for thing in getattr(self.marks, name) ^ getattr(since.marks, name):
                now = thing in getattr(self.marks, name)
                changes.setdefault(thing, {})[name] = (not now, now)
        return changes

    def act(self, name: str, target: str | None = None, in_sight: InSight | None = None) -> Outcome:
        """Try one of the thirteen actions; the seven on things need the id of one.

        `in_sight` says whether the target is seen, where the camera's field does not decide that alone.
        What cannot be done is refused with a message; what makes no sense raises HousematesError.
        """
        if name == STOP:
            return done("The agent stops.")
        if name in MOVES:
            move, arguments = MOVES[name]
            return act(self.home, move, **arguments)
        if name not in INTERACTIONS:
            raise HousematesError(f"Unknown action {name!r}: expected one of {', '.join(ACTIONS)}.")
        if target is None:
            raise HousematesError(f"{name}: expected a mask or the id of an object.")
        return self._touch(name, target, in_sight)

    def _touch(self, name: str, target: str, in_sight: InSight | None) -> Outcome:
        arguments: dict[str, Any] = {"target": target}
        thing = self.home.things.get(target)
        if name == "PutObject" and thing is not None:
            basin = basin_of(self.home, thing, thing.position)
            arguments = {"target": basin.id, "near": self._before(basin)}
        named = None if in_sight is None or thing is None else (lambda _: in_sight(thing))
        outcome = act(self.home, INTERACTIONS[name], in_sight=named, **arguments)
        if outcome.success:
            self._mark(name, self.home.things[target])
        return outcome

    def _before(self, receptacle: Thing) -> Vec:
        """Where things come to stand on or in a receptacle: before the agent, a little away from the edge."""
        agent = self.home.agent
        levels = surfaces(receptacle)
        if not levels:
            return receptacle.position
        x, y, z = to_local(receptacle, (agent.x, agent.y - BELOW_AGENT_M, agent.z))
        ordered = sorted(levels, key=lambda level: (abs(level.y - y), _away(level, x, z)))
        spots = [to_world(receptacle, _behind_edge(level, x, z)) for level in ordered]
        return next((spot for spot in spots if point_in_view(agent, spot)), spots[0])

    def _mark(self, name: str, target: Thing) -> None:
        """Remember what the action has heated, cooled or cleaned."""
        if name == "ToggleObjectOn" and target.type == "Microwave":
            self.marks = self.marks._replace(heated=self.marks.heated | self._within(target))
        elif name == "CloseObject" and target.type == "Fridge":
            self.marks = self.marks._replace(cooled=self.marks.cooled | self._within(target))
        elif name == "ToggleObjectOn" and target.type == "Faucet":
            basin = self._basin_under(target)
            if basin is not None:
                self.marks = self.marks._replace(cleaned=self.marks.cleaned | self._within(basin))

    def _within(self, receptacle: Thing) -> set[str]:
        return {thing.id for thing in self.home.contents_deep(receptacle)}

    def _basin_under(self, faucet: Thing) -> Thing | None:
        """The sink's basin nearest to a faucet, of those in view and reach."""
        agent = self.home.agent
        near = [
            basin
            for basin in self.home.of_type("SinkBasin")
            if in_reach(agent, basin) and in_view(agent, basin)
        ]
        return min(near, key=lambda basin: math.dist(basin.position, faucet.position), default=None)

    def sees(self, thing: Thing) -> bool:
        """Whether a thing is visible as AI2-THOR has it: in view, not hidden, and within 1.5 m."""
        return in_reach(self.home.agent, thing) and visible(self.home, self.home.agent, thing)


def _away(level: Surface, x: float, z: float) -> float:
    """How far a point lies beside a surface."""
    return math.hypot(max(level.x0 - x, 0.0, x - level.x1), max(level.z0 - z, 0.0, z - level.z1))


def _behind_edge(level: Surface, x: float, z: float) -> Vec:
    """A point of a surface behind its edge that is nearest to a place."""
    near = (min(max(x, level.x0), level.x1), min(max(z, level.z0), level.z1))
    middle = ((level.x0 + level.x1) / 2, (level.z0 + level.z1) / 2)
    share = min(1.0, FROM_EDGE_M / max(math.dist(near, middle), 1e-6))
    return (near[0] + share * (middle[0] - near[0]), level.y, near[1] + share * (middle[1] - near[1]))
