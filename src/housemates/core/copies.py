"""Copies of what runs: a deep copy in which all that never changes is shared.

It does what `copy.deepcopy` does, several times as fast: frozen records, functions and modules are shared,
and so are arrays that cannot be written to. A class that knows better has a `__deepcopy__`.
"""

from __future__ import annotations

import copy
import enum
import types
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Iterable
from dataclasses import is_dataclass
from itertools import chain
from typing import Any, TypeVar

import msgspec
import numpy as np

Copied = TypeVar("Copied")
Memo = dict[int, Any]
"""The copy of each object so far, by its `id`; as `copy.deepcopy` keeps it."""
Way = Callable[[Any, Memo], Any]
ATOMS = (
    *(type(None), type(Ellipsis), type(NotImplemented), bool, int, float, complex, str, bytes, range, slice),
    *(type, property, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.CodeType),
    *(types.MappingProxyType, np.dtype),
)


def shared(kind: type[Copied]) -> type[Copied]:
    """A decorator of classes whose objects never change once they are made: copies share them."""
    kind.__deepcopy__ = _same  # type: ignore[attr-defined]
    return kind


def _same(record: Any, memo: Memo) -> Any:
    return record


def copied(value: Copied, memo: Memo) -> Copied:
    """A copy of a value, in which what `memo` knows is what it says there.

    Raises:
        TypeError: Something in it cannot be copied, such as a generator or a lock.
    """
    way = _WAYS.get(type(value)) or _found(type(value))
    if way is _shared:
        return value
    found = memo.get(id(value))
    twin: Copied = way(value, memo) if found is None else found
    return twin


def copied_fields(value: Copied, memo: Memo) -> Copied:
    """A new object of the same class with copies of all attributes, for classes with a `__deepcopy__`."""
    twin = object.__new__(type(value))
    memo[id(value)] = twin
    ways, kept = _WAYS, vars(twin)
    for name, each in vars(value).items():
        kept[name] = each if ways.get(type(each)) is _shared else copied(each, memo)
    return twin


def _found(kind: type) -> Way:
    """How objects of a class are copied; it is looked up once."""
    _WAYS[kind] = way = _way(kind)
    return way


def _way(kind: type) -> Way:
    if issubclass(kind, enum.Enum | np.generic | type):
        return _shared
    own = getattr(kind, "__deepcopy__", None)
    if own is not None:
        return _shared if own is _same else _asked
    if _frozen(kind):
        return _shared
    plain = kind.__reduce_ex__ is object.__reduce_ex__ and kind.__reduce__ is object.__reduce__
    stateful = "__getstate__" in dir(kind) and kind.__getstate__ is not object.__getstate__
    if plain and not stateful and not hasattr(kind, "__setstate__") and _only_attributes(kind):
        return copied_fields
    if issubclass(kind, tuple) and hasattr(kind, "_fields"):
        return _tuple
    return copy.deepcopy


def _frozen(kind: type) -> bool:
    """Whether it is a class of records that never change."""
    if issubclass(kind, msgspec.Struct):
        return bool(kind.__struct_config__.frozen)
    return is_dataclass(kind) and bool(kind.__dataclass_params__.frozen)  # type: ignore[attr-defined]


def _only_attributes(kind: type) -> bool:
    """Whether all that its objects hold is in their `__dict__`."""
    slots = [each for base in kind.__mro__ for each in vars(base).get("__slots__", ())]
    return kind.__dictoffset__ != 0 and not set(slots) - {"__dict__", "__weakref__"} and not _built_in(kind)


def _built_in(kind: type) -> bool:
    """Whether it derives from a class that is written in C and may hold more than attributes."""
    return any(base is not object and not base.__flags__ & 1 << 9 for base in kind.__mro__)


def _shared(value: Any, memo: Memo) -> Any:
    return value


def _asked(value: Any, memo: Memo) -> Any:
    twin = memo[id(value)] = value.__deepcopy__(memo)
    return twin


def _all_shared(values: Iterable[Any]) -> bool:
    """Whether nothing among them has to be copied; tuples are looked into."""
    tuples = set()
    for kind in set(map(type, values)):
        way = _WAYS.get(kind) or _found(kind)
        if way is _tuple:
            tuples.add(kind)
        elif way is not _shared:
            return False
    parts = [each for each in values if type(each) in tuples] if tuples else []
    return not parts or _all_shared([*chain.from_iterable(parts)])


def _list(value: Any, memo: Memo) -> Any:
    """A list or a deque."""
    memo[id(value)] = twin = value.copy()
    if not _all_shared(value):
        for number, each in enumerate(value):
            twin[number] = copied(each, memo)
    return twin


def _dict(value: Any, memo: Memo) -> Any:
    """A mapping of the standard library."""
    memo[id(value)] = twin = value.copy()
    if not _all_shared(value):
        twin.clear()
        twin.update((copied(key, memo), copied(each, memo)) for key, each in value.items())
    elif not _all_shared(value.values()):
        for key, each in value.items():
            twin[key] = copied(each, memo)
    return twin


def _set(value: Any, memo: Memo) -> Any:
    memo[id(value)] = twin = (
        value.copy() if _all_shared(value) else type(value)(copied(each, memo) for each in value)
    )
    return twin


def _tuple(value: Any, memo: Memo) -> Any:
    """A tuple, a named one as well; the same one if nothing in it changes."""
    if _all_shared(value):
        return value
    parts = [copied(each, memo) for each in value]
    if all(new is old for new, old in zip(parts, value, strict=True)):
        return value
    return memo.setdefault(id(value), tuple.__new__(type(value), parts))


def _array(value: Any, memo: Memo) -> Any:
    if value.dtype.hasobject:
        return copy.deepcopy(value, memo)
    fixed = value.base is None and not value.flags.writeable
    twin = memo[id(value)] = value if fixed else value.copy()
    return twin


def _method(value: Any, memo: Memo) -> Any:
    return types.MethodType(value.__func__, copied(value.__self__, memo))


_WAYS: dict[type, Way] = {
    **dict.fromkeys(ATOMS, _shared),
    **dict.fromkeys((list, deque), _list),
    **dict.fromkeys((dict, defaultdict, OrderedDict, Counter), _dict),
    **dict.fromkeys((set, frozenset), _set),
    tuple: _tuple,
    np.ndarray: _array,
    types.MethodType: _method,
}
