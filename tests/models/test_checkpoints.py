"""Checkpoints: they sit in seats, and what is none is refused in one sentence, without being executed."""

from __future__ import annotations

import json
import pickle
import types
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
import torch

from housemates.benchmarks.handmethat.benchmark import HandMeThat
from housemates.core.loading import make_agents, seat_all
from housemates.errors import HousematesError
from housemates.models.checkpoints import (
    CARD,
    carried,
    load_weights,
    read_arrays,
    read_card,
    read_tensors,
    weights_of,
    write_tensors,
)
from housemates.models.export import export_model


def test_a_folder_of_a_training_is_the_name_of_an_agent(
    trained: Callable[..., Path], counting: types.ModuleType
) -> None:
    folder = trained("one", epochs=1)
    agents = make_agents(counting.Counting, seat_all(counting.Counting, [str(folder)], {}))
    assert agents["counter"].folder == folder


def test_a_seat_that_a_model_does_not_know_is_refused(trained: Callable[..., Path]) -> None:
    folder = trained("one", epochs=1)
    with pytest.raises(HousematesError, match="does not know the seat of the robot of handmethat"):
        make_agents(HandMeThat, seat_all(HandMeThat, [str(folder)], {}))


def test_a_pickle_is_not_opened(trained: Callable[..., Path]) -> None:
    folder = trained("one", epochs=1)
    path = weights_of(folder)
    path.write_bytes(pickle.dumps(partial(print, "executed")))
    with pytest.raises(HousematesError, match="found a pickle: it is not opened"):
        read_tensors(path)
    torch.save({"a": torch.zeros(1)}, path)
    with pytest.raises(HousematesError, match=r"as torch\.save writes it"):
        read_tensors(path)
    path.write_bytes(b"\x08\x00")
    with pytest.raises(HousematesError, match="is it complete"):
        read_tensors(path)


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_weights_that_are_no_numbers_are_refused(tmp_path: Path, value: float) -> None:
    path = tmp_path / "model.safetensors"
    write_tensors(path, {"good": torch.zeros(2), "head.bias": torch.tensor([0.0, value])})
    for read in (read_tensors, read_arrays):
        with pytest.raises(HousematesError, match=r"head\.bias: expected finite numbers"):
            read(path)


def test_weights_of_another_network_are_refused(trained: Callable[..., Path]) -> None:
    path = weights_of(trained("one", epochs=1))
    with pytest.raises(HousematesError, match=r"expected shape \[8, 8\], found \[16, 8\]"):
        load_weights(
            torch.nn.Sequential(torch.nn.Linear(8, 8, bias=False)), {"0.weight": torch.zeros(16, 8)}, path
        )
    with pytest.raises(HousematesError, match="holds other weights"):
        load_weights(torch.nn.Linear(8, 8), read_tensors(path), path)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        (
            "version",
            2,
            "expected parity of version 1, found 2: train it again with `housemates train parity`",
        ),
        ("format", 9, "expected a checkpoint of format 1"),
        ("model", "purity", "Unknown model 'purity'"),
        ("weights", "../away.safetensors", "names weights that are not there"),
        ("progress", 3, "progress"),
    ],
)
def test_a_card_that_is_not_as_it_should_be_is_refused(
    trained: Callable[..., Path], field: str, value: object, said: str
) -> None:
    folder = trained("one", epochs=1)
    card = json.loads((folder / CARD).read_text())
    (folder / CARD).write_text(json.dumps({**card, field: value}))
    with pytest.raises(HousematesError, match=said):
        weights_of(folder)


def test_a_folder_without_a_card_is_no_checkpoint(tmp_path: Path) -> None:
    with pytest.raises(HousematesError, match=f"a folder with a {CARD}"):
        read_card(tmp_path)


def test_what_a_network_sees_with_is_carried_and_cannot_be_exchanged(
    trained: Callable[..., Path], parity: types.ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    eyes = tmp_path / "elsewhere.onnx"
    eyes.write_bytes(b"young")
    monkeypatch.setattr(parity.Parity, "carried", lambda learner: {"encoder.onnx": eyes})
    folder = trained("one", epochs=1)
    export_model(folder, tmp_path / "small")
    eyes.write_bytes(b"older")
    assert [carried(each, "encoder.onnx").read_bytes() for each in (folder, tmp_path / "small")] == [
        b"young"
    ] * 2
    with pytest.raises(HousematesError, match="was trained with another image encoder"):
        trained("one", epochs=2)
    with pytest.raises(HousematesError, match=r"was trained with another encoder\.onnx"):
        trained("two", start=folder)
    (folder / "encoder.onnx").write_bytes(b"older")
    with pytest.raises(HousematesError, match="expected the file that the weights were trained with"):
        carried(folder, "encoder.onnx")
