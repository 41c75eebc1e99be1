"""Exact-match accuracy of reading: all slots of a text right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from housemates.agents.reader.language.decoding import decode_dialogue, decode_directive
from housemates.agents.reader.language.network import Array, Card
from housemates.agents.reader.language.slots import slots_of_alfred, slots_of_teach
from housemates.agents.reader.language.text import TaggedWord
from housemates.models.reader.data import Example

LogProbs = Callable[[Sequence[TaggedWord]], Mapping[str, Array]]


def read_exactly(found: Iterable[Example], card: Card, log_probs: LogProbs) -> dict[str, list[bool]]:
    """Whether each text is decoded to its task: ALFRED's directives, their goals alone, TEACh's dialogues.

    Args:
        found: Labelled examples.
        card: The slots and their values.
        log_probs: The network: words -> slot -> log-probabilities of its values.
    """
    right: dict[str, list[bool]] = {"alfred": [], "goal": [], "teach": []}
    for each in found:
        if each.kind == "teach":
            asked = decode_dialogue(card, log_probs(each.words), each.words)[0].task
            right["teach"].append(slots_of_teach(*asked) == each.filled)
            continue
        for name, words in (("alfred", each.words), ("goal", each.short)):
            task = decode_directive(card, log_probs(words))[0].task
            right[name].append(slots_of_alfred(task) == each.filled)
    return right
