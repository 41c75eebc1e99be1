"""A dialect made ready: how commands are written and read, and the functions that tell what happens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from housemates.benchmarks.alfworld.formats.domain import read_domain
from housemates.benchmarks.alfworld.formats.grammar import read_grammar
from housemates.benchmarks.alfworld.world.dynamics import ACTIONS, Act, Numbers
from housemates.benchmarks.alfworld.world.game import Game
from housemates.benchmarks.alfworld.world.realisation import Text, Wording
from housemates.errors import HousematesError

_LIST = re.compile(r"\[\s*\{\s*(\w+)\.name\s*\|[^\]]*\]")
_HOLE = re.compile(r"\{(\w+)\}")


class Form(NamedTuple):
    """How the command of an action is written."""

    action: str
    act: Act
    text: Text
    pieces: tuple[str, ...]
    """What stands before, between and after its arguments."""
    kinds: tuple[str, ...]
    """What kind of thing each argument is."""

    def written(self, game: Game, numbers: Sequence[int]) -> str:
        """The command for these arguments."""
        told = self.pieces[0]
        for kind, number, piece in zip(self.kinds, numbers, self.pieces[1:], strict=True):
            told += game.names[kind][number] + piece
        return told

    def read(self, game: Game, command: str) -> Numbers | None:
        """The arguments of a command; None if it is none of this form."""
        if not self.kinds:
            return () if command == self.pieces[0] else None
        if not command.startswith(self.pieces[0]):
            return None
        left = command[len(self.pieces[0]) :]
        found = []
        for kind, piece in zip(self.kinds, self.pieces[1:], strict=True):
            name, separator, left = left.partition(piece) if piece else (left, "", "")
            number = game.called[kind].get(name)
            if number is None or separator != piece:
                return None
            found.append(number)
        return None if left else tuple(found)


class Dialect:
    """A domain and a grammar, shared by all games that have them."""

    def __init__(self, domain: str, grammar: str) -> None:
        self.texts = (domain, grammar)
        self.domain, self.grammar = read_domain(domain), read_grammar(grammar)
        missing = [name for name in self.domain if name not in self.grammar.actions]
        if missing:
            raise HousematesError(f"Its grammar does not say how {missing[0]} is told.")
        parameters = {name: action.parameters for name, action in self.domain.items()}
        wording = Wording(self.grammar, parameters)
        self.intro = wording.intro
        self.forms = {name: self._form(name, wording.texts[name]) for name in self.domain}
        self.templates = [_written_out(form) for form in self.forms.values()]
        """Each command with the kinds of its arguments, as people are told of it."""
        self._by_word: dict[str, list[Form]] = {}
        for form in self.forms.values():
            self._by_word.setdefault(form.pieces[0].split(" ")[0], []).append(form)

    def _form(self, action: str, text: Text) -> Form:
        template = _LIST.sub(r"{\1}", self.grammar.actions[action].template)
        pieces = _HOLE.split(template)
        names, parameters = pieces[1::2], self.domain[action].parameters
        if not template or any(parameters.get(name) not in ("object", "receptacle") for name in names):
            raise HousematesError(f"Its grammar has a template that is not understood: {template!r}.")
        kinds = tuple(parameters[name] for name in names)
        return Form(action, ACTIONS[action], text, tuple(pieces[::2]), kinds)

    def read(self, game: Game, command: str) -> Iterator[tuple[Form, Numbers]]:
        """What a command can mean in a game."""
        for form in self._by_word.get(command.partition(" ")[0], ()):
            numbers = form.read(game, command)
            if numbers is not None:
                yield form, numbers


@lru_cache(maxsize=16)
def dialect(domain: str, grammar: str) -> Dialect:
    """The dialect of a domain's text and a grammar's without its task."""
    return Dialect(domain, grammar)


def _written_out(form: Form) -> str:
    told = form.pieces[0]
    for kind, piece in zip(form.kinds, form.pieces[1:], strict=True):
        told += f"({kind}){piece}"
    return told
