"""Films: pictures side by side, captions beneath, key shots, videos."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from housemates.home import World, act
from housemates.home.scenes import load
from housemates.reporting.film import WARM, Film, HomeFilm, Words, squared


def grey(side: int, shade: int) -> np.ndarray:
    return np.full((side, side, 3), shade, np.uint8)


def test_pictures_stand_side_by_side_above_a_caption_of_fixed_height() -> None:
    film = Film(lines=2, font_px=12, fps=4)
    film.add([grey(80, 10), grey(80, 20)], [[Words("Short.")]])
    film.add([grey(80, 10), grey(80, 20)], [[Words("A long sentence that does not fit on one line. " * 9)]])
    first, second = (shot.picture for shot in film.shots)
    assert first.shape == second.shape
    assert (first[:80, :80] == 10).all() and (first[:80, 80:] == 20).all()
    assert first[80:].max() > 200


def test_words_of_one_line_keep_their_colours() -> None:
    film = Film(lines=1, font_px=14, fps=4)
    film.add([grey(200, 0)], [[Words("left"), Words("right", WARM)]])
    bar = film.shots[0].picture[200:].reshape(-1, 3)
    assert {(240, 240, 240), WARM} <= {tuple(pixel) for pixel in bar.tolist()}
    assert film.shots[0].caption == "left right"


def test_key_shots_replace_the_frames_of_an_earlier_film(tmp_path: Path) -> None:
    (tmp_path / "07.png").write_bytes(b"old")
    film = Film(lines=1, font_px=12, fps=4)
    for number in range(4):
        film.add([grey(40, 60 * number)], [], key=number % 2 == 0)
    film.save_frames(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["00.png", "01.png"]


def test_a_shot_stays_for_its_frames(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[np.ndarray] = []
    monkeypatch.setattr(
        "housemates.reporting.film.save_video", lambda path, pictures, fps: written.extend(pictures)
    )
    film = Film(lines=1, font_px=12, fps=4)
    film.add([grey(40, 1)], [], frames=3)
    film.add([grey(40, 2)], [])
    film.save(tmp_path / "a.mp4")
    assert [int(picture[0, 0, 0]) for picture in written] == [1, 1, 1, 2]


def test_a_home_is_seen_by_the_agent_and_from_above() -> None:
    world = World(load("bathroom-03"))
    film = HomeFilm(side_px=64, lines=1, font_px=11, fps=4)
    film.take(world, [[Words("Before.")]])
    act(world, "TurnLeft")
    film.take(world, [[Words("After.")]])
    before, after = (shot.picture for shot in film.shots)
    assert before.shape[1] == 128
    assert (before[:64, :64] != after[:64, :64]).any()
    assert (before[:64, 64:] != after[:64, 64:]).any()


def test_a_picture_comes_to_the_middle_of_a_square() -> None:
    square = squared(np.zeros((10, 20, 3), np.uint8), 20)
    assert square.shape == (20, 20, 3)
    assert (square[5:15] == 0).all() and (square[:5] > 0).all() and (square[15:] > 0).all()
