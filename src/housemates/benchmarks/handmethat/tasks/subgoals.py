"""From a goal and a state to an utterance: what would help, what the human means, what she says, how hard."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from housemates.benchmarks.handmethat.tasks.english import CHANGES
from housemates.benchmarks.handmethat.tasks.goals import Goal
from housemates.benchmarks.handmethat.tasks.meanings import Grounded, Lexicon, Meaning, Prior, prior
from housemates.benchmarks.handmethat.tasks.planning import delivery
from housemates.benchmarks.handmethat.tasks.planning.grounding import needs, want_goals
from housemates.benchmarks.handmethat.tasks.planning.plans import Value, conjunct_value, delivery_value
from housemates.benchmarks.handmethat.tasks.planning.stages import is_delivery
from housemates.benchmarks.handmethat.tasks.speech import Speech, reason
from housemates.benchmarks.handmethat.world.catalog import LOCATIONS
from housemates.benchmarks.handmethat.world.dynamics import FLAG, HUMAN, STRIDE, World


def helpful(quest: str, goal: Goal, world: World, value: Value | None = None) -> dict[Grounded, float]:
    """A(G) for a quest: the grounded subgoals that shorten the human's way, and by how many actions."""
    if value is None:
        value = delivery_value(goal)
    base = value(world)
    if base is None:
        return {}
    gains = {}
    for subgoal in sorted(candidates(quest, goal, world), key=lambda pair: (pair.number, pair.arg or "")):
        with granted(world, quest, subgoal):
            left = value(world)
        if left is not None and left < base:
            gains[subgoal] = float(base - left)
    return gains


def candidates(quest: str, goal: Goal, world: World) -> set[Grounded]:
    """The grounded subgoals of a quest that can matter for the goal at all."""
    if all(is_delivery(want) for want in goal.wants) and quest == "bring_me":
        return {Grounded(number) for number in _deliverable(goal, world)}
    found: set[Grounded] = set()
    for want in goal.wants:
        facts = want_goals(want, world)
        need = needs(facts, world)
        wrong = {fact for goal_facts in facts for fact in goal_facts if world.values[fact[0]] != fact[1]}
        if quest == "bring_me":
            receptacles = {holder for holder in need.holders if holder >= len(LOCATIONS)}
            found |= {Grounded(number) for number in (need.movable | receptacles)}
        elif quest == "move_to":
            found |= {
                Grounded(variable // STRIDE, world.scene.names[target])
                for variable, target in wrong
                if variable % STRIDE == 0
            }
        else:
            found |= _changes(wrong, need.movable, world)
    return {subgoal for subgoal in found if subgoal.number >= len(LOCATIONS)}


def _changes(wrong: Iterable[tuple[int, int]], movable: Iterable[int], world: World) -> set[Grounded]:
    """State changes that the goal asks for, and the soaking of cloths that it can need."""
    verbs = {(FLAG[flag], value): verb for verb, (_, _, flag, value) in CHANGES.items()}
    verbs[FLAG["stained"], 0] = "clean"
    found = {
        Grounded(variable // STRIDE, verbs[variable % STRIDE, value])
        for variable, value in wrong
        if (variable % STRIDE, value) in verbs
    }
    return found | {
        Grounded(number, "soak")
        for number in movable
        if "soakable" in world.scene.kinds[number].abilities and not world.flag(number, "soaked")
    }


def _deliverable(goal: Goal, world: World) -> set[int]:
    """Objects that are not where they belong, and receptacles that they are in or go to."""
    errands = delivery.errands(goal, world)
    ways = [way for errand in errands for way in delivery.with_carrying(errand, world)]
    astray = {
        (number, place)
        for way in ways
        for number, place in (*way.targets, *way.carried)
        if world.parent(number) != place
    }
    holders = {holder for number, place in astray for holder in (place, world.parent(number))}
    receptacles = {
        holder for holder in holders if holder < world.scene.size and world.scene.is_receptacle[holder]
    }
    return {number for number, _ in astray} | receptacles


class granted:
    """While the block runs, a grounded subgoal holds, as if the robot had seen to it at once."""

    def __init__(self, world: World, quest: str, subgoal: Grounded) -> None:
        """Say what is granted."""
        self.world = world
        number, arg = subgoal
        base = number * STRIDE
        if quest == "bring_me":
            self.changes = {base: world.scene.hand(HUMAN), world.scene.held(HUMAN): number}
        elif quest == "move_to":
            self.changes = {base: world.scene.index[str(arg)]}
        elif arg == "clean":
            self.changes = {base + FLAG["dusty"]: 0, base + FLAG["stained"]: 0}
        else:
            _, _, flag, value = CHANGES[str(arg)]
            self.changes = {base + FLAG[flag]: value}
            opposite = {"heat": "frozen", "cool": "cooked"}.get(str(arg))
            if opposite is not None:
                self.changes[base + FLAG[opposite]] = 0

    def __enter__(self) -> None:
        """Grant it."""
        self.before = {variable: self.world.values[variable] for variable in self.changes}
        for variable, value in self.changes.items():
            self.world.values[variable] = value

    def __exit__(self, *_: object) -> None:
        """Undo it."""
        for variable, value in self.before.items():
            self.world.values[variable] = value


UNLIKELY = 1e-4


@dataclass(frozen=True)
class Mind:
    """What a human with some goal may mean and say in one state."""

    useful: Mapping[Grounded, float]
    prior: Prior
    speech: Speech
    lexicon: Lexicon

    def level(self, meaning: int, utterance: Meaning, understood: int) -> int:
        """The hardness of saying this for a meaning that is understood as another (section 3.3)."""
        return hardness(
            self.prior.meanings[meaning],
            utterance,
            self.prior.meanings[understood],
            self.useful,
            self.lexicon,
        )

    def at_level(self, level: int) -> npt.NDArray[np.float64]:
        """How likely each utterance (rows) for each meaning (columns) is, where it has this hardness."""
        chances = self.speech.speaker * self.prior.probability
        likely = np.argwhere(chances > UNLIKELY)
        found = np.zeros_like(chances)
        for row, column in likely.tolist():
            utterance = self.speech.utterances[row]
            if self.level(column, utterance, self.speech.understood(utterance)) == level:
                found[row, column] = chances[row, column]
        return found


def mind(quest: str, useful: Mapping[Grounded, float], lexicon: Lexicon) -> Mind | None:
    """The mind of a human whom these subgoals would help; None if there are none that she could name."""
    if not useful:
        return None
    meant = prior(quest, useful, lexicon)
    if not meant.meanings:
        return None
    return Mind(useful, meant, reason(meant, lexicon), lexicon)


Groundings = dict[str | None, int]
"""Grounded subgoals: for each target place or verb, a bit mask of objects."""


def groundings(meaning: Meaning, useful: Iterable[Grounded], lexicon: Lexicon) -> Groundings:
    """A(m) or A(u); an utterance that names no target fits every useful one."""
    objects = lexicon.extension(meaning.spec)
    if meaning.quest == "move_to" and meaning.arg is None:
        return {other.arg: objects for other in useful}
    return {meaning.arg: objects}


def hardness(
    meaning: Meaning, utterance: Meaning, understood: Meaning, useful: Iterable[Grounded], lexicon: Lexicon
) -> int:
    """1: the words say it all; 2: they do with the goal known; 3: with pragmatics too; 4: they do not."""
    useful = list(useful)
    helpful: Groundings = {}
    for number, arg in useful:
        helpful[arg] = helpful.get(arg, 0) | 1 << number
    meant = groundings(meaning, useful, lexicon)
    said = groundings(utterance, useful, lexicon)
    if meant == said:
        return 1
    shared = {arg: mask & helpful.get(arg, 0) for arg, mask in said.items()}
    if meant == {arg: mask for arg, mask in shared.items() if mask}:
        return 2
    return 3 if meant == groundings(understood, useful, lexicon) else 4


def served_conjunct(
    goal: Goal, world: World, quest: str, subgoal: Grounded, preferred: int | None = None
) -> int | None:
    """The conjunct that comes nearer by most once a grounded subgoal holds; None if none does."""
    best, gain = None, 0
    for position, (conjunct, want) in enumerate(zip(goal.conjuncts, goal.wants, strict=True)):
        value = conjunct_value(Goal(goal.number, (conjunct,), (want,)))
        before = value(world)
        with granted(world, quest, subgoal):
            after = value(world)
        if before is None or after is None:
            continue
        if before - after > gain or (before - after == gain > 0 and position == preferred):
            best, gain = position, before - after
    return best
