"""The objects of a moment, looked up by type, class and id."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from housemates.benchmarks.teach.tasks.tdl.conditions import TWINS, Condition, Object, types_matching
from housemates.benchmarks.teach.tasks.tdl.forms import Value


class State:
    """Objects with AI2-THOR's property names and the derived `simbot...` ones, in a fixed order."""

    def __init__(self, objects: Sequence[Object]) -> None:
        self.objects = objects
        self._known: dict[tuple[str, Value], list[int]] = {}
        self._chains: dict[int, Sequence[str]] = {}

    def candidates(self, primary: Condition, whole: str | None = None) -> list[int]:
        """Positions, in order, of the objects of a kind, and of those of type `whole` it can be cut from."""
        if primary.name == "objectType":
            found = self.of_type(primary.value)
            for other in (TWINS.get(primary.value), whole):
                if other is not None and other in self._types:
                    found = sorted(found + self.of_type(other))
            return found
        if primary.name == "simbotObjectClass" and isinstance(primary.value, str):
            return self.of_class(primary.value)
        return [index for index, item in enumerate(self.objects) if primary.test(item, self)]

    def of_type(self, wanted: Value) -> list[int]:
        """Positions of the objects of a type."""
        known = self._known.get(("type", wanted))
        if known is None:
            known = self._known["type", wanted] = []
            position = -1
            for _ in range(self._types.count(wanted)):
                position = self._types.index(wanted, position + 1)
                known.append(position)
        return known

    def of_class(self, wanted: str) -> list[int]:
        """Positions of the objects of a class."""
        known = self._known.get(("class", wanted))
        if known is None:
            found = [index for index, classes in enumerate(self._classes) if wanted in classes]
            known = self._known["class", wanted] = found
        return known

    @cached_property
    def _types(self) -> list[Value]:
        return [item["objectType"] for item in self.objects]

    @cached_property
    def _classes(self) -> list[Sequence[str]]:
        return [item.get("simbotObjectClass") or () for item in self.objects]

    @cached_property
    def by_id(self) -> dict[str, Object]:
        """Objects by id; where two share one, the first."""
        return {item["objectId"]: item for item in reversed(self.objects)}

    def is_kind(self, object_id: str | None, wanted: Value) -> bool:
        """Whether the object of this id is there and is of the wanted type or class."""
        item = None if object_id is None else self.by_id.get(object_id)
        if item is None:
            return False
        return item["objectType"] in types_matching(wanted) or wanted in item.get("simbotObjectClass", ())

    def parents(self, item: Object) -> Sequence[str]:
        """Ids of what holds the object: as the simulator lists them, else along the last known parents."""
        listed: Sequence[str] | None = item.get("parentReceptacles")
        if listed is not None:
            return listed
        known = self._chains.get(id(item))
        if known is None:
            known = self._chains[id(item)] = self._chain(item)
        return known

    def _chain(self, item: Object) -> Sequence[str]:
        passed: list[str] = []
        current: Object | None = item
        while current is not None:
            listed: Sequence[str] | None = current.get("parentReceptacles")
            if listed is not None:
                return [*passed, *listed]
            parent = current.get("simbotLastParentReceptacle")
            if parent is None or parent == current["objectId"] or parent in passed:
                break
            passed.append(parent)
            current = self.by_id.get(parent)
        return passed
