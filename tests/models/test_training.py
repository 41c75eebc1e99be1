"""The training loop: it goes on as if nothing had happened, alone or with others, and loses nothing."""

from __future__ import annotations

import resource
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from housemates.errors import HousematesError
from housemates.models.checkpoints import read_card, read_tensors
from housemates.models.launch import remap_rows
from housemates.models.schedule import Schedule, rate_at
from housemates.models.training import bucket_by_length

pytestmark = pytest.mark.slow
TRAIN = ("train", "parity", "--data", "answers.txt", "--threads", 1, "--out")


def same(one: Path, other: Path) -> bool:
    """Whether two trainings are equal to the bit: weights, optimiser, the rest, and their histories."""
    cards = [read_card(folder) for folder in (one, other)]
    tensors = [read_tensors(folder / card.training) for folder, card in zip((one, other), cards, strict=True)]
    assert tensors[0].keys() == tensors[1].keys()
    assert any(name.startswith("optimizer.") for name in tensors[0])
    equal = all(torch.equal(tensors[0][name], tensors[1][name]) for name in tensors[0])
    return equal and cards[0].progress == cards[1].progress


def test_a_training_that_was_stopped_goes_on_to_the_bit(
    trained: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    undisturbed = trained("undisturbed")
    for step, number in ((4, signal.SIGINT), (13, signal.SIGTERM)):
        monkeypatch.setenv("SIGNAL_AT", str(step))
        monkeypatch.setenv("SIGNAL", str(int(number)))
        with pytest.raises(KeyboardInterrupt):
            trained("stopped")
    assert read_card(undisturbed.parent / "stopped").progress.step == 13
    monkeypatch.delenv("SIGNAL_AT")
    assert same(undisturbed, trained("stopped"))


def test_a_training_that_was_killed_goes_on_to_the_bit(
    trained: Callable[..., Path], program: Callable[..., Any]
) -> None:
    undisturbed = trained("undisturbed")
    killed = program(*TRAIN, "killed", SIGNAL_AT="11", SIGNAL=str(int(signal.SIGKILL)))
    assert killed.returncode == -signal.SIGKILL
    assert read_card(undisturbed.parent / "killed").progress.step == 9
    assert same(undisturbed, trained("killed"))


def test_a_finished_training_is_left_as_it_is_and_can_be_made_longer(trained: Callable[..., Path]) -> None:
    folder = trained("one")
    before = read_card(folder).progress
    assert read_card(trained("one")).progress == before
    longer = read_card(trained("one", epochs=5)).progress
    assert (before.epoch, longer.epoch) == (4, 5)


def test_training_ends_when_validation_gets_no_better(trained: Callable[..., Path]) -> None:
    progress = read_card(trained("impatient", rate=1e-9, patience=2, epochs=50)).progress
    assert (progress.epoch, progress.best_step) == (3, 6)


def test_two_processes_train_one_network(trained: Callable[..., Path], program: Callable[..., Any]) -> None:
    torchrun = "-m torch.distributed.run --nproc-per-node 2 --rdzv-backend c10d --rdzv-endpoint 127.0.0.1:0"
    run = program(*TRAIN, "two", "--json", before=tuple(torchrun.split()))
    assert run.returncode == 0, run.stderr
    assert run.stdout.count('"finished": true') == 1
    folder = trained("one")
    steps = [read_card(each).progress.step for each in (folder, folder.parent / "two")]
    assert steps == [24, 24]


def test_weights_can_be_begun_with(trained: Callable[..., Path]) -> None:
    first = trained("first")
    second = trained("second", start=first, epochs=1, rate=1e-9)
    learnt, kept = (read_tensors(each / read_card(each).weights) for each in (first, second))
    assert all(torch.allclose(learnt[name], kept[name], atol=1e-5) for name in learnt)
    with pytest.raises(HousematesError, match="trained from other weights"):
        trained("second", epochs=1, rate=1e-9)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"wdith": 3}, "has no option 'wdith'"),
        ({"rate": "fast"}, "expected a number"),
        ({"batch": 0}, "1 or more"),
    ],
)
def test_a_config_that_makes_no_sense_is_refused(
    trained: Callable[..., Path], given: dict[str, Any], said: str
) -> None:
    with pytest.raises(HousematesError, match=said):
        trained("wrong", **given)


def test_another_training_in_the_same_folder_is_refused(trained: Callable[..., Path], tmp_path: Path) -> None:
    folder = trained("one")
    with pytest.raises(HousematesError, match="trained with width = 16, not 8"):
        trained("one", width=8)
    (tmp_path / "answers.txt").write_text("even odd neither")
    with pytest.raises(HousematesError, match="another vocabulary"):
        trained("one")
    with pytest.raises(HousematesError, match="another vocabulary of answers"):
        trained("two", start=folder)


def test_a_disk_that_fills_up_leaves_the_last_checkpoint_whole(trained: Callable[..., Path]) -> None:
    folder = trained("one")
    before = read_card(folder).progress
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2048, limits[1]))
    try:
        with pytest.raises(HousematesError, match="cannot be written"):
            trained("one", epochs=9)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert read_card(folder).progress == before
    assert read_card(trained("one", epochs=5)).progress.epoch == 5


def test_the_rate_rises_and_falls() -> None:
    config = Schedule(rate=1.0, warmup=10, decay="linear")
    rates = [rate_at(config, step, 110) for step in (0, 9, 10, 60, 110)]
    assert rates == pytest.approx([0.1, 1.0, 1.0, 0.5, 0.0])


def test_portions_of_one_length_hold_every_example_once() -> None:
    rng = np.random.default_rng(0)
    lengths = rng.integers(1, 100, 203)
    order = bucket_by_length(rng.permutation(203), lengths, 4, rng)
    assert sorted(order.tolist()) == list(range(203))
    spread = np.ptp(lengths[order[:200].reshape(-1, 4)], axis=1).mean()
    assert spread < np.ptp(lengths[rng.permutation(200).reshape(-1, 4)], axis=1).mean() / 4


def test_weights_of_names_go_by_their_names() -> None:
    own, theirs = torch.zeros(3, 2), torch.arange(1.0, 7.0).view(3, 2)
    found = remap_rows(own, ["mug", "cup", "pan"], theirs, ["pan", "mug", "egg"])
    assert found.tolist() == [[3.0, 4.0], [0.0, 0.0], [1.0, 2.0]]
