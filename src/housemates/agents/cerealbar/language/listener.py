"""Semantic parsing of instructions into goals, left to right over tagged tokens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from housemates.agents.cerealbar.language.lexicon import PUNCTUATION, Token, tag
from housemates.benchmarks.cerealbar.world.cards import Card

ONLY_TIMES = {"once", "twice", "thrice"}


@dataclass(frozen=True)
class CardDescription:
    """Attributes that were said of a card; None where none was."""

    number: int | None = None
    colour: str | None = None
    shape: str | None = None

    def __bool__(self) -> bool:
        return self.colour is not None or self.shape is not None

    def fits(self, card: Card | None) -> bool:
        """Whether a card has these attributes; a covered one may."""
        return card is None or (
            self.number in (None, card.number)
            and self.colour in (None, card.colour)
            and self.shape in (None, card.shape)
        )


@dataclass(frozen=True)
class Goal:
    """One thing to do: `collect` or `deselect` a card, go `near` something, `turn` or `step` by an amount."""

    kind: str
    card: CardDescription = field(default_factory=CardDescription)
    landmark: str | None = None
    links: tuple[tuple[str, str], ...] = ()
    """Relations to landmarks that pick out the card."""
    direction: str | None = None
    order: str | None = None
    """`nearest` or `farthest`."""
    amount: int = 0
    """Sixths of a turn, clockwise positive, or steps, forward positive."""


def parse(text: str) -> list[Goal]:
    """The goals of an instruction, in order; unknown words are skipped."""
    return _Parser(tag(text)).goals


class _Parser:
    """Parser state: the goals so far and the phrase being built."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.goals: list[Goal] = []
        self.carried: list[tuple[str, str]] = []
        self.mode = "collect"
        self.clear()
        self.at = 0
        while self.at < len(tokens):
            self.read(tokens[self.at])
            self.at += 1
        self.flush()

    def clear(self) -> None:
        """Begin a new phrase."""
        self.card = CardDescription()
        self.links: list[tuple[str, str]] = []
        self.relation: str | None = None
        self.landmark: str | None = None
        self.direction: str | None = None
        self.order: str | None = None

    def read(self, token: Token) -> None:
        """Hand the token to the first handler that accepts it."""
        if token.text in PUNCTUATION:
            self.flush()
            return
        for kind, reader in TOKEN_HANDLERS.items():
            value = token.value(kind)
            if value is not None and reader(self, value, token):
                return

    def next_value(self, kind: str) -> str | None:
        """The meaning of one kind of the next token."""
        return self.tokens[self.at + 1].value(kind) if self.at + 1 < len(self.tokens) else None

    def flush(self) -> None:
        """Turn the phrase into a goal."""
        if self.card and self.mode in ("wait", "near"):
            self.goals.append(Goal("near", self.card, links=tuple(self.links)))
        elif self.card:
            kind = "deselect" if self.mode == "deselect" else "collect"
            links = (*self.carried, *self.links)
            self.goals.append(Goal(kind, self.card, None, links, self.direction, self.order))
            self.carried = []
        elif self.links and self.mode == "wait":
            self.goals.append(Goal("near", landmark=self.links[-1][1]))
        elif self.links and self.mode == "go":
            near = [name for relation, name in self.links if relation == "near"]
            if near:
                self.goals.append(Goal("near", landmark=near[-1]))
            self.carried += [link for link in self.links if link[0] != "near"]
        elif self.landmark:
            self.goals.append(Goal("near", landmark=self.landmark))
        elif self.links and self.goals and self.goals[-1].kind == "collect":
            self.goals[-1] = replace(self.goals[-1], links=(*self.goals[-1].links, *self.links))
        elif self.direction and self.goals and self.goals[-1].kind == "collect":
            self.goals[-1] = replace(self.goals[-1], direction=self.direction)
        self.clear()

    def skip_clause(self) -> None:
        """Skip a clause that is not about what the follower should do."""
        while self.at + 1 < len(self.tokens):
            following = self.tokens[self.at + 1]
            if following.text in PUNCTUATION or following.value("marks") in ("join", "you"):
                return
            self.at += 1

    def mark(self, value: str, token: Token) -> bool:
        """A conjunction, a self-correction, a clause about someone else, an order."""
        if value == "join":
            self.flush()
        elif value == "repair":
            self.repair()
        elif value in ("own", "avoid"):
            self.flush()
            self.skip_clause()
        elif value in ("nearest", "farthest"):
            self.order = value
        return value != "you"

    def repair(self) -> None:
        """Take back the card being described, or else the last goal."""
        if self.card:
            self.card = CardDescription()
        elif self.goals and self.goals[-1].card:
            self.mode = "deselect" if self.goals.pop().kind == "deselect" else self.mode

    def verb(self, value: str, token: Token) -> bool:
        """What is to be done with what comes next."""
        self.flush()
        self.mode = value
        return True

    def turn(self, value: str, token: Token) -> bool:
        """A turn, perhaps several, or a way to walk."""
        if value in ("straight", "back"):
            return self.steps(value)
        self.flush()
        amount = {"left": -1, "right": 1, "around": 3}[value]
        times = self.next_value("counting")
        if times and (self.tokens[self.at + 1].text in ONLY_TIMES or self.after_next("times")):
            amount *= int(times)
            self.at += 1
        self.goals.append(Goal("turn", amount=amount))
        return True

    def after_next(self, mark: str) -> bool:
        """Whether the token after the next is such a mark."""
        return self.at + 2 < len(self.tokens) and self.tokens[self.at + 2].value("marks") == mark

    def steps(self, value: str) -> bool:
        """So many steps, or only a direction."""
        times = self.next_value("counting")
        if times and self.after_next("step"):
            self.flush()
            self.goals.append(Goal("step", amount=int(times) * (1 if value == "straight" else -1)))
            self.at += 2
        elif value == "straight":
            self.direction = self.direction or "ahead"
        return True

    def number(self, value: str, token: Token) -> bool:
        """Set the card's number of symbols."""
        if self.next_value("marks") == "step":
            return False
        if self.card:
            self.flush()
        self.card = replace(self.card, number=int(value))
        return True

    def colour(self, value: str, token: Token) -> bool:
        """Set the card's colour; a second one begins a new phrase."""
        if self.card.colour or self.card.shape:
            self.flush()
        self.card = replace(self.card, colour=value)
        return True

    def shape(self, value: str, token: Token) -> bool:
        """Set the card's shape; a second one begins a new phrase."""
        if self.card.shape:
            self.flush()
        self.card = replace(self.card, shape=value)
        return True

    def relate(self, value: str, token: Token) -> bool:
        """A relation to the landmark that follows."""
        self.relation = value
        if self.mode == "wait" and self.card:
            self.flush()
        return True

    def see(self, value: str, token: Token) -> bool:
        """A landmark: the object of the relation before it, or a place to go to."""
        if self.relation:
            self.links.append((self.relation, value))
            self.relation = None
        elif self.mode in ("go", "wait"):
            self.landmark = value
        return True

    def direct(self, value: str, token: Token) -> bool:
        """Set the direction in which to look."""
        self.direction = value
        return True


TOKEN_HANDLERS: dict[str, Callable[[_Parser, str, Token], bool]] = {
    "landmarks": _Parser.see,
    "turns": _Parser.turn,
    "directions": _Parser.direct,
    "relations": _Parser.relate,
    "verbs": _Parser.verb,
    "marks": _Parser.mark,
    "number": _Parser.number,
    "colour": _Parser.colour,
    "shape": _Parser.shape,
}
