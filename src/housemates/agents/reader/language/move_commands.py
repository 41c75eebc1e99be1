"""Commands that name moves: "turn around", "take two steps back", "look up"."""

from __future__ import annotations

import re

NUMBERS = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "few": 3, "couple": 2, "twice": 2}
MOST = 20
"""Most steps of one command."""
AND = re.compile(r"[,.;]|\b(?:and|then)\b")
POLITE = r"(?:(?:please|now|ok|okay|and|then|can you|could you|just)\W+)*"
COUNT = r"(?:(?P<count>\d+|[a-z]+)(?: more)?(?: of)? )?steps?"
WAYS = {
    "Forward": r"forwards?|ahead|straight(?: ahead)?",
    "Backward": r"backwards?|back",
    "PanLeft": r"(?:to (?:the|your) )?left",
    "PanRight": r"(?:to (?:the|your) )?right",
}
"""Names of steps, and how people say them."""
MOVES: dict[tuple[str, ...], str] = {
    ("TurnRight", "TurnRight"): r"turn (?:all the way )?(?:around|round|back)",
    ("TurnLeft",): r"turn (?:to (?:the|your) )?left|(?:face|look) (?:to (?:the|your) )?left",
    ("TurnRight",): r"turn (?:to (?:the|your) )?right|(?:face|look) (?:to (?:the|your) )?right",
    ("LookUp",): r"look (?:further )?up(?:wards?)?",
    ("LookDown",): r"look (?:further )?down(?:wards?)?",
    **{
        (name,): rf"(?:go|move|walk|step|take) (?:{COUNT} )?(?:{way})(?: (?P<often>twice|\w+ steps?))?"
        for name, way in WAYS.items()
    },
}
"""Moves, and how people say them."""
_PATTERNS = {
    names: re.compile(rf"\W*{POLITE}(?:{said})\W*(?:please|now)?\W*") for names, said in MOVES.items()
}


def moves_of(text: str) -> tuple[str, ...]:
    """The moves that a text names; none if it asks for anything else."""
    moves = [_moves(part) for part in AND.split(text.lower()) if part.strip()]
    return sum(moves, ()) if all(moves) else ()


def _moves(text: str) -> tuple[str, ...]:
    for names, pattern in _PATTERNS.items():
        found = pattern.fullmatch(text)
        if found is not None:
            return names * _count(found)
    return ()


def _count(found: re.Match[str]) -> int:
    said = found.groupdict()
    word = said.get("count") or (said.get("often") or "one").split()[0]
    return min(max(int(word) if word.isdigit() else NUMBERS.get(word, 1), 1), MOST)
