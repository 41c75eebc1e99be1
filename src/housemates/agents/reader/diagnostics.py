"""What the reader can say for itself: what it read and what is true, what it believes, and why it failed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.agents.embodied.navigation import Body
from housemates.agents.embodied.occupancy import SIDE
from housemates.agents.reader.language.decoding import decide_dialogue, decide_directive
from housemates.agents.reader.language.network import shipped_network
from housemates.agents.reader.language.slots import of_directive, of_task
from housemates.agents.reader.language.text import dialogue, directive
from housemates.agents.reader.planning.history_features import (
    Situation,
    Step,
    effects,
    holding,
    steps_of,
    subject,
    unified,
)
from housemates.agents.reader.planning.nearest_neighbours import shipped_precedents
from housemates.agents.reader.policy import MISSED
from housemates.benchmarks.teach.formats.starts import Given
from housemates.core.benchmark import Instance, Result
from housemates.core.outcome import spoken
from housemates.home.things import type_in

CAUSES = ("misread", "not seen", "not found", "could not do", "stopped late", "stopped early")
"""Why an episode failed; the first that applies is counted.

Not seen is what was in its pictures and its own eyes did not make out; not found, what never was.
"""
ALTERNATIVES = 5
"""How many ways to go on are told."""
SHOWN_PX = 8
"""Side of half a step on the drawn map."""
FLOOR, BLOCKED, THING, FIXED, SELF = (
    (225, 225, 215),
    (120, 120, 120),
    (200, 60, 40),
    (60, 90, 170),
    (20, 150, 60),
)


class Reading(NamedTuple):
    """What may be meant, with how likely that is, and what is meant."""

    alternatives: list[tuple[str, float]]
    truth: str
    right: bool


def reading_of(instance: Instance, words: str = "all") -> Reading | None:
    """How the words of an instance are read; None where they are not there before the first act.

    Args:
        instance: Of `alfred`, `teach-tfd` or `teach-edh`.
        words: `all`, or `goal` without ALFRED's instructions.
    """
    network, data = shipped_network(), instance.data
    if getattr(data, "task", None) is not None:
        steps = data.instructions if words == "all" else ()
        read = decide_directive(network.card, network.odds(directive(data.goal, steps)))
        options = [(_listed(of_directive(each.task)), each.odds) for each in read]
        truth = _listed(of_directive(data.task))
    elif getattr(data, "moment", None) is not None:
        return _next_of(data)
    elif hasattr(data, "dialogue"):
        said = dialogue(data.dialogue)
        heard = decide_dialogue(network.card, network.odds(said), said)
        options = [(_listed(of_task(*each.asked)), each.odds) for each in heard]
        definition = data.definition
        truth = _listed(of_task(definition["task_name"], [str(each) for each in definition["task_params"]]))
    else:
        return None
    return Reading(options, truth, options[0][0] == truth)


def _next_of(data: Given) -> Reading:
    """How what comes next is read; right if it leaves behind all that people changed."""
    before, after = steps_of(data)
    ways = shipped_precedents().ways(Situation(data.dialogue, before), ALTERNATIVES)
    held, changed = holding(before), {unified(type_in(each)) for each in data.changes or ()}
    made, wanted = (effects(steps, held) for steps in (ways[0].steps, after))
    right = all(made[key] >= count for key, count in wanted.items() if subject(key) in changed)
    return Reading([(_told(each.steps), each.share) for each in ways], _told(after), right)


def _told(steps: Iterable[Step]) -> str:
    return ", ".join(f"{each.action} {spoken(each.type)}" for each in steps)


def _listed(filled: Mapping[str, str]) -> str:
    """A task in words: its name, what it is about, and what holds of it."""
    name, *rest = ((slot, value) for slot, value in filled.items() if value not in ("", "False"))
    return ", ".join([name[1], *(slot if value == "True" else f"{slot}: {value}" for slot, value in rest)])


def cause_of(result: Result, reading: Reading | None, shown: Callable[[], Set[str]]) -> str:
    """Why an episode failed.

    Args:
        result: Of the episode.
        reading: How its words are read, if that is known.
        shown: Tells the types of things that its pictures showed; called only where that decides.
    """
    used = {name: count for each in result.usage.values() for name, count in each.items()}
    missed = {name.removeprefix(MISSED) for name in used if name.startswith(MISSED)}
    if reading is not None and not reading.right:
        return "misread"
    if missed:
        return "not seen" if used.get("own eyes") and missed & shown() else "not found"
    if used.get("barred") or result.ended == "failures":
        return "could not do"
    return "stopped late" if result.ended == "steps" else "stopped early"


def drawn(body: Body) -> NDArray[np.uint8]:
    """The map as it is believed: floor, what is in the way, things, and where the reader stands."""
    ground = body.map
    floor, blocked = ground.seen()
    known = np.argwhere(floor | blocked)
    low, high = known.min(axis=0), known.max(axis=0) + 1
    picture = np.full((SIDE, SIDE, 3), 255, np.uint8)
    picture[blocked], picture[floor & ~blocked] = BLOCKED, FLOOR
    for thing in body.memory.things.values():
        x, z = ground.half_step(float(thing.middle[0]), float(thing.middle[2]))
        picture[x, z] = THING if thing.can("pickup") else FIXED
    x, z = ground.half_step(body.pose.x, body.pose.z)
    picture[x, z] = SELF
    cut = picture[low[0] : high[0], low[1] : high[1]].transpose(1, 0, 2)[::-1]
    return np.ascontiguousarray(cut.repeat(SHOWN_PX, axis=0).repeat(SHOWN_PX, axis=1))
