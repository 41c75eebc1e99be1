"""Learning to see: lessons tell the truth, every weight learns, and what is exported sees the same."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from housemates.errors import HousematesError
from housemates.home import World
from housemates.home.scenes import load
from housemates.models.segmentation.config import FINE, SIDE, EyesConfig
from housemates.models.segmentation.data import Course, noted
from housemates.models.segmentation.pixels import CHANNELS, HUES, folded, known_hues, pooled, rays
from housemates.render.camera import Camera, agent_camera
from housemates.render.frames import type_numbers
from housemates.render.scene import Renderer

torch = pytest.importorskip("torch")

TINY = EyesConfig(
    widths=(24, 32, 48, 64), depths=(0, 1, 1, 1), lateral=(32, 32, 32), code=24, frames=2, pixels=400, batch=2
)


def test_a_lesson_tells_what_there_is_and_is_the_same_each_time() -> None:
    world = World(load("kitchen-01"))
    frame = Renderer(world).frame(agent_camera(world.agent, SIDE, SIDE))
    lesson = noted(frame, world, 300, np.random.default_rng(1))
    mirrored = not (frame.rgb == lesson.pictures).all()
    truth = frame.types()[:, :: -1 if mirrored else 1][FINE - 1 :: FINE, FINE - 1 :: FINE]
    assert (truth.ravel()[lesson.codes] == lesson.types).all()
    floor = lesson.types == type_numbers()["Floor"]
    assert np.isfinite(lesson.depths).all() and floor.any()


def test_lessons_depend_on_their_number_alone() -> None:
    course = Course("", replace(TINY, seed=3))
    first, again, other = course.lesson(5), course.lesson(5), course.lesson(6)
    assert all((mine == yours).all() for mine, yours in zip(first, again, strict=True))
    assert (first.pictures != other.pictures).any()


def test_lessons_of_both_looks_are_the_same_each_time_and_unknown_looks_are_refused() -> None:
    both = Course("", replace(TINY, looks="plain,varied", frames=20))
    assert both.looks == ("plain", "varied")
    again = Course("", replace(TINY, looks="plain,varied", frames=20))
    assert (both.lesson(5).pictures == again.lesson(5).pictures).all()
    with pytest.raises(HousematesError, match="looks"):
        Course("", replace(TINY, looks="gaudy")).lesson(5)


def test_the_command_trains_eyes_on_rooms_of_both_looks_without_a_store(tmp_path: Path) -> None:
    from housemates.models.launch import TrainingJob, train

    small = {"widths": (24, 32, 48, 64), "lateral": (32, 32, 32), "code": 24, "frames": 2, "batch": 2}
    given = small | {"epochs": 1, "checked": 2, "rooms": 1.0, "looks": "plain,varied"}
    done = train(TrainingJob("eyes", "cpu", given, tmp_path, tmp_path / "eyes", threads=1))
    assert (done["epoch"], done["finished"]) == (1, True)


def test_a_training_begins_with_the_weights_of_the_package_whatever_types_came_since() -> None:
    from housemates.models.checkpoints import read_card, read_tensors, shipped_weights, weights_of
    from housemates.models.launch import warm_start
    from housemates.models.segmentation.config import CONFIGS
    from housemates.models.segmentation.train import EyesLearner

    learner, start = EyesLearner(replace(CONFIGS["cpu"], rooms=1.0), Path()), shipped_weights("segmentation")
    warm_start(learner, start)
    before = read_tensors(weights_of(start))["net.heads.types.weight"].float()
    known, now = read_card(start).vocabulary["types"], learner.net.net.heads["types"].weight
    assert torch.equal(now[learner.types.index("Mug")], before[known.index("Mug")])
    assert len(now) == len(learner.types)


def test_eyes_learn_a_picture_by_heart_and_every_weight_learns() -> None:
    from housemates.models.segmentation.model import Net
    from housemates.models.segmentation.train import given, losses

    torch.manual_seed(0)
    pictures, views, *rest = Course("", TINY).lesson(1)
    codes, *truth = (torch.from_numpy(each) for each in rest)
    seen = given(pictures, views)
    net = Net(TINY, len(type_numbers()) + 1)
    optimizer = torch.optim.AdamW(net.parameters(), lr=6e-3)
    for _ in range(60):
        optimizer.zero_grad()
        read = net.read(net.at(*seen, codes.long()))
        torch.stack(list(losses(read, *truth).values())).sum().backward()
        optimizer.step()
    assert all(each.grad is not None and each.grad.abs().sum() > 0 for each in net.parameters())
    assert (read.types.argmax(-1) == truth[1]).float().mean() >= 0.95


def test_a_state_has_to_show_at_some_places_of_a_thing_only() -> None:
    from housemates.models.segmentation.train import telling

    things = torch.tensor([[7, 3, 7, 7, 3, 7, 0, 7]])
    scores = torch.tensor([[[1.0], [0.0], [5.0], [-9.0], [2.0], [4.0], [8.0], [-2.0]]])
    true = (things == 7)[..., None]
    assert telling(scores, things, true)[0, :, 0].nonzero().ravel().tolist() == [2]
    assert telling(scores, things, ~true)[0, :, 0].nonzero().ravel().tolist() == [4, 6]


def test_codes_at_places_are_those_of_the_whole_picture() -> None:
    from housemates.models.segmentation.model import Net

    net = Net(TINY, 5).eval()
    pictures = torch.randint(0, 256, (2, 75, 75, CHANNELS), dtype=torch.uint8)
    ways = torch.randn(2, 75, 75, 4)
    places = torch.randint(0, (SIDE // FINE) ** 2, (2, 40))
    whole = net(pictures, ways).flatten(1, 2)
    chosen = whole.gather(1, places[..., None].expand(-1, -1, whole.shape[-1]))
    assert torch.allclose(net.at(pictures, ways, places), chosen, atol=1e-5)


def test_exported_eyes_see_what_the_network_sees(tmp_path: Path) -> None:
    pytest.importorskip("onnx")
    from housemates.models.segmentation.export import write_eyes
    from housemates.models.segmentation.inference import Eyes, EyesCard
    from housemates.models.segmentation.model import Net
    from housemates.models.segmentation.train import given

    torch.manual_seed(0)
    types = ["", *type_numbers()]
    net = Net(TINY, len(types)).eval()
    lesson = Course("", TINY).lesson(0)
    write_eyes(net, EyesCard(version=1, types=types, states=["open"], steps=0, config={}), lesson, tmp_path)
    eyes = Eyes(tmp_path)
    rgb, (horizon, fov) = lesson.pictures[0], lesson.views[0].tolist()
    with torch.no_grad():
        expected = net(*given(rgb[None], lesson.views[:1]))[0]
        best = net.read(expected).types.argmax(-1).numpy()
    off = np.abs(eyes.codes(rgb, horizon, fov) - expected.numpy())
    assert off.mean() < 0.02 * expected.max() and off.max() < 0.2 * expected.max()
    _, scores = eyes._run(rgb, horizon, fov)
    weighed = scores.astype(np.int64) * eyes._heads["factors"] + eyes._heads["biases"]
    assert (weighed.argmax(-1) == best.ravel()).mean() > 0.9


def test_a_square_of_pixels_has_their_colours_and_what_these_mean() -> None:
    rgb = np.random.default_rng(0).integers(0, 256, (2, 8, 12, 3), dtype=np.uint8)
    colours, hues = known_hues()
    known = colours[len(colours) // 2]
    rgb[1, 5, 6] = known >> 16, known >> 8 & 255, known & 255
    squares = folded(rgb).reshape(2, 2, 3, 4, 4, -1)
    assert (squares[1, 1, 1, 1, 2, :3] == rgb[1, 5, 6]).all()
    assert (squares[1, 1, 1, 1, 2, 3:] == hues[len(colours) // 2]).all()
    assert (squares[0, 0, 2, 3, 1, :3] == rgb[0, 3, 9]).all()


def test_a_cell_has_the_mean_the_most_and_the_least_of_its_hues() -> None:
    colours, hues = known_hues()
    drawn = np.random.default_rng(0).integers(0, len(colours), (20, 30))
    rgb = np.stack([colours[drawn] >> shift & 255 for shift in (16, 8, 0)], -1).astype(np.uint8)
    cells = (hues[drawn].astype(np.float32) - 128).reshape(5, 4, 5, 6, HUES) / 128
    found = pooled(rgb, 5).reshape(3, HUES, 5, 5).transpose(0, 2, 3, 1)
    wanted = (cells.mean((1, 3)), cells.max((1, 3)), cells.min((1, 3)))
    assert all(np.allclose(mine, yours, atol=1e-5) for mine, yours in zip(found, wanted, strict=True))


def test_rays_point_where_a_camera_looks() -> None:
    camera = Camera((0.0, 0.0, 0.0), horizon=30.0, fov=60.0)
    x, y, z = camera.ray(4 * 20 + 2, 4 * 50 + 2)
    assert rays(30.0, 60.0)[50, 20] == pytest.approx([x, y, z, np.log(abs(y))], abs=1e-5)


def test_a_config_is_the_same_after_it_stood_on_a_card() -> None:
    from housemates.models.checkpoints import config_fields

    fields = config_fields(TINY)
    assert json.loads(json.dumps(fields)) == fields


def test_a_folder_without_eyes_is_refused(tmp_path: Path) -> None:
    from housemates.models.segmentation import Eyes

    with pytest.raises(HousematesError, match="expected exported eyes"):
        Eyes(tmp_path)


@pytest.mark.parametrize(
    "wrong",
    [
        pytest.param(lambda data: data[:5000], id="torn"),
        pytest.param(lambda data: b"", id="empty"),
        pytest.param(lambda data: bytes(reversed(data)), id="junk"),
        pytest.param(lambda data: data[:3000] + bytes(500) + data[3500:], id="altered"),
        pytest.param(lambda data: arrays(units=np.zeros(3)), id="others"),
        pytest.param(lambda data: arrays(units=np.array([{}])), id="objects"),
    ],
)
def test_heads_that_are_none_are_refused_in_one_sentence(tmp_path: Path, wrong) -> None:
    from housemates.models.segmentation import Eyes
    from housemates.models.segmentation.inference import HEADS, SHIPPED

    for name in ("eyes.json", "eyes.onnx"):
        (tmp_path / name).write_bytes((SHIPPED / name).read_bytes())
    (tmp_path / HEADS).write_bytes(wrong((SHIPPED / HEADS).read_bytes()))
    with pytest.raises(HousematesError, match=r"heads\.npz: expected the heads of exported eyes"):
        Eyes(tmp_path)


def arrays(**given: np.ndarray) -> bytes:
    """An archive of arrays."""
    stream = io.BytesIO()
    np.savez(stream, **given)
    return stream.getvalue()
