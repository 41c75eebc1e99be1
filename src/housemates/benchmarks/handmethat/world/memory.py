"""What the robot knows of the home: all of it, or what the human's story tells and what it has seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from housemates.benchmarks.handmethat.world.catalog import FLAGS, LOCATIONS, categories
from housemates.benchmarks.handmethat.world.dynamics import (
    FLAG,
    HUMAN,
    HUMAN_PLACE,
    NOTHING,
    ROBOT,
    STRIDE,
    World,
    make_scene,
)
from housemates.benchmarks.handmethat.world.operators import Action, perform


class HumanAction(NamedTuple):
    """An action of the human as the story tells it: its name and the names of the objects."""

    name: str
    args: tuple[str, ...]


class Known(NamedTuple):
    """What is known of one object."""

    holder: str | None
    size: str | None = None
    color: str | None = None
    raised: tuple[str, ...] = ()
    seen: bool = False


class Memory:
    """Objects by name, as far as they are known."""

    def __init__(self, deeds: Sequence[HumanAction]) -> None:
        """Begin with the story: objects that the human moved or used, where they are now."""
        self.deeds = tuple(deeds)
        self.objects: dict[str, Known] = {}
        self.places: dict[str, tuple[str, ...]] = {}
        """Flags of each location that was seen; others are taken as shut if they can be."""
        self.looked_into: set[str] = set()
        """Locations and receptacles whose inside was seen."""
        for deed in deeds:
            self._hear(deed)

    def copy(self) -> Memory:
        """The same knowledge, to be kept: what is learnt later does not come into it."""
        other = Memory(())
        other.deeds = self.deeds
        other.objects, other.places = dict(self.objects), dict(self.places)
        other.looked_into = set(self.looked_into)
        return other

    def _hear(self, deed: HumanAction) -> None:
        name, args = deed
        if name == "open-location":
            self.places[args[0]] = ("open",)
        elif name == "open-receptacle-at-location":
            self.objects[args[0]] = Known(args[1], raised=("open",))
        elif name == "pick-up-at-location":
            self._moved(args[0], None)
        elif name == "pick-up-from-receptacle-at-location":
            self.objects.setdefault(args[1], Known(args[2]))
            self._moved(args[0], None)
        elif name.startswith("put"):
            if len(args) == 3:
                self.objects.setdefault(args[1], Known(args[2]))
            self._moved(args[0], args[1])

    def _moved(self, name: str, holder: str | None) -> None:
        known = self.objects.get(name)
        self.objects[name] = Known(holder) if known is None else known._replace(holder=holder)

    def see(self, world: World) -> None:
        """Take in what is visible from where the robot is, and what it holds."""
        scene = world.scene
        here = world.values[scene.at(ROBOT)]
        held = world.values[scene.held(ROBOT)]
        if held != NOTHING:
            self._note(world, held, None)
        for number in world.children[scene.hand(HUMAN)]:
            self._note(world, number, None)
        if here == HUMAN_PLACE:
            return
        self.places[LOCATIONS[here]] = self._raised(world, here)
        if world.reachable(here):
            self._look_into(world, here)

    def see_everything(self, world: World) -> None:
        """Take in the whole home."""
        for place in range(len(LOCATIONS)):
            self.places[LOCATIONS[place]] = self._raised(world, place)
            self._look_into(world, place, everything=True)

    def _look_into(self, world: World, holder: int, everything: bool = False) -> None:
        scene = world.scene
        self.looked_into.add(scene.names[holder])
        gone = [
            name
            for name, known in self.objects.items()
            if known.holder == scene.names[holder]
            and (name not in scene.index or world.parent(scene.index[name]) != holder)
        ]
        for name in gone:
            self._moved(name, None)
        for number in world.children[holder]:
            self._note(world, number, scene.names[holder])
            if scene.is_receptacle[number] and (everything or world.reachable(number)):
                self._look_into(world, number, everything)

    def _note(self, world: World, number: int, holder: str | None) -> None:
        scene = world.scene
        self.objects[scene.names[number]] = Known(
            holder, scene.sizes[number], scene.colors[number], self._raised(world, number), True
        )

    @staticmethod
    def _raised(world: World, number: int) -> tuple[str, ...]:
        return tuple(flag for flag in FLAGS if world.values[number * STRIDE + FLAG[flag]])

    def world(self) -> World:
        """A world of the known objects; the human is where the story leaves her."""
        order = {name: position for position, name in enumerate(categories())}
        located = [name for name, known in self.objects.items() if known.holder is not None]
        names = sorted(
            (name for name in located if self._root(name) in LOCATIONS),
            key=lambda name: (order[name.partition("#")[0]], name),
        )
        scene = make_scene([(name, self.objects[name].size, self.objects[name].color) for name in names])
        parents = [0] * len(LOCATIONS)
        parents += [scene.index[str(self.objects[name].holder)] for name in names]
        flags = {scene.index[name]: self.objects[name].raised for name in names}
        flags |= {place: self.places.get(LOCATIONS[place], ()) for place in range(len(LOCATIONS))}
        world = World.build(scene, parents, flags)
        moves = [deed.args[1] for deed in self.deeds if deed.name == "move"]
        world.values[scene.at(HUMAN)] = scene.index[moves[-1]] if moves else 0
        return world

    def _root(self, name: str) -> str | None:
        known = self.objects.get(name)
        while known is not None and known.holder is not None:
            name = known.holder
            known = self.objects.get(name)
        return name

    def actions(self, world: World) -> list[Action]:
        """The human's actions with the numbers of `world`, leaving out those about objects it lacks."""
        index = world.scene.index
        return [
            Action(name, tuple(index[word] for word in args))
            for name, args in self.deeds
            if all(word in index for word in args)
        ]


class Recollection:
    """What the robot has seen on its way, worked out when somebody wants to know."""

    def __init__(self, deeds: Sequence[HumanAction], start: World, everything: bool) -> None:
        """Begin where the robot begins.

        Args:
            deeds: What the human did.
            start: The world when she speaks.
            everything: Whether the robot sees the whole home at first.
        """
        self._memory = Memory(deeds)
        self._world = start.copy()
        self._done = 0
        if everything:
            self._memory.see_everything(self._world)
        self._memory.see(self._world)

    def after(self, actions: Sequence[Action]) -> Memory:
        """What the robot knows after all it has done so far."""
        for action in actions[self._done :]:
            perform(self._world, ROBOT, action)
            self._memory.see(self._world)
        self._done = len(actions)
        return self._memory.copy()
