"""Splits of recorded data: what is there is found, what is not is refused, what is broken is an error."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from housemates.benchmarks.alfred.formats.splits import places, read
from housemates.benchmarks.alfred.generate.trajectories import Settings, generate
from housemates.core import registry
from housemates.core.loading import seat_all
from housemates.errors import HousematesError
from housemates.evaluation.runner import Run, evaluate
from housemates.files import read_json, read_text, write_json, write_text_lines


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three generated demonstrations in `train`."""
    folder = tmp_path_factory.mktemp("splits") / "set"
    generate(folder, 3, Settings(seed=6), workers=1)
    return folder


@pytest.fixture
def packed(made: Path, tmp_path: Path) -> Path:
    """The same in a packed file whose name says no split."""
    texts = [read_text(file).strip() for file in sorted(made.rglob("traj_data.json"))]
    write_text_lines(tmp_path / "pack.jsonl.zst", texts)
    return tmp_path / "pack.jsonl.zst"


def listed(data: Path, split: str) -> list[str]:
    return [name for name, _ in places(data, split)]


def run(data: Path, split: str = "train", **options: str) -> dict[str, Any]:
    seats = seat_all(registry.benchmark_class("alfred"), ["template"], {})
    given = Run("alfred", seats, split, None, 0, {"data": str(data), **options})
    return evaluate(given, workers=1, progress=False)


def test_a_folder_of_splits_has_only_those(made: Path, packed: Path, tmp_path: Path) -> None:
    assert len(listed(made, "train")) == len(listed(made / "train", "train")) == 3
    for split in ("valid_unseen", "tests_seen"):
        with pytest.raises(HousematesError, match=f"no split '{split}': there is train"):
            listed(made, split)
        with pytest.raises(HousematesError, match="is the split 'train'"):
            listed(made / "train", split)
    shutil.copy(packed, tmp_path / "valid_seen.jsonl.zst")
    assert len(listed(tmp_path, "valid_seen")) == 3
    with pytest.raises(HousematesError, match="there is valid_seen"):
        listed(tmp_path, "train")
    with pytest.raises(HousematesError, match="is the split 'valid_seen'"):
        listed(tmp_path / "valid_seen.jsonl.zst", "valid_unseen")


def test_what_says_no_split_is_what_it_is_asked_for(packed: Path) -> None:
    assert listed(packed, "valid_unseen") == [f"pack.jsonl.zst: line {number}" for number in (1, 2, 3)]


@pytest.mark.parametrize("split", ["typo", "tain"])
def test_an_unknown_split_is_refused_with_or_without_data(made: Path, split: str) -> None:
    for options in ({}, {"data": str(made)}):
        with pytest.raises(HousematesError, match=r"Unknown split .* train, valid_seen"):
            next(registry.benchmark("alfred", **options).references(split, 0))


def test_data_that_are_not_there_or_empty_are_refused(tmp_path: Path) -> None:
    with pytest.raises(HousematesError, match="no such file or folder"):
        listed(tmp_path / "nothing", "train")
    with pytest.raises(HousematesError, match="holds no trajectory"):
        listed(tmp_path, "train")
    with pytest.raises(HousematesError, match="data=FILE_OR_FOLDER"):
        next(registry.benchmark("alfred").references("train", 0))


def test_a_record_that_says_another_split_is_refused(made: Path, tmp_path: Path) -> None:
    record = {**read_json(next(made.rglob("traj_data.json"))), "split": "valid_seen"}
    write_json(tmp_path / "one.json", record)
    ((_, place),) = places(tmp_path / "one.json", "train")
    assert read(place, "valid_seen").split == "valid_seen"
    with pytest.raises(HousematesError, match="is of the split 'valid_seen'"):
        read(place, "train")


def test_a_directive_that_an_episode_lacks_is_an_error_of_that_episode(made: Path) -> None:
    found = run(made, directive="99")
    assert (found["episodes"], found["errors"]) == (3, 3)


def test_broken_files_are_errors_and_the_rest_go_on(made: Path, tmp_path: Path) -> None:
    shutil.copytree(made / "train", tmp_path / "set")
    (tmp_path / "set" / "a").mkdir()
    (tmp_path / "set" / "a" / "traj_data.json").write_text("{")
    (tmp_path / "set" / "b").mkdir()
    (tmp_path / "set" / "b" / "traj_data.json").write_bytes(b"\xff\xfe")
    found = run(tmp_path / "set")
    assert (found["episodes"], found["errors"]) == (5, 2)


def test_broken_lines_and_a_torn_end_are_errors_and_the_rest_go_on(packed: Path, tmp_path: Path) -> None:
    texts = [text for text in read_text(packed).splitlines() if text]
    write_text_lines(tmp_path / "some.jsonl", [texts[0], "{", texts[1]])
    assert (found := run(tmp_path / "some.jsonl"))["errors"] == 1 and found["episodes"] == 3
    noise = "".join(map(chr, np.random.default_rng(0).integers(33, 120, 600_000)))
    write_text_lines(tmp_path / "torn.jsonl.zst", [*texts, noise])
    whole = (tmp_path / "torn.jsonl.zst").read_bytes()
    (tmp_path / "torn.jsonl.zst").write_bytes(whole[:-200])
    found = run(tmp_path / "torn.jsonl.zst")
    assert (found["errors"], found["episodes"]) == (1, 4)
