"""The Follower in conversation: some of what people say is accepted, and none of its claims of work is false.

All of it, and thousands of generated dialogues, are played by `make conversations`.
"""

from __future__ import annotations

import pytest
from acceptance import refusal, rows
from claims import claims, false_claims
from playing import Done, Turn
from truth import lies

EVERY = 9
"""One conversation of so many is played."""
DIALOGUES = 12


def test_there_are_enough_conversations() -> None:
    assert len(rows()) >= 150


@pytest.mark.parametrize("row", rows()[::EVERY], ids=lambda row: str(row["say"]))
def test_people_would_accept_it(row: dict[str, object]) -> None:
    assert refusal(row) == ""


def test_no_claim_of_work_is_false() -> None:
    found = [each for number in range(DIALOGUES) for each in lies(number)]
    assert sum(made for _, made in found) > DIALOGUES
    assert [lie for lie, _ in found if lie] == []


@pytest.mark.parametrize(
    ("text", "false"),
    [
        ("I put the mug in the sink. What next?", False),
        ("I put 2 mugs in the sink.", True),
        ("I put the mug on the dining table.", True),
        ("I washed the mug.", True),
        ("I took a knife and sliced the bread.", True),
        ("Where is the mug?", False),
    ],
)
def test_a_claim_is_held_against_what_was_done(text: str, false: bool) -> None:
    acts = (
        Done("Pickup", "Mug", "Mug|1"),
        Done("Place", "SinkBasin", "Sink|1", "Mug|1", "Mug", ("SinkBasin",)),
    )
    assert bool(false_claims([Turn("", (text,), acts, {}, {})])) == false


def test_that_all_is_done_is_a_claim_too() -> None:
    assert false_claims([Turn("", ("ok done, anything else?",), (), {}, {})])
    assert not list(claims("ok done, anything else?"))
