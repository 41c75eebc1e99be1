"""Networks as agents call them: the same on torch and exported, and exported ones without torch."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from housemates.errors import HousematesError
from housemates.models.checkpoints import read_arrays, read_card, read_tensors, weights_of
from housemates.models.exporting import export_model
from housemates.models.networks import ExportedNetwork, graph_of, open_network
from housemates.models.parts import TrainedNetwork

BITS = ((np.arange(256)[:, None] >> np.arange(8)) & 1).astype(np.float32)
WITHOUT_TORCH = """
import sys
sys.modules["torch"] = None
from housemates.models.handmethat_seq2seq.agent import seq2seq, told_seq2seq
from housemates.benchmarks import registry
from housemates.benchmarks.play import play
benchmark = registry.benchmark("handmethat")
instance = benchmark.open(next(benchmark.references("generated", 5)))[0]
for agent in (seq2seq(), told_seq2seq()):
    trace = play(benchmark.session(instance), {"robot": agent}, instance)
    assert trace.error == "" and len(trace.steps) > 1, trace
from housemates.models.cerealbar_plan.agent import PlanFollower
benchmark = registry.benchmark("cerealbar-recorded")
instance = benchmark.open(next(benchmark.references("generated", 5)))[-1]
trace = play(benchmark.session(instance), {"follower": PlanFollower()}, instance)
assert trace.error == "" and len(trace.steps) > 1, trace
"""


@pytest.fixture
def both(trained: Callable[..., Path], tmp_path: Path) -> tuple[Path, Path]:
    """A training, and what was exported of it."""
    folder = trained("one", epochs=1)
    export_model(folder, tmp_path / "small")
    return folder, tmp_path / "small"


def test_what_is_exported_gives_the_same_in_any_size(both: tuple[Path, Path]) -> None:
    trained, exported = map(open_network, both)
    assert isinstance(trained, TrainedNetwork)
    assert isinstance(exported, ExportedNetwork)
    for rows in (BITS[:1], BITS[100:], BITS):
        found = [network.run("judge", bits=rows)["scores"] for network in (trained, exported)]
        assert found[0].shape == found[1].shape == (len(rows), 2)
        assert np.allclose(*found, atol=1e-3)


def test_exported_weights_are_half_as_large_and_kept_once(both: tuple[Path, Path]) -> None:
    full, half = (read_tensors(weights_of(each)) for each in both)
    assert {each.dtype for each in half.values()} == {torch.float16}
    assert all(torch.allclose(full[name], half[name].float(), atol=1e-3) for name in full)
    assert graph_of(both[1], "judge").stat().st_size < 2000
    assert set(read_card(both[1]).parts["judge"]) == set(read_arrays(weights_of(both[1])))


def test_a_graph_that_is_none_and_weights_that_lack_some_are_refused(both: tuple[Path, Path]) -> None:
    card = (both[1] / "model.json").read_text()
    (both[1] / "model.json").write_text(card.replace("layers.0.bias", "layers.9.bias"))
    with pytest.raises(HousematesError, match=r"'layers\.9\.bias' is missing, which judge needs"):
        open_network(both[1])
    (both[1] / "model.json").write_text(card)
    graph_of(both[1], "judge").write_bytes(b"no graph")
    with pytest.raises(HousematesError, match="cannot be read as an ONNX network"):
        open_network(both[1])


def test_shipped_weights_play_without_torch() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT_TORCH], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
