"""The call patterns of code bases, on a few recorded episodes; `measure.py` does whole counts."""

from __future__ import annotations

import importlib
import json
import sys
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from housemates.benchmarks.alfred.formats.ingestion import import_trajectories
from housemates.benchmarks.teach.formats.episodes import GAMES
from housemates.benchmarks.teach.formats.ingestion import import_games
from housemates.data.store import Store
from housemates.files import read_text_lines, write_text_lines
from housemates.thor import Controller

DEMONSTRATIONS = 4
GAMES_TRIED = 6


@pytest.fixture
def pattern(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Imports a module of this folder."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))

    def load(name: str) -> ModuleType:
        for each in ("alfred", "eb_alfred", "teach"):
            monkeypatch.delitem(sys.modules, each, raising=False)
        return importlib.import_module(name)

    return load


def few(source: Path, folder: Path, count: int) -> list[str]:
    """The first lines of a packed file, in a packed file of their own."""
    lines = [text.strip() for _, text in islice(read_text_lines(source), count)]
    write_text_lines(folder / "few.jsonl.zst", lines)
    return lines


@pytest.fixture(scope="module")
def demonstrated(
    real_data: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[dict[str, Any]]]:
    """A store of a few demonstrations and the layouts, and those demonstrations."""
    folder = tmp_path_factory.mktemp("demonstrations")
    lines = few(real_data / "alfred" / "valid_seen.jsonl.zst", folder, DEMONSTRATIONS)
    store = Store(folder / "store")
    import_trajectories(store, folder / "few.jsonl.zst")
    return folder / "store", [json.loads(line) for line in lines]


def started(store: Path) -> Controller:
    """A controller begun as version 2 does."""
    controller = Controller(store=store)
    controller.start(player_screen_height=300, player_screen_width=300)
    return controller


@pytest.mark.parametrize(("by", "smooth"), [("id", False), ("mask", True)])
def test_alfreds_environment_meets_its_own_goals(
    demonstrated: Any, pattern: Any, by: str, smooth: bool
) -> None:
    alfred = pattern("alfred")
    store, trajectories = demonstrated
    environment = alfred.Environment(started(store), smooth)
    played = [alfred.play(environment, each, by) for each in trajectories]
    assert sum(each["success"] for each in played) >= DEMONSTRATIONS - 1, played


def test_eb_alfreds_skills_do_an_oracles_plan(demonstrated: Any, pattern: Any) -> None:
    skills, alfred = pattern("eb_alfred"), pattern("alfred")
    store, trajectories = demonstrated
    environment = alfred.Environment(started(store))
    played = [skills.play(environment, each) for each in trajectories]
    assert sum(each["success"] for each in played) >= DEMONSTRATIONS - 1, played


def test_metadata_of_a_store_of_alfred_alone_are_taken_back_as_poses(demonstrated: Any) -> None:
    store, trajectories = demonstrated
    for old in (True, False):
        controller = started(store) if old else Controller(store=store)
        controller.reset(trajectories[0]["scene"]["floor_plan"])
        before = {each["objectId"] for each in controller.last_event.metadata["objects"]}
        poses = [
            {"objectName": each["name"], "position": each["position"], "rotation": each["rotation"]}
            for each in controller.last_event.metadata["objects"]
            if each["pickupable"] or each["moveable"]
        ]
        event = controller.step({"action": "SetObjectPoses", "objectPoses": poses})
        assert event, event.metadata["errorMessage"]
        after = {each["objectId"] for each in event.metadata["objects"]}
        assert len(before & after) >= 0.9 * len(before)


def test_version_2_keeps_furniture_that_poses_do_not_name(demonstrated: Any) -> None:
    store, trajectories = demonstrated
    controller = started(store)
    controller.reset(trajectories[0]["scene"]["floor_plan"])
    before = [each for each in controller.last_event.metadata["objects"] if not each["pickupable"]]
    event = controller.step({"action": "SetObjectPoses", "objectPoses": []})
    assert [each["objectId"] for each in event.metadata["objects"]] == [each["objectId"] for each in before]


def test_teachs_simulator_ends_games_by_their_clicks(real_data: Path, tmp_path: Path, pattern: Any) -> None:
    few(real_data / "teach" / "valid_seen.jsonl.zst", tmp_path, GAMES_TRIED)
    import_games(Store(tmp_path / "store"), tmp_path / "few.jsonl.zst")
    teach = pattern("teach")
    controller = Controller(store=tmp_path / "store")
    shortest = min(GAMES.texts([tmp_path / "few.jsonl.zst"], []), key=lambda text: len(text.text))
    played = teach.play(controller, shortest.parse())
    assert played["touches"] > 0
    assert played["success"], played["missed"]


def test_kitchens_begin_off_empty_and_full_of_things() -> None:
    controller = Controller()
    for number in (1, 12, 30):
        objects = controller.reset(f"FloorPlan{number}").metadata["objects"]
        assert not any(each["isToggled"] or each["isFilledWithLiquid"] for each in objects)
        assert len(objects) >= 40
