"""The language of the rule-based pair: actions in a row, such as `Forward Pickup Mug at 0.570 0.250`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from housemates.benchmarks.teach.world.dynamics import HOME_ACTIONS
from housemates.core.actions import Act
from housemates.home.things import type_in

ASKING = "What should I do next?"
"""What the Follower says when it has nothing left to do."""
PHRASE = re.compile(r"\s*(?P<name>[A-Za-z]+)(?:\s+[A-Za-z]+\s+at\s+(?P<x>\d\.\d+)\s+(?P<y>\d\.\d+))?")


def instruction(acts: Iterable[Act]) -> str:
    """What the Commander says to have these acts done."""
    return " ".join(map(_phrase, acts))


def _phrase(act: Act) -> str:
    if not act.arguments:
        return act.name
    x, y = act.arguments["point"]
    return f"{act.name} {type_in(act.arguments['object'])} at {x:.3f} {y:.3f}"


def parse_instruction(text: str) -> list[Act] | str:
    """The acts that an instruction asks for, or the first word that is none."""
    acts = []
    place = 0
    while text[place:].strip():
        match = PHRASE.match(text, place)
        if match is None or match["name"] not in HOME_ACTIONS:
            return text[place:].split()[0]
        clicked = match["x"] is not None
        where = {"point": (float(match["x"]), float(match["y"]))} if clicked else {}
        acts.append(Act(match["name"], where))
        place = match.end()
    return acts
