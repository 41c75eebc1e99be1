"""The commands of Table 19: reading one, writing one, and listing those that are possible now."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from housemates.benchmarks.handmethat.world.catalog import LOCATIONS, Category, table
from housemates.benchmarks.handmethat.world.dynamics import (
    FLAG,
    HUMAN,
    HUMAN_PLACE,
    NOTHING,
    ROBOT,
    STRIDE,
    Scene,
    World,
)
from housemates.benchmarks.handmethat.world.operators import Action
from housemates.core.copies import Memo, copied

MAX_LENGTH = 200
FREE = ("examine", "inventory")
SYNONYMS = {"look": "examine"}


class Commands:
    """The commands of one world."""

    def __init__(self, world: World, short_names: bool = False) -> None:
        """Speak about this world.

        Args:
            world: What commands are about.
            short_names: Leave out the number of an object that is the only one of its category.
        """
        self.world = world
        self._short = short_names
        scene = world.scene
        self.names: Sequence[str] = scene.displayed
        if short_names:
            self.names = tuple(
                kind.name if number in scene.alone else scene.displayed[number]
                for number, kind in enumerate(scene.kinds)
            )
        self._possible: dict[tuple[int, int], tuple[tuple[int, int], tuple[str, ...]]] = {}

    def __deepcopy__(self, memo: Memo) -> Commands:
        """The commands of the copy of the world."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin.world, twin._possible = copied(self.world, memo), self._possible.copy()
        return twin

    def parse(self, command: str) -> Action | None:
        """The action of a command, done where the robot is; None if it makes no sense."""
        if len(command) > MAX_LENGTH:
            return None
        build, words = _split(command)
        if build is None:
            return None
        numbers = [self._number(word) for word in words]
        action = None if None in numbers else build(self.world.scene, *numbers)
        return None if action is None else self._placed(action)

    def _number(self, name: str) -> int | None:
        if name == "human":
            return HUMAN_PLACE
        scene = self.world.scene
        number = scene.number_shown.get(name)
        return scene.understood.get(name) if number is None else number

    def _placed(self, action: Action) -> Action:
        """Complete an action with the place where the robot is."""
        here = self.world.values[self.world.scene.at(ROBOT)]
        if action.name == "move":
            return Action("move", (here, *action.args))
        if action.name in _AT_PLACE:
            return Action(action.name, (*action.args, max(here, 0)))
        return action

    def possible(self) -> tuple[str, ...]:
        """Every command that would succeed now, and the free ones; the same object while nothing changes."""
        world = self.world
        scene, version = world.scene, world.version
        here, held = world.values[scene.at(ROBOT)], world.values[scene.held(ROBOT)]
        holder = scene.hand(HUMAN) if here == HUMAN_PLACE else here
        if held == NOTHING and version[holder] == 0:
            key = (self._short, here)
            if key not in world.memo:
                world.memo[key] = (*_ALWAYS[here], *self._listed(here, held))
            first: tuple[str, ...] = world.memo[key]
            return first
        stamp = (version[holder], version[held] if held != NOTHING else 0)
        remembered = self._possible.get((here, held))
        if remembered is not None and remembered[0] == stamp:
            return remembered[1]
        found = (*_ALWAYS[here], *self._listed(here, held))
        self._possible[here, held] = (stamp, found)
        return found

    def _listed(self, here: int, held: int) -> list[str]:
        """What is possible beside moving and looking."""
        if here == HUMAN_PLACE:
            return self._with_human(held)
        inner: list[int] = self.world.children[here] if self.world.reachable(here) else []
        can_be_set = self.world.scene.can_be_set
        found = self._settings([number for number in (here, *inner) if can_be_set[number]])
        if held != NOTHING:
            return found + self._full_handed(here, inner, held)
        return found + self._empty_handed(here, inner)

    def _with_human(self, held: int) -> list[str]:
        if held != NOTHING:
            return [f"give {self.names[held]} to human"]
        holding = self.world.children[self.world.scene.hand(HUMAN)]
        return [f"take {self.names[number]} from human" for number in holding]

    def _settings(self, numbers: list[int]) -> list[str]:
        kinds, values, names = self.world.scene.kinds, self.world.values, self.names
        found = []
        for number in numbers:
            kind = kinds[number]
            if kind.is_openable:
                word = "close" if values[number * STRIDE + _OPEN] else "open"
                found.append(f"{word} {names[number]}")
            if kind.is_toggleable:
                word = "off" if values[number * STRIDE + _TOGGLED] else "on"
                found.append(f"toggle {word} {names[number]}")
        return found

    def _empty_handed(self, here: int, inner: list[int]) -> list[str]:
        world, names, kinds = self.world, self.names, self.world.scene.kinds
        found = []
        for number in inner:
            name = names[number]
            found.append(f"pick up {name}")
            if kinds[number].is_receptacle and world.children[number] and world.reachable(number):
                found += [f"pick up {names[other]} from {name}" for other in world.children[number]]
        if kinds[here].is_toggleable and world.flag(here, "toggled"):
            for verb, ability in _TREATMENTS:
                if LOCATIONS[here] in table()["appliances"][verb]:
                    fitting = [number for number in inner if ability in kinds[number].abilities]
                    found += [f"{verb} {names[number]}" for number in fitting]
        return found

    def _full_handed(self, here: int, inner: list[int], held: int) -> list[str]:
        world, names, kinds = self.world, self.names, self.world.scene.kinds
        found = []
        if world.reachable(here):
            found.append(f"put {names[held]} {_into(kinds[here])} {names[here]}")
        if not kinds[held].is_receptacle:
            for number in inner:
                if kinds[number].is_receptacle and world.reachable(number):
                    found.append(f"put {names[held]} {_into(kinds[number])} {names[number]}")
        if kinds[held].name == "knife" and kinds[here].relation == "ontop":
            sliceable = [number for number in inner if "sliceable" in kinds[number].abilities]
            found += [f"slice {names[number]} with {names[held]}" for number in sliceable]
        return found + self._cleaning(held, here, *inner)

    def _cleaning(self, tool: int, *targets: int) -> list[str]:
        world, kinds = self.world, self.world.scene.kinds
        kind = kinds[tool]
        if kind.name not in table()["cleans"]:
            return []
        if "soakable" in kind.abilities and not world.flag(tool, "soaked"):
            return []
        dirty = [target for target in targets if kind.name in kinds[target].cleaned_by]
        return [f"clean {self.names[target]} with {self.names[tool]}" for target in dirty]

    def write(self, action: Action) -> str:
        """The command for a robot's action."""
        name, args = action
        if name == "move":
            return f"move to {'human' if args[1] == HUMAN_PLACE else LOCATIONS[args[1]]}"
        words = [self.names[number] for number in args]
        return _WRITTEN[name].format(*words)


_OPEN, _TOGGLED = FLAG["open"], FLAG["toggled"]
_ALWAYS = {
    here: (
        *FREE,
        *(f"move to {name}" for place, name in enumerate(LOCATIONS) if place != here),
        *(() if here == HUMAN_PLACE else ("move to human",)),
    )
    for here in (HUMAN_PLACE, *range(len(LOCATIONS)))
}
"""Looking and moving: what is possible at each place whatever else is."""
_TREATMENTS = (("heat", "cookable"), ("cool", "freezable"), ("soak", "soakable"))
_WRITTEN = {
    "pick-up-at-location": "pick up {0}",
    "pick-up-from-receptacle-at-location": "pick up {0} from {1}",
    "put-inside-location": "put {0} into {1}",
    "put-ontop-location": "put {0} onto {1}",
    "put-inside-receptacle-at-location": "put {0} into {1}",
    "put-ontop-receptacle-at-location": "put {0} onto {1}",
    "open-location": "open {0}",
    "close-location": "close {0}",
    "open-receptacle-at-location": "open {0}",
    "close-receptacle-at-location": "close {0}",
    "toggle-on-location": "toggle on {0}",
    "toggle-off-location": "toggle off {0}",
    "toggle-on-movable-at-location": "toggle on {0}",
    "toggle-off-movable-at-location": "toggle off {0}",
    "heat-obj": "heat {0}",
    "cool-obj": "cool {0}",
    "soak-obj": "soak {0}",
    "slice-obj": "slice {0} with {1}",
    "clean-obj-at-location": "clean {0} with {1}",
    "clean-location": "clean {1} with {0}",
    "bring-to-human": "give {0} to human",
    "take-from-human": "take {0} from human",
}
_AT_PLACE = frozenset(
    (
        "pick-up-at-location",
        "pick-up-from-receptacle-at-location",
        "put-inside-receptacle-at-location",
        "put-ontop-receptacle-at-location",
        "open-receptacle-at-location",
        "close-receptacle-at-location",
        "toggle-on-movable-at-location",
        "toggle-off-movable-at-location",
        "heat-obj",
        "cool-obj",
        "soak-obj",
        "slice-obj",
        "clean-obj-at-location",
    )
)
"""Actions whose last object is the place where the robot is."""


def _into(kind: Category) -> str:
    return "into" if kind.relation == "inside" else "onto"


def _put(relation: str) -> Callable[[Scene, int, int], Action | None]:
    def build(scene: Scene, number: int, holder: int) -> Action | None:
        if HUMAN_PLACE in (number, holder):
            return None
        kind = "location" if holder < len(LOCATIONS) else "receptacle-at-location"
        return Action(f"put-{relation}-{kind}", (number, holder))

    return build


def _set(verb: str) -> Callable[[Scene, int], Action | None]:
    def build(scene: Scene, number: int) -> Action | None:
        if number == HUMAN_PLACE:
            return None
        if number < len(LOCATIONS):
            return Action(f"{verb}-location", (number,))
        return Action(f"{verb}-{'movable' if 'toggle' in verb else 'receptacle'}-at-location", (number,))

    return build


def _plain(name: str) -> Callable[..., Action | None]:
    def build(scene: Scene, *numbers: int) -> Action | None:
        return None if HUMAN_PLACE in numbers else Action(name, numbers)

    return build


def _move(scene: Scene, place: int) -> Action | None:
    return Action("move", (place,)) if place < len(LOCATIONS) else None


def _clean(scene: Scene, target: int, tool: int) -> Action | None:
    if HUMAN_PLACE in (target, tool):
        return None
    if target < len(LOCATIONS):
        return Action("clean-location", (tool, target))
    return Action("clean-obj-at-location", (target, tool))


_GRAMMAR: tuple[tuple[re.Pattern[str], Callable[..., Action | None]], ...] = tuple(
    (re.compile(pattern), build)
    for pattern, build in (
        (r"(?:move|go) to (?:the )?(.+)", _move),
        (r"pick up (.+) from (.+)", _plain("pick-up-from-receptacle-at-location")),
        (r"pick up (.+)", _plain("pick-up-at-location")),
        (r"put (.+) into (.+)", _put("inside")),
        (r"put (.+) onto (.+)", _put("ontop")),
        (r"give (.+) to human", _plain("bring-to-human")),
        (r"take (.+) from human", _plain("take-from-human")),
        (r"open (.+)", _set("open")),
        (r"close (.+)", _set("close")),
        (r"toggle on (.+)", _set("toggle-on")),
        (r"toggle off (.+)", _set("toggle-off")),
        (r"heat (.+)", _plain("heat-obj")),
        (r"cool (.+)", _plain("cool-obj")),
        (r"soak (.+)", _plain("soak-obj")),
        (r"slice (.+) with (.+)", _plain("slice-obj")),
        (r"clean (.+) with (.+)", _clean),
    )
)


@lru_cache(maxsize=1 << 15)
def _split(command: str) -> tuple[Callable[..., Action | None] | None, tuple[str, ...]]:
    """What makes an action of a command, and the names in it; None if it is in no form of the table."""
    plain = " ".join(command.lower().replace("#", " ").split())
    for pattern, build in _GRAMMAR:
        match = pattern.fullmatch(plain)
        if match:
            return build, match.groups()
    return None, ()
