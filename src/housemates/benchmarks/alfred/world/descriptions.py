"""What the agent is told in words: how things go, what is asked, what it sees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from housemates.benchmarks.alfred.world.agent_camera import Seen
from housemates.benchmarks.alfred.world.menu import POINTING
from housemates.core.outcome import Outcome
from housemates.core.percepts import Limits
from housemates.home import Thing, skills
from housemates.home.naming import Names
from housemates.home.things import REACH_M

STATES = ("open", "on", "dirty")
"""States of a thing that are spoken of."""
WAYS = {
    "object": "by the id that stands in brackets",
    "point": "by a point of the picture, x from the left and y from the top, from 0 to 1",
    "name": "by its name",
    "mask": "by the mask of its pixels in the picture",
}


def rules(limits: Limits, pointing: str, width: int, height: int, short: bool = False) -> str:
    """How things go, for one who points in this way and sees pictures of this size."""
    ways = ", or ".join(WAYS["name" if short and way == "object" else way] for way in POINTING[pointing])
    return (
        "You are in a room of a home and do a household task. The goal says what is to be done, the "
        "instructions tell a way, step by step. You see what is before you in a picture of "
        f"{width}x{height} pixels, and hold one thing at a time. A step is 0.25 m, a turn 90 degrees, a look "
        f"up or down 15 degrees. A thing can be used if it is in view and within {REACH_M:g} m. Point at it "
        f"{ways}. What is in a microwave when it is switched on is heated, what is in a fridge when it is "
        "closed is cooled, what is in a sink when its faucet is turned on is cleaned. Stop when all is done. "
        f"After {limits.failures} failed actions, or {limits.steps} in all, the episode is over."
    )


def skill_rules(limits: Limits) -> str:
    """How things go, for one who acts in skills."""
    return (
        "You are in a room of a home and do a household task. The goal says what is to be done, the "
        f"instructions tell a way, step by step. {skills.rules()} Stop when all is done. "
        f"After {limits.failures} failed skills, or {limits.steps} in all, the episode is over."
    )


def asked(goal: str, instructions: Sequence[str]) -> str:
    """What people say is to be done."""
    lines = [f"Goal: {goal or 'nobody says.'}"]
    if instructions:
        lines += ["Instructions:", *(f"{number}. {text}" for number, text in enumerate(instructions, 1))]
    return "\n".join(lines)


def perceived(
    seen: Iterable[Seen], held: Thing | None, last: Outcome | None, names: Names, places: bool
) -> str:
    """What is seen, with names, distances and perhaps places on the picture; what is held; the last act."""
    lines = ["You see, from left to right:", *(list(_lines(seen, names, places)) or ["- nothing of note"])]
    lines.append(f"You hold: {names.called(held) if held else 'nothing'}.")
    if last is not None:
        lines.append(f"Last action: {'done' if last.success else 'failed'}. {last.message}".rstrip())
    return "\n".join(lines)


def _lines(seen: Iterable[Seen], names: Names, places: bool) -> Iterator[str]:
    for thing, (x, y), away in seen:
        states = [name for name in STATES if getattr(thing, name)]
        note = f" ({', '.join(states)})" if states else ""
        place = f" at ({x:.2f}, {y:.2f})" if places else ""
        yield f"- {names.called(thing, note)}{place}, {away:.1f} m away"
