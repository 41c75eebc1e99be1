"""The rasteriser agrees with geometry: rays, depths, coverage, clipping, and itself."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from rooms import Room, room, thing

from housemates.errors import HousematesError
from housemates.home.shapes import Part
from housemates.render import mesh, raster
from housemates.render.camera import Camera, look_at
from housemates.render.materials import material
from housemates.render.mesh_transforms import empty_faces, place
from housemates.render.patterns import textures
from housemates.render.scene import Renderer


def drawn(parts: list[Part], camera: Camera) -> raster.Pictures:
    body = mesh.build(tuple(parts), tuple(material("white") for _ in parts))
    faces = empty_faces(len(body.corners))
    place(body, (0.0, 0.0, 0.0), 0.0, 7, faces, 0)
    groups = raster.Groups(raster.side_by_side([len(body.corners)]), np.array([[0, 0, 0, 50]], np.float32))
    return raster.draw(faces, groups, [camera], textures())


def box_hit(camera: Camera, column: int, row: int, lo: np.ndarray, hi: np.ndarray) -> float:
    """Depth at which the ray through a pixel's middle enters a box, or inf."""
    ray = np.array(camera.ray(column + 0.5, row + 0.5))
    eye = np.array(camera.position)
    with np.errstate(divide="ignore"):
        near, far = (lo - eye) / ray, (hi - eye) / ray
    enter, leave = np.minimum(near, far).max(), np.maximum(near, far).min()
    return float(enter) if 0 < enter < leave else np.inf


def test_depth_and_coverage_of_a_box_agree_with_rays() -> None:
    lo, hi = np.array([-0.4, 0.0, -0.3]), np.array([0.5, 0.8, 0.6])
    camera = look_at((1.9, 1.4, 2.2), (0.0, 0.4, 0.0), 64, 48)
    pictures = drawn([Part("box", tuple(lo), tuple(hi))], camera)
    expected = np.array([[box_hit(camera, x, y, lo, hi) for x in range(64)] for y in range(48)])
    assert (np.isfinite(expected) == (pictures.ids[0] == 7)).mean() > 0.999
    both = np.isfinite(expected) & np.isfinite(pictures.depth[0])
    assert np.abs(expected[both] - pictures.depth[0][both]).max() < 1e-4


def test_a_sphere_covers_its_disc() -> None:
    camera = Camera((0.0, 0.0, -2.0), width=200, height=200, fov=60.0)
    pixels = (drawn([Part("ellipsoid", (-0.5, -0.5, -0.5), (0.5, 0.5, 0.5))], camera).ids[0] == 7).sum()
    radius = camera.focal * 0.5 / np.sqrt(2.0**2 - 0.5**2)
    assert pixels == pytest.approx(np.pi * radius**2, rel=0.03)


@pytest.mark.parametrize("kind", ["cylinder", "cone", "ellipsoid", "box"])
@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_solids_are_closed(kind: str, axis: str) -> None:
    part = Part(kind, (-0.4, -0.3, -0.5), (0.4, 0.3, 0.5), axis=axis, taper=0.4)
    for eye in ((1.5, 1.1, 1.3), (-1.4, -0.8, 1.2), (0.9, -1.5, -1.0)):
        seen = drawn([part], look_at(eye, (0.0, 0.0, 0.0), 90, 90)).ids[0] == 7
        for line in (*seen, *seen.T):
            inside = np.flatnonzero(line)
            assert len(inside) == 0 or len(inside) == inside[-1] - inside[0] + 1


@pytest.mark.parametrize("kind", ["tube", "bowl"])
def test_hollow_things_are_seen_from_inside(kind: str) -> None:
    part = Part(kind, (-0.2, 0.0, -0.2), (0.2, 0.3, 0.2))
    pictures = drawn([part], Camera((0.0, 1.0, 0.0), horizon=90.0, width=61, height=61, fov=40.0))
    assert pictures.ids[0, 30, 30] == 7
    assert 0.97 < pictures.depth[0, 30, 30] < 1.0


def test_what_is_behind_the_camera_is_not_drawn_and_what_crosses_it_is_cut() -> None:
    floor = Part("box", (-5.0, -1.1, -5.0), (5.0, -1.0, 5.0))
    pictures = drawn([floor], Camera((0.0, 0.0, 0.0), width=100, height=100))
    assert (pictures.ids[0, :50] == 0).all()
    assert (pictures.ids[0, 62:] == 7).all()
    assert pictures.depth[0, 99, 50] == pytest.approx(1.0 / (49.5 / 50), rel=1e-3)


def test_nothing_is_background_and_infinitely_far(kitchen: Room) -> None:
    frame = Renderer(kitchen).frame(Camera((0.0, 50.0, 0.0), horizon=-90.0, width=8, height=8))
    assert (frame.ids == 0).all()
    assert np.isinf(frame.depth).all()


@pytest.mark.parametrize("size", [(1, 1), (7, 3), (300, 300), (900, 900)])
def test_any_size_shows_the_same_middle(kitchen: Room, size: tuple[int, int]) -> None:
    camera = Camera((0.5, 1.5, 0.2), rotation=90.0, horizon=30.0, width=size[0], height=size[1])
    frame = Renderer(kitchen).frame(camera)
    assert frame.rgb.shape == (size[1], size[0], 3)
    assert frame.thing_at(size[0] // 2, size[1] // 2) is not None


def test_a_batch_is_the_same_as_one_after_the_other(kitchen: Room) -> None:
    renderer = Renderer(kitchen)
    cameras = [Camera((0.0, 1.5, 0.0), rotation, 20.0, 80, 60) for rotation in (0.0, 77.0, 200.0)]
    for camera, together in zip(cameras, renderer.frames(cameras), strict=True):
        alone = renderer.frame(camera)
        assert (alone.rgb == together.rgb).all()
        assert (alone.ids == together.ids).all()
        assert (alone.depth == together.depth).all()


def test_a_batch_of_two_sizes_or_none_is_refused(kitchen: Room) -> None:
    renderer = Renderer(kitchen)
    here = (0.0, 1.0, 0.0)
    for cameras in ([], [Camera(here, width=10), Camera(here, width=20)]):
        with pytest.raises(HousematesError):
            renderer.frames(cameras)


def test_see_through_things_show_half_of_what_is_behind() -> None:
    pane = thing("ShowerGlass", 0.0, 0.0, 1.0, size=(2.0, 2.0, 0.05))
    ball = thing("BasketBall", 0.0, 0.9, 2.0)
    frame = Renderer(room([pane, ball])).frame(Camera((0.0, 1.0, 0.0), width=200, height=200))
    alone = Renderer(room([ball])).frame(frame.camera).visible()[ball.id]
    assert frame.visible()[ball.id] == pytest.approx(alone / 2, rel=0.1)


DIGEST = """
import hashlib, sys
sys.path.insert(0, sys.argv[1])
from rooms import kitchen
from housemates.render.camera import Camera
from housemates.render.scene import Renderer
renderer = Renderer(kitchen())
digest = hashlib.sha256()
for rotation in range(0, 360, 30):
    frame = renderer.frame(Camera((0.0, 1.5, 0.2), rotation, 25.0, 120, 90))
    for array in (frame.rgb, frame.ids, frame.depth):
        digest.update(array.tobytes())
print(digest.hexdigest())
"""


def test_frames_are_the_same_bits_in_every_process() -> None:
    digests = set()
    for seed in ("1", "2"):
        command = [sys.executable, "-c", DIGEST, str(Path(__file__).parent)]
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        run = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        digests.add(run.stdout)
    assert len(digests) == 1
    assert len(digests.pop().strip()) == len(hashlib.sha256().hexdigest())
