"""Scenes by AI2-THOR's names: floor plans that were imported, else the rooms that come with the package."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any

import msgspec

from housemates.benchmarks.alfred.formats.assets import Box
from housemates.benchmarks.alfred.formats.rooms import asset_name
from housemates.benchmarks.teach.formats.episodes import GAMES, Game, in_plans
from housemates.benchmarks.teach.world.actions import FOLLOWER
from housemates.data.store import Store
from housemates.home import scenes as rooms
from housemates.home.navigation import grid
from housemates.home.scenes.catalogue import NAME
from housemates.home.scenes.plans.knowledge import PlanKnowledge
from housemates.home.scenes.plans.rebuild import rebuild, room_of
from housemates.home.scenes.plans.records import thing_from_record
from housemates.home.things import GRID_M, HOUSE, Agent, Scene, Thing
from housemates.home.world import World
from housemates.thor.alfred_plans import scene_of_plan
from housemates.thor.replies import Refused

PLAN = re.compile(r"FloorPlan(\d+)(?:_physics)?")
NUMBERS = [base + number for base in (0, 200, 300, 400) for number in range(1, 31)]
"""The numbers of AI2-THOR's floor plans."""
ROBOTHOR = re.compile(r"FloorPlan_(Train|Val)(1[0-2]|[1-9])_([1-5])(?:_physics)?")
ROBOTHOR_WALLS = (("Train", 12), ("Val", 3))
"""RoboTHOR's scenes: five rooms each within so many sets of walls; living rooms stand in for them."""
HORIZON_DEG = 0
"""How agents look when a scene begins."""
SAMPLED = 4
"""Games of a plan that are looked at for the boxes of its assets."""
PROCEDURAL = "Procedural"
"""The scene with nothing in it, in which houses are made."""
ASSET = re.compile(r"[A-Za-z]+_[0-9a-f]{8}")
"""Names that ALFRED's files give to small things; the boxes of those are known by class."""
FIRST = "FloorPlan28"
"""The scene before any is asked for."""

PRISTINE = {"isToggled": False, "isFilledWithLiquid": False, "isDirty": False, "isUsedUp": False}
"""The states in which a scene begins; what games tell of them was drawn at random."""
BY_ASSET = {"break": "breakable", "use up": "canBeUsedUp", "move": "moveable"}
"""What assets of one type differ in, and the field that tells it."""

NOTHING = Scene(
    PROCEDURAL,
    HOUSE,
    (),
    Agent(0.0, 0.0, horizon=HORIZON_DEG),
    walkable=tuple((x, z) for x in range(-4, 5) for z in range(-4, 5)),
)
Record = Mapping[str, Any]
_told: set[str] = set()


@dataclass(frozen=True, eq=False)
class Place:
    """A scene as it begins, and what is known about it beyond that."""

    name: str
    scene: Scene
    knowledge: PlanKnowledge | None = None
    records: Mapping[str, Record] = field(default_factory=dict)
    """AI2-THOR's records of the things in it, by id, where it is an imported plan."""
    agent: Record = field(default_factory=dict)
    assets: Mapping[str, Thing] = field(default_factory=dict)
    """What can be carried or moved, upright, by the names of its assets."""
    asset_records: Mapping[str, Record] = field(default_factory=dict)
    """AI2-THOR's records of those."""
    old: bool = False
    """Whether it is as version 2 has it, by ALFRED's files."""

    def record_of(self, thing: Thing) -> Record | None:
        """AI2-THOR's record of a thing, else of its asset, where one is known."""
        found = self.records.get(thing.id)
        return self.asset_records.get(asset(thing.name)) if found is None else found

    def affords(self, thing: Thing, what: str) -> bool:
        """Whether a thing can be used so; some assets cannot though their type can."""
        record = self.record_of(thing)
        return thing.can(what) and (record is None or bool(record.get(BY_ASSET.get(what, ""), True)))

    def loose(self, thing: Thing) -> bool:
        """Whether a thing can be carried or moved."""
        return thing.can("pickup") or self.affords(thing, "move")

    def furnished(self, records: list[Record], agent: Record) -> Scene:
        """The plan with other things in it."""
        return rebuild(self.name, records, agent, self.knowledge)


def names() -> list[str]:
    """What can be reset to by AI2-THOR's names."""
    numbered = [f"FloorPlan{number}_physics" for number in NUMBERS]
    robothor = [
        f"FloorPlan_{split}{wall}_{room}"
        for split, walls in ROBOTHOR_WALLS
        for wall in range(1, walls + 1)
        for room in range(1, 6)
    ]
    return [*numbered, *robothor, PROCEDURAL]


def asset(name: str) -> str:
    """The name of an asset without what is added for copies of it."""
    return name.split("(")[0]


@lru_cache(maxsize=16)
def open_place(name: str, store: Store | None, old: bool = False) -> Place:
    """The scene of this name.

    Args:
        name: Of a floor plan, or of one of the rooms that come with the package.
        store: Floor plans that were imported.
        old: Have it as version 2 of AI2-THOR has it, if that is known.

    Raises:
        Refused: if there is no such scene.
    """
    if name == PROCEDURAL:
        return Place(name, NOTHING)
    if NAME.fullmatch(name):
        return _room(name, name)
    robothor = ROBOTHOR.fullmatch(name)
    if robothor is not None:
        _tell()
        number = (int(robothor[2]) - 1) * 5 + int(robothor[3])
        return _room(name, f"living-room-{(number - 1) % 30 + 1:02}")
    found = PLAN.fullmatch(name)
    if found is None or int(found[1]) not in NUMBERS:
        raise Refused(f"Scene '{name}' not contained in build (scene names are case sensitive).")
    plan = f"FloorPlan{found[1]}"
    known = None if store is None else store.knowledge(plan)
    if store is not None and known is not None:
        if known.named and (old or not known.fixtures):
            return _from_demonstrations(known, store)
        if known.fixtures:
            return _from_games(plan, known, store)
    _tell()
    number = int(found[1]) % 100
    return _room(plan, f"{room_of(plan).replace(' ', '-')}-{number:02}")


def house_place(house: Scene) -> Place:
    """A house as a place; its loose things are known by their names."""
    loose = {
        thing.name: thing
        for thing in house.things
        if thing.name and (thing.can("pickup") or thing.can("move"))
    }
    return Place(PROCEDURAL, house, assets=loose)


def _room(name: str, room: str) -> Place:
    """One of the rooms that come with the package, its small things named like assets."""
    scene = rooms.load(room)
    things = tuple(
        msgspec.structs.replace(thing, name=asset_name(thing))
        if thing.can("pickup") or thing.can("move")
        else thing
        for thing in scene.things
    )
    scene = _begun(msgspec.structs.replace(scene, things=tuple(map(pristine, things))))
    return Place(name, scene, assets=_named(scene))


def _named(scene: Scene) -> dict[str, Thing]:
    """What can be carried or moved, by the names that metadata tell."""
    return {
        asset(thing.name or thing.id): thing
        for thing in scene.things
        if thing.can("pickup") or thing.can("move")
    }


def pristine(thing: Thing) -> Thing:
    """A thing as it is before anybody was there: off, empty and clean."""
    cool = "RoomTemp" if thing.temperature == "Hot" else thing.temperature
    return msgspec.structs.replace(thing, on=False, liquid="", dirty=False, used_up=False, temperature=cool)


def _tell() -> None:
    """Say once that rooms stand in for floor plans."""
    if "rooms" not in _told:
        _told.add("rooms")
        print(
            "No floor plans have been imported, so FloorPlan1 and the others are generated rooms of the same "
            "kind and number; `housemates import teach` makes them true.",
            file=sys.stderr,
        )


def _begun(scene: Scene) -> Scene:
    return msgspec.structs.replace(scene, agent=msgspec.structs.replace(scene.agent, horizon=HORIZON_DEG))


def _from_demonstrations(known: PlanKnowledge, store: Store) -> Place:
    """A plan as version 2 has it; what ALFRED leaves open is taken from games."""
    games = islice(_games(known.plan, store), 1)
    spare = [
        pristine(thing_from_record(record, known.plan))
        for game in games
        for record in _whole(game)
        if record["pickupable"]
    ]
    scene = _begun(_without_strays(scene_of_plan(known, store, spare)))
    assets = {name: thing for name, thing in _named(scene).items() if not ASSET.fullmatch(name)}
    return Place(known.plan, scene, known, assets=assets, old=True)


def _unused(record: Record) -> Record:
    """The states of a record that are those of a thing nobody has used."""
    cool = {"ObjectTemperature": "RoomTemp"} if record["ObjectTemperature"] == "Hot" else {}
    return {**PRISTINE, **cool}


def _whole(game: Game) -> Iterator[Record]:
    """What a game has at its start, without the copies of things that games add."""
    return (record for record in game.episode.initial_state.objects if "(" not in record["name"])


def _from_games(plan: str, known: PlanKnowledge, store: Store) -> Place:
    """A plan as the first game in it found it, without the copies of things that games add."""
    games = list(_games(plan, store))
    if not games:
        raise Refused(f"{plan}: the store {store.folder} has no game in it.")
    start = games[0].episode.initial_state
    records = list(_whole(games[0]))
    agent = start.agents[FOLLOWER]
    scene = _begun(_without_strays(rebuild(plan, records, agent, known)))
    scene = msgspec.structs.replace(scene, things=tuple(map(pristine, scene.things)))
    found: dict[str, Record] = {}
    for record in _loose(games):
        name = asset(record["name"])
        if name not in found or (_upright(record) and not _upright(found[name])):
            found[name] = record
    assets = {name: thing_from_record(record, plan) for name, record in found.items()}
    known_records = {record["objectId"]: {**record, **_unused(record)} for record in records}
    return Place(plan, scene, known, known_records, agent, assets, found)


def _without_strays(scene: Scene) -> Scene:
    """The scene with the agent on a cell where it fits."""
    cells = grid(World(scene)).cells()
    here = (scene.agent.x / GRID_M, scene.agent.z / GRID_M)
    cell = min(cells, key=lambda each: (abs(each.x - here[0]) + abs(each.z - here[1]), each))
    agent = msgspec.structs.replace(scene.agent, x=cell.x * GRID_M, z=cell.z * GRID_M)
    return msgspec.structs.replace(scene, agent=agent)


def _games(plan: str, store: Store) -> Iterator[Game]:
    """A few games of the store in a plan."""
    texts = in_plans(GAMES.texts(store.teachers(plan, "teach"), []), [plan])
    return (text.parse() for text in islice(texts, SAMPLED))


def _loose(games: list[Game]) -> Iterator[Record]:
    for game in games:
        for record in game.episode.initial_state.objects:
            if record["pickupable"] or record["moveable"]:
                yield record


def _upright(record: Record) -> bool:
    tilt = max(abs((record["rotation"][axis] + 180) % 360 - 180) for axis in "xz")
    return bool(tilt < 1.0)


def box_around(thing: Thing) -> Box:
    """The box of a thing around its pivot."""
    (width, height, depth), (x, y, z) = thing.size, thing.pivot
    return Box((-width / 2 - x, -y, -depth / 2 - z), (width / 2 - x, height - y, depth / 2 - z))
