"""The commands of Table 19: reading one, writing one, and listing those that are possible now."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from housemates.benchmarks.handmethat.world.catalog import LOCATIONS, table
from housemates.benchmarks.handmethat.world.dynamics import HUMAN, HUMAN_PLACE, NOTHING, ROBOT, Scene, World
from housemates.benchmarks.handmethat.world.operators import Action

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
        scene = world.scene
        alone = {members[0] for members in scene.instances.values() if len(members) == 1}
        self.names = [
            scene.kinds[number].name if short_names and number in alone else scene.displayed[number]
            for number in range(scene.size)
        ]
        self._numbers = _names(scene, alone)
        self._read: dict[str, Action | None] = {}
        self._possible: dict[tuple[int, int], tuple[int, list[str]]] = {}

    def parse(self, command: str) -> Action | None:
        """The action of a command; None if it makes no sense. Moves start wherever the robot is."""
        if len(command) > MAX_LENGTH:
            return None
        if command not in self._read:
            self._read[command] = self._parse(" ".join(command.lower().replace("#", " ").split()))
        action = self._read[command]
        if action is not None and action.name == "move":
            return Action("move", (self.world.values[self.world.scene.at(ROBOT)], action.args[1]))
        if action is not None and action.name in _AT_PLACE:
            return self._placed(action)
        return action

    def _parse(self, command: str) -> Action | None:
        for pattern, build in _GRAMMAR:
            match = pattern.fullmatch(command)
            if match:
                numbers = [self._numbers.get(name) for name in match.groups()]
                if None in numbers:
                    return None
                return build(self.world.scene, *numbers)
        return None

    def _placed(self, action: Action) -> Action:
        """Complete an action with the place where the robot is."""
        here = self.world.values[self.world.scene.at(ROBOT)]
        return Action(action.name, (*action.args, here if here != HUMAN_PLACE else 0))

    def possible(self) -> list[str]:
        """Every command that would succeed now, and the free ones."""
        world = self.world
        here, held = world.values[world.scene.at(ROBOT)], world.values[world.scene.held(ROBOT)]
        holder = world.scene.hand(HUMAN) if here == HUMAN_PLACE else here
        remembered = self._possible.get((here, held))
        if remembered is not None and remembered[0] == world.version[holder]:
            return remembered[1]
        found = list(self._listed(here, held))
        self._possible[here, held] = (world.version[holder], found)
        return found

    def _listed(self, here: int, held: int) -> Iterator[str]:
        yield from FREE
        yield from (f"move to {name}" for place, name in enumerate(LOCATIONS) if place != here)
        if here == HUMAN_PLACE:
            yield from self._with_human(held)
            return
        yield "move to human"
        yield from self._setting(here)
        if not self.world.reachable(here):
            if held != NOTHING:
                yield from self._cleaning(held, here)
            return
        inner = self.world.children[here]
        for number in inner:
            yield from self._setting(number)
        if held == NOTHING:
            yield from self._empty_handed(here, inner)
        else:
            yield from self._full_handed(here, inner, held)

    def _with_human(self, held: int) -> Iterator[str]:
        if held != NOTHING:
            yield f"give {self.names[held]} to human"
            return
        for number in self.world.children[self.world.scene.hand(HUMAN)]:
            yield f"take {self.names[number]} from human"

    def _setting(self, number: int) -> Iterator[str]:
        abilities = self.world.scene.kinds[number].abilities
        if "openable" in abilities:
            yield f"{'close' if self.world.flag(number, 'open') else 'open'} {self.names[number]}"
        if "toggleable" in abilities:
            yield f"toggle {'off' if self.world.flag(number, 'toggled') else 'on'} {self.names[number]}"

    def _empty_handed(self, here: int, inner: list[int]) -> Iterator[str]:
        world, names = self.world, self.names
        receptacle = world.scene.is_receptacle
        for number in inner:
            yield f"pick up {names[number]}"
            if receptacle[number] and world.reachable(number):
                for other in world.children[number]:
                    yield f"pick up {names[other]} from {names[number]}"
        if "toggleable" not in world.scene.kinds[here].abilities or not world.flag(here, "toggled"):
            return
        for verb, ability in _TREATMENTS:
            if LOCATIONS[here] in table()["appliances"][verb]:
                for number in inner:
                    if ability in world.scene.kinds[number].abilities:
                        yield f"{verb} {names[number]}"

    def _full_handed(self, here: int, inner: list[int], held: int) -> Iterator[str]:
        world, names = self.world, self.names
        scene = world.scene
        yield f"put {names[held]} {_into(scene, here)} {names[here]}"
        if not scene.is_receptacle[held]:
            for number in inner:
                if scene.is_receptacle[number] and world.reachable(number):
                    yield f"put {names[held]} {_into(scene, number)} {names[number]}"
        if scene.kinds[held].name == "knife" and scene.kinds[here].relation == "ontop":
            for number in inner:
                if "sliceable" in scene.kinds[number].abilities:
                    yield f"slice {names[number]} with {names[held]}"
        yield from self._cleaning(held, here, *inner)

    def _cleaning(self, tool: int, *targets: int) -> Iterator[str]:
        world = self.world
        kind = world.scene.kinds[tool]
        if kind.name not in table()["cleans"]:
            return
        if "soakable" in kind.abilities and not world.flag(tool, "soaked"):
            return
        for target in targets:
            if kind.name in world.scene.kinds[target].cleaned_by:
                yield f"clean {self.names[target]} with {self.names[tool]}"

    def write(self, action: Action) -> str:
        """The command for a robot's action."""
        name, args = action
        if name == "move":
            return f"move to {'human' if args[1] == HUMAN_PLACE else LOCATIONS[args[1]]}"
        words = [self.names[number] for number in args]
        return _WRITTEN[name].format(*words)


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


def _into(scene: Scene, holder: int) -> str:
    return "into" if scene.kinds[holder].relation == "inside" else "onto"


def _names(scene: Scene, alone: set[int]) -> dict[str, int]:
    found = {"human": HUMAN_PLACE}
    for number in range(scene.size):
        found[scene.displayed[number].lower()] = number
        if number in alone:
            found[scene.kinds[number].name] = number
    found |= {name.replace("_", " "): number for name, number in found.items()}
    return found


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
    return Action("move", (0, place)) if place < len(LOCATIONS) else None


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
