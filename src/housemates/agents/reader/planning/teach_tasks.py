"""TEACh's twelve tasks as routines."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from housemates.agents.embodied.grounding import basins
from housemates.agents.embodied.locomotion import Routine
from housemates.agents.embodied.manipulation import Stuck
from housemates.agents.embodied.object_memory import TrackedObject
from housemates.agents.reader.planning.routines import Routines, Types
from housemates.benchmarks.teach.tasks.tdl.definitions import object_classes
from housemates.home.kinds import surfaces
from housemates.home.recipes import BOILING, STEAMING
from housemates.home.types import object_type, object_types

VESSELS = ("WateringCan", "Cup", "Mug", "Bowl", "Pot", "Kettle", "Bottle", "WineBottle")
"""Types that water is carried in, the preferred first."""
SETTING_DOWN = surfaces("worktop")
"""Surfaces on which a dish is prepared by default."""
MOST = 12
"""Most objects of `all`."""


class Ingredient(NamedTuple):
    """What goes on a dish: slices of a type, raw, `cooked` or `toasted`."""

    kind: str
    number: int
    treated: str = ""


class TeachTasks:
    """Carries out TEACh's tasks; what cannot be done raises `Stuck`."""

    def __init__(self, routines: Routines) -> None:
        self.routines = routines
        self.served: set[str] = set()
        """Keys of what is on a dish already."""

    def carry_out(self, name: str, params: Sequence[str]) -> Routine[None]:
        """Carry out a task by its name."""
        yield from TASKS[name](self, params)

    def coffee(self, params: Sequence[str]) -> Routine[None]:
        """Brew coffee in a clean mug."""
        yield from self.routines.brew()

    def water(self, params: Sequence[str]) -> Routine[None]:
        """Pour water on a plant."""
        plant = yield from self.routines.find(("HousePlant",))
        yield from self.routines.fill(VESSELS)
        yield from self.routines.manipulator.pour(plant)

    def boil(self, params: Sequence[str]) -> Routine[None]:
        """Boil food in a pot on the stove, or else in a bowl in the microwave."""
        food = yield from self.routines.find((params[0],))
        try:
            yield from self._boil_on_stove(food)
        except Stuck:
            yield from self._boil_in_microwave(food)

    def _boil_on_stove(self, food: TrackedObject) -> Routine[None]:
        routines = self.routines
        pot = yield from routines.fill(BOILING.vessels)
        yield from routines.bring(pot, (BOILING.at,))
        yield from routines.manipulator.take(food)
        yield from routines.manipulator.put(pot)
        yield from routines.stove()

    def _boil_in_microwave(self, food: TrackedObject) -> Routine[None]:
        routines = self.routines
        bowl = yield from routines.fill((*STEAMING.vessels, "Mug", "Cup"))
        yield from routines.manipulator.put_down()
        yield from routines.manipulator.take(food)
        yield from routines.manipulator.put(bowl)
        yield from routines.microwave([bowl])

    def clean_all(self, params: Sequence[str]) -> Routine[None]:
        """Wash every object of a class."""
        routines = self.routines
        types = of_class(params[0])
        yield from routines.object_search.gather(types)
        for thing in routines.near(types)[:MOST]:
            if not object_type(thing.type).can("dirty"):
                continue
            try:
                yield from routines.wash(thing)
                yield from routines.manipulator.take(thing)
                yield from routines.manipulator.put_down()
            except Stuck:
                continue

    def put_all(self, params: Sequence[str]) -> Routine[None]:
        """Put every object of a class on any places of another class."""
        yield from self._put_all(of_class(params[0]), of_class(params[2]), one=False)

    def put_all_in_one(self, params: Sequence[str]) -> Routine[None]:
        """Put every object of a class on one place."""
        yield from self._put_all(of_class(params[0]), of_class(params[2]), one=True)

    def _put_all(self, types: Types, places: Types, one: bool) -> Routine[None]:
        routines = self.routines
        places = tuple(each for each in basins(places) if object_type(each).can("receptacle"))
        yield from routines.object_search.gather(types)
        goal = self._fullest(types, places) if one else None
        for thing in routines.near(types)[:MOST]:
            holder = routines.memory.things.get(thing.holder)
            if holder is not None and (holder is goal or (not one and holder.type in places)):
                continue
            try:
                if goal is None:
                    found = yield from routines.bring(thing, places)
                    goal = found if one else None
                else:
                    yield from routines.manipulator.take(thing)
                    yield from routines.manipulator.put(goal)
            except Stuck:
                if not routines.memory.perception.retries:
                    raise

    def _fullest(self, types: Types, places: Types) -> TrackedObject | None:
        """The place that holds most of these objects; None if none holds any."""
        counts = {
            place.key: sum(each.type in types for each in self.routines.memory.contents(place.key))
            for place in self.routines.memory.of(places)
        }
        best = max(counts, key=lambda key: counts[key], default="")
        return self.routines.memory.things[best] if best and counts[best] else None

    def slices(self, params: Sequence[str]) -> Routine[None]:
        """Serve slices in a clean dish."""
        yield from self.serve(of_class(params[3]), [Ingredient(params[1], int(params[0]))])

    def cooked_slices(self, params: Sequence[str]) -> Routine[None]:
        """Serve cooked slices in a clean dish."""
        yield from self.serve(of_class(params[3]), [Ingredient(params[1], int(params[0]), "cooked")])

    def toast(self, params: Sequence[str]) -> Routine[None]:
        """Serve toast on a clean plate."""
        yield from self.serve(("Plate",), [Ingredient("Bread", 1, "toasted")])

    def sandwich(self, params: Sequence[str]) -> Routine[None]:
        """Serve two slices of toast and more on a clean plate."""
        yield from self.serve(("Plate",), sandwich_parts(params))

    def salad(self, params: Sequence[str]) -> Routine[None]:
        """Serve slices on a clean plate."""
        yield from self.serve(("Plate",), salad_parts(params))

    def breakfast(self, params: Sequence[str]) -> Routine[None]:
        """Serve several dishes on one table."""
        tables = of_class(params[13])
        for number, dish, parts in breakfast_dishes(params):
            for _ in range(number):
                yield from self.serve(dish, parts, tables)
        for _ in range(int(params[0])):
            mug = yield from self.routines.brew()
            yield from self.routines.bring(mug, tables)
            self.served.add(mug.key)

    def serve(
        self, dishes: Types, parts: Iterable[Ingredient], tables: Types = SETTING_DOWN
    ) -> Routine[None]:
        """Prepare ingredients, and put them on a clean dish on a table."""
        routines = self.routines
        ready = []
        for part in parts:
            if part.number:
                ready += yield from self._made(part)
        dish = yield from self._laid(dishes, tables)
        for each in ready:
            yield from routines.manipulator.take(each)
            yield from routines.manipulator.put(dish)
            self.served.add(each.key)

    def _made(self, part: Ingredient) -> Routine[list[TrackedObject]]:
        routines = self.routines
        found = yield from routines.pieces(part.kind)
        fresh = [each for each in found if each.key not in self.served]
        if len(fresh) < part.number:
            yield from routines.cut(part.kind)
            found = yield from routines.pieces(part.kind)
            fresh = [each for each in found if each.key not in self.served]
        wanted = fresh[: part.number]
        if len(wanted) < part.number:
            raise Stuck("where", part.kind)
        if part.treated == "cooked":
            yield from routines.heat(wanted)
        elif part.treated == "toasted":
            for each in wanted:
                yield from routines.toast(each)
        return wanted

    def _laid(self, dishes: Types, tables: Types) -> Routine[TrackedObject]:
        """Put a clean dish on a table; returns it."""
        routines = self.routines
        dish = yield from routines.find(dishes, sorted(self.served))
        yield from routines.wash(dish)
        yield from routines.bring(dish, tables)
        self.served.add(dish.key)
        return dish


def sandwich_parts(params: Sequence[str]) -> list[Ingredient]:
    """Ingredients of a sandwich."""
    return [
        Ingredient("Bread", 2, "toasted"),
        Ingredient("Lettuce", int(params[0])),
        Ingredient("Tomato", int(params[1])),
    ]


def salad_parts(params: Sequence[str]) -> list[Ingredient]:
    """Ingredients of a salad."""
    kinds = (("Lettuce", ""), ("Tomato", ""), ("Potato", "cooked"))
    return [
        Ingredient(kind, int(count), treated) for (kind, treated), count in zip(kinds, params, strict=True)
    ]


def breakfast_dishes(params: Sequence[str]) -> list[tuple[int, Types, list[Ingredient]]]:
    """Number, dish types and ingredients of each part of a breakfast."""
    return [
        (int(params[1]), ("Plate",), [Ingredient("Bread", 1, "toasted")]),
        (int(params[2]), of_class(params[3]), [Ingredient("Potato", 2, "cooked")]),
        (int(params[4]), of_class(params[5]), [Ingredient("Apple", 1)]),
        (int(params[6]), ("Plate",), sandwich_parts(params[7:9])),
        (int(params[9]), ("Plate",), salad_parts(params[10:13])),
    ]


def of_class(name: str) -> Types:
    """Types of a class; a type is a class of its own."""
    found = [kind for kind in object_types() if name in object_classes().get(kind, ())]
    return tuple(sorted(found, key=lambda kind: kind != name)) or (name,)


TASKS: dict[str, Callable[[TeachTasks, Sequence[str]], Routine[None]]] = {
    "Coffee": TeachTasks.coffee,
    "Water Plant": TeachTasks.water,
    "Boil X": TeachTasks.boil,
    "Clean All X": TeachTasks.clean_all,
    "Put All X On Y": TeachTasks.put_all,
    "Put All X In One Y": TeachTasks.put_all_in_one,
    "N Slices Of X In Y": TeachTasks.slices,
    "N Cooked Slices Of X In Y": TeachTasks.cooked_slices,
    "Plate Of Toast": TeachTasks.toast,
    "Sandwich": TeachTasks.sandwich,
    "Salad": TeachTasks.salad,
    "Breakfast": TeachTasks.breakfast,
}
"""Routine of each task."""
