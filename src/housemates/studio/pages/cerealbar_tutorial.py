"""CerealBar's tutorials, one for each role, on one small board, as in the paper's appendix C."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, NamedTuple

from housemates.benchmarks.cerealbar.generate.maps import new_game
from housemates.benchmarks.cerealbar.session import MOVES, GameSession
from housemates.benchmarks.cerealbar.world.cards import Card, sets
from housemates.benchmarks.cerealbar.world.hexes import distance
from housemates.benchmarks.cerealbar.world.state import (
    DONE_STATE,
    FOLLOWER,
    LEADER,
    PENDING,
    ROLES,
    STEPS,
    TURNS,
    Game,
    Options,
    restore,
)
from housemates.core.actions import Act
from housemates.core.benchmark import Benchmark, Instance, Reference
from housemates.core.outcome import Outcome
from housemates.core.percepts import Limits
from housemates.core.session import Session
from housemates.studio.pages import Clock, Lesson
from housemates.studio.pages.cerealbar import CerealBarPage

SEED = 11
SETS = 3
"""That the leader collects."""
BOARD = Options(width=9, height=9, cards=9, deal_sets=True)


class Wanted(NamedTuple):
    """What the tutorials are about: the hexes of a set, and of a card that does not belong to it."""

    target: tuple[int, ...]
    wrong: int


@cache
def wanted() -> Wanted:
    """The set that is nearest to the follower, the nearest card first, and the nearest of the other cards."""
    game = new_game(SEED, BOARD)
    here, width = game.position[FOLLOWER], game.map.size.width
    near = sorted(game.cards, key=lambda at: (distance(here, at, width), at))
    target = tuple(near[i] for i in min(sets([game.cards[at] for at in near]), key=sum))
    return Wanted(target, next(at for at in near if at not in target))


def commands(game: Game) -> Iterator[str]:
    """What the leader of the follower's tutorial says, with a mistake that is put right."""
    first, second, third = (_named(game.cards[at]) for at in wanted().target)
    wrong = _named(game.cards[wanted().wrong])
    yield f"Turn until you see {first}, walk onto it, then press Done."
    yield f"Now get {wrong}."
    yield f"Sorry, {wrong} does not fit. Step off it and onto it again, so that it is not selected."
    yield f"Get {second} instead."
    yield f"Get {third}. Then we have a set."


def first_state(role: int) -> dict[str, Any]:
    """The board at the start of a role's tutorial; the follower's begins with all its instructions."""
    game = new_game(SEED, BOARD)
    said = commands(game) if role == FOLLOWER else ()
    instructions = [[text, PENDING] for text in said]
    return {**game.snapshot(), "role": role, "steps": STEPS[role], "instructions": instructions}


class TutorialGame(GameSession):
    """A game in which one player has all the turns and steps, until the lessons are done."""

    def __init__(self, instance: Instance, limits: Limits, person: int) -> None:
        """Begin.

        Args:
            instance: Its data is the first state.
            limits: When it is cut off.
            person: The player who learns.
        """
        self.person = person
        self.moved = False
        self.asked = {at: restore(instance.data).cards[at] for at in wanted().target}
        """The cards of the set that is asked for."""
        super().__init__(instance, limits, restore(instance.data), person == FOLLOWER)

    @property
    def role(self) -> str | None:
        """The one who learns, until all is done."""
        return None if all(done for *_, done in self.lessons) else ROLES[self.person]

    @property
    def lessons(self) -> list[tuple[str, str, bool]]:
        """What is to be done, with which keys, and whether it was."""
        return self._leading() if self.person == LEADER else self._following()

    def carry_out(self, role: str, act: Act) -> Outcome:
        """Act, with as many steps and turns as at first."""
        outcome = super().carry_out(role, act)
        self.moved |= outcome.success and act.name in MOVES
        game = self.game
        game.role, game.steps, game.turns_left = self.person, STEPS[self.person], TURNS["start"]
        return outcome

    @property
    def collected(self) -> bool:
        """Whether a card of the set that is asked for was taken away as part of a set."""
        return any(self.game.cards.get(at) != card for at, card in self.asked.items())

    def _leading(self) -> list[tuple[str, str, bool]]:
        a, b, c = (_named(card) for card in self.asked.values())
        return [
            ("Move: walk and turn. You are the figure with an L.", "arrow keys", self.moved),
            (f"Tell the Follower something: write “Get {a}.” and send it.", "T, Enter", bool(self.heard)),
            (
                f"Collect the marked set yourself: {a}, {b} and {c}. Walk onto each of them.",
                "",
                self.collected,
            ),
            (
                f"Collect two more sets: three cards that differ in colour, shape and count. You have "
                f"{self.game.score} of {SETS}. A red outline means that the cards cannot become a set.",
                "",
                self.game.score >= SETS,
            ),
        ]

    def _following(self) -> list[tuple[str, str, bool]]:
        states = [each.state for each in self.game.instructions]
        done = states.count(DONE_STATE)
        a, b, c = (_named(card) for card in self.asked.values())
        return [
            ("Move: walk and turn.", "arrow keys", self.moved),
            (
                f"Do what the Leader writes, one after the other, and press Done after each. "
                f"You have done {done} of {len(states)}.",
                "D",
                done == len(states),
            ),
            (f"Have a set: only {a}, {b} and {c} are selected.", "", self.game.score > 0),
        ]


class TutorialPage(CerealBarPage):
    """One person alone on a small board."""

    benchmarks = ()
    tutorials = ()
    quiz = ()
    survey = ()
    person: ClassVar[int]

    def lesson(self, seed: int) -> Lesson:
        """The same board for everybody."""
        role = ROLES[self.person]
        return Lesson(Reference(f"tutorial-{role}", {}, SEED), {role: ""})

    def instances(self, benchmark: Benchmark, reference: Reference) -> Sequence[Instance]:
        """The one small board of the tutorial."""
        return [Instance(reference.id, "Tutorial", first_state(self.person), SEED)]

    def session(
        self, benchmark: Benchmark, instance: Instance, seats: Mapping[str, str], clock: Clock
    ) -> Session:
        """Begin; no turn ends."""
        return TutorialGame(instance, benchmark.limits, self.person)

    def views(self, session: Session, role: str) -> dict[str, Any]:
        """The game, what is to be done, and for the leader which cards are asked for."""
        assert isinstance(session, TutorialGame)
        marked = session.asked if role == "leader" and not session.collected else ()
        return {
            **super().views(session, role),
            "lessons": [{"text": text, "keys": keys, "done": done} for text, keys, done in session.lessons],
            "wanted": list(marked),
        }


class LeaderTutorial(TutorialPage):
    """The tutorial of the leader."""

    name = "cerealbar-leader"
    person = LEADER


class FollowerTutorial(TutorialPage):
    """The tutorial of the follower."""

    name = "cerealbar-follower"
    person = FOLLOWER


def _named(card: Card) -> str:
    several = "" if card.number == 1 else "es" if card.shape.endswith("s") else "s"
    return f"the card with {card}{several}"


PAGES = (LeaderTutorial(), FollowerTutorial())
