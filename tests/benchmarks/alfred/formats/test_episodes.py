"""Official files: what is read is written back as it was, and what is broken is named."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from housemates.benchmarks.alfred.formats.episodes import (
    TrajectoryText,
    read_texts,
    read_trajectories,
    write_trajectories,
)
from housemates.benchmarks.alfred.world import masks
from housemates.benchmarks.alfred.world.stances import stances
from housemates.data.records import Skipped
from housemates.errors import HousematesError
from housemates.files import write_json


@pytest.fixture(scope="module")
def texts(real_data: Path) -> list[TrajectoryText]:
    return list(islice(read_texts([real_data / "alfred" / "valid_seen.jsonl.zst"], []), 40))


def test_a_trajectory_is_written_as_it_was_read(texts: list[TrajectoryText]) -> None:
    for text in texts:
        assert json.loads(text.parse().to_json()) == json.loads(text.text)


def test_a_tree_holds_what_a_pack_holds(texts: list[TrajectoryText], tmp_path: Path) -> None:
    wanted = [text.parse() for text in texts[:5]]
    assert write_trajectories(tmp_path / "tree", wanted) == 5
    assert write_trajectories(tmp_path / "pack.jsonl.zst", wanted) == 5
    assert (tmp_path / "tree" / wanted[0].task_id / "traj_data.json").is_file()
    skipped: list[Skipped] = []
    assert list(read_trajectories([tmp_path / "pack.jsonl.zst"], skipped)) == wanted
    assert {each.task_id for each in read_trajectories([tmp_path / "tree"], skipped)} == {
        each.task_id for each in wanted
    }
    assert skipped == []


def test_a_broken_file_is_named_and_the_rest_go_on(texts: list[TrajectoryText], tmp_path: Path) -> None:
    write_trajectories(tmp_path, [texts[0].parse()])
    broken = json.loads(texts[1].text)
    broken["scene"]["init_action"]["x"] = "left"
    write_json(tmp_path / "broken" / "traj_data.json", broken)
    skipped: list[Skipped] = []
    assert len(list(read_trajectories([tmp_path], skipped))) == 1
    assert "scene.init_action.x" in skipped[0].reason
    with pytest.raises(HousematesError, match="no such file"):
        list(read_trajectories([tmp_path / "nowhere"], []))


def test_recorded_masks_are_runs_and_runs_are_masks(texts: list[TrajectoryText]) -> None:
    for text in texts:
        for low in text.parse().low_actions:
            runs = low.discrete_action.args.mask
            if isinstance(runs, list):
                mask = masks.from_runs(runs)
                assert masks.to_runs(mask) == runs
                column, row = masks.point_of(mask)
                assert mask[row, column]


def test_boxes_of_masks_are_the_recorded_ones(texts: list[TrajectoryText]) -> None:
    same = [
        masks.box_of(masks.from_runs(args.mask)) == args.bbox
        for text in texts
        for low in text.parse().low_actions
        if isinstance((args := low.discrete_action.args).mask, list)
    ]
    assert sum(same) > 0.8 * len(same)


@pytest.mark.parametrize("runs", [[[-1, 3]], [[89_999, 2]], [[5]], [[5, 0]]])
def test_runs_outside_the_picture_are_refused(runs: list[list[int]]) -> None:
    with pytest.raises(HousematesError, match="300x300"):
        masks.from_runs(runs)


def test_a_mask_and_itself_overlap_wholly_and_two_empty_ones_not_at_all() -> None:
    mask = np.zeros((300, 300), np.bool_)
    assert masks.overlap(mask, mask) == 0.0
    mask[10:20, 10:20] = True
    assert masks.overlap(mask, mask) == 1.0
    other = np.roll(mask, 5, axis=0)
    assert masks.overlap(mask, other) == pytest.approx(1 / 3)


def test_dead_reckoning_ends_where_the_plan_says(texts: list[TrajectoryText]) -> None:
    found = []
    for text in texts:
        trajectory = text.parse()
        goals = {
            high.high_idx: high.planner_action["location"]
            for high in trajectory.plan.high_pddl  # type: ignore[union-attr]
            if high.planner_action["action"] == "GotoLocation"
        }
        last = {low.high_idx: index for index, low in enumerate(trajectory.low_actions)}
        poses = list(stances(trajectory))
        for index, place in goals.items():
            if index in last:
                pose = poses[last[index] + 1]
                told = f"loc|{round(pose.x * 4)}|{round(pose.z * 4)}|{pose.rotation // 90}|{pose.horizon}"
                found.append(told == place)
    assert sum(found) >= 0.99 * len(found)


def test_a_test_file_tells_no_goal(texts: list[TrajectoryText]) -> None:
    fields: dict[str, Any] = json.loads(texts[0].text)
    for name in ("plan", "pddl_params", "task_type", "images"):
        del fields[name]
    trajectory = TrajectoryText("test", json.dumps(fields)).parse()
    assert not trajectory.scored
    assert trajectory.low_actions == []
    assert json.loads(trajectory.to_json()) == fields
