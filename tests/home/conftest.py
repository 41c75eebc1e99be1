"""A small kitchen made by hand, in which every fixture has a known place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import msgspec
import pytest

from housemates.home import Agent, Outcome, Scene, Structure, Thing, World, act
from housemates.home.geometry import nearest_distance
from housemates.home.navigation import agent_at, standing_poses
from housemates.home.placement import find_spot
from housemates.home.things import object_id
from housemates.home.types import Vec, object_type
from housemates.home.world import parents_on

LEFT_COUNTER, RIGHT_COUNTER = (-0.95, 0.9, -1.7), (0.85, 0.9, -1.7)
ON_LEFT, ON_RIGHT = ({"parents": (object_id("CounterTop", at),)} for at in (LEFT_COUNTER, RIGHT_COUNTER))
FIXTURES: list[tuple[str, Vec, dict[str, Any]]] = [
    ("Floor", (0.0, 0.0, 0.0), {"size": (5.0, 0.01, 4.0)}),
    ("Fridge", (-2.05, 0.0, -1.625), {"mirrored": True}),
    ("CounterTop", LEFT_COUNTER, {"size": (1.2, 0.1, 0.6)}),
    ("CounterTop", RIGHT_COUNTER, {"size": (1.0, 0.1, 0.6)}),
    ("SinkBasin", (0.0, 0.75, -1.65), {}),
    ("Faucet", (0.0, 0.92, -1.87), {}),
    ("Microwave", (-1.2, 0.902, -1.75), ON_LEFT),
    ("CoffeeMachine", (0.6, 0.902, -1.75), ON_RIGHT),
    ("Toaster", (1.15, 0.902, -1.75), ON_RIGHT),
    ("StoveBurner", (1.6, 0.9, -1.6), {}),
    ("StoveBurner", (2.0, 0.9, -1.6), {}),
    ("StoveKnob", (1.6, 0.8, -1.37), {}),
    ("StoveKnob", (2.0, 0.8, -1.37), {}),
    ("Cabinet", (-0.95, 0.1, -1.7), {"size": (0.5, 0.7, 0.55)}),
    ("Drawer", (0.85, 0.65, -1.68), {"size": (0.5, 0.18, 0.5)}),
    ("DiningTable", (0.0, 0.0, 1.0), {}),
    ("Chair", (-1.25, 0.0, 1.0), {"yaw": 90.0}),
    ("HousePlant", (2.1, 0.0, 1.5), {}),
    ("LightSwitch", (2.49, 1.2, 0.0), {"yaw": 270.0}),
]
SMALL = [
    ("Mug", "DiningTable"),
    ("Plate", "DiningTable"),
    ("Bowl", "DiningTable"),
    ("Bread", "DiningTable"),
    ("Knife", "DiningTable"),
    ("Potato", "DiningTable"),
    ("Apple", "DiningTable"),
    ("Egg", "DiningTable"),
    ("Laptop", "Chair"),
    ("Pot", "CounterTop"),
    ("Pan", "DiningTable"),
    ("Cup", "CounterTop"),
]
BODIES = [
    Structure((-1.55, 0.0, -2.0), (-1.3, 0.86, -1.4), "wall cupboard"),
    Structure((-0.3, 0.0, -2.0), (0.3, 0.7, -1.4), "wall cupboard"),
    Structure((1.4, 0.0, -2.0), (2.3, 0.88, -1.42), "steel"),
]


def make_thing(kind: str, position: Vec, **fields: Any) -> Thing:
    """A thing of a type in its default size unless told otherwise."""
    return Thing(
        **{
            "id": object_id(kind, position),
            "type": kind,
            "position": position,
            "size": object_type(kind).size,
            **fields,
        }
    )


def kitchen_scene() -> Scene:
    """The kitchen with its small things set down."""
    things = [make_thing(kind, position, **fields) for kind, position, fields in FIXTURES]
    by_type: dict[str, list[str]] = {}
    for thing in things:
        by_type.setdefault(thing.type, []).append(thing.id)
    controls = {
        **dict(zip(by_type["StoveKnob"], by_type["StoveBurner"], strict=True)),
        by_type["Faucet"][0]: by_type["SinkBasin"][0],
    }
    things = [
        msgspec.structs.replace(thing, controls=(controls[thing.id],)) if thing.id in controls else thing
        for thing in things
    ]
    scene = Scene("test-kitchen", "kitchen", tuple(things), Agent(0.0, 0.0), tuple(BODIES))
    world = World(scene)
    for kind, receptacle in SMALL:
        set_down(world, kind, world.of_type(receptacle)[0])
    return msgspec.structs.replace(scene, things=tuple(world.things.values()))


def set_down(world: World, kind: str, receptacle: Thing, **fields: Any) -> Thing:
    """Bring a new thing into the world on a receptacle."""
    number = len(world.of_type(kind))
    name = f"{kind}|+00.00|+00.00|{number:+06.2f}"
    spot = find_spot(world, make_thing(kind, (0.0, 0.0, 0.0), id=name), receptacle)
    assert spot is not None, f"no room for {kind} on {receptacle.type}"
    thing = make_thing(
        kind, spot.position, id=name, yaw=spot.yaw, parents=parents_on(world, receptacle), **fields
    )
    world.add(thing)
    return thing


@dataclass
class Home:
    """A world, and short ways to do things in it by naming types."""

    world: World

    def __getitem__(self, kind: str) -> Thing:
        """The first thing of a type, as it is now."""
        return self.world.of_type(kind)[0]

    def go_to(self, kind: str) -> None:
        """Stand where the first thing of a type is seen and reached."""
        self.face(self[kind])

    def face(self, thing: Thing) -> None:
        """Stand about a metre before a thing, where it is seen and reached."""
        poses = standing_poses(self.world, thing)
        assert poses, f"{thing.id} cannot be reached"
        body = msgspec.structs.replace(thing, open=False)
        agents = [agent_at(self.world.agent, pose) for pose in poses]
        self.world.agent = min(agents, key=lambda agent: abs(nearest_distance(body, agent.position) - 0.9))

    def act(self, name: str, kind: str | None = None, **arguments: Any) -> Outcome:
        """Try an action from where the agent stands."""
        if kind is not None:
            arguments["target"] = self[kind].id
        return act(self.world, name, **arguments)

    def do(self, name: str, kind: str, **arguments: Any) -> Outcome:
        """Go to the first thing of a type and do something with it, which must work."""
        self.go_to(kind)
        outcome = self.act(name, kind, **arguments)
        assert outcome.success, outcome.message
        return outcome

    def take(self, kind: str, to: str) -> None:
        """Pick up a thing and place it on or in another."""
        self.do("Pickup", kind)
        self.do("Place", to)

    def add(self, kind: str, receptacle: str, **fields: Any) -> Thing:
        """Bring a new thing into the world on a receptacle."""
        return set_down(self.world, kind, self[receptacle], **fields)

    def change(self, kind: str, **changes: Any) -> Thing:
        """Give the first thing of a type another state, as if it had been so from the start."""
        return self.world.update(self[kind], **changes)


@pytest.fixture(scope="session")
def _scene() -> Scene:
    return kitchen_scene()


@pytest.fixture
def kitchen(_scene: Scene) -> Home:
    """The kitchen at its start, the agent in the middle of the room."""
    return Home(World(_scene))
