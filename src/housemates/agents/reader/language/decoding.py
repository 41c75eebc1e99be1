"""Decoding: the likeliest tasks under the network's log-probabilities of slot values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.agents.reader.language.network import Array, Card
from housemates.agents.reader.language.slots import (
    ALFRED,
    BREAKFAST,
    OF_TASK,
    TeachTask,
    alfred_task,
    teach_task,
)
from housemates.agents.reader.language.text import Mentions, TaggedWord
from housemates.benchmarks.alfred.tasks.goals import Task

COMBINED: Mapping[str, tuple[str, ...]] = {
    "alfred": ALFRED,
    "Salad": ("lettuce", "tomato", "potato"),
    "Sandwich": ("lettuce", "tomato"),
    "Breakfast": BREAKFAST,
}
"""Slots that are decoded jointly, over the combinations seen in training."""
NEW = 3.0
"""Log-probability subtracted from a combination that training never saw."""
NAMED, UNNAMED = ("thing", "place", "dish"), 4.0
"""Slots whose values people call by their names, and how much less likely one is that nobody has named, where
another one is named."""
KEPT = 5
"""Hypotheses that are kept."""
NEEDED = {
    "look_at_obj_in_light": ("object", "lamp"),
    "pick_and_place_with_movable_recep": ("object", "parent", "movable", "sliced"),
}
"""Slots of a task type of ALFRED; all other types have those of `USUAL`."""
USUAL = ("object", "parent", "sliced")


class TeachHypothesis(NamedTuple):
    """A task of TEACh and its probability."""

    task: TeachTask
    probability: float


class AlfredHypothesis(NamedTuple):
    """A task of ALFRED and its probability."""

    task: Task
    probability: float


def decode_dialogue(
    card: Card, log_probs: Mapping[str, Array], words: Sequence[TaggedWord]
) -> list[TeachHypothesis]:
    """The likeliest tasks of a TEACh dialogue, the best first.

    Args:
        card: What the log_probs are about.
        log_probs: As the network has them.
        words: Those of the dialogue.
    """
    log_probs = {**log_probs, **dict(_heeded(card, log_probs, Mentions(words)))}
    found: list[tuple[float, dict[str, str]]] = []
    for number, name in enumerate(card.slots["task"]):
        base = float(log_probs["task"][number])
        found += [
            (base + score, {"task": name, **filled}) for score, filled in _parameters(card, log_probs, name)
        ]
    return [TeachHypothesis(teach_task(filled), share) for share, filled in _likeliest(found)]


def _heeded(card: Card, log_probs: Mapping[str, Array], mentions: Mentions) -> Iterator[tuple[str, Array]]:
    """Log-probabilities of the `NAMED` slots, raised for values that the dialogue mentions."""
    for slot in NAMED:
        scores = log_probs[slot] + UNNAMED * (np.array(mentions.of(card.slots[slot])) > 0)
        yield slot, scores - np.logaddexp.reduce(scores)


def _parameters(
    card: Card, log_probs: Mapping[str, Array], name: str
) -> Iterator[tuple[float, dict[str, str]]]:
    slots = COMBINED.get(name)
    if slots is None:
        yield from _free(card, log_probs, [slot for slot in OF_TASK[name] if slot])
        return
    for row in card.combinations.get(name, ()):
        filled = {slot: value for slot, value in zip(slots, row, strict=True) if value}
        yield sum(_of_slot(card, log_probs, slot, filled.get(slot)) for slot in slots), filled


def _of_slot(card: Card, log_probs: Mapping[str, Array], slot: str, value: str | None) -> float:
    """The log-probability of a value; of the likeliest one if the value does not matter."""
    return float(log_probs[slot].max() if value is None else log_probs[slot][card.slots[slot].index(value)])


def _free(
    card: Card, log_probs: Mapping[str, Array], slots: Sequence[str]
) -> Iterator[tuple[float, dict[str, str]]]:
    """Combinations of the likeliest values of each slot, with their log-probabilities."""
    best = [[(slot, int(value)) for value in np.argsort(-log_probs[slot])[:KEPT]] for slot in slots]
    for chosen in product(*best):
        score = sum(float(log_probs[slot][value]) for slot, value in chosen)
        yield score, {slot: card.slots[slot][value] for slot, value in chosen}


def decode_directive(card: Card, log_probs: Mapping[str, Array]) -> list[AlfredHypothesis]:
    """The likeliest tasks of an ALFRED directive, the best first."""
    rows = card.combinations["alfred"]
    together = sum(log_probs[slot][places] for slot, places in zip(ALFRED, _places(card).T, strict=True))
    scores = np.asarray(together, np.float32)
    found = [
        (float(scores[number]), dict(zip(ALFRED, rows[number], strict=True)))
        for number in np.argsort(-scores)[:KEPT].tolist()
    ]
    known = set(rows)
    for score, filled in _new_directives(card, log_probs):
        if tuple(filled[slot] for slot in ALFRED) not in known:
            found.append((score - NEW, filled))
    return [AlfredHypothesis(alfred_task(filled), share) for share, filled in _likeliest(found)]


def _new_directives(card: Card, log_probs: Mapping[str, Array]) -> Iterator[tuple[float, dict[str, str]]]:
    kind = card.slots["type"][int(log_probs["type"].argmax())]
    needed = NEEDED.get(kind, USUAL)
    nothing = {"type": kind, "parent": "", "movable": "", "lamp": "", "sliced": "False"}
    base = float(log_probs["type"].max())
    for score, filled in _free(card, log_probs, needed):
        if all(filled.values()):
            yield base + score, {**nothing, **filled}


@lru_cache(maxsize=4)
def _table(rows: tuple[tuple[str, ...], ...], values: tuple[tuple[str, ...], ...]) -> NDArray[np.int64]:
    numbers = [{value: number for number, value in enumerate(each)} for each in values]
    return np.array([[known[value] for known, value in zip(numbers, row, strict=True)] for row in rows])


def _places(card: Card) -> NDArray[np.int64]:
    """Index of each slot's value for each ALFRED combination: [combination, slot]."""
    return _table(card.combinations["alfred"], tuple(card.slots[slot] for slot in ALFRED))


def _likeliest(found: Iterable[tuple[float, dict[str, str]]]) -> list[tuple[float, dict[str, str]]]:
    """The best hypotheses, with scores normalised to probabilities over all of them."""
    ordered = sorted(found, key=lambda each: -each[0])
    scores = np.array([score for score, _ in ordered])
    shares = np.exp(scores - np.logaddexp.reduce(scores))
    return [(float(share), filled) for share, (_, filled) in zip(shares[:KEPT], ordered, strict=False)]
