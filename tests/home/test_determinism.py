"""The same actions give the same states and pictures: in every process and after a restore."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

EPISODES, STEPS = 24, 30
PROGRAM = Path(__file__).with_name("random_episodes.py")
spec = importlib.util.spec_from_file_location("random_episodes", PROGRAM)
assert spec is not None
assert spec.loader is not None
random_episodes = importlib.util.module_from_spec(spec)
spec.loader.exec_module(random_episodes)


def digests(hash_seed: int) -> list[str]:
    command = [sys.executable, str(PROGRAM), str(EPISODES), str(STEPS)]
    environ = {**os.environ, "PYTHONHASHSEED": str(hash_seed)}
    run = subprocess.run(command, capture_output=True, text=True, env=environ)
    assert run.returncode == 0, run.stderr
    return run.stdout.split()


@pytest.fixture(scope="module")
def first() -> list[str]:
    return digests(hash_seed=1)


def test_two_processes_with_different_hash_seeds_agree(first: list[str]) -> None:
    assert len(set(first)) == EPISODES
    assert digests(hash_seed=2) == first


def test_a_restored_world_goes_on_as_if_nothing_had_happened(first: list[str]) -> None:
    again = [random_episodes.episode(number, STEPS, interrupt=True) for number in range(EPISODES)]
    assert again == first


@settings(max_examples=20, deadline=None)
@given(number=st.integers(0, 10_000), steps=st.integers(1, 40))
def test_any_episode_can_be_left_and_taken_up_again(number: int, steps: int) -> None:
    assert random_episodes.episode(number, steps, interrupt=True) == random_episodes.episode(number, steps)
