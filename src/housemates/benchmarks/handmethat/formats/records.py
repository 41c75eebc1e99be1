"""Worlds as JSON: the object dictionaries of the official files and our shorter rows, checked on reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from housemates.benchmarks.handmethat.formats.forms import OfficialObject, Row
from housemates.benchmarks.handmethat.world.catalog import (
    ABILITY_ORDER,
    LOCATIONS,
    STATE_ORDER,
    categories,
    kind_of,
    table,
)
from housemates.benchmarks.handmethat.world.dynamics import Scene, World, make_scene
from housemates.errors import HousematesError
from housemates.typed_json import shown

INFO = "HandMeThat_data_info.json"
"""The official list of files and their splits."""
MOST_OBJECTS = 10_000


def world_from_objects(objects: Mapping[str, OfficialObject], source: str) -> World:
    """The world of an official object dictionary."""
    rows = []
    for name, value in objects.items():
        if isinstance(value.inside, str) and isinstance(value.ontop, str):
            raise HousematesError(
                f"{source}: {shown(name)} is in two places, inside {shown(value.inside)} and ontop "
                f"{shown(value.ontop)}; expected one."
            )
        held = _Held("", "")
        for relation in ("inside", "ontop"):
            holder = getattr(value, relation)
            held = _Held(relation, holder) if isinstance(holder, str) else held
        rows.append(_Object(name, held, value.states))
    return _build(rows, source)


def world_from_rows(rows: Sequence[Row], source: str) -> World:
    """The world of our shorter rows."""
    wide = []
    known = categories()
    for name, holder, words in rows:
        kind = known.get(holder.partition("#")[0])
        states: dict[str, str | bool] = {}
        for word in words.split():
            key = next((key for key, values in table()["attributes"].items() if word in values), word)
            states[key] = True if key == word else word
        wide.append(_Object(name, _Held(kind.relation if kind else "", holder), states))
    return _build(wide, source)


class _Held(NamedTuple):
    relation: str
    holder: str


class _Object(NamedTuple):
    name: str
    held: _Held
    states: Mapping[str, str | bool]


def _build(rows: Sequence[_Object], source: str) -> World:
    """Check and build: every location once, every other object in one known holder."""
    _check_names([row.name for row in rows], source)
    for row in rows:
        _check_states(row.name, row.states, source)
    movable = rows[len(LOCATIONS) :]
    scene = make_scene([(row.name, _word(row, "size"), _word(row, "color")) for row in movable])
    parents = [0] * len(LOCATIONS)
    for row in movable:
        parents.append(_holder(scene, row.name, row.held, source))
    flags = {
        number: [key for key, value in row.states.items() if value is True] for number, row in enumerate(rows)
    }
    return World.build(scene, parents, flags)


def _word(row: _Object, key: str) -> str | None:
    value = row.states.get(key)
    return value if isinstance(value, str) else None


def _check_names(names: Sequence[str], source: str) -> None:
    if len(names) > MOST_OBJECTS:
        raise HousematesError(f"{source}: expected at most {MOST_OBJECTS} objects, found {len(names)}.")
    unknown = next((name for name in names if name.partition("#")[0] not in categories()), None)
    if unknown is not None:
        raise HousematesError(f"{source}: {shown(unknown)} is of an unknown category.")
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise HousematesError(f"{source}: {shown(twice)} stands there twice; expected one place for it.")
    first = len(LOCATIONS)
    if tuple(names[:first]) != LOCATIONS or any(kind_of(name).is_location for name in names[first:]):
        raise HousematesError(
            f"{source}: expected the {first} locations first, {LOCATIONS[0]} to {LOCATIONS[-1]}."
        )


def _check_states(name: str, states: Mapping[str, str | bool], source: str) -> None:
    flags = kind_of(name).flags
    for key, value in states.items():
        if key in ("size", "color"):
            known = value in table()["attributes"][key]
        elif key in flags:
            known = isinstance(value, bool)
        else:
            raise HousematesError(f"{source}: {shown(name)} cannot be {shown(key)}.")
        if not known:
            raise HousematesError(f"{source}: {shown(name)}: unknown {key} {shown(value)}.")


def _holder(scene: Scene, name: str, held: _Held, source: str) -> int:
    """The number of what an object is in or on."""
    number = scene.index.get(held.holder)
    if number is None:
        raise HousematesError(f"{source}: {shown(name)} is in {shown(held.holder)}, which is not there.")
    kind = scene.kinds[number]
    if not kind.holds or kind.relation != held.relation:
        where = f"{held.relation or 'at'} {shown(held.holder)}"
        raise HousematesError(f"{source}: {shown(name)} cannot be {where}.")
    if kind.is_receptacle and kind_of(name).is_receptacle:
        raise HousematesError(
            f"{source}: {shown(name)} is a receptacle and cannot be in {shown(held.holder)}."
        )
    return number


def rows_of(world: World) -> list[list[str]]:
    """Our rows of a world."""
    scene = world.scene
    rows = []
    for number, name in enumerate(scene.names):
        kind = scene.kinds[number]
        words = [flag for flag in kind.flags if world.flag(number, flag)]
        words += [word for word in (scene.sizes[number], scene.colors[number]) if word is not None]
        holder = "" if kind.is_location else scene.names[world.parent(number)]
        rows.append([name, holder, " ".join(words)])
    return rows


def objects_of(world: World) -> dict[str, Any]:
    """The official object dictionary of a world."""
    scene = world.scene
    found: dict[str, Any] = {}
    for number, name in enumerate(scene.names):
        kind = scene.kinds[number]
        states: dict[str, Any] = {flag: world.flag(number, flag) for flag in kind.flags}
        states |= _present(("color", scene.colors[number]), ("size", scene.sizes[number]))
        entry: dict[str, Any] = {
            "class": kind.class_,
            "subclass": kind.subclass,
            "type": kind.name,
            "ability": [ability for ability in ABILITY_ORDER if ability in kind.abilities]
            + [f"{tool}-cleanable" for tool in kind.cleaned_by],
        }
        if not kind.is_location and world.parent(number) < scene.size:
            holder = world.parent(number)
            entry[scene.kinds[holder].relation] = scene.names[holder]
        entry["states"] = {key: states[key] for key in STATE_ORDER if key in states}
        found[name] = entry
    return found


def _present(*pairs: tuple[str, str | None]) -> Iterable[tuple[str, str]]:
    return [(key, value) for key, value in pairs if value is not None]
