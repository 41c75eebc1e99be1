"""Sampled starts: always the same from a seed, with what the task takes, and with something left to do."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import islice
from pathlib import Path

import msgspec
import numpy as np
import pytest

from housemates.benchmarks.teach.formats.ingestion import import_games
from housemates.benchmarks.teach.generate import sampling
from housemates.benchmarks.teach.generate.arrangement import can_get_at, things_of
from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.benchmarks.teach.world.dynamics import TeachWorld
from housemates.data.store import Store
from housemates.errors import HousematesError
from housemates.files import read_text_lines, write_text_lines
from housemates.home import World
from housemates.home.navigation import cell_of, reachable
from housemates.home.scenes.catalogue import split_of
from housemates.home.things import Scene

SEED = 5
TASKS = sampling.task_names()


def test_the_twelve_tasks_follow_one_another() -> None:
    drawn = sampling.draws(SEED, 24, TASKS)
    assert [each.task for each in drawn] == [*TASKS, *TASKS]
    assert len({each.id for each in drawn}) == 24


@pytest.mark.parametrize("number", range(12), ids=TASKS)
def test_a_start_can_be_done_but_is_not(number: int) -> None:
    (drawn,) = sampling.draws(SEED, 1, TASKS, first=number)
    start = sampling.start(drawn)
    assert start == sampling.start(drawn)
    world = World(start.scene)
    objects = TeachWorld(world).objects()
    task = tasks.game_task(start.definition, drawn.id)
    assert not tasks.check(task, objects).success
    assert tasks.missing(task, objects) == []
    cells = reachable(world)
    assert cell_of(world.agent) in cells
    if drawn.task.startswith("Put All"):
        things = things_of(world, task.params[:1])
        assert len(things) >= 2
        assert all(can_get_at(world, thing, cells) for thing in things)


def test_other_numbers_attempts_and_seeds_give_other_starts() -> None:
    first, second = (sampling.start(each).scene for each in sampling.draws(SEED, 2, ["Coffee"]))
    (other,) = sampling.draws(SEED + 1, 1, ["Coffee"])
    assert len({first, second, sampling.start(other).scene}) == 3


def test_the_hash_seed_changes_nothing() -> None:
    code = (
        "import msgspec, sys; from housemates.benchmarks.teach.generate import sampling as s; "
        "starts = [s.start(each).scene for each in s.draws(5, 4, s.task_names(), first=7)]; "
        "sys.stdout.buffer.write(msgspec.json.encode(starts))"
    )
    other = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    environment = {**os.environ, "PYTHONHASHSEED": other}
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, env=environment)
    here = [sampling.start(each).scene for each in sampling.draws(SEED, 4, TASKS, first=7)]
    assert msgspec.json.decode(run.stdout, type=list[Scene]) == here


def test_every_row_of_the_table_is_a_task_with_its_parameters() -> None:
    rng = np.random.default_rng(0)
    for task, rows in sampling.variants().items():
        for row in rows:
            assert tasks.bind(task, row.params(rng)).components


def test_rooms_of_a_split_stay_in_it() -> None:
    for drawn in sampling.draws(SEED, 3, ["Water Plant"], rooms="unseen"):
        assert split_of(sampling.start(drawn).scene.id) == "unseen"


def test_what_cannot_be_drawn_is_named() -> None:
    with pytest.raises(HousematesError, match="Fly to the moon"):
        sampling.task_names("Coffee,Fly to the moon")
    with pytest.raises(HousematesError, match="rooms: expected one of all, train"):
        sampling.draws(SEED, 1, ["Coffee"], rooms="castle")
    assert sampling.task_names("Make Coffee, Salad") == ("Coffee", "Salad")


def test_floor_plans_of_a_store_host_tasks(real_data: Path, tmp_path: Path) -> None:
    lines = read_text_lines(real_data / "teach" / "valid_seen.jsonl.zst")
    write_text_lines(tmp_path / "few.jsonl.zst", (text.strip() for _, text in islice(lines, 8)))
    import_games(Store(tmp_path / "store"), tmp_path / "few.jsonl.zst")
    drawn = sampling.draws(SEED, 2, ["Coffee", "Salad"], sampling.PLANS, str(tmp_path / "store"))
    for each in drawn:
        assert sampling.start(each).scene.id.startswith("FloorPlan")
