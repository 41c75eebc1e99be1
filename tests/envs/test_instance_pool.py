"""Where the instances of environments come from, and what is kept of them on disk."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from housemates.benchmarks.home.benchmark import Home
from housemates.core import registry
from housemates.core.benchmark import Instance, Reference
from housemates.envs import instance_cache
from housemates.envs.instance_pool import Supply
from housemates.errors import HousematesError


class Rooms(Home):
    """Homes that are made quickly and counted; every third draw comes to nothing."""

    made = 0

    def references(self, split: str, seed: int) -> Iterator[Reference]:
        for number, reference in enumerate(super().references("train", seed)):
            yield Reference(reference.id, number, seed)

    def open(self, reference: Reference) -> Sequence[Instance]:
        type(self).made += 1
        if reference.data % 3 == 2:
            raise HousematesError("nothing")
        return [*super().open(reference)] * 2


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of stocks; nothing is made in the background."""
    monkeypatch.setenv("HOUSEMATES_CACHE", str(tmp_path))
    monkeypatch.setattr(instance_cache, "_start", lambda order: None)
    monkeypatch.setattr(Rooms, "made", 0)
    return tmp_path


def drawn(supply: Supply, seed: int, count: int = 12) -> list[Instance]:
    rng = np.random.default_rng(seed)
    return [supply.draw(rng) for _ in range(count)]


def test_the_same_seed_draws_the_same_whatever_was_made_before(folder: Path) -> None:
    first = Supply(Rooms(), size=9)
    expected = drawn(first, 0)
    assert len({each.id for each in expected}) > 2
    assert drawn(first, 0) == expected
    drawn(first, 5, 40)
    assert drawn(Supply(Rooms(), size=9), 0) == expected


def test_what_was_made_is_read_again_and_is_the_same(folder: Path) -> None:
    drawn(Supply(Rooms(), size=6), 1, 60)
    made = Rooms.made
    again = drawn(Supply(Rooms(), size=6), 1, 60)
    assert Rooms.made == made == 6
    rooms = [Home().open(reference)[0] for reference in Rooms().references("train", 0)]
    original = {each.id: each for each in rooms}
    assert all(each == original[each.id] for each in again)


def test_a_file_that_cannot_be_read_is_made_again(folder: Path) -> None:
    expected = drawn(Supply(Rooms(), size=4), 0)
    for number, path in enumerate(sorted(folder.rglob("*.zst"))):
        path.write_bytes(path.read_bytes()[:40] if number % 2 else b"nonsense")
    assert drawn(Supply(Rooms(), size=4), 0) == expected


def test_of_a_file_only_what_is_asked_for_is_decoded() -> None:
    raw = [msgspec.Raw(msgspec.msgpack.encode(data)) for data in (0, 1, 2, "no number")]
    packed = instance_cache.Packed(
        [(f"i{number}", "task", each, 7, {}) for number, each in enumerate(raw)], int
    )
    assert packed[1] == Instance("i1", "task", 1, 7)
    assert packed[1] is packed[-3]
    assert [each.id for each in packed[:2]] == ["i0", "i1"]
    with pytest.raises(msgspec.ValidationError):
        packed[3]


def test_a_byte_that_was_changed_on_disk_is_noticed(folder: Path) -> None:
    expected = drawn(Supply(Rooms(), size=4), 0)
    for path in folder.rglob("*.zst"):
        told = bytearray(path.read_bytes())
        told[-9] ^= 1
        path.write_bytes(told)
    assert drawn(Supply(Rooms(), size=4), 0) == expected


def test_nothing_half_written_is_left(folder: Path) -> None:
    drawn(Supply(Rooms(), size=4), 0)
    assert {path.suffix for path in folder.rglob("*") if path.is_file()} <= {".zst", ""}


def test_other_seeds_and_options_have_folders_of_their_own(folder: Path) -> None:
    given: list[tuple[dict[str, Any], int]] = [({}, 0), ({}, 1), ({"scene": "kitchen-1"}, 0)]
    assert len({folder_of(options, seed) for options, seed in given}) == 3


def test_instances_are_made_once_for_pictures_of_all_sizes(folder: Path) -> None:
    assert folder_of({}, 0) == folder_of({"size": "64"}, 0) == folder_of({"pointing": "point"}, 0)


def folder_of(options: dict[str, Any], seed: int) -> Path:
    instance_cache = Supply(Rooms(Home.Options(**options)), seed=seed, size=1).stock
    assert instance_cache is not None
    return instance_cache.folder


def test_options_that_cannot_be_written_down_are_not_kept(folder: Path) -> None:
    supply = Supply(Rooms(Home.Options(goal=lambda world: False)), size=2)
    assert supply.stock is None
    assert drawn(supply, 0)


def test_nothing_is_kept_without_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOUSEMATES_CACHE", "")
    assert Supply(Rooms(), size=2).stock is None


def test_a_folder_that_cannot_be_written_does_not_matter(folder: Path) -> None:
    (folder / "file").write_text("in the way")
    os.environ["HOUSEMATES_CACHE"] = str(folder / "file" / "below")
    assert drawn(Supply(Rooms(), size=2), 0)


def test_old_folders_make_room_for_new_ones(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for age, name in enumerate(["newer", "older"]):
        (folder / name).mkdir()
        (folder / name / "000000.msgpack.zst").write_bytes(bytes(1000))
        os.utime(folder / name, (1e9 - age, 1e9 - age))
    (folder / "own").mkdir()
    monkeypatch.setattr(instance_cache, "MOST_BYTES", 1500)
    assert instance_cache.make_room(folder, folder / "own")
    assert {each.name for each in folder.iterdir()} == {"newer", "own"}
    monkeypatch.setattr(instance_cache, "MOST_BYTES", -1)
    assert not instance_cache.make_room(folder, folder / "own")


def test_an_instance_is_found_by_its_id(folder: Path) -> None:
    supply = Supply(Home(), "train")
    assert supply.find("kitchen-03").id == "kitchen-03"
    with pytest.raises(HousematesError, match="did you mean 'kitchen-0"):
        supply.find("kitchen-033")


def test_a_supply_in_which_nothing_can_be_made_says_so(folder: Path) -> None:
    class Nothing(Rooms):
        def open(self, reference: Reference) -> Sequence[Instance]:
            raise HousematesError("nothing")

    with pytest.raises(HousematesError, match="no instances"):
        drawn(Supply(Nothing(), size=3), 0)


def test_wrong_splits_and_sizes_are_refused(folder: Path) -> None:
    with pytest.raises(HousematesError, match="tomorrow"):
        Supply(Home(), "tomorrow")
    with pytest.raises(HousematesError, match="at least 1"):
        Supply(Home(), size=0)


PROGRAM = """
import sys, time
import numpy as np
from housemates.core import registry
from housemates.envs.instance_pool import Supply
supply = Supply(registry.benchmark("home"), "generated", 0, int(sys.argv[1]))
supply.draw(np.random.default_rng(0))
print("ready", flush=True)
time.sleep(float(sys.argv[2]))
"""


def start(folder: Path, size: int, seconds: float) -> subprocess.Popen[str]:
    run = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(size), str(seconds)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "HOUSEMATES_CACHE": str(folder)},
    )
    assert run.stdout is not None
    assert run.stdout.readline() == "ready\n"
    return run


def soon(true: Any, seconds: float = 60.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.05)
    return False


def free(folder: Path) -> bool:
    """Whether nobody makes anything there."""
    with instance_cache._locked(next(folder.glob("*/lock"))) as mine:
        return mine


def test_the_rest_is_made_in_the_background_by_one_process(tmp_path: Path) -> None:
    runs = [start(tmp_path, 4, 60) for _ in range(2)]
    try:
        assert soon(lambda: len(list(tmp_path.rglob("*.zst"))) == 4)
        assert soon(lambda: free(tmp_path))
        supply_of = registry.benchmark("home")
        kept = instance_cache.Stock(supply_of, "generated", 0, 4, tmp_path)
        for number, reference in zip(range(4), supply_of.references("generated", 0), strict=False):
            assert list(kept.read(number) or ()) == list(supply_of.open(reference))
    finally:
        for run in runs:
            run.kill()
            run.communicate()


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM])
def test_who_makes_them_ends_with_the_one_who_wants_them(tmp_path: Path, end: signal.Signals) -> None:
    run = start(tmp_path, 5000, 60)
    assert soon(lambda: not free(tmp_path))
    run.send_signal(end)
    run.communicate()
    assert soon(lambda: free(tmp_path), 10)


def test_a_program_ends_although_there_is_more_to_make(tmp_path: Path) -> None:
    began = time.monotonic()
    run = start(tmp_path, 5000, 0.5)
    assert run.wait(20) == 0
    run.communicate()
    assert time.monotonic() - began < 30
    assert soon(lambda: free(tmp_path), 10)
