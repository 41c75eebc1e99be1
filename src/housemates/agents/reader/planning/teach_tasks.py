"""TEACh's tasks as chores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from housemates.agents.embodied.grounding import basins
from housemates.agents.embodied.locomotion import Doing
from housemates.agents.embodied.manipulation import Stuck
from housemates.agents.embodied.object_memory import Seen
from housemates.agents.reader.planning.routines import Chores, Types
from housemates.benchmarks.teach.tasks.tdl.definitions import object_classes
from housemates.home.kinds import surfaces
from housemates.home.recipes import BOILING, STEAMING
from housemates.home.types import object_type, object_types

VESSELS = ("WateringCan", "Cup", "Mug", "Bowl", "Pot", "Kettle", "Bottle", "WineBottle")
"""What water is carried in, the best first."""
SETTING_DOWN = surfaces("worktop")
"""Where a dish is made ready if nothing else is said."""
MOST = 12
"""How many things `all of them` may be."""


class Part(NamedTuple):
    """What goes on a dish: how many slices of what, raw, `cooked` or `toasted`."""

    kind: str
    number: int
    treated: str = ""


class Household:
    """Does TEACh's tasks; what it cannot do is raised as Stuck."""

    def __init__(self, chores: Chores) -> None:
        self.chores = chores
        self.served: set[str] = set()
        """Keys of what is on a dish already."""

    def carry_out(self, name: str, params: Sequence[str]) -> Doing[None]:
        """Do a task."""
        yield from TASKS[name](self, params)

    def coffee(self, params: Sequence[str]) -> Doing[None]:
        """Coffee in a clean mug."""
        yield from self.chores.brew()

    def water(self, params: Sequence[str]) -> Doing[None]:
        """Water for a plant."""
        plant = yield from self.chores.find(("HousePlant",))
        yield from self.chores.fill(VESSELS)
        yield from self.chores.hands.pour(plant)

    def boil(self, params: Sequence[str]) -> Doing[None]:
        """A potato in a pot of water on the stove, or in a bowl of water in the microwave."""
        food = yield from self.chores.find((params[0],))
        try:
            yield from self._boil_on_stove(food)
        except Stuck:
            yield from self._boil_in_microwave(food)

    def _boil_on_stove(self, food: Seen) -> Doing[None]:
        chores = self.chores
        pot = yield from chores.fill(BOILING.vessels)
        yield from chores.bring(pot, (BOILING.at,))
        yield from chores.hands.take(food)
        yield from chores.hands.put(pot)
        yield from chores.stove()

    def _boil_in_microwave(self, food: Seen) -> Doing[None]:
        chores = self.chores
        bowl = yield from chores.fill((*STEAMING.vessels, "Mug", "Cup"))
        yield from chores.hands.put_down()
        yield from chores.hands.take(food)
        yield from chores.hands.put(bowl)
        yield from chores.microwave([bowl])

    def clean_all(self, params: Sequence[str]) -> Doing[None]:
        """Everything of a class is washed."""
        chores = self.chores
        types = of_class(params[0])
        yield from chores.seeker.gather(types)
        for thing in chores.near(types)[:MOST]:
            if not object_type(thing.type).can("dirty"):
                continue
            try:
                yield from chores.wash(thing)
                yield from chores.hands.take(thing)
                yield from chores.hands.put_down()
            except Stuck:
                continue

    def put_all(self, params: Sequence[str]) -> Doing[None]:
        """Everything of a class goes to a kind of place; any one of them will do."""
        yield from self._put_all(of_class(params[0]), of_class(params[2]), one=False)

    def put_all_in_one(self, params: Sequence[str]) -> Doing[None]:
        """Everything of a class goes to one place."""
        yield from self._put_all(of_class(params[0]), of_class(params[2]), one=True)

    def _put_all(self, types: Types, places: Types, one: bool) -> Doing[None]:
        chores = self.chores
        places = tuple(each for each in basins(places) if object_type(each).can("receptacle"))
        yield from chores.seeker.gather(types)
        goal = self._fullest(types, places) if one else None
        for thing in chores.near(types)[:MOST]:
            holder = chores.memory.things.get(thing.holder)
            if holder is not None and (holder is goal or (not one and holder.type in places)):
                continue
            try:
                if goal is None:
                    found = yield from chores.bring(thing, places)
                    goal = found if one else None
                else:
                    yield from chores.hands.take(thing)
                    yield from chores.hands.put(goal)
            except Stuck:
                if not chores.memory.hazy:
                    raise

    def _fullest(self, types: Types, places: Types) -> Seen | None:
        """The place that holds most of some things already, if one holds any."""
        counts = {
            place.key: sum(each.type in types for each in self.chores.memory.contents(place.key))
            for place in self.chores.memory.of(places)
        }
        best = max(counts, key=lambda key: counts[key], default="")
        return self.chores.memory.things[best] if best and counts[best] else None

    def slices(self, params: Sequence[str]) -> Doing[None]:
        """Slices in a clean dish."""
        yield from self.serve(of_class(params[3]), [Part(params[1], int(params[0]))])

    def cooked_slices(self, params: Sequence[str]) -> Doing[None]:
        """Cooked slices in a clean dish."""
        yield from self.serve(of_class(params[3]), [Part(params[1], int(params[0]), "cooked")])

    def toast(self, params: Sequence[str]) -> Doing[None]:
        """Toast on a clean plate."""
        yield from self.serve(("Plate",), [Part("Bread", 1, "toasted")])

    def sandwich(self, params: Sequence[str]) -> Doing[None]:
        """Two slices of toast and more on a clean plate."""
        yield from self.serve(("Plate",), sandwich_parts(params))

    def salad(self, params: Sequence[str]) -> Doing[None]:
        """Slices on a clean plate."""
        yield from self.serve(("Plate",), salad_parts(params))

    def breakfast(self, params: Sequence[str]) -> Doing[None]:
        """Several dishes on one table."""
        tables = of_class(params[13])
        for number, dish, parts in breakfast_dishes(params):
            for _ in range(number):
                yield from self.serve(dish, parts, tables)
        for _ in range(int(params[0])):
            mug = yield from self.chores.brew()
            yield from self.chores.bring(mug, tables)
            self.served.add(mug.key)

    def serve(self, dishes: Types, parts: Iterable[Part], tables: Types = SETTING_DOWN) -> Doing[None]:
        """Make all parts, and put them on a clean dish, which stands on a table."""
        chores = self.chores
        ready = []
        for part in parts:
            if part.number:
                ready += yield from self._made(part)
        dish = yield from self._laid(dishes, tables)
        for each in ready:
            yield from chores.hands.take(each)
            yield from chores.hands.put(dish)
            self.served.add(each.key)

    def _made(self, part: Part) -> Doing[list[Seen]]:
        chores = self.chores
        found = yield from chores.pieces(part.kind)
        fresh = [each for each in found if each.key not in self.served]
        if len(fresh) < part.number:
            yield from chores.cut(part.kind)
            found = yield from chores.pieces(part.kind)
            fresh = [each for each in found if each.key not in self.served]
        wanted = fresh[: part.number]
        if len(wanted) < part.number:
            raise Stuck("where", part.kind)
        if part.treated == "cooked":
            yield from chores.heat(wanted)
        elif part.treated == "toasted":
            for each in wanted:
                yield from chores.toast(each)
        return wanted

    def _laid(self, dishes: Types, tables: Types) -> Doing[Seen]:
        """A clean dish on a table."""
        chores = self.chores
        dish = yield from chores.find(dishes, sorted(self.served))
        yield from chores.wash(dish)
        yield from chores.bring(dish, tables)
        self.served.add(dish.key)
        return dish


def sandwich_parts(params: Sequence[str]) -> list[Part]:
    """What a sandwich is made of."""
    return [Part("Bread", 2, "toasted"), Part("Lettuce", int(params[0])), Part("Tomato", int(params[1]))]


def salad_parts(params: Sequence[str]) -> list[Part]:
    """What a salad is made of."""
    kinds = (("Lettuce", ""), ("Tomato", ""), ("Potato", "cooked"))
    return [Part(kind, int(count), treated) for (kind, treated), count in zip(kinds, params, strict=True)]


def breakfast_dishes(params: Sequence[str]) -> list[tuple[int, Types, list[Part]]]:
    """How many of each dish a breakfast has, what it is served on, and what is on it."""
    return [
        (int(params[1]), ("Plate",), [Part("Bread", 1, "toasted")]),
        (int(params[2]), of_class(params[3]), [Part("Potato", 2, "cooked")]),
        (int(params[4]), of_class(params[5]), [Part("Apple", 1)]),
        (int(params[6]), ("Plate",), sandwich_parts(params[7:9])),
        (int(params[9]), ("Plate",), salad_parts(params[10:13])),
    ]


def of_class(name: str) -> Types:
    """The types of a class; a type is a class of its own."""
    found = [kind for kind in object_types() if name in object_classes().get(kind, ())]
    return tuple(sorted(found, key=lambda kind: kind != name)) or (name,)


TASKS: dict[str, Callable[[Household, Sequence[str]], Doing[None]]] = {
    "Coffee": Household.coffee,
    "Water Plant": Household.water,
    "Boil X": Household.boil,
    "Clean All X": Household.clean_all,
    "Put All X On Y": Household.put_all,
    "Put All X In One Y": Household.put_all_in_one,
    "N Slices Of X In Y": Household.slices,
    "N Cooked Slices Of X In Y": Household.cooked_slices,
    "Plate Of Toast": Household.toast,
    "Sandwich": Household.sandwich,
    "Salad": Household.salad,
    "Breakfast": Household.breakfast,
}
"""How each of the twelve tasks is done."""
