"""Games that we write: what the published checker reads in both of their states."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from housemates.benchmarks.teach.commands.generate import Generate
from housemates.benchmarks.teach.formats.episodes import Game, Snapshot, read_games
from housemates.benchmarks.teach.formats.reference import contradictions, played_progress, told_progress
from housemates.benchmarks.teach.formats.replay import replay
from housemates.benchmarks.teach.formats.scenes import scene_of
from housemates.benchmarks.teach.formats.states import recall
from housemates.benchmarks.teach.tasks import catalogue
from housemates.benchmarks.teach.tasks.catalogue import with_custom
from housemates.cli.main import main
from housemates.parallel import Crew

DERIVED = {
    "simbotObjectClass": list,
    "simbotPickedUp": int,
    "simbotLastParentReceptacle": str | None,
    "simbotIsReceptacleOf": list,
    "simbotIsFilledWithCoffee": bool,
    "simbotIsFilledWithWater": int,
    "simbotIsCooked": bool,
    "simbotIsBoiled": bool,
}
"""The fields that official states carry, and their types there."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A generated game of each of the twelve tasks."""
    out = tmp_path_factory.mktemp("generated")
    Generate(episodes=12, seed=3, out=out, crew=Crew(1), json=True).run()
    return out


@pytest.fixture(scope="module")
def games(folder: Path) -> dict[str, Game]:
    return {game.task.task_name: game for game in read_games([folder], [])}


def states(game: Game) -> tuple[Snapshot, Snapshot]:
    return game.episode.initial_state, game.episode.final_state


def fields(item: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name.startswith("simbot")}


def by_id(state: Snapshot) -> dict[str, dict[str, Any]]:
    return {item["objectId"]: item for item in state.objects}


@pytest.mark.parametrize("name", catalogue.dataset_tasks().values())
def test_the_fields_of_a_game_tell_that_its_task_is_done_at_the_end_and_not_at_the_start(
    name: str, games: dict[str, Game]
) -> None:
    game = games[name]
    task = catalogue.game_task(game.task.definition(), game.id)
    told = told_progress(game, task)
    assert (told["initial_state"].success, told["final_state"].success) == (False, True)
    assert contradictions(told, played_progress(game, task)) == []


def test_derived_properties_stand_with_the_objects_and_by_their_ids_with_official_types(
    games: dict[str, Game],
) -> None:
    found: set[str] = set()
    for state in (each for game in games.values() for each in states(game)):
        assert state.custom_object_metadata
        assert with_custom(state.objects, state.custom_object_metadata) == state.objects
        for item in state.objects:
            assert fields(item) == state.custom_object_metadata.get(item["objectId"], {})
            for name, value in fields(item).items():
                assert isinstance(value, DERIVED[name]) and isinstance(value, bool) == (DERIVED[name] is bool)
                found.add(name)
    assert found == DERIVED.keys()


def test_the_start_has_nothing_that_comes_of_acting(games: dict[str, Game]) -> None:
    acted = {"simbotPickedUp", "simbotLastParentReceptacle", "simbotIsReceptacleOf"}
    for game in games.values():
        assert not any(acted & fields(item).keys() for item in game.episode.initial_state.objects)
        assert any(acted & fields(item).keys() for item in game.episode.final_state.objects)


def test_what_was_cut_up_and_the_end_of_a_loaf_have_no_class(games: dict[str, Game]) -> None:
    end = by_id(games["Sandwich"].episode.final_state)
    (loaf,) = (name for name, item in end.items() if item["objectType"] == "Bread" and item["isSliced"])
    assert fields(end[loaf]) == {}
    assert "simbotObjectClass" not in end[f"{loaf}|Bread_0"]
    assert end[f"{loaf}|BreadSliced_1"]["simbotObjectClass"] == ["Bread", "Food"]


def test_a_receptacle_lists_what_was_put_there_last_and_nothing_that_was_taken_away(
    games: dict[str, Game],
) -> None:
    emptied = 0
    for game in games.values():
        end = by_id(game.episode.final_state)
        for name, item in end.items():
            inside = {each for each, other in end.items() if other.get("simbotLastParentReceptacle") == name}
            assert set(item.get("simbotIsReceptacleOf", ())) == inside
            emptied += item.get("simbotIsReceptacleOf") == []
    assert emptied


def test_a_game_without_these_fields_is_read_and_replays_and_is_told_apart(
    games: dict[str, Game], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    game = json.loads(games["Clean All X"].to_json())
    for state in ("initial_state", "final_state"):
        kept = game["tasks"][0]["episodes"][0][state]
        kept["custom_object_metadata"] = {}
        kept["objects"] = [
            {name: value for name, value in item.items() if not name.startswith("simbot")}
            for item in kept["objects"]
        ]
    (tmp_path / "old.game.json").write_text(json.dumps(game), encoding="utf-8")
    (old,) = read_games([tmp_path], [])
    assert replay(old, scene_of(old), refusals=False).success
    with pytest.raises(SystemExit) as left:
        main(["verify", "games", str(tmp_path), "--json"])
    assert left.value.code == 1
    assert json.loads(capsys.readouterr().out)["agree"] == 0


def test_generated_games_are_verified(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["verify", "games", str(folder), "--json"])
    assert json.loads(capsys.readouterr().out) == {
        "games": 12,
        "agree": 12,
        "incomplete_at_the_start": 12,
        "complete_at_the_end": 12,
        "skipped": 0,
    }


def test_replayed_official_games_come_to_the_official_fields(real_data: Path) -> None:
    """Water and boiling depend on what is not recorded; the others are those of the official state."""
    exact = {"simbotObjectClass", "simbotIsCooked", "simbotIsFilledWithCoffee", "simbotIsReceptacleOf"}
    ids = {"04b613ff7dfa1bea_8b8d", "028c162b607cc751_ac5a", "1f87012fd210e31b_2bed"}
    for game in read_games([real_data / "teach" / "valid_seen.jsonl.zst"], [], ids):
        end = len(game.episode.interactions)
        ours = {item["objectId"]: item for item in recall(game, [end]).objects(end)}
        for name, item in by_id(game.episode.final_state).items():
            for field in exact:
                assert ours[name].get(field) == item.get(field), (game.id, name, field)
