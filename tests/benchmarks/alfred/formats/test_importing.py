"""Demonstrations into the store and out of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from housemates.benchmarks.alfred.formats.episodes import Trajectory, TrajectoryText
from housemates.benchmarks.teach.formats.ingestion import import_games
from housemates.cli.main import main
from housemates.data.store import Store
from housemates.files import write_text_lines


def test_where_demonstrations_walked_is_kept_apart_from_where_people_did(
    store: Store, trajectories: list[Trajectory], real_data: Path
) -> None:
    people, layouts = Store(store.folder.parent / "people"), Store(store.folder.parent / "layouts")
    import_games(people, store.folder.parent / "games.jsonl")
    layouts.learn_layouts(real_data / "alfred" / "layouts.json.zst")
    longer = 0
    for plan in {each.scene.floor_plan for each in trajectories}:
        known, layout = store.knowledge(plan), layouts.knowledge(plan)
        assert known is not None and layout is not None
        walked = people.knowledge(plan)
        assert known.walked == (walked.walked if walked else set())
        assert known.layout >= layout.layout
        longer += len(known.layout) > len(layout.layout)
    assert longer


def test_import_and_export_give_the_same_files(
    trajectories: list[Trajectory], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack, folder = tmp_path / "pack.jsonl", str(tmp_path / "s")
    lines = [each.to_json().decode() for each in trajectories[:4]]
    write_text_lines(pack, [*lines, '{"task_id": "broken", "scene": 3}'])
    report = run_json(capsys, ["import", "alfred", str(pack), "--store", folder, "--json"])
    assert (report["trajectories"], report["skipped"]) == (4, 1)
    assert run_json(capsys, ["import", "alfred", str(pack), "--store", folder, "--json"])["in_store"] == 4
    run_json(capsys, ["export", "alfred", "--store", folder, "--out", str(tmp_path / "tree"), "--json"])
    for each in trajectories[:4]:
        text = (tmp_path / "tree" / each.task_id / "traj_data.json").read_text()
        assert TrajectoryText("out", text).parse() == each


def run_json(capsys: pytest.CaptureFixture[str], words: list[str]) -> dict[str, Any]:
    """What a command prints."""
    main(words)
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found
