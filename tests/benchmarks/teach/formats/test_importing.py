"""Games into the store and out of it: an interrupted import goes on, what is broken is named."""

from __future__ import annotations

import json
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

from housemates.benchmarks.teach.formats.episodes import Game, parse_game, read_games, write_games
from housemates.benchmarks.teach.formats.ingestion import import_games, steps_of
from housemates.benchmarks.teach.formats.looks import looks_of
from housemates.benchmarks.teach.formats.scenes import scene_of
from housemates.cli.main import main
from housemates.data import intake
from housemates.data.store import Store
from housemates.files import read_text_lines, write_text_lines
from housemates.home.things import GRID_M

GAMES = 6


@pytest.fixture(scope="module")
def texts(real_data: Path) -> list[str]:
    lines = read_text_lines(real_data / "teach" / "valid_seen.jsonl.zst")
    return [text.strip() for _, text in islice(lines, GAMES)]


@pytest.fixture(scope="module")
def games(texts: list[str]) -> list[Game]:
    return [parse_game(text, "game") for text in texts]


@pytest.fixture
def pack(texts: list[str], tmp_path: Path) -> Path:
    path = tmp_path / "data" / "teach" / "few.jsonl.zst"
    write_text_lines(path, texts)
    return path


def plans_of(store: Store) -> dict[str, Any]:
    return {plan: Store(store.folder).knowledge(plan) for plan in store.plans()}


def printed(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, Any]:
    main([str(word) for word in words])
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def test_what_goes_in_comes_out_equal_in_every_field(
    capsys: pytest.CaptureFixture[str], pack: Path, texts: list[str], tmp_path: Path
) -> None:
    printed(capsys, "import", "teach", pack, "--store", tmp_path / "s", "--json")
    out = tmp_path / "out.jsonl.zst"
    assert (
        printed(capsys, "export", "teach", "--store", tmp_path / "s", "--out", out, "--json")["games"]
        == GAMES
    )
    assert [json.loads(text) for _, text in read_text_lines(out)] == [json.loads(text) for text in texts]
    wanted = json.loads(texts[2])["game_id"]
    words = ("export", "teach", "--store", tmp_path / "s", "--out", tmp_path / "one", "--only", wanted)
    assert printed(capsys, *words, "--json")["games"] == 1
    assert [path.name for path in (tmp_path / "one").iterdir()] == [f"{wanted}.game.json"]


def test_an_exported_folder_is_official_and_imports_to_the_same(
    pack: Path, games: list[Game], tmp_path: Path
) -> None:
    write_games(tmp_path / "folder", sorted(games, key=lambda game: game.id))
    from_folder, from_pack = Store(tmp_path / "a"), Store(tmp_path / "b")
    import_games(from_folder, tmp_path / "folder")
    import_games(from_pack, pack)
    assert from_folder.episodes("teach") == from_pack.episodes("teach") == {game.id for game in games}
    assert {game.id: game for game in read_games(from_folder.files("teach"), [])} == {
        game.id: game for game in games
    }


def test_plans_know_where_people_walked(pack: Path, games: list[Game], tmp_path: Path) -> None:
    store = Store(tmp_path / "s")
    import_games(store, pack)
    for game in games:
        knowledge = store.knowledge(game.plan)
        assert knowledge is not None
        assert {(round(x / GRID_M), round(z / GRID_M)) for x, z in steps_of(game)} <= knowledge.walked


def test_an_interrupted_import_goes_on_and_teaches_nothing_twice(
    pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(intake, "PART_EPISODES", 2)
    whole, broken_off = Store(tmp_path / "whole"), Store(tmp_path / "broken")
    import_games(whole, pack)
    saves = iter([None, KeyboardInterrupt])

    def save(store: Store) -> None:
        if next(saves) is KeyboardInterrupt:
            raise KeyboardInterrupt
        original(store)

    original = Store.save
    monkeypatch.setattr(Store, "save", save)
    with pytest.raises(KeyboardInterrupt):
        import_games(broken_off, pack)
    monkeypatch.setattr(Store, "save", original)
    resumed = Store(tmp_path / "broken")
    assert len(resumed.episodes("teach")) == 2
    import_games(resumed, pack)
    assert plans_of(resumed) == plans_of(whole)
    assert resumed.episodes("teach") == whole.episodes("teach")


def test_importing_again_changes_nothing(pack: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / "s")
    import_games(store, pack)
    before = plans_of(store)
    again = Store(tmp_path / "s")
    import_games(again, pack)
    assert plans_of(again) == before
    other = pack.with_name("same-games-in-another-file.jsonl")
    write_text_lines(other, [text for _, text in read_text_lines(pack)][:2])
    import_games(again, other)
    assert plans_of(again) == before


def test_bad_games_are_named_skipped_and_counted(
    capsys: pytest.CaptureFixture[str], texts: list[str], tmp_path: Path
) -> None:
    ids = [json.loads(text)["game_id"] for text in texts]
    boxless = json.loads(texts[1])
    boxless["tasks"][0]["episodes"][0]["final_state"]["objects"][3]["axisAlignedBoundingBox"] = None
    strange = json.loads(texts[2])
    strange["tasks"][0]["episodes"][0]["initial_state"]["objects"][0]["objectType"] = "Dragon"
    lost = json.loads(texts[3])
    del lost["tasks"][0]["episodes"][0]["initial_state"]["agents"][1]["position"]
    bad = [json.dumps(each) for each in (boxless, strange, lost)]
    write_text_lines(tmp_path / "some.jsonl", [texts[0], *bad, texts[4][:1000], texts[5]])
    main(["import", "teach", str(tmp_path / "some.jsonl"), "--store", str(tmp_path / "s")])
    said = capsys.readouterr().out
    assert ["games", "2"] in [line.split() for line in said.splitlines()]
    assert ["skipped", "4"] in [line.split() for line in said.splitlines()]
    assert all(f"skipped {name}" in said for name in ids[1:4])
    assert Store(tmp_path / "s").episodes("teach") == {ids[0], ids[5]}


def test_layouts_beside_the_games_are_used_and_said(
    capsys: pytest.CaptureFixture[str], pack: Path, tmp_path: Path
) -> None:
    layouts = tmp_path / "data" / "alfred" / "layouts.json.zst"
    write_text_lines(layouts, [json.dumps({"6": {"grid": [[0, 1], [2, 3]]}})])
    summary = printed(capsys, "import", "teach", pack, "--store", tmp_path / "s", "--json")
    assert (summary["layouts"], summary["layout_plans"]) == (str(layouts), 1)
    knowledge = Store(tmp_path / "s").knowledge("FloorPlan6")
    assert knowledge is not None
    assert knowledge.layout == {(0, 1), (2, 3)}


def test_a_games_own_moves_do_not_shape_its_plan(games: list[Game]) -> None:
    still = msgspec.convert(msgspec.to_builtins(games[0]), Game)
    still.episode.interactions.clear()
    assert scene_of(still) == scene_of(games[0])


def test_pots_that_are_said_to_hold_each_other_stand_side_by_side(games: list[Game]) -> None:
    game = msgspec.convert(msgspec.to_builtins(games[0]), Game)
    one, other = [item for item in game.episode.initial_state.objects if item["pickupable"]][:2]
    one["parentReceptacles"] = [other["objectId"], "Floor|+00.00|+00.00|+00.00"]
    other["parentReceptacles"] = [one["objectId"]]
    things = {thing.id: thing for thing in scene_of(game).things}
    assert other["objectId"] not in things[one["objectId"]].parents
    assert one["objectId"] not in things[other["objectId"]].parents


def test_people_point_at_open_doors_to_close_them(games: list[Game]) -> None:
    looks = [each for game in games for each in looks_of(game)]
    assert {"Open", "Close"} <= {look.action for _, look in looks}
    assert all(name.startswith(("Fridge", "Cabinet")) for name, _ in looks)


@pytest.mark.parametrize("flags", [("--workers", "2"), ("--executor", "threads", "--workers", "3")])
def test_whoever_does_the_work_the_store_is_the_same(
    capsys: pytest.CaptureFixture[str], pack: Path, tmp_path: Path, flags: tuple[str, ...]
) -> None:
    for name, words in (("alone", ("--workers", "1")), ("many", flags)):
        printed(capsys, "import", "teach", pack, "--store", tmp_path / name, *words, "--json")
    alone, many = (
        {path.relative_to(tmp_path / name): path.read_bytes() for path in (tmp_path / name).rglob("*.*")}
        for name in ("alone", "many")
    )
    assert len(alone) > 2 and alone == many
