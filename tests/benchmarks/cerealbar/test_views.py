"""Pictures, the video and the terminal."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from housemates.benchmarks.cerealbar.commands.demo import rows
from housemates.benchmarks.cerealbar.formats.episodes import Recording, write_recordings
from housemates.benchmarks.cerealbar.formats.video import frames, screen, write_video
from housemates.benchmarks.cerealbar.generate.maps import new_game
from housemates.benchmarks.cerealbar.world.state import FOLLOWER, Options
from housemates.benchmarks.cerealbar.world.views import follower_picture, leader_picture
from housemates.cli.main import main
from housemates.errors import HousematesError

BLUE, RED = (40, 110, 255), (226, 30, 30)


def near(picture: np.ndarray, colour: tuple[int, int, int]) -> int:
    return int((np.abs(picture.astype(int) - colour).max(axis=2) < 12).sum())


def test_pictures_have_their_sizes_and_are_the_same_each_time() -> None:
    game = new_game(3)
    assert follower_picture(game).shape == (600, 960, 3)
    assert (follower_picture(game) == follower_picture(new_game(3))).all()
    assert leader_picture(game).shape == leader_picture(game, overhead=True).shape == (700, 900, 3)
    assert not (leader_picture(game) == leader_picture(game, overhead=True)).all()


def test_selected_cards_are_outlined_blue_and_invalid_ones_red_for_the_leader_only() -> None:
    game = new_game(3)
    plain = leader_picture(game, overhead=True)
    a, b = next(
        (a, b)
        for a in game.cards
        for b in game.cards
        if game.cards[a].shape == game.cards[b].shape and a != b
    )
    game.selected = [a]
    assert near(leader_picture(game, overhead=True), BLUE) > near(plain, BLUE) + 20
    game.selected = [a, b]
    assert near(leader_picture(game, overhead=True), RED) > near(plain, RED) + 40


def test_turning_around_shows_something_else_and_fog_hides_what_is_far() -> None:
    game = new_game(3)
    before = follower_picture(game, 320, 200)
    foggy = follower_picture(game, 320, 200, fog=8.0)
    assert foggy.std() < before.std()
    game.heading[FOLLOWER] = 3
    assert not (follower_picture(game, 320, 200) == before).all()


def test_covers_hide_the_faces_from_the_follower() -> None:
    open_game, covered = new_game(3), new_game(3, Options(covers=True))
    assert not (follower_picture(open_game) == follower_picture(covered)).all()
    assert (leader_picture(open_game) == leader_picture(covered)).all()


def test_the_screen_shows_both_views_and_whose_turn_it_is() -> None:
    game = new_game(3)
    mine = screen(game)
    game.role = FOLLOWER
    assert mine.shape == (640, 1248, 3)
    assert not (screen(game)[400:] == mine[400:]).all()


def short(game: Recording, actions: int = 20) -> Recording:
    """The beginning of a game."""
    return replace(game, actions=game.actions[:actions], instructions=[], digest="", score=0)


def test_a_video_has_a_frame_for_every_action_and_the_end(corpus: list[Recording], tmp_path: Path) -> None:
    recording = short(corpus[0])
    acted = sum(action.name != "WAIT" for _, action in recording.actions)
    pytest.importorskip("imageio_ffmpeg")
    assert write_video(recording, tmp_path / "game.mp4", 0.1) == acted + 1
    assert (tmp_path / "game.mp4").stat().st_size > 10_000
    with pytest.raises(HousematesError, match="--seconds"):
        write_video(recording, tmp_path / "game.mp4", 0.0)
    assert next(iter(frames(recording))).shape == (640, 1248, 3)


def test_replay_writes_a_video_of_each_game_it_is_asked_for(
    corpus: list[Recording], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("imageio_ffmpeg")
    games = [short(game) for game in corpus[:2]]
    write_recordings(tmp_path / "games.jsonl", games)
    wanted = games[0].id
    source, videos = str(tmp_path / "games.jsonl"), tmp_path / "videos"
    main(["replay", "cerealbar", source, "--only", wanted, "--video", str(videos), "--json"])
    report = json.loads(capsys.readouterr().out)
    assert list(report["table"]) == [wanted]
    assert [path.name for path in videos.iterdir()] == [f"{wanted}.mp4"]


def test_replay_writes_pictures(
    corpus: list[Recording], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_recordings(tmp_path / "games.jsonl", corpus[:1])
    source = str(tmp_path / "games.jsonl")
    main(["replay", "cerealbar", source, "--pictures", str(tmp_path / "p"), "--at", "3", "--json"])
    capsys.readouterr()
    sizes = {path.stem: Image.open(path).size for path in (tmp_path / "p").glob("*.png")}
    assert sizes == {
        "leader": (900, 700),
        "overhead": (900, 700),
        "follower": (960, 600),
        "screen": (1248, 640),
    }


def test_the_demonstration_has_a_game_of_each_pair() -> None:
    made = {row["pair"]: row for row in rows()}
    assert made["planner"]["points"] >= 15
    assert made["talking"]["points"] >= 9
    assert all(row["turns"] <= 65 for row in made.values())
