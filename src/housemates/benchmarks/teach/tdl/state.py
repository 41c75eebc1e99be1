"""The objects of a moment, looked up by type, class and id."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import Any

from housemates.benchmarks.teach.tdl.conditions import Condition, Object, types_matching
from housemates.benchmarks.teach.tdl.definitions import Value


class State:
    """Objects with AI2-THOR's property names and the derived `simbot...` ones, in a fixed order."""

    def __init__(self, objects: Sequence[Object]) -> None:
        self.objects = objects
        self._by_class: dict[str, list[int]] = {}
        self._chains: dict[int, Sequence[str]] = {}

    def candidates(self, primary: Condition, whole: str | None = None) -> list[int]:
        """Positions, in order, of the objects of a kind, and of those of type `whole` it can be cut from."""
        if primary.name == "objectType":
            wanted = types_matching(primary.value)
            return self._of_types(wanted if whole is None else (*wanted, whole))
        if primary.name == "simbotObjectClass" and isinstance(primary.value, str):
            return self.of_class(primary.value)
        return [index for index, item in enumerate(self.objects) if primary.test(item, self)]

    def _of_types(self, wanted: Sequence[Value]) -> list[int]:
        found = [self.by_type[value] for value in wanted if value in self.by_type]
        return found[0] if len(found) == 1 else sorted(chain.from_iterable(found))

    def of_class(self, wanted: str) -> list[int]:
        """Positions of the objects of a class."""
        known = self._by_class.get(wanted)
        if known is None:
            known = [index for index, classes in enumerate(self._classes) if wanted in classes]
            self._by_class[wanted] = known
        return known

    @cached_property
    def by_type(self) -> dict[Any, list[int]]:
        """Positions of the objects of each type."""
        found: dict[Any, list[int]] = {}
        for index, item in enumerate(self.objects):
            found.setdefault(item["objectType"], []).append(index)
        return found

    @cached_property
    def _classes(self) -> list[Sequence[str]]:
        found = [item.get("simbotObjectClass") or () for item in self.objects]
        return [(each,) if isinstance(each, str) else each for each in found]

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
        known = self._chains.get(id(item))
        if known is None:
            known = self._chains[id(item)] = self._chain(item)
        return known

    def _chain(self, item: Object) -> Sequence[str]:
        passed: list[str] = []
        seen = set()
        current: Object | None = item
        while current is not None and current["objectId"] not in seen:
            listed: Sequence[str] | None = current.get("parentReceptacles")
            if listed is not None:
                return [*passed, *listed] if passed else listed
            seen.add(current["objectId"])
            parent = current.get("simbotLastParentReceptacle")
            if parent is None or parent == current["objectId"]:
                break
            passed.append(parent)
            current = self.by_id.get(parent)
        return passed
