"""Which objects of a home play which part in a task, and what is still amiss with them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from typing import NamedTuple

from housemates.agents.teach.planning.steps import CUT, INSIDE, Step, Wish
from housemates.benchmarks.teach.tasks.tdl.bound import BoundAtomic, BoundSubtask, BoundTask
from housemates.benchmarks.teach.tasks.tdl.conditions import Object
from housemates.benchmarks.teach.tasks.tdl.definitions import Relation
from housemates.benchmarks.teach.tasks.tdl.state import State
from housemates.benchmarks.teach.world.dynamics import TeachWorld

Liking = Mapping[str, int]
"""How much better than another an object would be, by its id."""
NONE: Liking = {}


def cast(task: BoundTask, world: TeachWorld, avoid: Collection[Step] = ()) -> list[Wish]:
    """What is still amiss for a task, with one object chosen for each part that it asks for.

    Those are chosen that are nearest to what is wanted, then those that were touched before, then the
    nearest. Where there are too few dishes, several dishes of a meal share one.

    Args:
        task: What is asked.
        world: The home as it is.
        avoid: Steps that cannot be done; objects they are about are chosen last.
    """
    wishes = _Casting(world, avoid).task(task, NONE).wishes
    return list(dict.fromkeys(wishes))


class _Part(NamedTuple):
    """What a component or a task came to."""

    objects: list[str]
    """Those that stand for it; what is still to be cut does not."""
    wishes: list[Wish]
    options: list[str]
    """All that could stand for it."""


class _Casting:
    """One choice of objects for one task."""

    def __init__(self, world: TeachWorld, avoid: Collection[Step]) -> None:
        self.home = world.home
        self.state = State(world.objects())
        self.trouble = Counter(step.target for step in avoid)
        self.taken: set[str] = set()

    def task(self, task: BoundTask, liking: Liking) -> _Part:
        """Cast one instance of a task; `liking` is about the objects of its anchor."""
        parts: dict[str, _Part] = {}
        tails = {relation.tail: relation for relation in task.relations}
        for component in sorted(task.components, key=lambda each: each.key not in tails):
            likes = dict(liking) if component.key == task.anchor else {}
            if component.key in tails:
                likes |= self._holders(task, tails[component.key])
            else:
                likes |= self._held(task, component.key, parts)
            parts[component.key] = self._component(component, likes)
        wishes = [wish for component in task.components for wish in parts[component.key].wishes]
        for relation in task.relations:
            wishes += self._related(relation, parts)
        anchor = parts[task.anchor].objects if task.anchor in parts else []
        return _Part(anchor, wishes, anchor)

    def _component(self, component: BoundAtomic | BoundSubtask, liking: Liking) -> _Part:
        if isinstance(component, BoundAtomic):
            return self._atomic(component, liking)
        inner = [self.task(component.task, liking) for _ in range(component.count)]
        objects = [name for part in inner for name in part.objects]
        return _Part(objects, [wish for part in inner for wish in part.wishes], objects)

    def _atomic(self, component: BoundAtomic, liking: Liking) -> _Part:
        items = self._candidates(component)
        if component.determiner == "all":
            chosen = sorted(items, key=lambda item: self._distance(item["objectId"]))
        else:
            chosen = self._choose(component, items, liking)
            if not component.shareable:
                self.taken.update(item["objectId"] for item in chosen if self._is_made(component, item))
        wishes = [wish for item in chosen for wish in self._amiss(component, item)]
        objects, options = (
            [item["objectId"] for item in group if self._is_made(component, item)]
            for group in (chosen, items)
        )
        return _Part(objects, wishes, options)

    def _candidates(self, component: BoundAtomic) -> list[Object]:
        """The objects of a kind that there are, and those they can be cut from."""
        found = [self.state.objects[index] for index in self.state.candidates(component.primary)]
        found = [item for item in found if not item["isSliced"]]
        if component.whole is not None:
            wholes = (self.state.objects[index] for index in self.state.of_type(component.whole))
            found += [item for item in wholes if not item["isSliced"] and self._cuttable(item["objectId"])]
        return found

    def _cuttable(self, name: str) -> bool:
        thing = self.home.things[name]
        return thing.can("slice") and not thing.heel

    def _choose(self, component: BoundAtomic, items: list[Object], liking: Liking) -> list[Object]:
        """As many as are wanted; what is cut into several pieces can be chosen several times."""
        ranked = sorted(items, key=lambda item: self._rank(component, item, liking))
        made = [item for item in ranked if self._is_made(component, item)]
        wholes = [item for item in ranked if not self._is_made(component, item)]
        fresh = [item for item in made if item["objectId"] not in self.taken]
        best = fresh[: component.count]
        missing = component.count - len(best)
        if missing and wholes:
            best += wholes[:1] * missing if component.sliced else wholes[:missing]
        return best or made[: component.count]

    def _rank(self, component: BoundAtomic, item: Object, liking: Liking) -> tuple[float, ...]:
        name = item["objectId"]
        held = sum(each.test(item, self.state) for each in component.conditions)
        return (
            self.trouble[name] + self._spoiled(component, item),
            -liking.get(name, 0),
            -held,
            name != self.home.agent.held,
            not item.get("simbotPickedUp"),
            self._distance(name),
        )

    @staticmethod
    def _spoiled(component: BoundAtomic, item: Object) -> int:
        """What is cooked already can no longer be boiled."""
        boiled = any(each.name == "simbotIsBoiled" for each in component.conditions)
        return 100 * (boiled and bool(item["isCooked"]) and not item.get("simbotIsBoiled"))

    def _is_made(self, component: BoundAtomic, item: Object) -> bool:
        """Whether the object is of the wanted kind, not something to be cut first."""
        return component.primary.test(item, self.state)

    def _distance(self, name: str) -> float:
        return round(math.dist(self.home.things[name].position, self.home.agent.position), 3)

    def _amiss(self, component: BoundAtomic, item: Object) -> list[Wish]:
        if not self._is_made(component, item):
            return [Wish(item["objectId"], CUT, 1)]
        return [
            Wish(item["objectId"], each.name, each.value)
            for each in component.conditions
            if not each.test(item, self.state)
        ]

    def _holders(self, task: BoundTask, relation: Relation) -> Liking:
        """How many of the objects that belong into one place each place holds already."""
        found: Counter[str] = Counter()
        if relation.tail_determiner != "the":
            return found
        for component in task.components:
            if component.key in relation.heads:
                kind = _kind(component)
                for item in self._candidates(kind):
                    if kind.determiner == "all" or all(
                        each.test(item, self.state) for each in kind.conditions
                    ):
                        found.update(self.state.parents(item))
        return found

    def _held(self, task: BoundTask, key: str, parts: Mapping[str, _Part]) -> Liking:
        """The objects that are already where the task wants them."""
        places = {
            name
            for relation in task.relations
            if key in relation.heads and relation.tail in parts
            for name in parts[relation.tail].objects
        }
        if not places:
            return NONE
        inside = (item for item in self.state.objects if not places.isdisjoint(self.state.parents(item)))
        return {item["objectId"]: 1 for item in inside if item["objectId"] not in self.taken}

    def _related(self, relation: Relation, parts: Mapping[str, _Part]) -> list[Wish]:
        """Objects of the heads that are not where they belong."""
        if relation.tail not in parts:
            return []
        tail = parts[relation.tail]
        places = tuple(tail.objects if relation.tail_determiner == "the" else tail.options)
        wishes = []
        for key in relation.heads:
            for name in parts[key].objects if key in parts else ():
                item = self.state.by_id[name]
                if not set(places).isdisjoint(self.state.parents(item)) or name in places:
                    continue
                wishes.append(Wish(name, INSIDE, None, places))
        return wishes


def _kind(component: BoundAtomic | BoundSubtask) -> BoundAtomic:
    """The objects that stand for a component in relations."""
    while isinstance(component, BoundSubtask):
        inner = component.task
        component = next(each for each in inner.components if each.key == inner.anchor)
    return component
