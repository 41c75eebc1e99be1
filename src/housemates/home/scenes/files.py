"""Scenes as JSON files: read with every mistake named, written back the same."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from housemates.errors import HousematesError
from housemates.files import read_json, write_json
from housemates.home.things import Agent, Scene, Structure, Thing
from housemates.home.types import object_types

Record = TypeVar("Record")


def load_scene(path: str | Path) -> Scene:
    """Read a scene file; a mistake names the file, the object and the field."""
    return scene_from_data(read_json(path), str(path))


def save_scene(scene: Scene, path: str | Path) -> None:
    """Write a scene file."""
    write_json(path, msgspec.to_builtins(scene))


def scene_from_data(data: Any, source: str) -> Scene:
    """Make a scene of plain JSON data that came from `source`."""
    if not isinstance(data, Mapping):
        raise HousematesError(f"{source}: expected a scene as a JSON object, found {type(data).__name__}.")
    rows = data.get("things")
    if not isinstance(rows, list):
        raise HousematesError(f"{source}: field 'things': expected a list of objects.")
    things = tuple(_thing(row, index, source) for index, row in enumerate(rows))
    agent = _convert(data.get("agent"), Agent, f"{source}: agent")
    rest = {key: value for key, value in data.items() if key not in ("things", "agent")}
    scene = _convert({**rest, "things": [], "agent": msgspec.to_builtins(agent)}, Scene, source)
    scene = msgspec.structs.replace(scene, things=things)
    check_scene(scene, source)
    return scene


def _thing(row: Any, index: int, source: str) -> Thing:
    name = row.get("id") if isinstance(row, Mapping) else None
    where = f"{source}: object {name!r}" if isinstance(name, str) else f"{source}: object number {index + 1}"
    thing = _convert(row, Thing, where)
    if thing.type not in object_types():
        raise HousematesError(f"{where}: field 'type': unknown type {thing.type!r}.")
    return thing


def _convert(data: Any, kind: type[Record], where: str) -> Record:
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as error:
        message, _, place = str(error).partition(" - at ")
        name = place.strip("`").removeprefix("$.") if place else ""
        raise HousematesError(f"{where}: {f'field {name!r}: ' if name else ''}{message}.") from None


def check_scene(scene: Scene, source: str) -> None:
    """Refuse a scene whose values make no sense, naming the object and the field."""
    names: set[str] = set()
    for thing in scene.things:
        if thing.id in names:
            raise HousematesError(f"{source}: object {thing.id!r}: field 'id': used twice.")
        names.add(thing.id)
    for thing in scene.things:
        _check_thing(thing, names, f"{source}: object {thing.id!r}")
    _check_cycles(scene, source)
    for structure in scene.structures:
        _check_structure(structure, source)
    for field in ("x", "y", "z"):
        _finite(getattr(scene.agent, field), f"{source}: agent: field {field!r}")
    if scene.agent.rotation not in (0, 90, 180, 270):
        raise HousematesError(f"{source}: agent: field 'rotation': expected 0, 90, 180 or 270.")
    if scene.agent.held and scene.agent.held not in names:
        raise HousematesError(f"{source}: agent: field 'held': there is no object {scene.agent.held!r}.")


def _check_thing(thing: Thing, names: set[str], where: str) -> None:
    for value in (*thing.position, thing.yaw):
        _finite(value, f"{where}: field 'position' or 'yaw'")
    for value in thing.size:
        _finite(value, f"{where}: field 'size'")
        if value < 0 or (value == 0 and not thing.sliced):
            raise HousematesError(f"{where}: field 'size': expected positive metres, found {value}.")
    for field in ("parents", "controls"):
        for name in getattr(thing, field):
            if name == thing.id:
                raise HousematesError(f"{where}: field {field!r}: an object cannot be inside itself.")
            if name not in names:
                raise HousematesError(f"{where}: field {field!r}: there is no object {name!r}.")


def _check_cycles(scene: Scene, source: str) -> None:
    parent = {thing.id: thing.parents[0] for thing in scene.things if thing.parents}
    for start in parent:
        name, seen = start, {start}
        while name in parent:
            name = parent[name]
            if name == start:
                raise HousematesError(f"{source}: object {start!r}: field 'parents': it is inside itself.")
            if name in seen:
                break
            seen.add(name)


def _check_structure(structure: Structure, source: str) -> None:
    for low, high in zip(structure.lo, structure.hi, strict=True):
        _finite(low, f"{source}: structures")
        _finite(high, f"{source}: structures")
        if high < low:
            raise HousematesError(f"{source}: structures: 'hi' must not be below 'lo'.")


def _finite(value: float, where: str) -> None:
    if not math.isfinite(value):
        raise HousematesError(f"{where}: expected a finite number, found {value}.")
