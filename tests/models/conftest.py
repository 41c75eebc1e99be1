"""The tiny model of `parity.py`, known to the registry as if it had a folder of its own, or as a program."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from housemates.core import registry as agents
from housemates.models import registry
from housemates.models.launch import TrainingJob, train

sys.path.insert(0, str(Path(__file__).parent))
PARITY = Path(__file__).parent / "parity.py"


@pytest.fixture(autouse=True)
def alone(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """One thread, on which sums are the same to the bit, and features that nobody else has."""
    torch.set_num_threads(1)
    monkeypatch.setenv("HOUSEMATES_CACHE", str(tmp_path_factory.getbasetemp() / "cache"))


@pytest.fixture
def parity(counting: types.ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> types.ModuleType:
    """The module of the model `parity`, and its data."""
    spec = importlib.util.spec_from_file_location("parity", PARITY)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "parity", module)
    spec.loader.exec_module(module)
    monkeypatch.setattr(registry, "specs", module.specs)
    known = (*counting.agent_specs(), module.PLAYER)
    monkeypatch.setattr(agents, "agent_specs", lambda: known)
    (tmp_path / "answers.txt").write_text("even odd")
    return module


@pytest.fixture
def trained(parity: types.ModuleType, tmp_path: Path) -> Callable[..., Path]:
    """Trains `parity` in a folder of this name, with these config overrides."""

    def run(name: str, start: Path | None = None, **given: Any) -> Path:
        train(
            TrainingJob("parity", "cpu", given, tmp_path / "answers.txt", tmp_path / name, start, threads=1)
        )
        return tmp_path / name

    return run


@pytest.fixture
def program(parity: types.ModuleType, tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the words of a command line in a folder of the test's own."""

    def run(*words: object, before: tuple[str, ...] = (), **environ: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *before, str(PARITY), *map(str, words)]
        return subprocess.run(
            command, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, **environ}, timeout=120
        )

    return run


@pytest.fixture(scope="session")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four recorded games of CerealBar, all for training."""
    from housemates.benchmarks.cerealbar.formats.episodes import write_recordings
    from housemates.benchmarks.cerealbar.generate.games import play_game

    folder = tmp_path_factory.mktemp("games")
    write_recordings(folder / "train.jsonl.zst", [play_game(0, number) for number in range(4)])
    return folder


@pytest.fixture(scope="session")
def demonstrations(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few demonstrations of ALFRED in our own rooms."""
    from housemates.benchmarks.alfred.generate.trajectories import Settings, generate

    folder = tmp_path_factory.mktemp("demonstrations")
    generate(folder, 9, Settings(0, False, 1, False), 1)
    one = min((folder / "train").rglob("traj_data.json")).parent
    shutil.copytree(one, folder / "valid_seen" / one.relative_to(folder / "train"), dirs_exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def sessions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few games of TEACh that a pair has played in our own rooms."""
    from housemates.benchmarks.teach.generate import sampling
    from housemates.benchmarks.teach.generate.sessions import make

    folder = tmp_path_factory.mktemp("sessions")
    for number, drawn in enumerate(sampling.draws(4, 6, ["Coffee", "Water Plant"])):
        path = folder / ("valid_seen" if number == 5 else "train") / f"{drawn.id}.game.json"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(bytes(make(drawn).game))
    return folder
