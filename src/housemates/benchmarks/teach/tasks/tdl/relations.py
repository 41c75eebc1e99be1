"""Checking a relation: are the head components' objects held by those of the tail component?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from housemates.benchmarks.teach.tasks.tdl.conditions import Object
from housemates.benchmarks.teach.tasks.tdl.definitions import Relation
from housemates.benchmarks.teach.tasks.tdl.progress import (
    Problem,
    Problems,
    ProgressStep,
    Subgoal,
    settled,
    undone,
)
from housemates.benchmarks.teach.tasks.tdl.state import State


class _Head(NamedTuple):
    """A head component of a relation: its objects and the ids each of them is related to."""

    determiner: str
    objects: Sequence[Object]
    values: Sequence[Sequence[str]]

    def wanted(self, instances: int) -> int:
        """How many of the objects have to be related."""
        if self.determiner == "all":
            return len(self.objects)
        return instances if self.determiner == "a" else instances * int(self.determiner)


class _Tail(NamedTuple):
    """A tail object and, for each head, which of its objects it holds."""

    item: Object
    inside: list[list[Object]]
    outside: list[list[Object]]
    heads_done: int
    objects_done: int


def check_relation(
    relation: Relation, related: Mapping[str, Sequence[Object]], state: State, instances: int
) -> Subgoal:
    """The subgoal of a relation.

    Args:
        relation: What is asked.
        related: The objects of each component, those that are as wanted first.
        state: Where they are.
        instances: How many times the task is wanted.
    """
    heads = [
        _Head(determiner, objects, [_values(item, relation.property, state) for item in objects])
        for name, determiner in zip(relation.heads, relation.head_determiners, strict=True)
        for objects in [related.get(name, ())]
    ]
    total = sum(
        instances * len(each.objects) if each.determiner == "all" else each.wanted(instances)
        for each in heads
    )
    tails = related.get(relation.tail, ())
    if not tails:
        return Subgoal(success=False, steps=[], problems=None, total=total, satisfied=0)
    heads = [each for each in heads if each.determiner != "0"]
    if relation.tail_determiner == "a":
        return _in_any(relation, heads, tails, instances, total)
    return _in_one(relation, heads, tails, instances, total)


def _values(item: Object, name: str, state: State) -> Sequence[str]:
    if name == "parentReceptacles":
        return state.parents(item)
    found = item.get(name) or ()
    return (found,) if isinstance(found, str) else found


def _in_any(
    relation: Relation, heads: list[_Head], tails: Sequence[Object], instances: int, total: int
) -> Subgoal:
    """Each head object may be in any of the tail objects."""
    ids = {item["objectId"] for item in tails}
    types = tuple(dict.fromkeys(item["objectType"] for item in tails))
    steps: list[ProgressStep] = []
    problems: Problems = {}
    related: list[Object] = []
    success = True
    for head in heads:
        inside: list[Object] = []
        outside: list[Object] = []
        for item, values in zip(head.objects, head.values, strict=True):
            (outside if ids.isdisjoint(values) else inside).append(item)
        missing = max(0, head.wanted(instances) - len(inside))
        success = success and not missing
        _report(relation, head.determiner, types, outside[:missing], steps, problems)
        if head.determiner == "all" and not outside:
            steps += _held(relation, inside[:1])
        related += inside
    if success and not steps:
        steps += _held(relation, related[:1])
    return Subgoal(success, steps, problems, total, len(related))


def _in_one(
    relation: Relation, heads: list[_Head], tails: Sequence[Object], instances: int, total: int
) -> Subgoal:
    """One tail object holds all heads, for as many tail objects as the task is wanted times."""
    done: list[_Tail] = []
    best: list[_Tail] = []
    for item in tails:
        tail = _tail(item, heads)
        if tail.heads_done == len(heads):
            done.append(tail)
            if len(done) >= instances:
                break
        else:
            _insert(best, tail)
            del best[max(0, instances - len(done)) :]
    steps: list[ProgressStep] = []
    problems: Problems = {}
    missing = best[: max(0, instances - len(done))]
    for tail in missing:
        for head, inside, outside in zip(heads, tail.inside, tail.outside, strict=True):
            lacking = outside[: max(0, head.wanted(1) - len(inside))]
            _report(relation, head.determiner, (tail.item["objectType"],), lacking, steps, problems)
    satisfied = sum(tail.objects_done for tail in (*done[:instances], *missing))
    return Subgoal(len(done) >= instances, steps, problems, total, satisfied)


def _held(relation: Relation, items: Sequence[Object]) -> list[ProgressStep]:
    return [settled(item, relation.failure, relation.property, None) for item in items]


def _tail(item: Object, heads: list[_Head]) -> _Tail:
    key = item["objectId"]
    inside: list[list[Object]] = [[] for _ in heads]
    outside: list[list[Object]] = [[] for _ in heads]
    for number, head in enumerate(heads):
        for each, values in zip(head.objects, head.values, strict=True):
            (inside if key in values else outside)[number].append(each)
    counts = [(head.wanted(1), len(found)) for head, found in zip(heads, inside, strict=True)]
    return _Tail(
        item=item,
        inside=inside,
        outside=outside,
        heads_done=sum(found >= wanted for wanted, found in counts),
        objects_done=sum(min(wanted, found) for wanted, found in counts),
    )


def _insert(best: list[_Tail], tail: _Tail) -> None:
    """Put `tail` before the first that it beats in heads or in objects."""
    place = next(
        (
            index
            for index, other in enumerate(best)
            if tail.heads_done > other.heads_done or tail.objects_done > other.objects_done
        ),
        len(best),
    )
    best.insert(place, tail)


def _report(
    relation: Relation,
    determiner: str,
    tail_types: tuple[str, ...],
    lacking: Sequence[Object],
    steps: list[ProgressStep],
    problems: Problems,
) -> None:
    for item in lacking:
        steps.append(undone(item, relation.failure))
        problems.setdefault(item["objectId"], []).append(
            Problem(item["objectType"], determiner, relation.property, tail_types[0], tail_types[1:])
        )
