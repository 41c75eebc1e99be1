"""Mutated files of every kind through every command that reads them; `make fuzz` runs more of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from cases import KINDS
from fuzzing import Case, Fuzzer, corpus
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.slow
CASES = 3
"""Of each kind."""


@pytest.fixture(scope="module")
def fuzzer(tmp_path_factory: pytest.TempPathFactory) -> Fuzzer:
    return Fuzzer(tmp_path_factory.mktemp("fuzz"))


@pytest.fixture(autouse=True)
def no_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user's own store is none of the examples."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))


def faults(fuzzer: Fuzzer, case: Case) -> Iterator[str]:
    for command, _, fault in fuzzer.runs(case):
        if fault:
            yield f"{command}\n{case}\n{fault.what}"


@pytest.mark.parametrize("kind", KINDS)
def test_every_command_reads_the_example_and_refuses_what_is_broken_in_one_sentence(
    kind: str, fuzzer: Fuzzer
) -> None:
    assert list(faults(fuzzer, fuzzer.unmutated(kind))) == []

    @settings(
        max_examples=CASES,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(st.randoms(use_true_random=False))
    def mutated(rng: random.Random) -> None:
        assert list(faults(fuzzer, fuzzer.drawn(kind, rng))) == []

    mutated()


@pytest.mark.parametrize("name", corpus())
def test_what_once_failed_is_refused_or_done(name: str, fuzzer: Fuzzer) -> None:
    case = corpus()[name]
    assert fuzzer.is_possible(case)
    assert list(faults(fuzzer, case)) == []
