"""Role assignment: which objects play which part in a task, and which of its conditions are open."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping
from typing import NamedTuple

from housemates.agents.teach.planning.steps import CUT, INSIDE, OpenCondition, PlannedStep
from housemates.benchmarks.teach.tasks.tdl.bound import BoundAtomic, BoundSubtask, BoundTask
from housemates.benchmarks.teach.tasks.tdl.conditions import Object
from housemates.benchmarks.teach.tasks.tdl.definitions import Relation
from housemates.benchmarks.teach.tasks.tdl.state import State
from housemates.benchmarks.teach.world.dynamics import TeachWorld

Preference = Mapping[str, int]
"""Object id -> how much it is preferred."""
NO_PREFERENCE: Preference = {}


def assign_roles(
    task: BoundTask, world: TeachWorld, avoid: Collection[PlannedStep] = ()
) -> list[OpenCondition]:
    """The open conditions of a task, with one object assigned to each of its roles.

    Those are chosen that are nearest to what is wanted, then those that were touched before, then the
    nearest. Where there are too few dishes, several dishes of a meal share one.

    Args:
        task: What is asked.
        world: The home as it is.
        avoid: Steps that cannot be done; objects they are about are chosen last.
    """
    conditions = _RoleAssignment(world, avoid).task(task, NO_PREFERENCE).conditions
    return list(dict.fromkeys(conditions))


class _Assigned(NamedTuple):
    """The objects assigned to a component or a task."""

    objects: list[str]
    """Those that fill the role already; a whole that is still to be cut does not."""
    conditions: list[OpenCondition]
    options: list[str]
    """All that could fill it."""


class _RoleAssignment:
    """A greedy assignment of objects to the roles of one task."""

    def __init__(self, world: TeachWorld, avoid: Collection[PlannedStep]) -> None:
        self.home = world.home
        self.state = State(world.objects())
        self.trouble = Counter(step.target for step in avoid)
        self.taken: set[str] = set()

    def task(self, task: BoundTask, preference: Preference) -> _Assigned:
        """Assign one instance of a task; `preference` is about the objects of its anchor."""
        parts: dict[str, _Assigned] = {}
        tails = {relation.tail: relation for relation in task.relations}
        for component in sorted(task.components, key=lambda each: each.key not in tails):
            likes = dict(preference) if component.key == task.anchor else {}
            if component.key in tails:
                likes |= self._holders(task, tails[component.key])
            else:
                likes |= self._held(task, component.key, parts)
            parts[component.key] = self._component(component, likes)
        conditions = [
            condition for component in task.components for condition in parts[component.key].conditions
        ]
        for relation in task.relations:
            conditions += self._related(relation, parts)
        anchor = parts[task.anchor].objects if task.anchor in parts else []
        return _Assigned(anchor, conditions, anchor)

    def _component(self, component: BoundAtomic | BoundSubtask, preference: Preference) -> _Assigned:
        if isinstance(component, BoundAtomic):
            return self._atomic(component, preference)
        inner = [self.task(component.task, preference) for _ in range(component.count)]
        objects = [name for part in inner for name in part.objects]
        return _Assigned(objects, [condition for part in inner for condition in part.conditions], objects)

    def _atomic(self, component: BoundAtomic, preference: Preference) -> _Assigned:
        items = self._candidates(component)
        if component.determiner == "all":
            chosen = sorted(items, key=lambda item: self._distance(item["objectId"]))
        else:
            chosen = self._choose(component, items, preference)
            if not component.shareable:
                self.taken.update(item["objectId"] for item in chosen if self._is_made(component, item))
        conditions = [condition for item in chosen for condition in self._open_conditions(component, item)]
        objects, options = (
            [item["objectId"] for item in group if self._is_made(component, item)]
            for group in (chosen, items)
        )
        return _Assigned(objects, conditions, options)

    def _candidates(self, component: BoundAtomic) -> list[Object]:
        """Objects of the component's kind, and wholes that they can be cut from."""
        found = [self.state.objects[index] for index in self.state.candidates(component.primary)]
        found = [item for item in found if not item["isSliced"]]
        if component.whole is not None:
            wholes = (self.state.objects[index] for index in self.state.of_type(component.whole))
            found += [item for item in wholes if not item["isSliced"] and self._cuttable(item["objectId"])]
        return found

    def _cuttable(self, name: str) -> bool:
        thing = self.home.things[name]
        return thing.can("slice") and not thing.heel

    def _choose(self, component: BoundAtomic, items: list[Object], preference: Preference) -> list[Object]:
        """As many objects as are wanted; a whole may be chosen once for each of its slices."""
        ranked = sorted(items, key=lambda item: self._rank(component, item, preference))
        made = [item for item in ranked if self._is_made(component, item)]
        wholes = [item for item in ranked if not self._is_made(component, item)]
        fresh = [item for item in made if item["objectId"] not in self.taken]
        best = fresh[: component.count]
        missing = component.count - len(best)
        if missing and wholes:
            best += wholes[:1] * missing if component.sliced else wholes[:missing]
        return best or made[: component.count]

    def _rank(self, component: BoundAtomic, item: Object, preference: Preference) -> tuple[float, ...]:
        name = item["objectId"]
        held = sum(each.test(item, self.state) for each in component.conditions)
        return (
            self.trouble[name] + self._spoiled(component, item),
            -preference.get(name, 0),
            -held,
            name != self.home.agent.held,
            not item.get("simbotPickedUp"),
            self._distance(name),
        )

    @staticmethod
    def _spoiled(component: BoundAtomic, item: Object) -> int:
        """A penalty for cooked food where boiled food is wanted."""
        boiled = any(each.name == "simbotIsBoiled" for each in component.conditions)
        return 100 * (boiled and bool(item["isCooked"]) and not item.get("simbotIsBoiled"))

    def _is_made(self, component: BoundAtomic, item: Object) -> bool:
        """Whether an object is of the wanted kind, not a whole to be cut first."""
        return component.primary.test(item, self.state)

    def _distance(self, name: str) -> float:
        return round(math.dist(self.home.things[name].position, self.home.agent.position), 3)

    def _open_conditions(self, component: BoundAtomic, item: Object) -> list[OpenCondition]:
        if not self._is_made(component, item):
            return [OpenCondition(item["objectId"], CUT, 1)]
        return [
            OpenCondition(item["objectId"], each.name, each.value)
            for each in component.conditions
            if not each.test(item, self.state)
        ]

    def _holders(self, task: BoundTask, relation: Relation) -> Preference:
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

    def _held(self, task: BoundTask, key: str, parts: Mapping[str, _Assigned]) -> Preference:
        """A preference for objects that are where the task wants them."""
        places = {
            name
            for relation in task.relations
            if key in relation.heads and relation.tail in parts
            for name in parts[relation.tail].objects
        }
        if not places:
            return NO_PREFERENCE
        inside = (item for item in self.state.objects if not places.isdisjoint(self.state.parents(item)))
        return {item["objectId"]: 1 for item in inside if item["objectId"] not in self.taken}

    def _related(self, relation: Relation, parts: Mapping[str, _Assigned]) -> list[OpenCondition]:
        """Open conditions of objects that are not where a relation wants them."""
        if relation.tail not in parts:
            return []
        tail = parts[relation.tail]
        places = tuple(tail.objects if relation.tail_determiner == "the" else tail.options)
        conditions = []
        for key in relation.heads:
            for name in parts[key].objects if key in parts else ():
                item = self.state.by_id[name]
                if not set(places).isdisjoint(self.state.parents(item)) or name in places:
                    continue
                conditions.append(OpenCondition(name, INSIDE, None, places))
        return conditions


def _kind(component: BoundAtomic | BoundSubtask) -> BoundAtomic:
    """The atomic component that stands for a component in relations."""
    while isinstance(component, BoundSubtask):
        inner = component.task
        component = next(each for each in inner.components if each.key == inner.anchor)
    return component
