"""What the human wants: goal templates, goals made from them, and the form in which planners read them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from housemates.benchmarks.handmethat.tasks.logic import (
    RELATIONS,
    And,
    Atom,
    Exists,
    Forall,
    Formula,
    Not,
    Or,
    atoms,
    parse_pddl,
    parse_template,
    substitute,
    write_pddl,
)
from housemates.benchmarks.handmethat.world.catalog import subclasses
from housemates.benchmarks.handmethat.world.dynamics import Scene, World
from housemates.errors import HousematesError
from housemates.files import shipped

SLOT = re.compile(r"\[(\w+)\](\d*)")


@dataclass(frozen=True)
class Want:
    """One conjunct of a goal: all or one of a category, where they should be, and how they should be."""

    every: bool
    kind: str
    place: str | None = None
    """An object's name, or a category's if `any_place`; None if it does not matter."""
    any_place: bool = False
    states: tuple[tuple[str, int], ...] = ()
    place_states: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Goal:
    """A goal with all its slots filled."""

    number: int
    """The template's number, from 0 to 68; -1 if it came from none."""
    conjuncts: tuple[Formula, ...]
    wants: tuple[Want, ...]

    @property
    def formula(self) -> Formula:
        """The conjunction of all parts of the goal."""
        return And(self.conjuncts)

    @property
    def pddl(self) -> str:
        """The whole goal as the official files write it."""
        return write_pddl(self.formula)


@dataclass(frozen=True)
class Template:
    """A goal with slots for categories and objects."""

    number: int
    name: str
    each: str | None
    conjuncts: tuple[Formula, ...]

    @property
    def slots(self) -> tuple[str, ...]:
        """The slots for categories, in order of first use."""
        named = (atom.predicate for part in self.conjuncts for atom in atoms(part))
        found = [word for word in named if SLOT.fullmatch(word)]
        return tuple(dict.fromkeys([*found, *([self.each] if self.each and "[" in self.each else [])]))

    @property
    def object_slots(self) -> tuple[str, ...]:
        """The slots for single objects, such as `[box]1`."""
        args = (arg for part in self.conjuncts for atom in atoms(part) for arg in atom.args)
        return tuple(dict.fromkeys(arg for arg in args if SLOT.fullmatch(arg)))


@cache
def templates() -> tuple[Template, ...]:
    """The 69 templates, in the order of the official numbering."""
    return tuple(
        Template(number, row["name"], row.get("each"), tuple(parse_template(text) for text in row["wants"]))
        for number, row in enumerate(_table()["goal"])
    )


@cache
def version2() -> tuple[int, ...]:
    """The numbers of the 25 templates of version 2."""
    return tuple(_table()["version2"])


def _table() -> dict[str, Any]:
    return shipped(__package__, "goals.toml")


def sample_goal(template: Template, scene: Scene, rng: np.random.Generator) -> Goal | None:
    """A random goal from the template, or None if the scene lacks what it needs."""
    names: dict[str, str] = {}
    for slots, candidates in ((template.slots, present), (template.object_slots, instances)):
        for group in grouped(slots):
            found = candidates(scene, subject(group[0]))
            if len(found) < len(group):
                return None
            picked = rng.permutation(len(found))[: len(group)]
            names |= {slot: found[number] for slot, number in zip(group, picked, strict=True)}
    return fill(template, scene, names)


def fill(template: Template, scene: Scene, names: dict[str, str]) -> Goal | None:
    """The template's goal with these categories and objects, or None if something it names is absent."""
    conjuncts = []
    for part in template.conjuncts:
        filled = substitute(part, names)
        if template.each is None or "each" not in {arg for atom in atoms(part) for arg in atom.args}:
            conjuncts.append(filled)
            continue
        kind = names.get(template.each, template.each)
        conjuncts += [
            substitute(filled, {"each": scene.names[number]}) for number in scene.instances.get(kind, ())
        ]
    conjuncts = list(dict.fromkeys(conjuncts))
    wants = tuple(compile_want(part) for part in conjuncts)
    absent = any(want.kind not in scene.instances for want in wants)
    return None if absent or not wants else Goal(template.number, tuple(conjuncts), wants)


def read_goal(text: str, number: int = -1, source: str = "goal") -> Goal:
    """The goal of a PDDL text; its shape must be one that the planners can read."""
    formula = parse_pddl(text, source)
    conjuncts = formula.parts if isinstance(formula, And) else (formula,)
    return Goal(number, conjuncts, tuple(compile_want(part, source) for part in conjuncts))


def check_names(goal: Goal, scene: Scene, source: str) -> None:
    """Raise if the goal names an object that the scene does not have."""
    for part in goal.conjuncts:
        for atom in atoms(part):
            for arg in atom.args:
                if len(arg) > 1 and arg not in scene.index:
                    raise HousematesError(f"{source}: the goal names {arg!r:.40}, which is not in the scene.")


def compile_want(formula: Formula, source: str = "goal") -> Want:
    """A conjunct as a `Want`."""
    outer: tuple[str, str] | None = None
    match formula:
        case Exists(y, And((Atom(kind, (y2,)), *rest))) if y == y2 and _has_quantifier(rest):
            outer, formula = (y, kind), rest[0] if len(rest) == 1 else And(tuple(rest))
    match formula:
        case Forall(x, Or((Not(Atom(kind, (x2,))), body))) if x == x2:
            return _want(True, x, kind, body, outer, source)
        case Exists(x, And((Atom(kind, (x2,)), *rest))) if x == x2:
            return _want(False, x, kind, And(tuple(rest)), outer, source)
    raise HousematesError(f"{source}: no planner reads the shape of {write_pddl(formula)!r:.120}.")


def _has_quantifier(parts: Sequence[Formula]) -> bool:
    return any(isinstance(part, Exists | Forall) for part in parts)


def _want(every: bool, x: str, kind: str, body: Formula, outer: tuple[str, str] | None, source: str) -> Want:
    place = outer[1] if outer else None
    states, place_states = [], []
    for part in _literals(body):
        atom, value = (part.part, 0) if isinstance(part, Not) else (part, 1)
        if not isinstance(atom, Atom):
            raise HousematesError(f"{source}: no planner reads the shape of {write_pddl(part)!r:.120}.")
        if atom.predicate in RELATIONS:
            place = place if outer else atom.args[1]
        elif atom.args == (x,):
            states.append((atom.predicate, value))
        else:
            place_states.append((atom.predicate, value))
    return Want(every, kind, place, outer is not None, tuple(states), tuple(place_states))


def _literals(formula: Formula) -> Iterator[Formula]:
    if isinstance(formula, And):
        for part in formula.parts:
            yield from _literals(part)
    else:
        yield formula


def subject(slot: str) -> str:
    """The subclass or category that a slot is about."""
    match = SLOT.fullmatch(slot)
    assert match is not None
    return match[1]


def grouped(slots: Sequence[str]) -> list[list[str]]:
    """Slots about the same subclass or category together; they must be filled differently."""
    groups: dict[str, list[str]] = {}
    for slot in slots:
        groups.setdefault(subject(slot), []).append(slot)
    return list(groups.values())


def present(scene: Scene, subclass: str) -> list[str]:
    """The categories of a subclass that the scene has."""
    return [name for name in subclasses()[subclass] if name in scene.instances]


def instances(scene: Scene, kind: str) -> list[str]:
    """The names of the objects of a category."""
    return [scene.names[number] for number in scene.instances.get(kind, ())]


def satisfied(goal: Goal, world: World) -> bool:
    """Whether the goal holds, by its wants (the same answer as evaluating its formula, but fast)."""
    return all(_want_holds(want, world) for want in goal.wants)


def _want_holds(want: Want, world: World) -> bool:
    scene = world.scene
    members = scene.instances.get(want.kind, ())
    places: Sequence[int | None] = [None]
    if want.place is not None:
        places = scene.instances.get(want.place, ()) if want.any_place else [scene.index[want.place]]
    test = all if want.every else any
    return any(
        (place is None or all(world.flag(place, flag) == bool(value) for flag, value in want.place_states))
        and test(
            (place is None or world.parent(member) == place)
            and all(world.flag(member, flag) == bool(value) for flag, value in want.states)
            for member in members
        )
        for place in places
    )
