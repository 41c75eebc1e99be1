"""Scenes as JSON files: read with every mistake named, written back the same."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from housemates.errors import HousematesError
from housemates.files import read_text, write_json
from housemates.home.scenes.houses import house_from_data, is_house
from housemates.home.shapes import KINDS, Part, shape, shape_table
from housemates.home.things import Agent, Scene, Structure, Thing
from housemates.home.tilt import TILTS
from housemates.home.types import object_types
from housemates.typed_json import convert, parse_json, shown

FAR_M = 100.0
"""How far from the middle of a home something can be, and how large it can be."""
MOST = 1e6
"""No number in a scene is larger."""
MOST_SLICES = 50
PIECE = -1
"""What `slices` is of a piece, which cannot be cut again."""
TEMPERATURES = ("RoomTemp", "Hot", "Cold")


def load_scene(path: str | Path) -> Scene:
    """Read a scene file or a house in ProcTHOR's format; a mistake names the file, object and field."""
    return _scene_from_text(read_text(path), str(path))


@lru_cache(maxsize=16)
def _scene_from_text(text: str, source: str) -> Scene:
    data = parse_json(text, source)
    if not is_house(data):
        return scene_from_data(data, source)
    house = house_from_data(data, source, Path(source).name.split(".")[0])
    for note in house.notes:
        print(f"{source}: {note}.", file=sys.stderr)
    return house.scene


def save_scene(scene: Scene, path: str | Path) -> None:
    """Write a scene file."""
    write_json(path, msgspec.to_builtins(scene))


def scene_from_data(data: Any, source: str) -> Scene:
    """Make a scene of plain JSON data that came from `source`."""
    rows = convert(data, dict[str, Any], source).get("things")
    things = tuple(
        _thing(row, index, source) for index, row in enumerate(convert(rows, list[Any], f"{source}: things"))
    )
    agent = convert(data.get("agent"), Agent, f"{source}: agent")
    rest = {key: value for key, value in data.items() if key not in ("things", "agent")}
    scene = convert({**rest, "things": [], "agent": msgspec.to_builtins(agent)}, Scene, source)
    scene = msgspec.structs.replace(scene, things=things)
    check_scene(scene, source)
    return scene


def _thing(row: Any, index: int, source: str) -> Thing:
    name = row.get("id") if isinstance(row, Mapping) else None
    where = f"{source}: object {name!r}" if isinstance(name, str) else f"{source}: object number {index + 1}"
    return convert(row, Thing, where)


def check_scene(scene: Scene, source: str) -> None:
    """Refuse a scene whose values make no sense, naming the object and the field."""
    names: set[str] = set()
    for thing in scene.things:
        if thing.id in names:
            raise HousematesError(f"{source}: object {thing.id!r}: id: used twice.")
        names.add(thing.id)
    for thing in scene.things:
        _check_thing(thing, names, f"{source}: object {thing.id!r}")
    _check_cycles(scene, source)
    _check_ground(scene, source)
    for index, structure in enumerate(scene.structures):
        _check_box(structure, f"{source}: structures[{index}]")
    _within((scene.floor_y,), FAR_M, f"{source}: floor_y")
    _within((each for cell in scene.walkable or () for each in cell), 4 * FAR_M, f"{source}: walkable")
    _check_agent(scene.agent, names, f"{source}: agent")


def _check_ground(scene: Scene, source: str) -> None:
    if scene.walkable is None and not any(thing.type == "Floor" for thing in scene.things):
        raise HousematesError(f"{source}: things: expected a Floor among them.")
    if scene.walkable is not None and not scene.walkable:
        raise HousematesError(f"{source}: walkable: expected one cell or more.")


def _check_agent(agent: Agent, names: set[str], where: str) -> None:
    for field in ("x", "y", "z", "horizon"):
        _within((getattr(agent, field),), FAR_M, f"{where}: {field}")
    _one_of(agent.rotation, (0, 90, 180, 270), f"{where}: rotation")
    if not 1 <= agent.fov < 180:
        raise HousematesError(f"{where}: fov: expected 1 to 179 degrees, found {agent.fov}.")
    if agent.held and agent.held not in names:
        raise HousematesError(f"{where}: held: there is no object {agent.held!r}.")


def _check_thing(thing: Thing, names: set[str], where: str) -> None:
    if thing.type not in object_types():
        raise HousematesError(f"{where}: type: unknown type {thing.type!r}.")
    for field in ("position", "size", "pivot", "levels", "walls"):
        _within(getattr(thing, field), FAR_M, f"{where}: {field}")
    _within(_numbers(msgspec.to_builtins(thing)), MOST, where)
    for value in thing.size:
        if value < 0 or (value == 0 and not thing.sliced):
            raise HousematesError(f"{where}: size: expected positive metres, found {value}.")
    _one_of(thing.tilt, ("", *TILTS), f"{where}: tilt")
    _one_of(thing.temperature, TEMPERATURES, f"{where}: temperature")
    if thing.shape and thing.shape not in shape_table():
        raise HousematesError(f"{where}: shape: unknown shape {thing.shape!r}.")
    count = len(shape(thing.shape or thing.kind.shape).walls)
    if thing.walls and len(thing.walls) != count:
        raise HousematesError(f"{where}: walls: expected {count} numbers, found {len(thing.walls)}.")
    if not PIECE <= thing.slices <= MOST_SLICES:
        raise HousematesError(f"{where}: slices: expected {PIECE} to {MOST_SLICES}, found {thing.slices}.")
    for index, part in enumerate(thing.parts):
        _check_part(part, f"{where}: parts[{index}]")
    for field in ("parents", "controls"):
        for name in getattr(thing, field):
            if name == thing.id:
                raise HousematesError(f"{where}: {field}: an object cannot be inside itself.")
            if name not in names:
                raise HousematesError(f"{where}: {field}: there is no object {name!r}.")


def _check_part(part: Part, where: str) -> None:
    _one_of(part.kind, KINDS, f"{where}: kind")
    _one_of(part.axis, ("x", "y", "z"), f"{where}: axis")
    _check_box(part, where)


def _check_cycles(scene: Scene, source: str) -> None:
    parent = {thing.id: thing.parents[0] for thing in scene.things if thing.parents}
    for start in parent:
        name, seen = start, {start}
        while name in parent:
            name = parent[name]
            if name == start:
                raise HousematesError(f"{source}: object {start!r}: parents: it is inside itself.")
            if name in seen:
                break
            seen.add(name)


def _check_box(box: Structure | Part, where: str) -> None:
    _within((*box.lo, *box.hi), FAR_M, where)
    if any(high < low for low, high in zip(box.lo, box.hi, strict=True)):
        raise HousematesError(f"{where}: 'hi' must not be below 'lo'.")


def _one_of(value: object, known: tuple[object, ...], where: str) -> None:
    if value not in known:
        wanted = ", ".join(shown(each) for each in known)
        raise HousematesError(f"{where}: expected one of {wanted}, found {shown(value)}.")


def _within(values: Iterator[float] | tuple[float, ...], most: float, where: str) -> None:
    for value in values:
        if not -most <= value <= most:
            raise HousematesError(f"{where}: expected a finite number up to {most:g}, found {value}.")


def _numbers(value: Any) -> Iterator[float]:
    """All numbers within plain values."""
    if isinstance(value, bool):
        return
    if isinstance(value, int | float):
        yield value
    elif isinstance(value, list | tuple | dict):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _numbers(each)
