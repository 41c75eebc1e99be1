"""Scanning code for what it asks of AI2-THOR."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from housemates.cli.main import main
from housemates.thor.checker import uses

CODE = """
from ai2thor.controller import Controller
import ai2thor.build
controller = Controller(scene="FloorPlan1")
event = controller.step(dict(action="MoveAhead", moveMagnitude=0.25))
controller.step("Crouch")
controller.step({"action": "PickupObject", "objectId": "Mug", "speed": 1})
controller.step(action="Pass", raise_for_failure=True)
event.metadata["agent"], event.metadata["weather"], event.instance_masks, event.flows_frame
"""


def test_every_call_is_found_with_whether_it_is_known(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text(CODE)
    found, unread = uses(str(path))
    known = {(use.kind, use.name): use.supported for use in found}
    assert unread == []
    assert known == {
        ("import", "ai2thor.controller"): True,
        ("import", "ai2thor.build"): False,
        ("action", "MoveAhead"): True,
        ("argument", "moveMagnitude"): True,
        ("action", "Crouch"): False,
        ("action", "PickupObject"): True,
        ("argument", "objectId"): True,
        ("argument", "speed"): False,
        ("action", "Pass"): True,
        ("metadata", "agent"): True,
        ("metadata", "weather"): False,
        ("event", "instance_masks"): True,
        ("event", "flows_frame"): False,
    }


def test_actions_are_found_in_lists_and_tables_and_other_names_are_not(tmp_path: Path) -> None:
    path = tmp_path / "agent.py"
    path.write_text(
        'MOVES = ["MoveAhead", "RotateLeft", "Crouch"]\n'
        'TOUCHES = {"take": "PickupObject", "put": "PutObject"}\n'
        'COLOURS = ("Red", "Green", "Pass")\n'
        'class Act(Enum):\n    DOWN = "LookDown"\n    UP = "LookUp"\n'
        'controller.step(dict(action="Initialize", snapGrid=False))\n'
    )
    known = {(use.kind, use.name): use.supported for use in uses(str(path))[0]}
    assert known == {
        ("action", "MoveAhead"): True,
        ("action", "RotateLeft"): True,
        ("action", "Crouch"): False,
        ("action", "PickupObject"): True,
        ("action", "PutObject"): True,
        ("action", "LookDown"): True,
        ("action", "LookUp"): True,
        ("action", "Initialize"): True,
        ("argument", "snapGrid"): True,
    }


def test_a_folder_is_scanned_though_one_file_is_broken(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "good.py").write_text('controller.step("RotateLeft")')
    (tmp_path / "bad.py").write_text("def (")
    main(["thor", "check", str(tmp_path), "--json"])
    report = json.loads(capsys.readouterr().out)
    assert (report["uses"], report["supported"], len(report["unread"])) == (1, 1, 1)


def test_what_is_not_there_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["thor", "check", str(tmp_path / "nowhere")])
    assert left.value.code == 2
    assert "no such file, folder or installed package" in capsys.readouterr().err
