"""What only a program would say is found in utterances."""

from __future__ import annotations

import pytest

from housemates.benchmarks.teach.tasks.leaks import leak

LEAKS = [
    "Pickup the mug",
    "ToggleOn it",
    "the Mug|-01.18|+00.91",
    "go to (1, 2)",
    "at 0.25 1.50",
    "TurnLeft now",
    "the CounterTop",
]
PLAIN = ["Pick up the mug.", "turn on the faucet", "Put 2 slices on the plate, please", "Turn left"]


@pytest.mark.parametrize("text", LEAKS)
def test_ids_coordinates_and_names_of_actions_are_found(text: str) -> None:
    assert leak(text)


@pytest.mark.parametrize("text", PLAIN)
def test_plain_english_is_let_through(text: str) -> None:
    assert leak(text) is None
