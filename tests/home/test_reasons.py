"""Why an action is refused: a code, and as data the types that the sentence names, no more and no less."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from home.random_episodes import random_step
from housemates.core.outcome import Outcome, Reason, spoken
from housemates.home import World
from housemates.home.scenes import load, scene_ids
from housemates.home.types import object_types

NAMES = {tuple(spoken(name).split()): name for name in object_types()}
LONGEST = max(map(len, NAMES))


def named(sentence: str) -> Iterator[str]:
    """The types that a sentence names."""
    words = sentence.replace(".", "").replace(",", "").partition(": ")[2].split() or sentence[:-1].split()
    while words:
        lengths = (end for end in range(min(LONGEST, len(words)), 0, -1) if tuple(words[:end]) in NAMES)
        end = next(lengths, 0)
        if end:
            yield NAMES[tuple(words[:end])]
        words = words[end or 1 :]


def told(outcome: Outcome) -> set[str]:
    """The types that are in its data."""
    data = outcome.data
    return {data[key] for key in ("type", "held", "inside") if key in data} | {*data.get("takes", ())}


def outcomes(room: str, steps: int) -> Iterator[Outcome]:
    """What comes of random actions in a room."""
    world, rng = World(load(room)), np.random.default_rng(3)
    found = (random_step(world, rng) for _ in range(steps))
    return (each for each in found if each is not None)


@pytest.mark.parametrize("room", scene_ids()[::30])
def test_data_tell_the_types_that_the_sentence_names_and_no_others(room: str) -> None:
    reasons = set()
    for outcome in outcomes(room, 600):
        types = set(named(outcome.message))
        if outcome.reason is Reason.NEEDS_KNIFE:
            types -= {"Knife"} - told(outcome)
        assert types == told(outcome), outcome
        assert outcome.success == (outcome.reason is Reason.DONE)
        reasons.add(outcome.reason)
    assert len(reasons) > 8


def test_numbers_and_states_that_a_sentence_tells_are_in_the_data() -> None:
    for outcome in outcomes(scene_ids()[0], 600):
        digits = {int(each) for each in outcome.message.replace("(", " ").split() if each.isdigit()}
        numbers = (outcome.data[key] for key in ("count", "capacity", "pieces") if key in outcome.data)
        assert digits <= {*numbers}, outcome
        door = [state for state in ("open", "closed") if f"is {state}" in outcome.message]
        if door and outcome.reason in (Reason.ALREADY, Reason.CLOSED, Reason.CLOSE_FIRST):
            assert outcome.data["open"] == (door == ["open"]), outcome
