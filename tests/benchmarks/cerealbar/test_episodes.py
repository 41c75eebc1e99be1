"""Recorded games: they replay to the bit, survive both formats, and refuse what cannot have happened."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from housemates.benchmarks.cerealbar.formats.episodes import (
    Recording,
    choose,
    from_json,
    read_recordings,
    replay,
    to_json,
    write_recordings,
)
from housemates.benchmarks.cerealbar.formats.forms import OfficialGame
from housemates.benchmarks.cerealbar.formats.official import (
    from_official,
    read_official,
    to_official,
    write_official,
)
from housemates.benchmarks.cerealbar.formats.statistics import describe
from housemates.benchmarks.cerealbar.generate.games import assign_splits
from housemates.benchmarks.cerealbar.world.state import FOLLOWER, Action
from housemates.cli.main import main
from housemates.data.records import Skipped
from housemates.errors import HousematesError
from housemates.typed_json import convert


def last_digest(recording: Recording) -> str:
    *_, (_, game) = replay(recording)
    return game.digest()


def test_a_recording_replays_to_the_recorded_state(corpus: list[Recording]) -> None:
    for recording in corpus:
        assert last_digest(recording) == recording.digest


def test_both_formats_keep_the_game(corpus: list[Recording], tmp_path: Path) -> None:
    write_recordings(tmp_path / "own.jsonl.zst", corpus)
    assert [to_json(game) for game in read_recordings(tmp_path / "own.jsonl.zst", [])] == [
        to_json(game) for game in corpus
    ]
    write_official(tmp_path / "official.json", corpus, [])
    for read, game in zip(read_official(tmp_path / "official.json", []), corpus, strict=True):
        assert last_digest(read) == game.digest
        assert [item.text for item in read.instructions] == [item.text for item in game.instructions]
        assert [len(item.actions) for item in read.instructions] == [
            len(item.actions) for item in game.instructions
        ]


def test_the_official_schema_has_the_published_fields(corpus: list[Recording]) -> None:
    game = to_official(max(corpus, key=lambda game: game.score))
    assert {"game_id", "seed", "num_cards", "leader_id", "follower_id", "score", "split", "actions"} <= set(
        game
    )
    kinds = {row["type"] for row in game["actions"]}
    assert kinds == {"movement", "begin_turn", "end_turn", "instruction", "finish command"}
    assert all({"time", "game_time", "turn_id"} <= set(row) for row in game["actions"])
    assert [row["action"] for row in game["actions"][:2]] == ["initial", "initial"]
    made = [
        row["set_result"]
        for row in game["actions"]
        if row["type"] == "movement" and row["set_result"]["made_set"]
    ]
    assert len(made) == game["score"]
    assert all(len(result["new_cards"]) == 3 for result in made)
    assert {row["character"] for row in game["actions"] if "character" in row} == {"Leader", "Follower"}
    assert game["split"] in ("train", "dev", "test")
    assert datetime.strptime(game["actions"][0]["time"], "%Y-%m-%d %H:%M:%S.%f").year == 2000
    changed = [row["card_result"] for row in game["actions"] if row.get("card_result")]
    assert all(text.split()[0] in ("ACTIVATED", "DEACTIVATED") for text in changed)


def test_a_published_game_without_a_map_is_counted_but_not_replayed(corpus: list[Recording]) -> None:
    game = to_official(corpus[0])
    del game["housemates"]
    read = from_official("x", convert(game, OfficialGame, "x"), "x")
    assert describe([read])["instructions"] == sum(item.completed for item in corpus[0].instructions)
    with pytest.raises(HousematesError, match="holds no map"):
        next(replay(read))


def test_language_is_told_over_time(corpus: list[Recording]) -> None:
    found = describe(corpus)
    quarters = found["over_time"]
    assert [each["games"] for each in quarters] == ["1 to 2", "3 to 4", "5 to 6", "7 to 8"]
    assert quarters[-1]["vocabulary so far"] == found["vocabulary"] >= quarters[0]["vocabulary"]


def test_every_follower_action_belongs_to_an_instruction(corpus: list[Recording]) -> None:
    for recording in corpus:
        aligned = sorted(number for item in recording.instructions for number in item.actions)
        own = [i for i, (role, a) in enumerate(recording.actions) if role == FOLLOWER and a.name != "WAIT"]
        assert aligned == own
        for item in recording.instructions:
            names = [recording.actions[number][1].name for number in item.actions]
            assert (names[-1:] == ["DONE"]) == item.completed


def test_an_impossible_move_is_refused_with_its_place_and_rule(corpus: list[Recording]) -> None:
    actions = list(corpus[0].actions)
    actions[4:4] = [(FOLLOWER, Action("MF"))]
    with pytest.raises(
        HousematesError, match=r"action 4 \(MF by the follower\) is impossible: It is the leader's turn"
    ):
        last_digest(replace(corpus[0], actions=actions))


def test_a_game_that_ends_elsewhere_is_noticed(corpus: list[Recording]) -> None:
    with pytest.raises(HousematesError, match="another state"):
        last_digest(replace(corpus[0], digest="0" * 64))


@pytest.mark.parametrize("field", ["format", "actions", "initial", "instructions"])
def test_a_recording_without_a_field_is_refused(field: str, corpus: list[Recording]) -> None:
    value = to_json(corpus[0])
    del value[field]
    with pytest.raises(HousematesError, match=f"games.jsonl: line 3: the field '{field}' is missing"):
        from_json(value, "games.jsonl: line 3")


def test_splits_are_shared_out_as_in_the_paper() -> None:
    games = [Recording(f"{i:04d}", None, score=i % 17) for i in range(1202)]
    assign_splits(games)
    sizes = [sum(game.split == split for game in games) for split in ("train", "development", "test")]
    assert sizes == [960, 120, 122]
    means = [
        sum(game.score for game in games if game.split == split) / size
        for split, size in zip(("train", "development", "test"), sizes, strict=True)
    ]
    assert max(means) - min(means) < 0.5


def test_commands_make_replay_count_and_convert_games(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "store"
    flags = ["--seed", "2", "--out", str(store), "--workers", "1", "--json"]
    main(["generate", "cerealbar", "--episodes", "3", *flags])
    made = json.loads(capsys.readouterr().out)
    assert made["games"] == 3
    main(["stats", "cerealbar", str(store), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert all(told[name] == made[name] for name in ("games", "instructions", "vocabulary", "with_point"))
    main(["stats", "cerealbar", str(store), "--report", str(tmp_path / "page"), "--json"])
    page = Path(json.loads(capsys.readouterr().out)["report"]).read_text(encoding="utf-8")
    assert page.count("<figure") == 5 and "paper mean" in page
    main(["replay", "cerealbar", str(store / "train.jsonl.zst"), "--json"])
    report = json.loads(capsys.readouterr().out)
    assert report["games"] == made["train"]
    official = str(tmp_path / "official.json")
    main(["export", "cerealbar", str(store / "train.jsonl.zst"), "--out", official, "--json"])
    main(["import", "cerealbar", str(tmp_path / "official.json"), "--out", str(tmp_path / "again"), "--json"])
    assert capsys.readouterr().out.count("\n") == 2
    first = read_recordings(store / "train.jsonl.zst", [])
    assert [game.digest for game in read_recordings(tmp_path / "again" / "train.jsonl.zst", [])] == [
        g.digest for g in first
    ]


def test_an_interrupted_run_goes_on_where_it_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def generate(folder: str) -> None:
        flags = ["--episodes", "2", "--workers", "1", "--json"]
        main(["generate", "cerealbar", "--out", str(tmp_path / folder), *flags])

    generate("a")
    games = [game for path in sorted((tmp_path / "a").glob("*.zst")) for game in read_recordings(path, [])]
    first = min(games, key=lambda game: game.id)
    (tmp_path / "b").mkdir()
    header = {"run": {"command": "generate cerealbar", "seed": 0}}
    lines = [json.dumps(header), json.dumps(to_json(first)), '{"format": "hou']
    (tmp_path / "b" / "unfinished-s0.jsonl").write_text("\n".join(lines))
    generate("b")
    capsys.readouterr()
    for path in (tmp_path / "a").iterdir():
        assert (tmp_path / "b" / path.name).read_bytes() == path.read_bytes()


@pytest.mark.parametrize(("flag", "value"), [("--episodes", "0"), ("--episodes", "-1"), ("--seed", "-1")])
def test_a_number_of_games_below_one_is_refused(
    flag: str, value: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["generate", "cerealbar", flag, value, "--out", str(tmp_path / "new")])
    assert left.value.code == 2
    assert f"{flag}: expected " in capsys.readouterr().err
    assert not (tmp_path / "new").exists()


def test_games_are_chosen_by_their_ids_and_a_missing_one_is_named(corpus: list[Recording]) -> None:
    skipped: list[Skipped] = []
    assert choose(corpus, [], "games.jsonl", skipped) == corpus
    assert choose(corpus, [corpus[2].id, "nobody"], "games.jsonl", skipped) == [corpus[2]]
    assert [each.name for each in skipped] == ["nobody"]


def test_a_split_that_is_none_is_not_imported(
    corpus: list[Recording], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_official(tmp_path / "official.json", [replace(corpus[0], split="../elsewhere")], [])
    with pytest.raises(SystemExit):
        main(["import", "cerealbar", str(tmp_path / "official.json"), "--out", str(tmp_path / "store")])
    assert "split: expected one of train, dev, test" in capsys.readouterr().err
