"""The studio under schedules of everything that can fail; `make fuzz` runs many more of them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from corpus import ONCE_WRONG
from planted import BUGS
from simulating import Simulator, simulator

pytestmark = pytest.mark.slow
SCHEDULES, SOON = 100, 2000


@pytest.fixture(scope="module")
def simulated() -> Iterator[Simulator]:
    with simulator() as made:
        yield made


def test_nothing_is_lost_doubled_or_leaked_and_every_session_ends_whatever_fails(
    simulated: Simulator,
) -> None:
    wrong = {seed: found for seed in range(SCHEDULES) if (found := simulated.faults(seed))}
    assert not wrong, f"python tests/fuzz/simulation 1 --seed {min(wrong)}: {wrong[min(wrong)]}"


@pytest.mark.parametrize("name", ONCE_WRONG)
def test_what_was_wrong_once_holds(name: str, simulated: Simulator) -> None:
    assert [simulated.faults(seed) for seed in ONCE_WRONG[name]] == [[] for _ in ONCE_WRONG[name]]


@pytest.mark.parametrize("name", BUGS)
def test_a_planted_bug_is_found_soon(
    name: str, simulated: Simulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(*BUGS[name])
    assert next(seed for seed in count() if simulated.faults(seed)) < SOON


def test_a_schedule_is_the_same_in_every_process(simulated: Simulator) -> None:
    told = []
    for number in (7, 8):
        asked = [sys.executable, str(Path(__file__).parent), "1", "--seed", "7", "--digest"]
        env = {**os.environ, "PYTHONHASHSEED": str(number)}
        told.append(subprocess.run(asked, env=env, capture_output=True, text=True, check=True).stdout)
    simulated.faults(6)
    simulated.faults(7)
    assert told == [f"{simulated.digest}\n"] * 2
