"""Exact-match accuracy of reading: all slots of a text right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from housemates.agents.reader.language.decoding import decide_dialogue, decide_directive
from housemates.agents.reader.language.network import Array, Card
from housemates.agents.reader.language.slots import of_directive, of_task
from housemates.agents.reader.language.text import Marked
from housemates.models.reader.data import Example

Odds = Callable[[Sequence[Marked]], Mapping[str, Array]]


def read_exactly(found: Iterable[Example], card: Card, odds: Odds) -> dict[str, list[bool]]:
    """Whether each text is decoded to its task: ALFRED's directives, their goals alone, TEACh's dialogues.

    Args:
        found: Labelled examples.
        card: The slots and their values.
        odds: The network: words -> slot -> log-probabilities of its values.
    """
    right: dict[str, list[bool]] = {"alfred": [], "goal": [], "teach": []}
    for each in found:
        if each.kind == "teach":
            asked = decide_dialogue(card, odds(each.words), each.words)[0].asked
            right["teach"].append(of_task(*asked) == each.filled)
            continue
        for name, words in (("alfred", each.words), ("goal", each.short)):
            task = decide_directive(card, odds(words))[0].task
            right[name].append(of_directive(task) == each.filled)
    return right
