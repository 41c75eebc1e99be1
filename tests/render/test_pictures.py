"""Maps, labels and files."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from rooms import Room

from housemates.errors import HousematesError
from housemates.home.things import Agent
from housemates.render import maps, overlay
from housemates.render.camera import Camera
from housemates.render.scene import Renderer
from housemates.reporting import video


def test_the_map_marks_the_agent_where_it_stands(kitchen: Room) -> None:
    renderer = Renderer(kitchen)
    kitchen.agent = Agent(0.5, 0.25, 0)
    camera = maps.map_camera(kitchen, 300)
    column, row, _ = camera.pixel((0.5, 0.0, 0.25))
    shown = maps.top_down(renderer, 300)
    assert shown.shape == (camera.height, camera.width, 3)
    assert tuple(shown[int(row) + 3, int(column)]) == maps.AGENT_COLOURS[0]


def test_the_view_cone_lies_ahead(kitchen: Room) -> None:
    renderer = Renderer(kitchen)
    empty = maps.top_down(renderer, 300, agents=[])
    camera = maps.map_camera(kitchen, 300)
    for rotation, ahead in ((0, (0.0, 1.0)), (90, (1.0, 0.0)), (180, (0.0, -1.0)), (270, (-1.0, 0.0))):
        shown = maps.top_down(renderer, 300, agents=[Agent(0.0, 0.0, rotation)])
        for sign in (1.0, -1.0):
            column, row, _ = camera.pixel((sign * ahead[0], 0.0, sign * ahead[1]))
            changed = (shown[int(row), int(column)] != empty[int(row), int(column)]).any()
            assert changed == (sign > 0)


def test_a_trail_is_drawn(kitchen: Room) -> None:
    renderer = Renderer(kitchen)
    plain = maps.top_down(renderer, 200)
    trail = maps.top_down(renderer, 200, trail=[(-1.0, 0.5), (0.0, 0.5), (0.0, 0.0)])
    assert (plain != trail).any()


def test_a_home_without_walls_has_a_map(kitchen: Room) -> None:
    kitchen.scene = type(kitchen.scene)("bare", "kitchen", kitchen.scene.things, kitchen.agent)
    assert max(maps.top_down(Renderer(kitchen), 120).shape) == 120


def test_names_and_captions_leave_the_frame_alone(kitchen: Room) -> None:
    frame = Renderer(kitchen).frame(Camera((0.5, 1.5, 0.25), 90.0, 30.0))
    before = frame.rgb.copy()
    shown = overlay.captioned(overlay.named(frame), "A long caption that does not fit on one line. " * 3)
    assert shown.shape[0] > 300
    assert shown.shape[1] == 300
    assert (shown[:300] != before).any()
    assert (frame.rgb == before).all()


def test_each_thing_has_its_own_colour(kitchen: Room) -> None:
    frame = Renderer(kitchen).frame(Camera((0.5, 1.5, 0.25), 90.0, 30.0))
    colours = np.unique(overlay.instance_colours(frame).reshape(-1, 3), axis=0)
    assert len(colours) == len(np.unique(frame.ids))


def test_a_still_is_smoother_and_as_large_as_asked(kitchen: Room) -> None:
    assert video.still(Renderer(kitchen), Camera((0.0, 1.5, 0.0), width=50, height=40)).shape == (40, 50, 3)


def test_a_png_comes_back_as_it_was(tmp_path: Path) -> None:
    picture = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    video.save_png(tmp_path / "new" / "a.png", picture)
    assert (np.asarray(Image.open(tmp_path / "new" / "a.png")) == picture).all()
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["a.png"]


@pytest.mark.parametrize("name", ["a.gif", "a.mp4"])
def test_videos_are_written(tmp_path: Path, name: str, kitchen: Room) -> None:
    renderer = Renderer(kitchen)
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


def test_mp4_without_ffmpeg_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(HousematesError, match=r"housemates\[video\]"):
        video.save_video(tmp_path / "a.mp4", [np.zeros((4, 4, 3), np.uint8)])
