"""Recorded games by their places, and what Followers are given of them."""

from __future__ import annotations

from pathlib import Path

from housemates.benchmarks.teach.formats import starts
from housemates.benchmarks.teach.formats.episodes import parse_game, read_games, write_games
from housemates.benchmarks.teach.formats.starts import Done


def test_games_of_folders_files_and_packs_are_listed_in_order(made: Path, tmp_path: Path) -> None:
    write_games(tmp_path / "all.jsonl", read_games([made], []))
    named = f"{tmp_path / 'all.jsonl'}, {made / 's4-00001.game.json'},{made}"
    listed = list(starts.listed(named, "recorded"))
    ids = ["s4-00000", "s4-00001", "s4-00002"]
    assert [each.id for each in listed] == [*ids, ids[1], *ids]
    assert [each.place.line for each in listed] == [1, 2, 3, 0, 0, 0, 0]
    assert starts.read_game(listed[1].place) == starts.read_game(listed[3].place)


def test_what_people_did_is_kept_with_what_they_pointed_at(made: Path) -> None:
    game = parse_game((made / "s4-00002.game.json").read_bytes(), "game")
    done = starts.done(game.episode.interactions)
    touches = [each for each in done if each.object]
    assert touches and all(set(each.arguments()) == {"object", "point"} for each in touches)
    assert {each.action for each in done} >= {"Forward", "Pickup", "Place", "Say"}
    assert Done("Say", text="Hi.").arguments() == {"text": "Hi."}
    assert [each.role for each in starts.said(game.episode.interactions)][:2] == ["commander", "follower"]


def test_a_tfd_follower_gets_the_whole_dialogue_and_no_history(made: Path) -> None:
    game = parse_game((made / "s4-00002.game.json").read_bytes(), "game")
    given = starts.tfd_given(game, None, by_changes=True)
    assert given.dialogue == starts.said(game.episode.interactions)
    assert given.history == () and given.moment is None and given.changes
    assert len(given.future) == len(
        [each for each in starts.done(game.episode.interactions) if not each.text]
    )
