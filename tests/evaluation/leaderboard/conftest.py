"""Honest runs that every test of submissions shares."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from submitting import play

FEW = (
    ("alfred-subgoals", "expert", 3),
    ("alfred-subgoals", "template", 3),
    ("cerealbar-recorded", "oracle", 3),
    ("teach-edh", "stop", 2),
    ("handmethat", "random", 1),
)


@pytest.fixture(scope="session")
def honest_runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of short runs, named as those of the audit."""
    folder = tmp_path_factory.mktemp("honest")
    for name, agent, episodes in FEW:
        play(folder / f"{name} {agent}", name, agent, episodes, {})
    return folder
