"""Copies of what runs: what changes is copied once, what never does is shared."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import dataclass
from typing import Any, NamedTuple

import msgspec
import numpy as np
import pytest

from housemates.core.copies import copied, copied_fields, shared


@dataclass(frozen=True)
class Frozen:
    name: str


class Row(msgspec.Struct, frozen=True):
    name: str


class Pair(NamedTuple):
    one: Any
    other: Any


class Plain:
    """Holds whatever it is given."""

    def __init__(self, **values: Any) -> None:
        self.__dict__.update(values)

    def told(self) -> Any:
        return self.told_of  # type: ignore[attr-defined]


@shared
class Fixed(Plain):
    """Is not changed."""


class Slotted:
    __slots__ = ("values",)

    def __init__(self, values: Any) -> None:
        self.values = values


@pytest.mark.parametrize(
    "value",
    [
        3,
        "x",
        None,
        Frozen("a"),
        Row("a"),
        Fixed(x=[]),
        print,
        Pair(1, Frozen("b")),
        (1, (2, "x")),
        np.float32(1),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_never_changes_is_shared(value: Any) -> None:
    assert copied(value, {}) is value
    assert copied([value], {})[0] is value
    assert copied({"key": (value, value)}, {})["key"][0] is value


@pytest.mark.parametrize(
    "value",
    [
        *([1, [2]], {1: {2}}, {(1, 2): [3]}, deque([1, [2]], 5), Counter("aab"), OrderedDict(a=[1])),
        *(defaultdict(list, a=[1]), {1, 2}, (1, [2]), Pair([1], 2), [Pair((1, [2]), 3)], bytearray(b"x")),
    ],
    ids=str,
)
def test_what_changes_is_copied_all_the_way_down(value: Any) -> None:
    before, twin = repr(value), copied(value, {})
    assert (twin, type(twin)) == (value, type(value))
    changed = changed_in(twin)
    assert changed
    assert repr(value) == before


def changed_in(value: Any) -> bool:
    """Change everything in a value that can be."""
    if isinstance(value, dict):
        for each in [*value.values()]:
            changed_in(each)
        value["new"] = 7
        return True
    if isinstance(value, list | deque | tuple):
        found = [changed_in(each) for each in list(value)]
        if not isinstance(value, tuple):
            value.append(7)
        return not isinstance(value, tuple) or any(found)
    if isinstance(value, set):
        value.add(7)
        return True
    if isinstance(value, bytearray):
        value.extend(b"y")
        return True
    return False


def test_objects_are_copied_once_and_point_at_each_other_as_before() -> None:
    part = Plain(values=[1])
    whole = Plain(part=part, parts=[part, part], key={part: part}, told_of=part, slotted=Slotted(part))
    whole.me, whole.ask, part.whole = whole, whole.told, whole  # type: ignore[attr-defined]
    twin: Any = copied(whole, {})
    assert twin.part is not part
    assert twin.me is twin.part.whole is twin
    assert all(
        each is twin.part for each in (*twin.parts, *twin.key, *twin.key.values(), twin.slotted.values)
    )
    assert twin.ask() is twin.part
    twin.part.values.append(2)
    assert part.values == [1]


def test_what_the_memo_knows_is_what_it_says_there() -> None:
    service, home = object(), [1]
    twin: Any = copied(
        Plain(service=service, homes=[home, (home, 2)]), {id(service): service, id(home): "other"}
    )
    assert twin.service is service
    assert twin.homes == ["other", ("other", 2)]


def test_arrays_are_copied_unless_nobody_can_write_to_them() -> None:
    free, fixed, objects = np.arange(3), np.arange(3), np.array([[1], None], dtype=object)
    fixed.flags.writeable = False
    assert copied(free, {}) is not free
    assert copied(fixed, {}) is fixed
    view = free[:2]
    view.flags.writeable = False
    assert copied(view, {}).base is not free
    twin = copied(objects, {})
    twin[0].append(2)
    assert objects[0] == [1]


def test_generators_of_numbers_go_on_alike_and_apart() -> None:
    rng = np.random.default_rng(3)
    twin = copied(rng, {})
    drawn = [rng.random() for _ in range(3)]
    assert [twin.random() for _ in range(3)] == drawn


@pytest.mark.parametrize("value", [(each for each in "ab"), threading.Lock()], ids=["generator", "lock"])
def test_what_cannot_be_copied_raises(value: Any) -> None:
    with pytest.raises(TypeError, match="cannot pickle"):
        copied(Plain(part=[value]), {})


def test_a_class_may_change_what_is_copied() -> None:
    class Cached(Plain):
        def __deepcopy__(self, memo: Any) -> Any:
            twin = copied_fields(self, memo)
            twin.cache = {}
            return twin

    whole = Plain(one=Cached(cache={1: 2}, values=[1]))
    whole.other = whole.one  # type: ignore[attr-defined]
    twin: Any = copied(whole, {})
    assert (twin.one.cache, twin.one.values, twin.one is twin.other) == ({}, [1], True)
