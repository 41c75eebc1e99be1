"""Importance sampling of version 1's goals that explain actions and utterance."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import comb

import numpy as np

from housemates.benchmarks.handmethat.tasks import goals
from housemates.benchmarks.handmethat.tasks.english import CHANGES
from housemates.benchmarks.handmethat.tasks.goals import Goal, Template, Want, compile_want, fill
from housemates.benchmarks.handmethat.tasks.meanings import Lexicon, Meaning, bits
from housemates.benchmarks.handmethat.tasks.planning.stages import tools_of
from housemates.benchmarks.handmethat.world.catalog import categories
from housemates.benchmarks.handmethat.world.dynamics import Scene, World
from housemates.benchmarks.handmethat.world.operators import Action

DRAWS = 48
"""Samples of each template."""
OTHERWISE = 0.5
"""Probability of sampling regardless of what was carried, where that may have been a tool."""
CHANGED = {
    "heat-obj": "cooked",
    "cool-obj": "frozen",
    "slice-obj": "sliced",
    "soak-obj": "soaked",
    "clean-obj-at-location": "dusty",
    "clean-location": "dusty",
    "toggle-on-movable-at-location": "toggled",
}
"""The flag of its first object that an action changes; of its last one if that is a location."""
Names = Mapping[str, str]


@dataclass(frozen=True)
class Evidence:
    """What the human carried and changed."""

    scene: Scene
    carried: Mapping[int, int]
    """Object -> where she put it last."""
    changed: frozenset[tuple[int, str]]
    held_at_first: Mapping[int, int]
    """Object -> where it was before."""

    @classmethod
    def of(cls, start: World, actions: Sequence[Action]) -> Evidence:
        """The evidence in the actions."""
        carried = {args[0]: args[1] for name, args in actions if name.startswith("put")}
        changed = {
            (args[-1] if name == "clean-location" else args[0], CHANGED[name])
            for name, args in actions
            if name in CHANGED
        }
        return cls(start.scene, carried, frozenset(changed), {each: start.parent(each) for each in carried})

    def explained_by(self, wants: Sequence[Want]) -> bool:
        """Whether a goal explains every object that was carried or changed."""
        tools = frozenset[str]().union(*(tools_of(want) for want in wants))
        return all(
            self._use(number, holder, wants, tools) for number, holder in self.carried.items()
        ) and all(self._wanted(number, flag, wants, tools) for number, flag in self.changed)

    def _use(self, number: int, holder: int, wants: Sequence[Want], tools: frozenset[str]) -> bool:
        scene, kind = self.scene, self.scene.kinds[number]
        if kind.name in tools:
            return True
        for want in wants:
            if want.kind == kind.name and (want.states or is_place(want, scene, holder)):
                return True
            if kind.is_receptacle and want.place in (kind.name, scene.names[number]):
                return True
        return kind.is_receptacle and any(
            source == number and scene.kinds[other].name in {want.kind for want in wants}
            for other, source in self.held_at_first.items()
        )

    def _wanted(self, number: int, flag: str, wants: Sequence[Want], tools: frozenset[str]) -> bool:
        kind, name = self.scene.kinds[number].name, self.scene.names[number]
        if flag == "soaked" and kind in tools:
            return True
        flags = {"dusty", "stained"} if flag == "dusty" else {flag}
        return any(
            (want.kind == kind and flags & {each for each, _ in want.states})
            or (want.place in (kind, name) and flags & {each for each, _ in want.place_states})
            for want in wants
        )


def is_place(want: Want, scene: Scene, holder: int) -> bool:
    """Whether a holder is where a conjunct wants something."""
    return want.place == (scene.kinds[holder].name if want.any_place else scene.names[holder])


def relevance_test(utterance: Meaning, lexicon: Lexicon, scene: Scene) -> Callable[[Sequence[Want]], bool]:
    """A test of whether a goal is relevant to the utterance, by categories that fit its words."""
    kinds = {scene.kinds[number].name for number in bits(lexicon.extension(utterance.spec))}

    def bring_me(want: Want) -> bool:
        place = (want.place or "").partition("#")[0]
        return want.kind in kinds or place in kinds or not tools_of(want).isdisjoint(kinds)

    def move_to(want: Want) -> bool:
        if want.place is None or want.kind not in kinds:
            return False
        return utterance.arg is None or is_place(want, scene, scene.index.get(utterance.arg, 0))

    def change_state(want: Want) -> bool:
        flag = CHANGES[str(utterance.arg)][2]
        flags = {flag, "stained"} if flag == "dusty" else {flag}
        if flag == "soaked" and not tools_of(want).isdisjoint(kinds):
            return True
        place = (want.place or "").partition("#")[0]
        mine, its = {each for each, _ in want.states}, {each for each, _ in want.place_states}
        return bool((want.kind in kinds and flags & mine) or (place in kinds and flags & its))

    test = {"bring_me": bring_me, "move_to": move_to, "change_state": change_state}[utterance.quest]
    return lambda wants: any(test(want) for want in wants)


def sample_goals(
    template: Template, evidence: Evidence, fits: Callable[[Sequence[Want]], bool], rng: np.random.Generator
) -> Iterator[tuple[Goal, float]]:
    """Goals of a template that explain the evidence, each with its estimated share of all its goals."""
    scene = evidence.scene
    shares: dict[tuple[Want, ...], tuple[dict[str, str], float]] = {}
    for _ in range(DRAWS):
        names, share = _sample_slots(template, evidence, rng)
        if share == 0.0:
            return
        wants = _wants(template, scene, names)
        if wants in shares:
            shares[wants] = (names, shares[wants][1] + share)
        elif wants and evidence.explained_by(wants) and fits(wants):
            shares[wants] = (names, share)
    for names, share in shares.values():
        goal = fill(template, scene, names)
        if goal is not None:
            yield goal, share / DRAWS


def _sample_slots(
    template: Template, evidence: Evidence, rng: np.random.Generator
) -> tuple[dict[str, str], float]:
    """Slots sampled in favour of touched objects, with the importance weight; 0 if the home lacks one.

    The second is 0 if the home lacks what the template needs.
    """
    scene = evidence.scene
    touched = {scene.kinds[number].name for number in evidence.carried}
    touched |= {scene.kinds[number].name for number, _ in evidence.changed}
    holders = {scene.names[holder] for holder in evidence.carried.values()}
    names: dict[str, str] = {}
    share = 1.0
    for slots, candidates, seen in (
        (template.slots, goals.present, touched),
        (template.object_slots, goals.instances, holders),
    ):
        for group in goals.grouped(slots):
            options = candidates(scene, goals.subject(group[0]))
            if len(options) < len(group):
                return {}, 0.0
            must = [name for name in options if name in seen]
            unsure = any(_helps(name.partition("#")[0]) for name in must)
            picked, likelier = _sample_group(options, must, len(group), OTHERWISE if unsure else 0.0, rng)
            share *= likelier
            names |= dict(zip(group, picked, strict=True))
    return names, share


def _helps(kind: str) -> bool:
    """Whether a category may have been carried as a tool or container."""
    return categories()[kind].is_receptacle or kind in tools_of_all()


@cache
def tools_of_all() -> frozenset[str]:
    """Every category that is a tool."""
    every = Want(True, "", states=(("dusty", 0), ("sliced", 1)))
    return tools_of(every) | tools_of(replace(every, states=(("dusty", 0),)))


def _sample_group(
    options: Sequence[str], must: Sequence[str], size: int, otherwise: float, rng: np.random.Generator
) -> tuple[list[str], float]:
    """Distinct options, mostly with those that must be there, and the importance weight."""
    possible = bool(must) and len(must) <= size
    regardless = not possible or rng.random() < otherwise
    kept = [] if regardless else list(must)
    rest = [name for name in options if name not in kept]
    order = rng.permutation(len(rest))[: size - len(kept)]
    chosen = [*kept, *(rest[position] for position in order)]
    picked = [chosen[position] for position in rng.permutation(size)]
    if not possible:
        return picked, 1.0
    likely = comb(len(options) - len(must), size - len(must)) / comb(len(options), size)
    held = set(must) <= set(picked)
    return picked, 1.0 / (otherwise + (1.0 - otherwise) / likely * held)


@cache
def _skeleton(template: Template) -> tuple[Want, ...]:
    return tuple(compile_want(part) for part in template.conjuncts)


def _wants(template: Template, scene: Scene, names: Names) -> tuple[Want, ...]:
    """What `fill` would make of these names, without the formulas; nothing if something is absent."""
    found: dict[Want, None] = {}
    for want in _skeleton(template):
        kind, place = names.get(want.kind, want.kind), want.place
        if kind not in scene.instances:
            return ()
        places = [names.get(place, place)] if place is not None else [None]
        if place == "each":
            each = names.get(str(template.each), str(template.each))
            places = [scene.names[number] for number in scene.instances.get(each, ())]
        found.update(dict.fromkeys(replace(want, kind=kind, place=one) for one in places))
    return tuple(found)
