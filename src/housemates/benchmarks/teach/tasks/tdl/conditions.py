"""A condition on an object: a property, the value it should have, and the test that compares them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from housemates.benchmarks.teach.tasks.tdl.forms import Value
from housemates.home.kinds import BASIN_TYPES

if TYPE_CHECKING:
    from housemates.benchmarks.teach.tasks.tdl.state import State

Object = Mapping[str, Any]
Test = Callable[[Object, "State"], bool]

TWINS: dict[Value, str] = {one: other for pair in BASIN_TYPES.items() for one, other in (pair, pair[::-1])}


class Condition(NamedTuple):
    """One property, the value wanted of it, and whether an object has it."""

    name: str
    value: Value
    test: Test

    def __reduce__(self) -> tuple[Callable[..., Condition], tuple[str, Value]]:
        return condition, (self.name, self.value)


def types_matching(wanted: Value) -> tuple[Value, ...]:
    """The object types that pass for `wanted`: itself, and for a sink its basin and the reverse."""
    return (wanted, TWINS[wanted]) if isinstance(wanted, str) and wanted in TWINS else (wanted,)


def condition(name: str, value: Value) -> Condition:
    """The condition that property `name` has `value`; an object without the property fails it."""
    if name == "objectType":
        return Condition(name, value, _type_test(value))
    if name == "simbotLastParentReceptacle" and value is not None:
        return Condition(name, value, lambda item, state: state.is_kind(item.get(name), value))
    if name == "parentReceptacles":
        return Condition(name, value, _inside_test(value))
    if type(value) is int and value in (0, 1):
        return Condition(name, value, _flag_test(name, bool(value)))
    return Condition(name, value, _value_test(name, value))


def _type_test(value: Value) -> Test:
    accepted = types_matching(value)
    return lambda item, state: item.get("objectType") in accepted


def _inside_test(value: Value) -> Test:
    def test(item: Object, state: State) -> bool:
        if "parentReceptacles" not in item:
            return False
        return any(state.is_kind(parent, value) for parent in state.parents(item))

    return test


def _flag_test(name: str, wanted: bool) -> Test:
    return lambda item, state: name in item and bool(item[name]) is wanted


def _value_test(name: str, value: Value) -> Test:
    def test(item: Object, state: State) -> bool:
        if name not in item:
            return False
        found = item[name]
        return value in found if isinstance(found, list) else bool(found == value)

    return test
