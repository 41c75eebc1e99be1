"""New demonstrations: balanced, verified, written in the official form, and found again after a break."""

from __future__ import annotations

import json
from collections import Counter
from itertools import islice
from pathlib import Path

import pytest

from housemates.benchmarks.alfred.formats.episodes import read_trajectories
from housemates.benchmarks.alfred.formats.rooms import room_start
from housemates.benchmarks.alfred.generate.sampling import balanced, rooms_of, tasks_in
from housemates.benchmarks.alfred.generate.trajectories import LOG, Settings, generate, replays
from housemates.benchmarks.alfred.tasks.goals import TYPES, classes
from housemates.benchmarks.alfred.world.dynamics import AlfredWorld
from housemates.cli.main import main
from housemates.errors import HousematesError


def test_types_and_classes_take_turns() -> None:
    samples = list(islice(balanced(rooms_of("train"), 2), 210))
    types = Counter(sample.task.type for sample in samples)
    assert set(types.values()) == {30}
    things = Counter(sample.task.object_target for sample in samples)
    places = Counter(sample.task.parent_target for sample in samples if sample.task.parent_target)
    assert max(things.values()) <= 0.08 * 210
    assert max(places.values()) <= 0.08 * 210
    assert set(things) <= set(classes().objects)


def test_every_kind_of_room_has_tasks_and_kitchens_have_all_but_lamps() -> None:
    assert {task.type for task in tasks_in("kitchen-01")} == set(TYPES) - {"look_at_obj_in_light"}
    for room in ("living-room-01", "bedroom-01", "bathroom-01"):
        assert tasks_in(room)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("generated") / "set"
    generate(out, 12, Settings(seed=3), workers=1)
    return out


def test_a_written_demonstration_replays_from_its_file(made: Path) -> None:
    found = list(read_trajectories([made], []))
    assert len(found) == 12
    for trajectory in found:
        assert replays(trajectory)
        assert len(trajectory.turk_annotations.anns) == 3
        for ann in trajectory.turk_annotations.anns:
            assert len(ann.high_descs) == len(trajectory.plan.high_pddl) - 1
            assert not any("{" in text for text in (ann.task_desc, *ann.high_descs))


def test_a_start_is_wholly_told_by_its_file(made: Path) -> None:
    trajectory = next(iter(read_trajectories([made], [])))
    world = AlfredWorld(room_start(trajectory))
    things = [thing for thing in world.home.things.values() if thing.can("pickup")]
    assert len(things) == len(trajectory.scene.object_poses)
    assert all(thing.parents and thing.parents[0] in world.home.things for thing in things)


def test_an_interrupted_run_goes_on_and_gives_the_same(made: Path, tmp_path: Path) -> None:
    out = tmp_path / "again"
    whole = generate(out, 12, Settings(seed=3), workers=1)
    files = sorted(path.relative_to(out) for path in out.rglob("traj_data.json"))
    lines = (out / LOG).read_text().splitlines(keepends=True)
    (out / LOG).write_text("".join(lines[:3]) + lines[3][:20])
    rest = generate(out, 12, Settings(seed=3), workers=1)
    assert {**rest, "out": ""} == {**whole, "out": ""}
    assert files == sorted(path.relative_to(made) for path in made.rglob("traj_data.json"))
    for name in files:
        assert (out / name).read_bytes() == (made / name).read_bytes()


def test_a_folder_of_another_run_is_refused(made: Path) -> None:
    with pytest.raises(HousematesError, match="another run"):
        generate(made, 3, Settings(seed=4), workers=1)


def test_the_command_prints_one_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["generate", "alfred", "--episodes", "3", "--out", str(tmp_path / "x"), "--workers", "1", "--json"])
    assert json.loads(capsys.readouterr().out)["demonstrations"] == 3


@pytest.mark.parametrize("flag", ["--episodes", "--directives"])
def test_less_than_nothing_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], flag: str) -> None:
    with pytest.raises(SystemExit):
        main(["generate", "alfred", flag, "-1", "--out", str(tmp_path / "x")])
    assert f"{flag}: expected" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()
