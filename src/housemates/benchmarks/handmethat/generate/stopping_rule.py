"""When a human of version 2 may stop and ask: when what she is at work on can be told from what she did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from housemates.benchmarks.handmethat.tasks.goals import Goal
from housemates.benchmarks.handmethat.world.catalog import categories
from housemates.benchmarks.handmethat.world.dynamics import HUMAN, NOTHING, World
from housemates.benchmarks.handmethat.world.operators import Action, perform


def stop_range(length: int) -> tuple[int, int]:
    """The first and the last moment of a plan of this length after which she stops as soon as she may."""
    return ((length - 4) // 2, length - 5) if length >= 5 else (0, 0)


def idle_moments(world: World, actions: Sequence[Action]) -> Iterator[bool]:
    """For each moment before an action: whether her hand is empty. The actions are done in `world`."""
    for action in actions:
        yield world.values[world.scene.held(HUMAN)] == NOTHING
        perform(world, HUMAN, action)


def stops(
    goal: Goal, world: World, actions: Sequence[Action], conjuncts: Sequence[int | None]
) -> Iterator[bool]:
    """For each moment before an action, and the one after all of them: whether she may stop there.

    Her hand must be empty, and her next action must not be the first of a conjunct. While she is after the
    first object of a conjunct, its category must be the commonest of its subclass where she is.

    Args:
        goal: What she works for.
        world: The state before the first action; the actions are done in it.
        actions: What she does.
        conjuncts: The conjunct that each action works for, and at the end that of the next one.
    """
    scene = world.scene
    entered: set[int] = set()
    begun: set[int] = set()
    for position, conjunct in enumerate(conjuncts):
        free = world.values[scene.held(HUMAN)] == NOTHING
        if conjunct is not None and conjunct not in begun:
            free = free and conjunct in entered and predictable(goal, world, conjunct, begun)
            entered.add(conjunct)
        yield free
        if position < len(actions):
            perform(world, HUMAN, actions[position])
            if conjunct is not None and actions[position].name.startswith("put"):
                begun.add(conjunct)


def predictable(goal: Goal, world: World, conjunct: int, begun: set[int]) -> bool:
    """Whether what the conjunct is about is the commonest of its subclass where the human is.

    Categories that she has worked on already are left out.
    """
    scene = world.scene
    known = {goal.wants[position].kind for position in begun}
    wanted = goal.wants[conjunct].kind
    found: Counter[str] = Counter()
    holders = [world.values[scene.at(HUMAN)]]
    for holder in holders:
        for number in world.children[holder]:
            kind = scene.kinds[number]
            if kind.subclass == categories()[wanted].subclass and kind.name not in known:
                found[kind.name] += 1
            if kind.is_receptacle and holder == holders[0]:
                holders.append(number)
    mine = found.pop(wanted, 0)
    return all(mine > others for others in found.values())
