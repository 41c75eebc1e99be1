"""The world: a scene's things and agent as they are now, with snapshots, digests and differences."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import msgspec

from housemates.core.copies import shared
from housemates.home import containment
from housemates.home.things import Agent, Scene, Thing, to_world, turned
from housemates.home.types import Vec

MOVES = frozenset(("position", "yaw", "size", "open", "sliced", "parents"))
"""Values of a thing on which it depends where it is in the way."""


class Snapshot(NamedTuple):
    """All that changes in a world, at one moment. Records are immutable, so it is cheap to keep."""

    things: dict[str, Thing]
    agent: Agent
    tick: int
    grid: Any = None


@shared
class Index(NamedTuple):
    """Which things are of a type, and which rest directly on or in another, by id."""

    size: int
    of_type: dict[str, list[str]]
    inside: dict[str, list[str]]


class World:
    """A home that is being lived in.

    Records are never changed in place: `update` puts a new one where the old one was.
    """

    def __init__(self, scene: Scene) -> None:
        """Start from the scene as it is."""
        self.scene = scene
        self.things: dict[str, Thing] = {thing.id: thing for thing in scene.things}
        self.agent = scene.agent
        self.tick = 0
        """How many actions have been tried."""
        self.looks = ""
        """The seed from which the renderer draws materials and light; without one they are the palette's."""
        self.grid: Any = None
        """Where `navigation` keeps the walkable cells until something that can block the way moves."""
        self._index: Index | None = None

    def reset(self) -> None:
        """Go back to the start."""
        self.restore(Snapshot({thing.id: thing for thing in self.scene.things}, self.scene.agent, 0))

    def snapshot(self) -> Snapshot:
        """Return a copy of the state, as `restore` takes it."""
        return Snapshot(dict(self.things), self.agent, self.tick, self.grid)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a moment that was kept."""
        self.things = dict(snapshot.things)
        self.agent = snapshot.agent
        self.tick = snapshot.tick
        self.grid = snapshot.grid
        self._index = None

    def digest(self) -> str:
        """A fingerprint of the whole state, the same on every machine and in every process."""
        state = ([self.things[name] for name in sorted(self.things)], self.agent, self.tick)
        return hashlib.sha256(msgspec.json.encode(state)).hexdigest()

    def diff(self, since: Snapshot) -> dict[str, dict[str, tuple[Any, Any]]]:
        """What is different from `since`: id -> field -> (before, now). The agent's id is `agent`."""
        before: dict[str, Thing | Agent] = {**since.things, "agent": since.agent}
        now: dict[str, Thing | Agent] = {**self.things, "agent": self.agent}
        changes = {}
        for name in {**before, **now}:
            old, new = before.get(name), now.get(name)
            if old is not new and old != new:
                record = old or new
                assert record is not None
                fields = record.__struct_fields__
                pairs = {key: (getattr(old, key, None), getattr(new, key, None)) for key in fields}
                changes[name] = {key: pair for key, pair in pairs.items() if pair[0] != pair[1]}
        return changes

    def update(self, thing: Thing, **changes: Any) -> Thing:
        """Give a thing new values and return its new record."""
        old = self.things[thing.id]
        new = self.things[thing.id] = msgspec.structs.replace(old, **changes)
        if not MOVES.isdisjoint(changes) and (on_ground(old) or on_ground(new)):
            self.grid = None
        if "parents" in changes:
            self._index = None
        return new

    def add(self, thing: Thing) -> None:
        """Bring a new thing into the world."""
        self.things[thing.id] = thing
        self.grid = None
        self._index = None

    @property
    def held(self) -> Thing | None:
        """The thing in the agent's hand."""
        return self.things[self.agent.held] if self.agent.held else None

    def of_type(self, name: str) -> list[Thing]:
        """All things of a type."""
        return [self.things[each] for each in self._indexed().of_type.get(name, ())]

    def contents(self, thing: Thing) -> list[Thing]:
        """What rests directly on or in a thing."""
        return [self.things[each] for each in self._indexed().inside.get(thing.id, ())]

    def _indexed(self) -> Index:
        """The index of the things as they are; made anew when parents have changed."""
        if self._index is None or self._index.size != len(self.things):
            self._index = Index(len(self.things), {}, {})
            for name, thing in self.things.items():
                self._index.of_type.setdefault(thing.type, []).append(name)
                if thing.parents:
                    self._index.inside.setdefault(thing.parents[0], []).append(name)
        return self._index

    def contents_deep(self, thing: Thing) -> Iterator[Thing]:
        """What rests on or in a thing, and on or in that, and so on."""
        for other in self.contents(thing):
            yield other
            yield from self.contents_deep(other)

    def ancestors(self, thing: Thing) -> Iterator[Thing]:
        """What a thing rests on or in, what that rests on, and so on."""
        return containment.ancestors(self.things, thing)

    def enclosing(self, thing: Thing) -> Thing | None:
        """The closed thing that hides this one, if there is one."""
        return containment.enclosing(self.things, thing)

    def in_hand(self, thing: Thing) -> bool:
        """Whether the agent carries it, by itself or in what it holds."""
        held = self.agent.held
        return bool(held) and (thing.id == held or any(other.id == held for other in self.ancestors(thing)))

    def move(self, thing: Thing, position: Vec, yaw: float, parents: tuple[str, ...]) -> None:
        """Put a thing somewhere else, with all that rests on or in it."""
        carried = list(self.contents_deep(thing))
        for other in carried:
            x, z = turned(
                other.position[0] - thing.position[0], other.position[2] - thing.position[2], yaw - thing.yaw
            )
            y = other.position[1] - thing.position[1]
            place = rounded((position[0] + x, position[1] + y, position[2] + z))
            self.update(other, position=place, yaw=round((other.yaw + yaw - thing.yaw) % 360, 4))
        self.update(thing, position=rounded(position), yaw=round(yaw % 360, 4), parents=parents)
        for other in carried:
            self.update(other, parents=parents_on(self, self.things[other.parents[0]]))

    def hand(self) -> tuple[Vec, float]:
        """Where the agent's hand is in the world, and how it is turned."""
        right, up, forward = HAND_M
        pitch_cos, pitch_sin = PITCH[self.agent.horizon]
        ahead = forward * pitch_cos + up * pitch_sin
        height = up * pitch_cos - forward * pitch_sin
        x, z = turned(right, ahead, self.agent.rotation)
        eye = self.agent.eye
        return (eye[0] + x, eye[1] + height, eye[2] + z), float(self.agent.rotation)

    def in_world(self, thing: Thing) -> Thing:
        """The thing with its pose in the world's frame, also while it is carried."""
        if not self.in_hand(thing):
            return thing
        position, yaw = self.hand()
        holder = Thing(id="hand", type=thing.type, position=position, size=thing.size, yaw=yaw)
        return msgspec.structs.replace(
            thing, position=rounded(to_world(holder, thing.position)), yaw=(thing.yaw + yaw) % 360
        )


HAND_M: Vec = (0.0, -0.115, 0.354)
"""The middle of a held thing in the camera's frame: right, up, forward."""


PITCH = {deg: (math.cos(math.radians(deg)), math.sin(math.radians(deg))) for deg in range(-90, 91)}
"""Cosine and sine of every horizon."""


def on_ground(thing: Thing) -> bool:
    """Whether a thing can be in somebody's way, where it is: furniture, and what lies on the floor."""
    return not thing.kind.can("pickup") or (bool(thing.parents) and thing.parents[0].startswith("Floor"))


def parents_on(world: World, receptacle: Thing) -> tuple[str, ...]:
    """The parents of what stands on a receptacle: itself, and what carries a dish or a machine."""
    if receptacle.kind.can("pickup") or receptacle.kind.snaps:
        return (receptacle.id, *receptacle.parents)
    return (receptacle.id,)


def rounded(position: Vec) -> Vec:
    """To a micrometre, so that states are the same on every machine."""
    x, y, z = position
    return (round(x, 6) + 0.0, round(y, 6) + 0.0, round(z, 6) + 0.0)
