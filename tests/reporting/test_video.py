"""Pictures and videos as files."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from housemates.errors import HousematesError
from housemates.home import World
from housemates.home.scenes import load
from housemates.render.camera import Camera
from housemates.render.scene import Renderer
from housemates.reporting import video


def test_a_still_is_smoother_and_as_large_as_asked() -> None:
    renderer = Renderer(World(load("bathroom-03")))
    assert video.still(renderer, Camera((0.0, 1.5, 0.0), width=50, height=40)).shape == (40, 50, 3)


def test_a_png_comes_back_as_it_was(tmp_path: Path) -> None:
    picture = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    video.save_png(tmp_path / "new" / "a.png", picture)
    assert (np.asarray(Image.open(tmp_path / "new" / "a.png")) == picture).all()
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["a.png"]


@pytest.mark.parametrize("name", ["a.gif", "a.mp4"])
def test_videos_are_written(tmp_path: Path, name: str) -> None:
    renderer = Renderer(World(load("bathroom-03")))
    pictures = [renderer.frame(Camera((0.0, 1.5, 0.0), turn, 20.0, 65, 65)).rgb for turn in (0, 45, 90)]
    video.save_video(tmp_path / name, pictures)
    assert (tmp_path / name).stat().st_size > 500
    if name.endswith("gif"):
        assert Image.open(tmp_path / name).n_frames == 3  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("name", "pictures"),
    [
        ("a.avi", [np.zeros((4, 4, 3), np.uint8)]),
        ("a.gif", []),
        ("a.mp4", []),
        ("a.gif", [np.zeros((4, 4, 3), np.uint8), np.zeros((5, 4, 3), np.uint8)]),
    ],
)
def test_a_video_that_cannot_be_is_refused(tmp_path: Path, name: str, pictures: list[np.ndarray]) -> None:
    with pytest.raises(HousematesError, match=name):
        video.save_video(tmp_path / name, pictures)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a.gif", "a.mp4"])
def test_where_there_is_no_room_it_says_so_and_leaves_nothing(tmp_path: Path, name: str) -> None:
    resource = pytest.importorskip("resource")
    noise = np.random.default_rng(0).integers(0, 255, (8, 64, 64, 3), np.uint8)
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2048, limits[1]))
    try:
        with pytest.raises(HousematesError, match=rf"{name}: cannot be written \("):
            video.save_video(tmp_path / name, noise)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert list(tmp_path.iterdir()) == []


def test_mp4_without_ffmpeg_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(HousematesError, match=r"housemates\[video\]"):
        video.save_video(tmp_path / "a.mp4", [np.zeros((4, 4, 3), np.uint8)])
