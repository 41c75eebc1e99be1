"""Scenes on disk: written and read back the same, and every mistake named in one sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from housemates.errors import HousematesError
from housemates.home import World
from housemates.home.scenes.files import load_scene, save_scene, scene_from_data


@pytest.fixture
def data(kitchen) -> dict[str, Any]:
    """The kitchen as plain JSON data."""
    return json.loads(json.dumps(msgspec.to_builtins(kitchen.world.scene)))


def mug(data: dict[str, Any]) -> dict[str, Any]:
    return next(row for row in data["things"] if row["type"] == "Mug")


def refusal(data: Any) -> str:
    with pytest.raises(HousematesError) as caught:
        scene_from_data(data, "home.json")
    message = str(caught.value)
    assert message.startswith("home.json: ")
    assert "\n" not in message
    return message


def test_a_scene_is_read_back_as_it_was_written(kitchen, tmp_path: Path) -> None:
    save_scene(kitchen.world.scene, tmp_path / "home.json")
    again = load_scene(tmp_path / "home.json")
    assert again == kitchen.world.scene
    assert World(again).digest() == kitchen.world.digest()


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("type", "Unicorn", "type: unknown type 'Unicorn'"),
        ("size", [0.1, -0.2, 0.1], "size: expected positive metres, found -0.2"),
        ("size", [0.1, 0.0, 0.1], "size: expected"),
        ("size", [0.1, 0.1], "size: expected"),
        ("position", [0.0, None, 0.0], "position[1]: expected a number"),
        ("position", [0.0, float("nan"), 0.0], "finite"),
        ("yaw", float("inf"), "finite"),
        ("parents", ["Table|nowhere"], "parents: there is no object 'Table|nowhere'"),
        ("parents", ["Mug|+00.00|+00.00|+00.00"], "cannot be inside itself"),
        ("open", "yes", "open: expected true or false"),
        ("colour", "red", "there is no field 'colour'"),
    ],
)
def test_a_mistake_in_an_object_names_it_and_the_field(data, field, value, said) -> None:
    mug(data)[field] = value
    message = refusal(data)
    assert "object 'Mug|" in message
    assert said in message


def test_two_objects_inside_each_other_are_refused(data) -> None:
    plate = next(row for row in data["things"] if row["type"] == "Plate")
    mug(data)["parents"], plate["parents"] = [plate["id"]], [mug(data)["id"]]
    assert "it is inside itself" in refusal(data)


def test_an_id_is_used_once(data) -> None:
    data["things"].append(dict(mug(data)))
    assert "used twice" in refusal(data)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("x", float("nan"), "agent: x"),
        ("rotation", 45, "agent: rotation"),
        ("held", "Mug|nowhere", "agent: held"),
        ("x", "left", "agent: x"),
    ],
)
def test_a_mistake_in_the_agent_names_the_field(data, field, value, said) -> None:
    data["agent"][field] = value
    assert said in refusal(data)


@pytest.mark.parametrize("wrong", [[], 7, None, {"things": 3}, {"things": []}])
def test_what_is_no_scene_is_refused(wrong) -> None:
    refusal(wrong)


def test_a_truncated_file_is_named(kitchen, tmp_path: Path) -> None:
    save_scene(kitchen.world.scene, tmp_path / "home.json")
    text = (tmp_path / "home.json").read_text(encoding="utf-8")
    (tmp_path / "half.json").write_text(text[: len(text) // 2], encoding="utf-8")
    with pytest.raises(HousematesError, match=r"half\.json: expected JSON, found an end in the middle"):
        load_scene(tmp_path / "half.json")


def test_what_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "noise.json").write_bytes(bytes(range(128, 256)))
    with pytest.raises(HousematesError, match=r"noise\.json"):
        load_scene(tmp_path / "noise.json")


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(HousematesError, match=r"gone\.json: no such file"):
        load_scene(tmp_path / "gone.json")
