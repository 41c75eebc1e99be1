"""Diagnostics of the reader: what it read against what is true, its map, and the causes of failures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.agents.embodied.navigation import Navigator
from housemates.agents.embodied.occupancy import SIDE
from housemates.agents.reader.language.decoding import decode_dialogue, decode_directive
from housemates.agents.reader.language.network import shipped_network
from housemates.agents.reader.language.slots import slots_of_alfred, slots_of_teach
from housemates.agents.reader.language.text import dialogue, directive
from housemates.agents.reader.planning.continuations import shipped_continuations
from housemates.agents.reader.planning.history_features import (
    History,
    TypedStep,
    effects,
    holding,
    steps_of,
    subject,
    unified,
)
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
"""Number of continuations that are listed."""
SHOWN_PX = 8
"""Side in pixels of a half step on the drawn map."""
FLOOR, BLOCKED, THING, FIXED, SELF = (
    (225, 225, 215),
    (120, 120, 120),
    (200, 60, 40),
    (60, 90, 170),
    (20, 150, 60),
)


class Interpretation(NamedTuple):
    """What may be meant, each with its probability, and what is meant."""

    alternatives: list[tuple[str, float]]
    truth: str
    right: bool


def interpretation_of(instance: Instance, words: str = "all") -> Interpretation | None:
    """How the words of an instance are read; None where there are none before the first act.

    Args:
        instance: Of `alfred`, `teach-tfd` or `teach-edh`.
        words: `all`, or `goal` without ALFRED's instructions.
    """
    network, data = shipped_network(), instance.data
    if getattr(data, "task", None) is not None:
        steps = data.instructions if words == "all" else ()
        read = decode_directive(network.card, network.log_probs(directive(data.goal, steps)))
        options = [(_listed(slots_of_alfred(each.task)), each.probability) for each in read]
        truth = _listed(slots_of_alfred(data.task))
    elif getattr(data, "moment", None) is not None:
        return _next_of(data)
    elif hasattr(data, "dialogue"):
        said = dialogue(data.dialogue)
        heard = decode_dialogue(network.card, network.log_probs(said), said)
        options = [(_listed(slots_of_teach(*each.task)), each.probability) for each in heard]
        definition = data.definition
        truth = _listed(
            slots_of_teach(definition["task_name"], [str(each) for each in definition["task_params"]])
        )
    else:
        return None
    return Interpretation(options, truth, options[0][0] == truth)


def _next_of(data: Given) -> Interpretation:
    """How an EDH continuation is predicted; right if it has all effects that people's had."""
    before, after = steps_of(data)
    ways = shipped_continuations().likeliest(History(data.dialogue, before), ALTERNATIVES)
    held, changed = holding(before), {unified(type_in(each)) for each in data.changes or ()}
    made, wanted = (effects(steps, held) for steps in (ways[0].steps, after))
    right = all(made[key] >= count for key, count in wanted.items() if subject(key) in changed)
    return Interpretation([(_summary(each.steps), each.share) for each in ways], _summary(after), right)


def _summary(steps: Iterable[TypedStep]) -> str:
    return ", ".join(f"{each.action} {spoken(each.type)}" for each in steps)


def _listed(filled: Mapping[str, str]) -> str:
    """A task as text: its name, then its slots."""
    name, *rest = ((slot, value) for slot, value in filled.items() if value not in ("", "False"))
    return ", ".join([name[1], *(slot if value == "True" else f"{slot}: {value}" for slot, value in rest)])


def cause_of(result: Result, reading: Interpretation | None, shown: Callable[[], Set[str]]) -> str:
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


def drawn(navigator: Navigator) -> NDArray[np.uint8]:
    """The occupancy map as a picture: floor, obstacles, objects and the agent."""
    occupancy = navigator.map
    floor, blocked = occupancy.known()
    known = np.argwhere(floor | blocked)
    low, high = known.min(axis=0), known.max(axis=0) + 1
    picture = np.full((SIDE, SIDE, 3), 255, np.uint8)
    picture[blocked], picture[floor & ~blocked] = BLOCKED, FLOOR
    for thing in navigator.memory.things.values():
        x, z = occupancy.cell_of(float(thing.middle[0]), float(thing.middle[2]))
        picture[x, z] = THING if thing.can("pickup") else FIXED
    x, z = occupancy.cell_of(navigator.pose.x, navigator.pose.z)
    picture[x, z] = SELF
    cut = picture[low[0] : high[0], low[1] : high[1]].transpose(1, 0, 2)[::-1]
    return np.ascontiguousarray(cut.repeat(SHOWN_PX, axis=0).repeat(SHOWN_PX, axis=1))
