"""Goals of version 1: too many to weigh one by one, so some are drawn and judged by rough costs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from housemates.benchmarks.handmethat.agents.goalposterior import Hypothesis, as_hypotheses, rewind
from housemates.benchmarks.handmethat.tasks import goals
from housemates.benchmarks.handmethat.tasks.goals import Goal, Template, Want, fill
from housemates.benchmarks.handmethat.tasks.planning import delivery
from housemates.benchmarks.handmethat.tasks.planning.plans import Value
from housemates.benchmarks.handmethat.tasks.planning.stages import satisfying
from housemates.benchmarks.handmethat.world.catalog import table
from housemates.benchmarks.handmethat.world.dynamics import HUMAN, Scene, World
from housemates.benchmarks.handmethat.world.operators import Action

DRAWS = 30
"""Goals drawn from each template."""
UNEXPLAINED = 0.05
"""How likely an object is to be picked up or changed that the goal has no use for."""
DETOUR = 0.5
"""How much less likely, on a log scale, a goal is for each action that does not serve it."""
CHANGED_BY = {
    "heat-obj": "cooked",
    "cool-obj": "frozen",
    "slice-obj": "sliced",
    "soak-obj": "soaked",
    "clean-obj-at-location": "dusty",
    "clean-location": "dusty",
    "toggle-on-movable-at-location": "toggled",
}


def rough_value(goal: Goal) -> Value:
    """What a goal costs, roughly: deliveries in closed form, one action a state, and fetching a tool."""
    places = tuple(replace(want, states=(), place_states=()) for want in goal.wants if want.place is not None)
    moved = Goal(goal.number, (), places)

    def value(world: World) -> int | None:
        carried = delivery.cost(moved, world) if places else 0
        return None if carried is None else carried + sum(_changes(want, world) for want in goal.wants)

    return value


def _changes(want: Want, world: World) -> int:
    """Actions that change states for a conjunct, and one or two more if the human lacks the tool."""
    members = world.scene.instances.get(want.kind, ())
    each = [sum(world.flag(member, flag) != bool(state) for flag, state in want.states) for member in members]
    left = (sum(each) if want.every else min(each, default=0)) if want.states else 0
    place = world.scene.index.get(want.place or "")
    if place is not None and not want.any_place:
        left += sum(world.flag(place, flag) != bool(state) for flag, state in want.place_states)
    flags = {flag for flag, _ in (*want.states, *want.place_states)}
    if left and flags & {"dusty", "stained", "sliced"}:
        held = world.values[world.scene.held(HUMAN)]
        tools = {"knife"} if "sliced" in flags else set(table()["cleans"])
        left += 0 if held >= 0 and world.scene.kinds[held].name in tools else 2
    return left


def guess(
    world: World, actions: Sequence[Action], numbers: Iterable[int], rng: np.random.Generator
) -> list[Hypothesis]:
    """Goals that fit what the human did, most probable first."""
    start = rewind(world, actions)
    touched = [world.scene.kinds[args[0]].name for name, args in actions if name.startswith("pick-up")]
    weighed: list[tuple[Goal, int | None, float]] = []
    for number in numbers:
        for goal in _drawn(goals.templates()[number], world.scene, touched, rng):
            value = rough_value(goal)
            before, after = value(start), value(world)
            if before is None or after is None or after == 0:
                continue
            detour = abs(len(actions) + after - before)
            strange = _unexplained(goal, actions, world)
            weighed.append((goal, None, math.exp(-DETOUR * detour) * UNEXPLAINED**strange))
    best = sorted(weighed, key=lambda item: -item[2])[:60]
    return as_hypotheses(best)


def _drawn(template: Template, scene: Scene, touched: Sequence[str], rng: np.random.Generator) -> list[Goal]:
    """Random goals of a template; slots are filled with categories that the human touched where they fit."""
    found: dict[tuple[Want, ...], Goal] = {}
    for _ in range(DRAWS):
        names: dict[str, str] = {}
        for slots, candidates in ((template.slots, goals.present), (template.object_slots, goals.instances)):
            for group in goals.grouped(slots):
                options = candidates(scene, goals.subject(group[0]))
                if len(options) < len(group):
                    return []
                order = [options[position] for position in rng.permutation(len(options))]
                picked = sorted(order, key=lambda name: name not in touched)[: len(group)]
                spots = rng.permutation(len(group))
                names |= {group[spot]: name for spot, name in zip(spots, picked, strict=True)}
        goal = fill(template, scene, names)
        if goal is not None:
            found[goal.wants] = goal
    return list(found.values())


def _unexplained(goal: Goal, actions: Sequence[Action], world: World) -> int:
    """How many things the human carried or changed that the goal has no use for."""
    useful = {want.kind for want in goal.wants} | {want.place for want in goal.wants}
    flags = {flag for want in goal.wants for flag, _ in (*want.states, *want.place_states)}
    if flags & {"dusty", "stained"}:
        useful |= set(table()["cleans"])
        flags |= {"soaked", "dusty"}
    if "sliced" in flags:
        useful.add("knife")
    kinds = world.scene.kinds
    carried = {args[0] for name, args in actions if name.startswith("pick-up")}
    strange = sum(kinds[number].name not in useful for number in carried)
    strange += sum(CHANGED_BY.get(name, "") not in {*flags, ""} for name, _ in actions)
    placed = {want.kind for want in goal.wants if want.place is not None}
    right = {number for want in goal.wants for number in satisfying(want, world)}
    return strange + sum(kinds[number].name in placed and number not in right for number in carried)
