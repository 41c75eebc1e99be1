"""A game while it is played: commands in, texts out."""

from __future__ import annotations

from typing import Any

from housemates.benchmarks.alfworld.formats.pddl import read_problem
from housemates.benchmarks.alfworld.tasks.goals import Goal, read_goal
from housemates.benchmarks.alfworld.world.dialect import Dialect, dialect
from housemates.benchmarks.alfworld.world.dynamics import CHANGES, possible
from housemates.benchmarks.alfworld.world.game import Game
from housemates.benchmarks.alfworld.world.state import State

NOTHING_HAPPENS = "Nothing happens."
_NONE: frozenset[str] = frozenset()


class GameFile:
    """A game file made ready to be played; shared by all who play it, and pickled as its texts."""

    def __init__(self, domain: str, grammar: str, task: str, problem: str) -> None:
        self.dialect: Dialect = dialect(domain, grammar)
        self.texts = (*self.dialect.texts, task, problem)
        self.game = Game(read_problem(problem, "problem"), self.dialect.domain, self.dialect.grammar, task)
        self.goal: Goal = read_goal(self.game)
        self._going: dict[int, tuple[str, ...]] = {}

    def __deepcopy__(self, memo: Any) -> GameFile:
        """Itself, for nothing in it changes."""
        return self

    def __reduce__(self) -> tuple[type[GameFile], tuple[str, ...]]:
        return (GameFile, self.texts)

    def going(self, location: int) -> tuple[str, ...]:
        """The commands that go elsewhere, and those that are always possible."""
        found = self._going.get(location)
        if found is None:
            go, game = self.dialect.forms["gotolocation"], self.game
            away = [number for number, at in enumerate(game.place_of) if at not in (location, -1)]
            always = [form.written(game, ()) for form in self.dialect.forms.values() if not form.kinds]
            found = tuple(sorted([*(go.written(game, (number,)) for number in away), *always]))
            self._going[location] = found
        return found


class Playthrough:
    """A running game: `step` answers a command, `commands` lists those that would do something."""

    __slots__ = ("file", "state", "text", "won")

    def __init__(self, file: GameFile) -> None:
        self.file = file
        self.state = State(file.game)
        self.text = file.dialect.intro(self.state, {})
        """What was told last."""
        self.won = file.goal.reached(self.state)

    def copy(self) -> Playthrough:
        """An independent twin at the same moment."""
        twin = Playthrough.__new__(Playthrough)
        twin.file, twin.state, twin.text, twin.won = self.file, self.state.copy(), self.text, self.won
        return twin

    def __deepcopy__(self, memo: Any) -> Playthrough:
        """The same as `copy`."""
        return self.copy()

    def step(self, command: str) -> str:
        """Do what a command says and answer it; one that is not possible now does nothing."""
        file, state = self.file, self.state
        for form, numbers in file.dialect.read(file.game, command.strip()):
            bound = form.act(state, *numbers)
            if bound is not None:
                if CHANGES.get(form.action, _NONE) & file.goal.predicates:
                    self.won = file.goal.reached(state)
                self.text = form.text(state, bound)
                return self.text
        self.text = NOTHING_HAPPENS
        return self.text

    @property
    def done_something(self) -> bool:
        """Whether the last command was possible."""
        return self.text is not NOTHING_HAPPENS

    def facts(self) -> dict[str, str]:
        """Where the agent is, what it holds, and what each receptacle holds, in words."""
        state, game = self.state, self.file.game
        told = {"held": game.names["object"][state.held] if state.held >= 0 else "nothing"}
        told["place"] = " and ".join(game.names["receptacle"][r] for r in game.receptacles_at[state.location])
        for number, inside in enumerate(state.inside):
            shut = "" if state.is_open(number) else "closed: "
            things = ", ".join(game.names["object"][each] for each in inside)
            told[game.names["receptacle"][number]] = f"{shut}{things or 'nothing'}"
        for flag, bits in state.flags.items():
            for number in range(bits.bit_length()):
                if bits >> number & 1:
                    told[f"{game.names['object'][number]} {flag}"] = "yes"
        return told

    def commands(self) -> list[str]:
        """Every command that would do something now, sorted."""
        file = self.file
        forms, game = file.dialect.forms, file.game
        found = list(file.going(self.state.location))
        found += [forms[action].written(game, numbers) for action, numbers in possible(self.state)]
        found.sort()
        return found
