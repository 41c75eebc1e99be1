"""Reading game files (`game.tw-pddl`)."""

from __future__ import annotations

import msgspec

from housemates.benchmarks.alfworld.formats.grammar import without_task
from housemates.benchmarks.alfworld.world.playthrough import GameFile
from housemates.errors import HousematesError


class GameText(msgspec.Struct):
    """The fields of a game file that decide what happens in it."""

    pddl_domain: str
    grammar: str
    pddl_problem: str
    solvable: bool = True
    walkthrough: list[str] | None = None


def read_game(text: str | bytes, what: str) -> GameFile:
    """A game made ready; what is wrong with it is said in one sentence that begins with `what`."""
    found = decode(text, what)
    try:
        grammar, task = without_task(found.grammar)
        return GameFile(found.pddl_domain, grammar, task, found.pddl_problem)
    except HousematesError as error:
        raise HousematesError(f"{what}: {error}") from None


def decode(text: str | bytes, what: str) -> GameText:
    """The fields of a game file."""
    try:
        return msgspec.json.decode(text, type=GameText)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise HousematesError(f"{what}: is no game file: {error}.") from None
