"""Worlds as JSON: the object dictionaries of the official files and our shorter rows, checked on reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

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

INFO = "HandMeThat_data_info.json"
"""The official list of files and their splits."""
MOST_OBJECTS = 10_000
_REQUIRED = object()


class Fields:
    """A record's fields, read with their types checked."""

    def __init__(self, record: Mapping[str, Any], source: str) -> None:
        """Read from a record that came from `source`."""
        self.record, self.source = record, source

    def __call__(self, key: str, kind: type, default: Any = _REQUIRED) -> Any:
        """The value of a field, which must be of this type."""
        value = self.record.get(key, default)
        if value is _REQUIRED:
            raise HousematesError(f"{self.source}: expected a field {key!r}.")
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise HousematesError(
                f"{self.source}: {key}: expected {kind.__name__}, found {type(value).__name__}."
            )
        return value


def world_from_objects(objects: Mapping[str, Any], source: str) -> World:
    """The world of an official object dictionary."""
    rows = []
    for name, value in objects.items():
        if not isinstance(value, dict) or not isinstance(value.get("states"), dict):
            raise HousematesError(f"{source}: {name!r:.40}: expected an object with states.")
        holders = [(relation, value[relation]) for relation in ("inside", "ontop") if relation in value]
        if len(holders) > 1:
            raise HousematesError(
                f"{source}: {name!r:.40} is in two places, inside {holders[0][1]!r:.40} and ontop "
                f"{holders[1][1]!r:.40}; expected one."
            )
        relation, holder = holders[0] if holders else ("", "")
        rows.append([name, relation, holder, value["states"]])
    return _build(rows, source)


def world_from_rows(rows: Sequence[Any], source: str) -> World:
    """The world of our shorter rows: name, holder, and the attributes that are not plainly false."""
    wide = []
    known = categories()
    for position, row in enumerate(rows, start=1):
        if not isinstance(row, list) or len(row) != 3 or not all(isinstance(word, str) for word in row):
            raise HousematesError(f"{source}: row {position}: expected [name, holder, attributes].")
        name, holder, words = row
        kind = known.get(holder.partition("#")[0])
        states: dict[str, Any] = {}
        for word in words.split():
            key = next((key for key, values in table()["attributes"].items() if word in values), word)
            states[key] = True if key == word else word
        wide.append([name, kind.relation if kind else "", holder, states])
    return _build(wide, source)


def _build(rows: Sequence[Sequence[Any]], source: str) -> World:
    """Check and build: every location once, every other object in one known holder."""
    names = [str(row[0]) for row in rows]
    _check_names(names, source)
    for name, _, _, states in rows:
        _check_states(str(name), states, source)
    movable = rows[len(LOCATIONS) :]
    scene = make_scene([(name, states.get("size"), states.get("color")) for name, _, _, states in movable])
    parents = [0] * len(LOCATIONS)
    for name, relation, holder, _ in movable:
        parents.append(_holder(scene, str(name), relation, holder, source))
    flags = {
        number: [key for key, value in states.items() if value is True]
        for number, (_, _, _, states) in enumerate(rows)
    }
    return World.build(scene, parents, flags)


def _check_names(names: Sequence[str], source: str) -> None:
    if len(names) > MOST_OBJECTS:
        raise HousematesError(f"{source}: expected at most {MOST_OBJECTS} objects, found {len(names)}.")
    unknown = next((name for name in names if name.partition("#")[0] not in categories()), None)
    if unknown is not None:
        raise HousematesError(f"{source}: {unknown!r:.40} is of an unknown category.")
    twice = next((name for name, count in Counter(names).items() if count > 1), None)
    if twice is not None:
        raise HousematesError(f"{source}: {twice!r:.40} stands there twice; expected one place for it.")
    first = len(LOCATIONS)
    if tuple(names[:first]) != LOCATIONS or any(kind_of(name).is_location for name in names[first:]):
        raise HousematesError(
            f"{source}: expected the {first} locations first, {LOCATIONS[0]} to {LOCATIONS[-1]}."
        )


def _check_states(name: str, states: Mapping[str, Any], source: str) -> None:
    unknown = set(states) - {*kind_of(name).flags, "size", "color"}
    if unknown:
        raise HousematesError(f"{source}: {name!r:.40} cannot be {sorted(unknown)[0]!r:.40}.")
    for key in ("size", "color"):
        if key in states and states[key] not in table()["attributes"][key]:
            raise HousematesError(f"{source}: {name!r:.40}: unknown {key} {states[key]!r:.40}.")


def _holder(scene: Scene, name: str, relation: str, holder: Any, source: str) -> int:
    """The number of what an object is in or on."""
    number = scene.index.get(holder) if isinstance(holder, str) else None
    if number is None:
        raise HousematesError(f"{source}: {name!r:.40} is in {holder!r:.40}, which is not there.")
    kind = scene.kinds[number]
    if not kind.holds or kind.relation != relation:
        raise HousematesError(f"{source}: {name!r:.40} cannot be {relation or 'at'} {holder!r:.40}.")
    if kind.is_receptacle and kind_of(name).is_receptacle:
        raise HousematesError(f"{source}: {name!r:.40} is a receptacle and cannot be in {holder!r:.40}.")
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
