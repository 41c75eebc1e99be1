"""A kitchen corner to look at, made by hand."""

from __future__ import annotations

from dataclasses import dataclass

from housemates.home.things import Agent, Scene, Structure, Thing
from housemates.home.types import Vec, object_type


@dataclass
class Room:
    """The least that can be drawn."""

    scene: Scene
    things: dict[str, Thing]
    agent: Agent
    looks: str = ""


def thing(kind: str, x: float, y: float, z: float, yaw: float = 0.0, **more: object) -> Thing:
    size = more.pop("size", object_type(kind).size)
    return Thing(f"{kind}|{x:+06.2f}|{y:+06.2f}|{z:+06.2f}", kind, (x, y, z), size, yaw, **more)  # type: ignore[arg-type]


def room(things: list[Thing], structures: tuple[Structure, ...] = (), agent: Agent | None = None) -> Room:
    agent = agent or Agent(0.0, 0.0)
    scene = Scene("test", "kitchen", tuple(things), agent, structures)
    return Room(scene, {each.id: each for each in things}, agent)


def wall(lo: Vec, hi: Vec, material: str = "wall") -> Structure:
    return Structure(lo, hi, material)


def kitchen() -> Room:
    """4 x 4 m, counters along the north wall (z = 2) and the east wall (x = 2)."""
    walls = (
        wall((-2.1, 0, 2.0), (2.1, 2.6, 2.1)),
        wall((-2.1, 0, -2.1), (2.1, 2.6, -2.0)),
        wall((-2.1, 0, -2.0), (-2.0, 2.6, 2.0)),
        wall((2.0, 0, -2.0), (2.1, 2.6, 2.0)),
        wall((0.0, 0.93, 1.99), (2.0, 1.45, 2.0), "backsplash"),
        wall((1.99, 0.93, -1.0), (2.0, 1.45, 2.0), "backsplash"),
        wall((0.62, 0, 1.42), (1.22, 0.905, 2.0), "white enamel"),
        wall((0.68, 0.25, 1.40), (1.16, 0.72, 1.42), "oven door"),
        wall((0.66, 0.76, 1.38), (1.18, 0.79, 1.40), "steel"),
    )
    made = [thing("Floor", 0, 0, 0, size=(4.2, 0.01, 4.2), look=1)]
    made += [thing("Fridge", -0.6, 0, 1.6, 180)]
    made += [
        thing("CounterTop", 0.3, 0.9, 1.68, 180, size=(0.64, 0.1, 0.64)),
        thing("CounterTop", 1.61, 0.9, 1.68, 180, size=(0.78, 0.1, 0.64)),
        thing("CounterTop", 1.68, 0.9, 1.05, 270, size=(0.64, 0.1, 0.64)),
        thing("CounterTop", 1.68, 0.9, -0.55, 270, size=(0.9, 0.1, 0.64)),
    ]
    for index, x in enumerate((0.78, 1.06)):
        for row, z in enumerate((1.6, 1.84)):
            hot = index == 0 and row == 0
            made.append(thing("StoveBurner", x, 0.905, z, 180, temperature="Hot" if hot else "RoomTemp"))
        for row in range(2):
            made.append(
                thing("StoveKnob", 0.76 + index * 0.24 + row * 0.09, 0.8, 1.40, 180, on=index + row == 0)
            )
    made += [
        thing("Cabinet", 0.3, 0.1, 1.7, 180, size=(0.6, 0.56, 0.56)),
        thing("Drawer", 0.3, 0.67, 1.7, 180, size=(0.6, 0.18, 0.56)),
        thing("Cabinet", 1.7, 0.1, -0.2, 270, size=(0.45, 0.56, 0.56)),
        thing("Drawer", 1.7, 0.67, -0.2, 270, size=(0.45, 0.18, 0.56)),
        thing("Cabinet", 1.7, 0.1, -0.7, 270, size=(0.45, 0.56, 0.56)),
        thing("Drawer", 1.7, 0.67, -0.7, 270, size=(0.45, 0.18, 0.56), open=True),
        thing("Cabinet", 1.7, 0.1, 0.35, 270, size=(0.6, 0.6, 0.56)),
        thing("Cabinet", 0.3, 1.5, 1.82, 180, size=(0.6, 0.7, 0.34), open=True),
        thing("Cabinet", 1.65, 1.5, 1.82, 180, size=(0.6, 0.7, 0.34)),
        thing("Sink", 1.68, 0.70, 0.35, 270),
        thing("SinkBasin", 1.66, 0.76, 0.35, 270, liquid="water"),
        thing("Faucet", 1.86, 0.93, 0.35, 270, on=True),
        thing("Window", 1.97, 1.1, 0.35, 270),
    ]
    top = 0.905
    made += [
        thing("Pot", 0.78, 0.93, 1.84, 180),
        thing("Pan", 1.06, 0.93, 1.6, 0, look=0),
        thing("Toaster", 0.15, top, 1.75, 90),
        thing("CoffeeMachine", 1.65, top, 1.62, 225),
        thing("Mug", 1.62, top + 0.06, 1.50, 0, liquid="coffee"),
        thing("Bread", 0.45, top, 1.6, 20),
        thing("Knife", 0.28, top, 1.5, 15),
        thing("Apple", 1.5, top, 1.0),
        thing("Tomato", 1.62, top, 0.92),
        thing("Lettuce", 1.75, top, 1.1, 30),
        thing("Potato", 1.5, top, 0.85, 40),
        thing("Egg", 1.62, top, 1.1),
        thing("Microwave", 1.75, top, -0.75, 270),
        thing("Plate", 1.6, top, -0.3, look=1, dirty=True),
        thing("Cup", 1.8, top, -0.15, look=3),
        thing("SoapBottle", 1.85, top, 0.75),
        thing("DishSponge", 1.7, top, -0.02),
        thing("GarbageCan", -1.6, 0, 1.6),
        thing("DiningTable", -0.9, 0, -0.9, look=0, size=(1.2, 0.9, 0.8)),
    ]
    table = 0.84 * 0.9
    made += [
        thing("Chair", -0.9, 0, -0.3, 180),
        thing("Chair", -1.75, 0, -0.9, 90, look=1),
        thing("Chair", -0.9, 0, -1.6, 0, look=3),
        thing("Plate", -0.9, table, -0.7),
        thing("BreadSliced", -0.9, table + 0.016, -0.7),
        thing("Fork", -0.65, table, -0.7, 90),
        thing("Bowl", -0.55, table, -1.0, look=1),
        thing("Spoon", -0.75, table, -1.0, 90),
        thing("Vase", -1.2, table, -1.0),
        thing("SaltShaker", -1.0, table, -1.05),
        thing("PepperShaker", -1.08, table, -0.95),
        thing("WineBottle", -1.3, table, -0.8),
        thing("Book", -1.25, table, -0.6, 20),
        thing("HousePlant", -1.6, 0, -1.6),
        thing("LightSwitch", -1.98, 1.2, 0.5, 90, on=True),
        thing("Painting", -1.96, 1.3, -0.9, 90),
    ]
    return room(made, walls, Agent(0.0, 0.25, 0, 30))
