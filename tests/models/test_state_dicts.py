"""Weights that torch.save wrote are read as data: whatever a file asks for, nothing of it is executed."""

from __future__ import annotations

import io
import os
import pickle
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from housemates.cli.main import main
from housemates.data.pickles import Made, Name, read_pickle
from housemates.errors import HousematesError
from housemates.models.state_dicts import read_state_dict

MUTATIONS = 1000


class Sabotage:
    """Runs a command when it is unpickled."""

    def __init__(self, command: str) -> None:
        self.command = command

    def __reduce__(self) -> Any:
        return os.system, (self.command,)


def state() -> dict[str, Any]:
    """Tensors of several kinds, shapes and strides, two of one storage."""
    weight = torch.arange(24, dtype=torch.float32).reshape(2, 3, 4)
    return OrderedDict(
        {
            "conv.weight": torch.nn.Parameter(weight),
            "turned": weight.permute(2, 0, 1),
            "part": weight[1, 1:],
            "half": torch.tensor([1.5, -2.0], dtype=torch.float16),
            "brain": torch.tensor([1.5, -2.0], dtype=torch.bfloat16),
            "count": torch.tensor(7),
            "flags": torch.tensor([True, False]),
            "none": torch.zeros(0, 3),
        }
    )


@pytest.fixture(params=["zip", "older"])
def written(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A state dict in either form."""
    path = tmp_path / "weights.pth"
    torch.save(state(), path, _use_new_zipfile_serialization=request.param == "zip")
    return path


def test_tensors_come_out_as_torch_reads_them(written: Path) -> None:
    found = read_state_dict(written)
    assert list(found) == list(state())
    for name, tensor in state().items():
        theirs = tensor.detach().float() if tensor.dtype == torch.bfloat16 else tensor.detach()
        np.testing.assert_array_equal(found[name], theirs.numpy())


def test_a_checkpoint_that_keeps_its_weights_under_a_key_is_read(tmp_path: Path) -> None:
    torch.save({"epoch": 3, "state_dict": state()}, tmp_path / "weights.pth")
    assert list(read_state_dict(tmp_path / "weights.pth")) == list(state())


def test_the_command_writes_safetensors(written: Path, tmp_path: Path) -> None:
    main(["import", "weights", str(written), "--out", str(tmp_path / "weights.safetensors")])
    np.testing.assert_array_equal(
        load_file(tmp_path / "weights.safetensors")["part"], state()["part"].numpy()
    )


@pytest.mark.parametrize("protocol", range(6))
def test_a_pickle_that_calls_the_system_is_one_sentence_and_runs_nothing(
    protocol: int, tmp_path: Path
) -> None:
    ran = tmp_path / "ran"
    data = pickle.dumps({"weight": Sabotage(f"touch {ran}")}, protocol)
    with pytest.raises(HousematesError, match=r"asks for '(posix|nt)\.system', and only data are read"):
        read_pickle(io.BytesIO(data), lambda name: name.module == "collections", "weights.pth")
    path = tmp_path / "weights.pth"
    for newer in (True, False):
        torch.save({"weight": Sabotage(f"touch {ran}")}, path, _use_new_zipfile_serialization=newer)
        with pytest.raises(HousematesError, match="system"):
            read_state_dict(path)
    assert not ran.exists()


def test_a_name_that_is_expected_is_not_called_either(tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    found = read_pickle(io.BytesIO(pickle.dumps(Sabotage(f"touch {ran}"))), lambda name: True, "some")
    assert isinstance(found, Made)
    assert (found.name, found.arguments) == (Name(os.system.__module__, "system"), (f"touch {ran}",))
    assert not ran.exists()


def test_mutated_files_are_read_or_refused_in_one_sentence(written: Path, tmp_path: Path) -> None:
    whole = written.read_bytes()
    random = np.random.default_rng(0)
    path = tmp_path / "mutated.pth"
    refused = 0
    for number in range(MUTATIONS // 2):
        data = bytearray(whole)
        for place in random.integers(0, len(data), 1 + number % 8):
            data[place] = random.integers(256)
        if number % 5 == 0:
            data = data[: random.integers(len(data))]
        if number % 7 == 0:
            place, other = sorted(random.integers(0, len(data) + 1, 2))
            data = data[:place] + data[other:]
        path.write_bytes(bytes(data))
        try:
            read_state_dict(path)
        except HousematesError as error:
            refused += 1
            assert str(error).startswith(str(path)) and "\n" not in str(error)
    assert refused > MUTATIONS // 10


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"\x80\x02.", b"(" * 1000, b"\x80\x05(lp0\n0."])
def test_what_is_no_state_dict_is_one_sentence(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "weights.pth"
    path.write_bytes(data)
    with pytest.raises(HousematesError, match=r"weights\.pth: expected"):
        read_state_dict(path)


def test_deep_nesting_is_no_crash(tmp_path: Path) -> None:
    deep = b"\x80\x02)" + b"\x85" * 200_000 + b"}" + b"q\x00" + b"."
    assert read_pickle(io.BytesIO(deep), lambda _: False, "deep") == {}
    keyed = b"\x80\x02})" + b"\x85" * 200_000 + b"Ns."
    with pytest.raises(HousematesError, match="deep: expected a whole pickle"):
        read_pickle(io.BytesIO(keyed), lambda _: False, "deep")
