"""New starts from a seed: a home, a task with parameters, and things scattered so that it can be done."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from housemates.benchmarks.teach.formats.episodes import read_texts
from housemates.benchmarks.teach.formats.scenes import scene_of
from housemates.benchmarks.teach.formats.starts import Start
from housemates.benchmarks.teach.generate.arrangement import Arranger
from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.data.store import Store, open_store
from housemates.errors import HousematesError
from housemates.files import shipped
from housemates.home.scenes.catalogue import SPLITS, load, scene_ids
from housemates.home.scenes.catalogue import rooms as room_kinds
from housemates.home.things import Scene

TRIES = 100
"""How many homes, parameters and ways to scatter things are tried before giving up."""
PLANS = "plans"
ROOMS = ("all", *SPLITS, PLANS)
"""Where starts may be: all generated rooms, those of a split, or the floor plans of a store."""
Homes = Mapping[str, Sequence[str | Scene]]
"""By kind of room: ids of rooms, or homes themselves."""


@dataclass(frozen=True)
class Draw:
    """A start that `start` makes: always the same one."""

    id: str
    task: str
    seed: int
    number: int
    rooms: str
    """Where it is: `all` generated rooms, those of a split, or the `plans` of a store."""
    store: str | None = None
    """The folder of the store."""
    attempt: int = 0
    """Another attempt at the same number gives another start."""


class Variant(NamedTuple):
    """A row of the table of parameters."""

    room: str
    words: tuple[tuple[str, ...], ...]
    """The alternatives for each parameter."""

    def params(self, rng: np.random.Generator) -> tuple[str, ...]:
        """Draw one of the alternatives for each."""
        return tuple(each[int(rng.integers(len(each)))] for each in self.words)


@cache
def variants() -> Mapping[str, tuple[Variant, ...]]:
    """By task: the kinds of rooms it is asked in, and its parameters."""
    table = shipped(__package__, "variants.toml")
    return {
        task: tuple(
            Variant(room, tuple(tuple(word.split("|")) for word in row.split()))
            for room, rows in by_room.items()
            for row in rows
        )
        for task, by_room in table.items()
    }


def task_names(wanted: str = "all") -> tuple[str, ...]:
    """Tasks by name, by the paper's name or by `all`, parted by commas."""
    known = tasks.dataset_tasks()
    if wanted == "all":
        return tuple(known.values())
    names = [known.get(each.strip(), each.strip()) for each in wanted.split(",")]
    for name in names:
        if name not in variants():
            raise HousematesError(f"Unknown task {name!r}: expected all, or some of {', '.join(variants())}.")
    return tuple(names)


@lru_cache(maxsize=8)
def homes(rooms: str, store: str | None = None) -> Homes:
    """Homes by kind of room: generated ones of a split or `all`, or the `plans` of the store in a folder."""
    if rooms == PLANS:
        return _plans(open_store(None if store is None else Path(store)))
    if rooms not in ROOMS:
        raise HousematesError(f"rooms: expected one of {', '.join(ROOMS)}, found {rooms!r}.")
    return {room: scene_ids(room, None if rooms == "all" else rooms) for room in room_kinds()}


def draws(
    seed: int, count: int, names: Sequence[str], rooms: str = "all", store: str | None = None, first: int = 0
) -> list[Draw]:
    """Starts by number; the tasks follow one another in turn.

    Args:
        seed: Where all randomness comes from.
        count: How many.
        names: The tasks.
        rooms: See `homes`.
        store: See `homes`.
        first: The number of the first; the same number gives the same start.
    """
    homes(rooms, store)
    return [
        Draw(f"s{seed}-{number:05}", names[number % len(names)], seed, number, rooms, store)
        for number in range(first, first + count)
    ]


def start(drawn: Draw) -> Start:
    """Draw a home and parameters, and scatter things, until the task can be done but is not."""
    rng = np.random.default_rng([drawn.seed, drawn.number, drawn.attempt])
    among = homes(drawn.rooms, drawn.store)
    rows = [row for row in variants()[drawn.task] if among.get(row.room)]
    for _ in range(TRIES if rows else 0):
        row = rows[int(rng.integers(len(rows)))]
        params = row.params(rng)
        home = among[row.room][int(rng.integers(len(among[row.room])))]
        scene = load(home) if isinstance(home, str) else home
        made = Arranger(scene, tasks.bind(drawn.task, params), rng).arrange()
        if made is not None:
            return Start(made, definition(drawn.task, params))
    raise HousematesError(f"{drawn.id}: no home of {drawn.rooms!r} could be arranged for {drawn.task}.")


@lru_cache(maxsize=1024)
def definition(task: str, params: tuple[str, ...]) -> Mapping[str, object]:
    """A shipped task with its parameters filled in; not to be changed."""
    return tasks.definition(task, params)


_WORLD = re.compile(r'"world"\s*:\s*"(\w+)_physics"')


def _plans(store: Store | None) -> Homes:
    """Each floor plan of a store, as it was at the start of the first game that was played in it."""
    if store is None:
        raise HousematesError("The floor plans of recorded games are in a store: name one.")
    found: dict[str, Scene] = {}
    for text in read_texts(store.files("teach"), []):
        named = _WORLD.search(text.text)
        if named is not None and named[1] not in found:
            found[named[1]] = scene_of(text.parse(), store)
    by_room: dict[str, list[str | Scene]] = {}
    for plan in sorted(found):
        by_room.setdefault(found[plan].room, []).append(found[plan])
    return by_room
