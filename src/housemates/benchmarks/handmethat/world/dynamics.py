"""The symbolic household: who is where and how, as one list of integers, and snapshots of it."""

from __future__ import annotations

import hashlib
from bisect import insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from housemates.benchmarks.handmethat.world.catalog import FLAGS, LOCATIONS, Category, displayed, kind_of

STRIDE = 1 + len(FLAGS)
"""State variables of one object: where it is, then its flags."""
FLAG = {flag: 1 + position for position, flag in enumerate(FLAGS)}
NOTHING = -1
"""The value of a hand that holds nothing."""
HUMAN_PLACE = -1
"""Where the robot is when it stands in front of the human."""
HUMAN, ROBOT = 0, 1


@dataclass(frozen=True, eq=False)
class Scene:
    """The objects of a home and what never changes about them. The sixteen locations come first."""

    names: tuple[str, ...]
    """Official names: `floor`, `apple#0`."""
    kinds: tuple[Category, ...]
    sizes: tuple[str | None, ...]
    colors: tuple[str | None, ...]

    @property
    def size(self) -> int:
        """Number of objects, locations included."""
        return len(self.names)

    def hand(self, agent: int) -> int:
        """The holder that stands for an agent's hand."""
        return len(self.names) + agent

    def at(self, agent: int) -> int:
        """The state variable that says where an agent is."""
        return len(self.names) * STRIDE + agent

    def held(self, agent: int) -> int:
        """The state variable that says what an agent holds."""
        return len(self.names) * STRIDE + 2 + agent

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Each object's number by its official name."""
        return dict(zip(self.names, range(len(self.names)), strict=True))

    @cached_property
    def instances(self) -> Mapping[str, tuple[int, ...]]:
        """The objects of each present category."""
        found: dict[str, list[int]] = {}
        for number, kind in enumerate(self.kinds):
            found.setdefault(kind.name, []).append(number)
        return {name: tuple(numbers) for name, numbers in found.items()}

    @cached_property
    def alone(self) -> tuple[int, ...]:
        """The objects that are the only ones of their category."""
        return tuple(members[0] for members in self.instances.values() if len(members) == 1)

    @cached_property
    def understood(self) -> Mapping[str, int]:
        """Each object's number by further names that are understood."""
        found = {name.lower(): number for name, number in self.number_shown.items()}
        found |= {self.kinds[number].name: number for number in self.alone}
        return found | {name.replace("_", " "): number for name, number in found.items()}

    @cached_property
    def openable(self) -> tuple[bool, ...]:
        """Whether each object can be opened."""
        return tuple([kind.is_openable for kind in self.kinds])

    @cached_property
    def can_be_set(self) -> tuple[bool, ...]:
        """Whether each object can be opened or switched on."""
        return tuple([kind.is_openable or kind.is_toggleable for kind in self.kinds])

    @cached_property
    def is_receptacle(self) -> tuple[bool, ...]:
        """Whether each object is a container that can be carried."""
        return tuple([kind.is_receptacle for kind in self.kinds])

    @cached_property
    def displayed(self) -> tuple[str, ...]:
        """Names as texts show them: `apple 0`."""
        return tuple(map(displayed, self.names))

    @cached_property
    def number_shown(self) -> Mapping[str, int]:
        """Each object's number by its displayed name."""
        return dict(zip(self.displayed, range(len(self.names)), strict=True))


class World:
    """The state of a scene: `values` holds every variable; `children` and `version` follow from it."""

    __slots__ = ("children", "memo", "scene", "values", "version")

    def __init__(self, scene: Scene, values: Sequence[int], memo: dict[Any, Any] | None = None) -> None:
        """Take over a copy of the values.

        Args:
            scene: The objects.
            values: Every variable of the state.
            memo: What others have worked out about this very state, and what will be; a new one if None.
        """
        self.scene = scene
        self.memo = {} if memo is None else memo
        """Holds of everything whose version is still 0; worlds that began in the same state can share it."""
        self.values = list(values)
        children: list[list[int]] = [[] for _ in range(scene.size + 2)]
        first = len(LOCATIONS)
        for number, holder in enumerate(self.values[first * STRIDE : scene.size * STRIDE : STRIDE], first):
            children[holder].append(number)
        self.children = children
        """What each holder directly holds, hands included."""
        self.version = [0] * (scene.size + 2)
        """Grows for a holder whenever something in it changes; what is cached per holder compares it."""

    @classmethod
    def build(cls, scene: Scene, parents: Sequence[int], flags: Mapping[int, Sequence[str]]) -> World:
        """A world from each object's holder and raised flags; both agents stand on the floor."""
        values = [0] * (scene.size * STRIDE) + [0, 0, NOTHING, NOTHING]
        for number, parent in enumerate(parents):
            values[number * STRIDE] = parent
        for number, raised in flags.items():
            for flag in raised:
                values[number * STRIDE + FLAG[flag]] = 1
        return cls(scene, values)

    def __deepcopy__(self, memo: Any) -> World:
        """An independent world in the same state, whose versions go on from here."""
        twin = object.__new__(type(self))
        twin.scene, twin.memo, twin.values = self.scene, self.memo, self.values.copy()
        twin.children = [each.copy() for each in self.children]
        twin.version = self.version.copy()
        return twin

    def copy(self) -> World:
        """An independent world in the same state."""
        return World(self.scene, self.values)

    def snapshot(self) -> list[int]:
        """The state as plain integers."""
        return list(self.values)

    def restore(self, snapshot: Sequence[int]) -> None:
        """Return to a state that `snapshot` gave."""
        versions = self.version
        World.__init__(self, self.scene, snapshot)
        self.version = [version + 1 for version in versions]

    def facts(self) -> dict[str, str]:
        """Where everything is and what is special about it, in words; agents by where they are."""
        places = [*self.scene.displayed, "the human's hand", "the robot's hand"]
        told = {}
        for number, name in enumerate(self.scene.displayed):
            holder, *flags = self.values[number * STRIDE : (number + 1) * STRIDE]
            where = [f"in {places[holder]}"] if number >= len(LOCATIONS) else []
            raised = [flag for flag, value in zip(FLAGS, flags, strict=True) if value]
            told[name] = ", ".join([*where, *raised])
        for agent, name in ((HUMAN, "human"), (ROBOT, "robot")):
            at = self.values[self.scene.at(agent)]
            told[name] = "before the human" if at == HUMAN_PLACE else f"at {places[at]}"
        return told

    def digest(self) -> str:
        """A fingerprint of objects and state, the same on every machine."""
        text = "\n".join(
            f"{name} {size} {color}"
            for name, size, color in zip(self.scene.names, self.scene.sizes, self.scene.colors, strict=True)
        )
        data = text.encode() + np.asarray(self.values, dtype="<i4").tobytes()
        return hashlib.sha256(data).hexdigest()[:16]

    def diff(self, other: World) -> dict[str, tuple[int, int]]:
        """Each variable that differs, by name, with its value here and there."""
        tail = ("human at", "robot at", "human holds", "robot holds")
        changed = {}
        for variable, (mine, yours) in enumerate(zip(self.values, other.values, strict=True)):
            if mine != yours:
                number, part = divmod(variable, STRIDE)
                if variable >= self.scene.size * STRIDE:
                    name = tail[variable - self.scene.size * STRIDE]
                else:
                    name = f"{self.scene.names[number]} {'parent' if part == 0 else FLAGS[part - 1]}"
                changed[name] = (mine, yours)
        return changed

    def assign(self, variable: int, value: int) -> None:
        """Set one variable and keep `children` and `version` true to it."""
        old = self.values[variable]
        self.values[variable] = value
        number, part = divmod(variable, STRIDE)
        if number >= self.scene.size:
            return
        if part == 0:
            self.children[old].remove(number)
            insort(self.children[value], number)
            self._touch(old)
        self._touch(number)

    def _touch(self, holder: int) -> None:
        while True:
            self.version[holder] += 1
            if holder < len(LOCATIONS) or holder >= self.scene.size:
                return
            holder = self.values[holder * STRIDE]

    def parent(self, number: int) -> int:
        """The place, receptacle or hand that directly holds an object."""
        return self.values[number * STRIDE]

    def flag(self, number: int, flag: str) -> bool:
        """Whether an object is open, dusty and so on."""
        return bool(self.values[number * STRIDE + FLAG[flag]])

    def location(self, number: int) -> int:
        """The location where an object is, through its receptacle; a hand's number if someone holds it."""
        while len(LOCATIONS) <= number < self.scene.size:
            number = self.values[number * STRIDE]
        return number

    def reachable(self, holder: int) -> bool:
        """Whether things can be taken from or put into a holder: it is open or cannot be closed."""
        return not self.scene.openable[holder] or bool(self.values[holder * STRIDE + FLAG["open"]])


def make_scene(objects: Sequence[tuple[str, str | None, str | None]]) -> Scene:
    """A scene of the sixteen locations and these movable objects: official name, size, colour."""
    names, sizes, colors = zip(*objects, strict=True) if objects else ((), (), ())
    unknown = (None,) * len(LOCATIONS)
    all_names = (*LOCATIONS, *names)
    return Scene(all_names, tuple(map(kind_of, all_names)), (*unknown, *sizes), (*unknown, *colors))
