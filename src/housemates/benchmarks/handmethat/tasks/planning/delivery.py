"""Carrying things to their places: what it costs at least, in closed form, and plans that cost just that.

Locations form a complete graph, so the best way to deliver objects is a minimum cover of their arcs (from
where each is to where it belongs) by trails, linked by single moves. A receptacle that holds or receives
several objects may itself be carried first, if that is shorter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from housemates.benchmarks.handmethat.tasks.goals import Goal, Want
from housemates.benchmarks.handmethat.world.catalog import LOCATIONS
from housemates.benchmarks.handmethat.world.dynamics import FLAG, HUMAN, NOTHING, STRIDE, Scene, World

OPEN = FLAG["open"]
PLACES = len(LOCATIONS)
MAX_PRODUCT = 243
"""Ways to choose objects for the goal's existential parts that are all tried; beyond, one part at a time."""


@dataclass(frozen=True)
class Errand:
    """One way to reach a goal: where each object must come to, and which holders must be shut at the end."""

    targets: tuple[tuple[int, int], ...]
    """Object and the holder it belongs in or on."""
    shut: tuple[int, ...] = ()
    carried: tuple[tuple[int, int], ...] = ()
    """Receptacles and the location that each is brought to before objects are put into or taken out of it."""


def errands(goal: Goal, world: World) -> list[Errand]:
    """The ways to reach a goal that is about places only, without carrying receptacles for convenience."""
    options = [_options(want, world) for want in goal.wants]
    size = 1
    for option in options:
        size *= len(option)
    if size == 0:
        return []
    if size <= MAX_PRODUCT:
        merged = (_merge(choice) for choice in product(*options))
        return list(dict.fromkeys(errand for errand in merged if errand is not None))
    return _one_at_a_time(options, world)


def _options(want: Want, world: World) -> list[Errand]:
    """The ways to satisfy one conjunct."""
    scene = world.scene
    members = scene.instances.get(want.kind, ())
    assert want.place is not None
    places = scene.instances.get(want.place, ()) if want.any_place else (scene.index[want.place],)
    found = []
    for place in places:
        shut = (place,) if ("open", 0) in want.place_states else ()
        if want.every:
            found.append(Errand(tuple((member, place) for member in members), shut))
        else:
            found += [Errand(((member, place),), shut) for member in members]
    return found


def _merge(parts: Sequence[Errand]) -> Errand | None:
    """All parts together, or None if an object would have to be in two places."""
    targets: dict[int, int] = {}
    shut: dict[int, None] = {}
    for part in parts:
        for number, place in part.targets:
            if targets.setdefault(number, place) != place:
                return None
        shut.update(dict.fromkeys(part.shut))
    return Errand(tuple(targets.items()), tuple(shut))


def _one_at_a_time(options: Sequence[Sequence[Errand]], world: World) -> list[Errand]:
    chosen: list[Errand] = []
    for option in options:
        tried = [(merged, part) for part in option if (merged := _merge([*chosen, part])) is not None]
        if not tried:
            return []
        chosen.append(min(tried, key=lambda pair: errand_cost(pair[0], world))[1])
    merged = _merge(chosen)
    return [] if merged is None else [merged]


def with_carrying(errand: Errand, world: World) -> Iterator[Errand]:
    """The errand itself, and its variants in which receptacles are moved before they are used."""
    yield errand
    values = world.values
    receptacle = world.scene.is_receptacle
    goal_objects = dict(errand.targets)
    ends: dict[int, list[int]] = {}
    for number, place in errand.targets:
        source = values[number * STRIDE]
        if source == place:
            continue
        if receptacle[place] and source < world.scene.size:
            ends.setdefault(place, []).append(world.location(source))
        if source < world.scene.size and receptacle[source]:
            ends.setdefault(source, []).append(world.location(place))
    early = [
        (number, goal_objects[number])
        for number in ends
        if number in goal_objects and values[number * STRIDE] != goal_objects[number]
    ]
    for mask in range(1, 1 << len(early)):
        yield replace(errand, carried=tuple(pair for bit, pair in enumerate(early) if mask >> bit & 1))
    held = values[world.scene.held(HUMAN)]
    for number, others in ends.items():
        if number in goal_objects or (len(others) < 2 and number != held):
            continue
        for place in sorted(set(others) - {world.location(number)}):
            if place < PLACES:
                yield replace(errand, carried=((number, place),))


def cost(goal: Goal, world: World) -> int | None:
    """The least number of actions after which the goal holds; None if the scene makes it impossible."""
    ways = [way for errand in errands(goal, world) for way in with_carrying(errand, world)]
    return min((errand_cost(way, world) for way in ways), default=None)


def best_errands(goal: Goal, world: World) -> tuple[int | None, list[Errand]]:
    """The least cost and all ways that have it."""
    ways = [way for errand in errands(goal, world) for way in with_carrying(errand, world)]
    costs = [errand_cost(way, world) for way in ways]
    least = min(costs, default=None)
    return least, [way for way, length in zip(ways, costs, strict=True) if length == least]


def errand_cost(errand: Errand, world: World) -> int:
    """The cost of an errand for the human: deliveries, trails, links between trails, and openings."""
    scene, values = world.scene, world.values
    here = values[scene.at(HUMAN)]
    held = values[scene.held(HUMAN)]
    carried = dict(errand.carried)
    arcs: list[tuple[int, int]] = []
    opened: set[int] = set()
    total = 0
    targets = dict(errand.targets)
    loose = held != NOTHING and scene.is_receptacle[held] and held not in targets and held not in carried
    if loose and any(held in (place, values[number * STRIDE]) for number, place in errand.targets):
        carried[held] = here
    targets.update(carried)
    for number, target in targets.items():
        source = values[number * STRIDE]
        if number == held or source == target:
            continue
        start = _site(source, values, carried, opened, scene)
        end = _site(target, values, carried, opened, scene)
        arcs.append((start, end))
        total += 2
    if held != NOTHING:
        target = targets.get(held, NOTHING)
        if target != NOTHING:
            end = _site(target, values, carried, opened, scene)
            total += 1 + (here != end)
            here = end
        elif arcs:
            total += 1
    for holder in errand.shut:
        if values[holder * STRIDE + OPEN] or holder in opened:
            total += 1
            if all(
                target != holder or values[number * STRIDE] == holder for number, target in errand.targets
            ):
                site = _site(holder, values, carried, set(), scene)
                arcs.append((site, site))
    return total + len(opened) + trail_cost(arcs, here)


def _site(
    holder: int, values: Sequence[int], carried: Mapping[int, int], opened: set[int], scene: Scene
) -> int:
    """The location of a holder; containers on the way that are shut join `opened`."""
    openable = scene.openable
    if holder >= PLACES:
        if openable[holder] and not values[holder * STRIDE + OPEN]:
            opened.add(holder)
        holder = carried[holder] if holder in carried else values[holder * STRIDE]
    if holder < PLACES and openable[holder] and not values[holder * STRIDE + OPEN]:
        opened.add(holder)
    return holder


def trail_cost(arcs: Sequence[tuple[int, int]], here: int) -> int:
    """Moves along arcs between different places, plus the fewest moves that link the trails."""
    if not arcs:
        return 0
    surplus: dict[int, int] = {}
    root: dict[int, int] = {}
    moves = 0
    for start, end in arcs:
        if start not in root:
            root[start], surplus[start] = start, 0
        if end not in root:
            root[end], surplus[end] = end, 0
        if start == end:
            continue
        moves += 1
        surplus[start] += 1
        surplus[end] -= 1
        a, b = start, end
        while root[a] != a:
            a = root[a]
        while root[b] != b:
            b = root[b]
        root[a] = b
    needs: dict[int, int] = {}
    for place, extra in surplus.items():
        a = place
        while root[a] != a:
            a = root[a]
        needs[a] = needs.get(a, 0) + (extra if extra > 0 else 0)
    trails = sum(need if need > 0 else 1 for need in needs.values())
    starts_here = False
    if here in root:
        a = here
        while root[a] != a:
            a = root[a]
        starts_here = surplus[here] > 0 or needs[a] == 0
    return moves + trails - starts_here
