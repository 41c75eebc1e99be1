"""Problems as PDDL text, for planners other than ours; the domain is `domain.pddl`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from importlib import resources

from housemates.benchmarks.alfred.tasks.goals import classes, home_type
from housemates.benchmarks.alfred.tasks.planning.problem import HAND, TREATMENTS, Place, Problem

MAKES = {"HeatObject": "heats", "CoolObject": "cools", "CleanObject": "cleans"}


def domain() -> str:
    """The text of `domain.pddl`."""
    return resources.files(__package__).joinpath("domain.pddl").read_text(encoding="utf-8")


def symbol(name: str) -> str:
    """A name that PDDL allows for an id or a class, such as `mug_m01-18_p00-91_p00-53`."""
    plain = (
        name.replace("|", "_").replace("+", "p").replace("-", "m").replace(".", "-").replace(":", "_piece_")
    )
    return re.sub(r"[^a-z0-9_-]", "_", plain.lower())


def spot(problem: Problem, name: str) -> str:
    """The symbol of a place; that of a thing on the floor is not the thing's own."""
    return symbol(f"floor-{name}" if name in problem.items else name)


def problem_text(problem: Problem, name: str = "task") -> str:
    """A problem as PDDL."""
    pieces = list(_pieces(problem))
    items = [*problem.items, *(piece for _, *both in pieces for piece in both)]
    kinds = {place.type for place in problem.places.values()} | {item.type for item in problem.items.values()}
    kinds |= {problem.task.target, home_type(problem.task.mrecep_target or problem.task.object_target)}
    facts = [*_place_facts(problem), *_item_facts(problem), *_piece_facts(problem, pieces)]
    return "\n".join(
        [
            f"(define (problem {symbol(name)})",
            "  (:domain alfred)",
            "  (:objects",
            *_listed(["start", *(spot(problem, name) for name in problem.places)], "place"),
            *_listed(map(symbol, items), "item"),
            *_listed(map(_kind, sorted(kinds)), "class"),
            "  )",
            "  (:init",
            "    (near start)",
            *(f"    {fact}" for fact in facts),
            "  )",
            "  (:goal (and",
            *(f"    {wanted}" for wanted in _goal(problem)),
            "  ))",
            ")",
            "",
        ]
    )


def _symbols(names: Iterable[str]) -> str:
    return " ".join(map(symbol, names))


def _listed(names: Iterable[str], kind: str) -> list[str]:
    return [f"    {name} - {kind}" for name in names]


def _kind(name: str) -> str:
    return symbol(f"class_{name}")


def _pieces(problem: Problem) -> Iterator[tuple[str, str, str]]:
    """What can be cut, and two pieces of it."""
    if problem.task.object_sliced:
        for whole in problem.of_type(home_type(problem.task.object_target)):
            yield whole.id, f"{whole.id}:0", f"{whole.id}:1"


def _place_facts(problem: Problem) -> Iterator[str]:
    treatment = TREATMENTS.get(problem.task.type)
    for place in problem.places.values():
        here = spot(problem, place.id)
        yield f"(place-class {here} {_kind(place.type)})"
        if place.shuts:
            yield f"(shuts {here})"
        if place.shuts and place.open:
            yield f"(opened {here})"
        if treatment and place.type == treatment[1]:
            yield f"({MAKES[treatment[0]]} {here})"
        if place.type in classes().lamps:
            yield f"(lamp {here})"
        if place.id in problem.lit:
            yield f"(lit {here})"


def _item_facts(problem: Problem) -> Iterator[str]:
    cut = {whole for whole, *_ in _pieces(problem)}
    for item in problem.items.values():
        this = symbol(item.id)
        yield f"(item-class {this} {_kind(item.type)})"
        if item.place == HAND:
            yield f"(held {this})"
        elif item.base:
            yield f"(on {this} {symbol(item.base)})"
        else:
            yield f"(at {this} {spot(problem, item.place)})"
        if item.treated:
            yield f"(treated {this})"
        if item.type == home_type(problem.task.mrecep_target):
            yield f"(base {this})"
        if item.type in classes().knives:
            yield f"(knife {this})"
        if item.id in cut:
            yield f"(stays {this})"
        yield from _room(problem, item.id, item.type)
    if problem.held is None:
        yield "(hand-empty)"


def _room(problem: Problem, name: str, kind: str) -> Iterator[str]:
    for place in problem.places.values():
        if _takes(place, kind) and problem.allows("PutObject", name.partition(":")[0], place.id):
            yield f"(takes {spot(problem, place.id)} {symbol(name)})"


def _takes(place: Place, kind: str) -> bool:
    return place.holds and (not place.takes or kind in place.takes)


def _piece_facts(problem: Problem, pieces: list[tuple[str, str, str]]) -> Iterator[str]:
    for whole, first, second in pieces:
        yield f"(pieces {_symbols((whole, first, second))})"
        for piece in (first, second):
            yield f"(item-class {symbol(piece)} {_kind(problem.task.target)})"
            yield from _room(problem, piece, problem.task.target)


def _goal(problem: Problem) -> list[str]:
    """What must be true in the end, all of it."""
    task = problem.task
    thing, where = _kind(task.target), _kind(home_type(task.parent_target or task.toggle_target))
    shut = [f"(not (opened {spot(problem, name)}))" for name in sorted(problem.to_close)]
    one = f"(item-class ?i {thing}) (place-class ?p {where})"
    if task.type == "look_at_obj_in_light":
        wanted = f"(exists (?i - item ?p - place) (and {one} (held ?i) (lit ?p) (near ?p)))"
    elif task.type == "pick_two_obj_and_place":
        other = f"(item-class ?j {thing}) (not (= ?i ?j))"
        wanted = f"(exists (?i ?j - item ?p - place) (and {one} {other} (at ?i ?p) (at ?j ?p)))"
    elif task.type == "pick_and_place_with_movable_recep":
        base = f"(item-class ?b {_kind(home_type(task.mrecep_target))})"
        wanted = f"(exists (?i ?b - item ?p - place) (and {one} {base} (on ?i ?b) (at ?b ?p)))"
    else:
        treated = " (treated ?i)" if task.type in TREATMENTS else ""
        wanted = f"(exists (?i - item ?p - place) (and {one} (at ?i ?p){treated}))"
    return [wanted, *shut]
