"""Networks as agents call them: the same on torch and exported, and exported ones without torch."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

import housemates
from housemates.errors import HousematesError
from housemates.models.checkpoints import read_arrays, read_card, read_tensors, weights_of
from housemates.models.export import export_model
from housemates.models.networks import ExportedNetwork, TorchNetwork, graph_path, open_network

BITS = ((np.arange(256)[:, None] >> np.arange(8)) & 1).astype(np.float32)
WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None
from housemates.core import registry
from housemates.core.episode import play
from housemates.core.loading import make_agents, seat_all
name, agent = sys.argv[1:]
benchmark = registry.benchmark(name)
instance = benchmark.open(next(benchmark.references("generated", 5)))[-1]
agents = make_agents(type(benchmark), seat_all(type(benchmark), [agent], {}))
trace = play(benchmark.session(instance), agents, instance)
assert trace.error == "" and len(trace.steps) > 1, trace
"""
PLAYERS = (
    ("handmethat", "seq2seq"),
    ("handmethat", "seq2seq-told"),
    ("cerealbar-recorded", "learnt"),
    ("teach-edh", "et"),
)
"""Where agents play whose weights come with the package."""
WEIGHTS = ("*.safetensors", "*.onnx", "*.npz")
MOST_MB = 20
"""What the weights of the package may weigh together."""


@pytest.fixture
def both(trained: Callable[..., Path], tmp_path: Path) -> tuple[Path, Path]:
    """A training, and what was exported of it."""
    folder = trained("one", epochs=1)
    export_model(folder, tmp_path / "small")
    return folder, tmp_path / "small"


def test_what_is_exported_gives_the_same_in_any_size(both: tuple[Path, Path]) -> None:
    trained, exported = map(open_network, both)
    assert isinstance(trained, TorchNetwork)
    assert isinstance(exported, ExportedNetwork)
    for rows in (BITS[:1], BITS[100:], BITS):
        found = [network.run("judge", bits=rows)["logits"] for network in (trained, exported)]
        assert found[0].shape == found[1].shape == (len(rows), 2)
        assert np.allclose(*found, atol=1e-3)


def test_exported_weights_are_half_as_large_and_kept_once(both: tuple[Path, Path]) -> None:
    full, half = (read_tensors(weights_of(each)) for each in both)
    assert {each.dtype for each in half.values()} == {torch.float16}
    assert all(torch.allclose(full[name], half[name].float(), atol=1e-3) for name in full)
    assert graph_path(both[1], "judge").stat().st_size < 2000
    assert set(read_card(both[1]).entry_points["judge"]) == set(read_arrays(weights_of(both[1])))


def test_a_graph_that_is_none_and_weights_that_lack_some_are_refused(both: tuple[Path, Path]) -> None:
    card = (both[1] / "model.json").read_text()
    (both[1] / "model.json").write_text(card.replace("layers.0.bias", "layers.9.bias"))
    with pytest.raises(HousematesError, match=r"'layers\.9\.bias' is missing, which judge needs"):
        open_network(both[1])
    (both[1] / "model.json").write_text(card)
    graph_path(both[1], "judge").write_bytes(b"no graph")
    with pytest.raises(HousematesError, match="cannot be read as an ONNX network"):
        open_network(both[1])


@pytest.mark.parametrize(("benchmark", "agent"), PLAYERS)
def test_shipped_weights_play_without_torch(benchmark: str, agent: str) -> None:
    command = [sys.executable, "-c", WITHOUT_TORCH, benchmark, agent]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_shipped_weights_are_light_and_have_a_card() -> None:
    package = Path(housemates.__file__).parent
    found = [path for kind in WEIGHTS for path in package.rglob(kind)]
    assert sum(path.stat().st_size for path in found) < MOST_MB * 1e6
    folders = list((package / "models").rglob("weights"))
    assert len(folders) >= len({benchmark for benchmark, _ in PLAYERS})
    assert [folder for folder in folders if not (folder / "README.md").is_file()] == []
