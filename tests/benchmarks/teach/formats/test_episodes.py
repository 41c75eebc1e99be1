"""Official games: read, written back equal, and reported by name where they are broken."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from housemates.benchmarks.teach.formats.cases import read_verdicts
from housemates.benchmarks.teach.formats.episodes import parse_game, read_games, write_games
from housemates.benchmarks.teach.formats.reference import agrees
from housemates.benchmarks.teach.tasks import catalogue
from housemates.benchmarks.teach.world import poses
from housemates.benchmarks.teach.world.actions import action_offered, actions
from housemates.data.records import Skipped
from housemates.files import read_text_lines


@pytest.fixture(scope="module")
def texts(real_data: Path) -> list[str]:
    lines = read_text_lines(real_data / "teach" / "valid_seen.jsonl.zst")
    return [text for _, text in islice(lines, 12)]


def test_a_game_that_goes_in_comes_out_equal(texts: list[str]) -> None:
    for text in texts:
        assert json.loads(parse_game(text, "game").to_json()) == json.loads(text)


def test_folders_and_packed_files_hold_the_same(texts: list[str], tmp_path: Path) -> None:
    games = [parse_game(text, "game") for text in texts[:3]]
    skipped: list[Skipped] = []
    assert write_games(tmp_path / "folder", games) == 3
    write_games(tmp_path / "packed.jsonl.zst", games)
    folder = list(read_games([tmp_path / "folder"], skipped))
    packed = list(read_games([tmp_path / "packed.jsonl.zst"], skipped))
    assert sorted(game.id for game in games) == [game.id for game in folder]
    assert {game.id: game for game in folder} == {game.id: game for game in packed}
    assert skipped == []
    assert "game_id" not in json.loads((tmp_path / "folder" / f"{games[0].id}.game.json").read_text())


def test_an_id_names_a_file_and_never_a_path(texts: list[str], tmp_path: Path) -> None:
    game = parse_game(texts[0], "game")
    for name in ("../../outside", "/outside", "nul\0"):
        game.game_id = name
        write_games(tmp_path / "deep" / "folder", [game])
    assert len(list((tmp_path / "deep" / "folder").iterdir())) == 3
    assert [path.name for path in tmp_path.iterdir()] == ["deep"]


def broken(text: str, kind: str) -> str:
    game: dict[str, Any] = json.loads(text)
    episode = game["tasks"][0]["episodes"][0]
    if kind == "truncated":
        return text[: len(text) // 2]
    if kind == "version":
        game["version"] = "1.0"
    if kind == "field":
        del episode["interactions"]
    if kind == "action":
        episode["interactions"][0]["action_id"] = 999
    if kind == "box":
        episode["initial_state"]["objects"][0]["axisAlignedBoundingBox"] = None
    return json.dumps(game)


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        ("truncated", "cut off"),
        ("version", "version: expected 2.0, found 1.0"),
        ("field", "the field 'interactions' is missing"),
        ("action", "unknown action 999"),
        ("box", "axisAlignedBoundingBox"),
    ],
)
def test_a_broken_game_is_named_and_the_rest_go_on(
    texts: list[str], tmp_path: Path, kind: str, sentence: str
) -> None:
    first, second = json.loads(texts[0])["game_id"], json.loads(texts[1])["game_id"]
    (tmp_path / f"{first}.game.json").write_text(broken(texts[0], kind))
    (tmp_path / f"{second}.game.json").write_text(texts[1])
    skipped: list[Skipped] = []
    assert [game.id for game in read_games([tmp_path], skipped)] == [second]
    assert len(skipped) == 1
    assert first in skipped[0].name
    assert sentence in skipped[0].reason


def test_a_truncated_package_gives_the_games_before_the_break(real_data: Path, tmp_path: Path) -> None:
    whole = (real_data / "teach" / "valid_seen.jsonl.zst").read_bytes()
    (tmp_path / "half.jsonl.zst").write_bytes(whole[: len(whole) // 8])
    skipped: list[Skipped] = []
    games = list(read_games([tmp_path / "half.jsonl.zst"], skipped))
    assert len(games) >= 1
    assert len(skipped) == 1


def test_both_definitions_give_the_references_verdict(real_data: Path) -> None:
    folder = real_data / "teach"
    expected = read_verdicts(folder / "official_verdicts_valid_seen.jsonl")
    skipped: list[Skipped] = []
    count = 0
    for game in islice(read_games([folder / "valid_seen.jsonl.zst"], skipped), 60):
        own = catalogue.game_task(game.task.definition(), game.id)
        assert agrees(game, own, expected[game.id])
        assert agrees(game, catalogue.bind(game.task.task_name, game.task.params), expected[game.id])
        count += 1
    assert (count, skipped) == (60, [])


def test_recorded_scenes_can_host_their_tasks(texts: list[str]) -> None:
    for text in texts:
        game = parse_game(text, "game")
        state = game.episode.initial_state
        objects = catalogue.with_custom(state.objects, state.custom_object_metadata)
        assert catalogue.missing(catalogue.bind(game.task.task_name, game.task.params), objects) == []


def test_moves_in_games_follow_from_their_poses(texts: list[str]) -> None:
    ahead = {0: (0, 0.25), 90: (0.25, 0), 180: (0, -0.25), 270: (-0.25, 0)}
    forward = action_offered("Forward").id
    for text in texts:
        episode = parse_game(text, "game").episode
        pose = poses.of_agent(episode.initial_state.agents[1])
        for each in episode.interactions:
            if each.agent_id == 1 and each.action.moves:
                after = poses.from_official(each.pose)  # type: ignore[arg-type]
                if each.action_id == forward and each.success:
                    step = ahead[round(pose.rotation) % 360]
                    assert after[::2] == pytest.approx(
                        (pose.x + step[0], pose.z + step[1], pose[4]), abs=0.01
                    )
                pose = after


def test_poses_survive_the_official_form() -> None:
    pose = poses.Pose(1.25, 0.9, -0.5, 270.0, 30.0)
    assert poses.from_official(poses.to_official(pose)) == pose


def test_the_action_table_is_the_one_in_the_games(texts: list[str]) -> None:
    listed = parse_game(texts[0], "game").definitions["actions"]
    assert {each["action_id"]: each["action_name"] for each in listed} == {
        key: action.name for key, action in actions().items()
    }
