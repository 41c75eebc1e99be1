"""Replays of real demonstrations: they succeed, twice the same, and a command reports on them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from housemates.benchmarks.alfred.formats.episodes import Trajectory
from housemates.benchmarks.alfred.formats.replay import replay
from housemates.benchmarks.alfred.formats.scenes import scene_of
from housemates.cli.main import main
from housemates.data.store import Store
from housemates.files import write_text_lines


def test_most_demonstrations_succeed_when_replayed(store: Store, trajectories: list[Trajectory]) -> None:
    replays = [replay(each, scene_of(each, store), look=False) for each in trajectories]
    assert sum(each.success for each in replays) >= 0.85 * len(replays)
    touches = [case for each in replays for case in each.compared if not case.moves]
    assert sum(case.success for case in touches) >= 0.95 * len(touches)


def test_recorded_masks_mean_the_recorded_things(store: Store, trajectories: list[Trajectory]) -> None:
    cases = [
        case
        for each in trajectories[:8]
        for case in replay(each, scene_of(each, store)).compared
        if not case.moves
    ]
    assert sum(case.picks_target for case in cases) >= 0.85 * len(cases)


def test_a_replay_ends_the_same_every_time(store: Store, trajectories: list[Trajectory]) -> None:
    first, second = (
        replay(trajectories[0], scene_of(trajectories[0], Store(store.folder)), "mask") for _ in range(2)
    )
    assert first.digest == second.digest
    assert first.compared == second.compared


def test_the_replay_command_prints_one_object(
    store: Store,
    trajectories: list[Trajectory],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pack = tmp_path / "pack.jsonl"
    untold = [_without_plan(trajectories[1]), _in_plan(trajectories[2], "FloorPlan999")]
    write_text_lines(pack, [trajectories[0].to_json().decode(), *map(json.dumps, untold)])
    words = ["replay", "alfred", str(pack), "--store", str(store.folder), "--json", "--workers", "1"]
    shown = ["--video", str(tmp_path / "video"), "--report", str(tmp_path / "report")]
    report = run_json(capsys, [*words, "--by", "mask", *shown])
    assert (report["trajectories"], report["scored"], report["skipped"]) == (2, 1, 1)
    assert "not scored" in report["note"]
    assert {"succeeded", "goal_conditions", "moves", "interactions"} <= report.keys()
    assert {"mask_iou", "mask_picks_target"} <= report.keys()
    assert len(list((tmp_path / "video").glob("*.mp4"))) == 1
    told = json.loads((tmp_path / "report" / "report.json").read_text())
    assert set(told["tables"]) == {"class of object", "action", "task", "floor plan"}
    assert (told["summary"]["digest"], len(told["skipped"])) == (report["digest"], 1)
    assert "FloorPlan999" in (tmp_path / "report" / "index.html").read_text()


def run_json(capsys: pytest.CaptureFixture[str], words: list[str]) -> dict[str, Any]:
    """What a command prints."""
    main(words)
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def _without_plan(trajectory: Trajectory) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(trajectory.to_json())
    return {name: fields[name] for name in ("task_id", "scene", "turk_annotations")}


def _in_plan(trajectory: Trajectory, plan: str) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(trajectory.to_json())
    fields["scene"]["floor_plan"] = plan
    return fields
