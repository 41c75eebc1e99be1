"""Trajectories that we write hold what official programs read, where they look for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from housemates.benchmarks.alfred.formats.episodes import FILE, read_trajectories
from housemates.benchmarks.alfred.formats.loader import recorded_episode
from housemates.benchmarks.alfred.formats.writer import PICTURES
from housemates.benchmarks.alfred.generate.trajectories import LOG, Settings, generate
from housemates.benchmarks.alfred.world.agent_camera import Sight
from housemates.benchmarks.alfred.world.dynamics import INTERACTIONS, AlfredWorld
from housemates.benchmarks.alfred.world.masks import from_runs
from housemates.cli.main import main
from housemates.files import read_lines


def make(out: Path, *flags: str) -> Path:
    main(
        [
            "generate",
            "alfred",
            "--episodes",
            "3",
            "--seed",
            "3",
            "--workers",
            "1",
            "--json",
            *flags,
            "--out",
            str(out),
        ]
    )
    return out


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("plain") / "set")


@pytest.fixture(scope="module")
def framed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("framed") / "set", "--frames")


def files(folder: Path) -> dict[Path, dict[str, Any]]:
    found = {path: json.loads(path.read_bytes()) for path in sorted(folder.rglob(FILE))}
    assert len(found) == 3
    return found


def touching(trajectory: dict[str, Any]) -> list[dict[str, Any]]:
    """What the interactions of a trajectory tell about the picture."""
    low = trajectory["plan"]["low_actions"]
    return [each["discrete_action"]["args"] for each in low if each["api_action"]["action"] in INTERACTIONS]


def test_every_low_action_has_an_image_of_its_sub_goal(plain: Path) -> None:
    for trajectory in files(plain).values():
        assert trajectory["images"] == [
            {"high_idx": low["high_idx"], "image_name": f"{number:09}.png", "low_idx": number}
            for number, low in enumerate(trajectory["plan"]["low_actions"])
        ]


def test_every_description_has_votes_that_are_for_it(plain: Path) -> None:
    for trajectory in files(plain).values():
        assert [ann["votes"] for ann in trajectory["turk_annotations"]["anns"]] == [[1, 1]] * 3


def test_box_and_point_are_told_without_masks(plain: Path) -> None:
    for trajectory in files(plain).values():
        assert all(args.keys() == {"bbox", "point"} for args in touching(trajectory))


def test_with_masks_only_the_masks_are_more(framed: Path, tmp_path: Path) -> None:
    masked = make(tmp_path / "masked", "--masks")
    for path, trajectory in files(framed).items():
        assert json.loads((masked / path.relative_to(framed)).read_bytes()) == trajectory
        assert not (masked / path.relative_to(framed)).with_name(PICTURES).exists()


def test_box_and_point_are_those_of_the_mask(framed: Path) -> None:
    for trajectory in files(framed).values():
        for args in touching(trajectory):
            mask = from_runs(args["mask"])
            rows, columns = np.nonzero(mask)
            left, top, right, bottom = args["bbox"]
            assert (left, right) == (columns.min(), columns.max())
            assert (top, bottom) == (rows.min() + 1, rows.max() + 1)
            x, y = args["point"]
            assert mask[y, x]


def test_there_is_a_picture_before_each_action_and_one_after_the_last(framed: Path) -> None:
    for path, trajectory in files(framed).items():
        count = len(trajectory["plan"]["low_actions"])
        names = sorted(each.name for each in path.with_name(PICTURES).iterdir())
        assert names == [f"{number:09}.png" for number in range(count + 1)]
        assert {each["image_name"] for each in trajectory["images"]} == set(names[:-1])


def test_a_picture_is_what_is_seen_before_its_action(framed: Path) -> None:
    trajectory = next(iter(read_trajectories([framed], [])))
    folder = next(path for path, each in files(framed).items() if each["task_id"] == trajectory.task_id)
    world = AlfredWorld(recorded_episode(trajectory, 0, None).start)
    sight = Sight(world.home)
    for number, low in enumerate(trajectory.low_actions):
        with Image.open(folder.with_name(PICTURES) / f"{number:09}.png") as picture:
            assert np.array_equal(np.asarray(picture), sight.look().rgb)
        world.act(low.name, low.target or None)


def test_an_interrupted_run_with_frames_goes_on_and_gives_the_same(framed: Path, tmp_path: Path) -> None:
    out = tmp_path / "again"
    settings = Settings(seed=3, masks=True, frames=True)
    generate(out, 3, settings, workers=1)
    (out / LOG).write_text((out / LOG).read_text().splitlines(keepends=True)[0])
    first = min(out.rglob("*.png"))
    first.unlink()
    generate(out, 3, settings, workers=1)
    everything = sorted(path.relative_to(framed) for path in framed.rglob("*") if path.is_file())
    assert everything == sorted(path.relative_to(out) for path in out.rglob("*") if path.is_file())
    for name in everything:
        assert (out / name).read_bytes() == (framed / name).read_bytes()


def test_a_trajectory_has_the_fields_and_types_of_an_official_one(framed: Path, real_data: Path) -> None:
    lines = read_lines(real_data / "alfred" / "valid_seen.jsonl.zst")
    official = next(iter(lines)).value
    ours = next(iter(files(framed).values()))
    assert ours.keys() == official.keys()
    for one, other in (
        (ours["images"][0], official["images"][0]),
        (ours["turk_annotations"]["anns"][0], official["turk_annotations"]["anns"][0]),
        (ours["plan"]["low_actions"][0], official["plan"]["low_actions"][0]),
        (touching(ours)[0], touching(official)[0]),
    ):
        assert {name: type(value) for name, value in one.items()} == {
            name: type(value) for name, value in other.items()
        }
    assert {type(value) for name in ("bbox", "point") for value in touching(ours)[0][name]} == {int}
