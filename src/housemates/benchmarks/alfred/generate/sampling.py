"""Which tasks are asked where: all that make sense in each room, drawn so that none is much more common."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from housemates.benchmarks.alfred.tasks.goals import TYPES, Task, classes, home_type
from housemates.benchmarks.alfred.tasks.planning.problem import TREATMENTS
from housemates.errors import HousematesError
from housemates.files import shipped
from housemates.home.scenes import load, scene_ids
from housemates.home.scenes.tables import room_table
from housemates.home.types import object_type

FOLDS = {"train": "train", "valid_seen": "train", "valid_unseen": "unseen"}
"""The fold of a demonstration, and the split of rooms that it takes place in."""


class Possible(msgspec.Struct, frozen=True):
    """Which tasks make sense; see `possible.toml`."""

    goes: dict[str, tuple[str, ...]]
    stacks: dict[str, tuple[str, ...]]
    serves: dict[str, tuple[str, ...]]


@cache
def possible() -> Possible:
    """The table of what makes sense."""
    return msgspec.convert(shipped(__package__, "possible.toml"), Possible)


class Sample(NamedTuple):
    """A task in a room."""

    task: Task
    scene: str

    @property
    def name(self) -> str:
        """As the folders of the official data are called: type, object, base, receptacle, scene."""
        task = self.task
        thing = task.object_target + ("Sliced" if task.object_sliced else "")
        where = task.parent_target or task.toggle_target
        return f"{task.type}-{thing}-{task.mrecep_target or 'None'}-{where}-{self.scene}"


def tasks_in(scene: str) -> list[Task]:
    """Every task that makes sense in a room."""
    there = {thing.type for thing in load(scene).things}
    belongs = _belongs(load(scene).room)
    return [task for kind in TYPES for task in _of_type(kind, there, belongs)]


def _belongs(room: str) -> list[str]:
    """The classes of things that may lie in a kind of room."""
    contents = room_table(room).contents
    return [name for name in possible().goes if home_type(name) in contents]


def _of_type(kind: str, there: set[str], belongs: Sequence[str]) -> Iterator[Task]:
    table = possible()
    served = [name for name in table.serves.get(kind, tuple(table.goes)) if name in belongs]
    if kind == "look_at_obj_in_light":
        lamps = [lamp for lamp in classes().lamps if lamp in there]
        yield from (Task(kind, name, toggle_target=lamp) for name in served for lamp in lamps)
        return
    if kind == "pick_and_place_with_movable_recep":
        pairs = [(name, base) for base in table.stacks if base in belongs for name in table.stacks[base]]
        served_pairs = [(name, base) for name, base in pairs if name in belongs]
    else:
        served_pairs = [(name, "") for name in served]
    appliance = TREATMENTS[kind][1] if kind in TREATMENTS else ""
    if appliance and appliance not in there:
        return
    for name, base in served_pairs:
        for where in table.goes[base or name]:
            if where in there and where != appliance and _room_for(kind, where):
                yield Task(kind, name, where, base)
                if name in classes().sliceable:
                    yield Task(kind, name, where, base, object_sliced=True)


def _room_for(kind: str, where: str) -> bool:
    """Whether a receptacle takes as many things as a type of task asks for."""
    return kind != "pick_two_obj_and_place" or object_type(home_type(where)).capacity != 1


SLOTS = ("type", "scene", "object", "receptacle", "base")


class Balancer:
    """Draws samples so that types, scenes, objects, receptacles and movable receptacles stay balanced.

    As in the paper, each draw first settles the slot with the largest imbalance so far, with a value
    that is rare in it, and so on greedily until the sample is complete. A class that is common in one slot
    is disfavoured in all.
    """

    def __init__(self, scenes: Sequence[str], rng: np.random.Generator) -> None:
        """Draw from all tasks that make sense in these rooms."""
        self.samples, self._columns = _sensible(tuple(scenes))
        self.rng = rng
        self._counts = np.zeros(self._columns.max() + 1, np.int64)

    def draw(self) -> Sample:
        """Draw the next task and room, the rarest type so far first."""
        left = np.arange(len(self.samples))
        for slot in self._by_imbalance():
            values = self._columns[slot, left]
            rarest = self._rarest(values)
            left = left[values == rarest]
        chosen = int(left[self.rng.integers(len(left))])
        for slot in range(len(SLOTS)):
            self._counts[self._columns[slot, chosen]] += 1
        return self.samples[chosen]

    def _by_imbalance(self) -> list[int]:
        """The slots, the one whose commonest value is farthest above the average first."""
        spreads = []
        for slot in range(len(SLOTS)):
            counts = self._counts[np.unique(self._columns[slot])]
            spreads.append((-float(counts.max() / max(counts.mean(), 1e-9)), slot))
        order = [slot for _, slot in sorted(spreads)]
        return [0, *(slot for slot in order if slot != 0)]

    def _rarest(self, values: NDArray[np.int64]) -> int:
        """One of the rarest values, drawn at random."""
        found = np.unique(values)
        counts = self._counts[found]
        best = found[counts == counts.min()]
        return int(best[self.rng.integers(len(best))])


@lru_cache(maxsize=4)
def _sensible(scenes: tuple[str, ...]) -> tuple[list[Sample], NDArray[np.int64]]:
    """All tasks that make sense in these rooms; and, for each slot, the numbers of their values."""
    samples = [Sample(task, scene) for scene in scenes for task in tasks_in(scene)]
    if not samples:
        raise HousematesError("There is no task that makes sense in these rooms.")
    numbers: dict[str, int] = {}
    rows = [[numbers.setdefault(value, len(numbers)) for value in _slots(sample)] for sample in samples]
    return samples, np.array(rows).T


def _slots(sample: Sample) -> tuple[str, ...]:
    task = sample.task
    thing = task.object_target + ("Sliced" if task.object_sliced else "")
    return (
        task.type,
        sample.scene,
        thing,
        task.parent_target or task.toggle_target,
        task.mrecep_target or "-",
    )


def balanced(scenes: Sequence[str], seed: int) -> Iterator[Sample]:
    """Samples without end, the same for the same rooms and seed."""
    balancer = Balancer(scenes, np.random.default_rng([seed, 5]))
    while True:
        yield balancer.draw()


def rooms_of(fold: str) -> list[str]:
    """The rooms of a fold."""
    return scene_ids(split=FOLDS[fold])
