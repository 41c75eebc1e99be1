"""The language of the rule-based pair: actions in a row, such as `Forward Pickup Mug at 0.570 0.250`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from housemates.benchmarks.teach.tasks.tdl.changes import type_of
from housemates.benchmarks.teach.world.dynamics import HOME_ACTIONS
from housemates.benchmarks.teach.world.roles import Act

ASKING = "What should I do next?"
"""What the Follower says when it has nothing left to do."""
NAMES = {home: name for name, home in HOME_ACTIONS.items()}
"""The Follower's actions by their spoken names, which have no spaces."""
PHRASE = re.compile(r"\s*(?P<name>[A-Za-z]+)(?:\s+[A-Za-z]+\s+at\s+(?P<x>\d\.\d+)\s+(?P<y>\d\.\d+))?")


def instruction(acts: Iterable[Act]) -> str:
    """What the Commander says to have these acts done."""
    return " ".join(map(_phrase, acts))


def _phrase(act: Act) -> str:
    name = HOME_ACTIONS[act.name]
    if act.x is None or act.y is None or act.oid is None:
        return name
    return f"{name} {type_of(act.oid)} at {act.x:.3f} {act.y:.3f}"


def understood(text: str) -> list[Act] | str:
    """The acts that an instruction asks for, or the first word that is none."""
    acts = []
    place = 0
    while text[place:].strip():
        match = PHRASE.match(text, place)
        name = NAMES.get(match["name"]) if match else None
        if match is None or name is None:
            return text[place:].split()[0]
        clicked = match["x"] is not None
        acts.append(Act(name, float(match["x"]), float(match["y"])) if clicked else Act(name))
        place = match.end()
    return acts
