"""ALFRED in the runner: agents, scores, tables, sub-goals."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from housemates.agents.alfred.template import follow
from housemates.benchmarks.alfred.benchmark import Alfred, SubGoals
from housemates.benchmarks.alfred.generate.trajectories import Settings, generate
from housemates.benchmarks.alfred.metrics import of_episode, of_subgoal
from housemates.benchmarks.alfred.tasks.episode import Episode
from housemates.benchmarks.alfred.tasks.goals import TITLES, Progress
from housemates.core import registry
from housemates.core.benchmark import Result
from housemates.core.loading import seat_all
from housemates.errors import HousematesError
from housemates.evaluation.runner import Run, evaluate
from housemates.files import read_json, write_json


def run(
    agent: str,
    episodes: int | None = 7,
    benchmark: str = "alfred",
    split: str = "generated",
    seed: int = 7,
    **options: str,
) -> dict[str, Any]:
    seats = seat_all(registry.benchmark_class(benchmark), [agent], {})
    given = Run(benchmark, seats, split, episodes, seed, options)
    return evaluate(given, workers=1, progress=False)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four generated demonstrations, all of train."""
    folder = tmp_path_factory.mktemp("made") / "set"
    generate(folder, 4, Settings(seed=6), workers=1)
    return folder


def test_the_expert_solves_one_of_each_type() -> None:
    found = run("expert")
    assert found["success"] == found["metrics"]["success_weighted"] == 100.0
    assert set(found["tables"]["by type"]) == set(TITLES.values())
    assert (found["privileged"], found["pointing"]) == (["agent"], ["object"])


def test_the_expert_solves_them_with_masks_and_with_points_too() -> None:
    for track in ("mask", "point"):
        found = run("expert", 3, pointing=track)
        assert (found["success"], found["pointing"]) == (100.0, [track])


@pytest.mark.parametrize("track", ["any", "object", "point"])
def test_random_and_template_agents_solve_nothing_and_know_nothing(track: str) -> None:
    for agent in ("random", "template"):
        found = run(agent, 4, pointing=track)
        assert (found["success"], found["privileged"], found["errors"]) == (0.0, [], 0)


def test_an_expert_that_must_look_for_things_takes_longer() -> None:
    found = run("seen", 5)
    assert found["success"] >= 60.0
    assert found["metrics"]["success_weighted"] < 100.0
    assert found["privileged"] == ["agent"]


def test_the_expert_reaches_every_subgoal() -> None:
    found = run("expert", 45, "alfred-subgoals")
    assert found["success"] == 100.0
    rows = found["tables"]["by kind"]
    assert {"Goto", "Pickup", "Put", "Cool", "Heat", "Clean", "Toggle"} <= rows.keys()
    assert rows["Goto"]["Seq2Seq + PM, seen"] == 51
    assert rows["average of kinds"]["success"] == 100.0


def test_subgoals_can_be_written_down_and_begin_after_the_demonstration_so_far() -> None:
    benchmark = SubGoals()
    parts = benchmark.open(next(benchmark.references("generated", 0)))
    assert len(parts) > 5
    for part in parts:
        assert msgspec.msgpack.decode(msgspec.msgpack.encode(part.data), type=Episode) == part.data
        assert benchmark.session(part).turn == 0
    prefixes = [part.data.prefix for part in parts]
    assert prefixes == sorted(prefixes, key=len) and not prefixes[0]
    first, last = (benchmark.session(part) for part in (parts[0], parts[-1]))
    past = last.view("agent").past()
    assert [action for _, action in past] == [action for action, _ in prefixes[-1]]
    assert (past[0][0] == first.draw("agent", "view")).all() and first.view("agent").past() == []


def test_the_same_reference_opens_to_the_same_in_the_rooms_of_train_and_elsewhere() -> None:
    for rooms in ("train", "unseen"):
        benchmark = registry.benchmark("alfred", rooms=rooms)
        reference = next(benchmark.references("generated", 4))
        again = msgspec.msgpack.decode(msgspec.msgpack.encode(reference), type=type(reference))
        assert benchmark.open(reference) == benchmark.open(again)


def test_generated_files_can_be_evaluated(made: Path) -> None:
    found = run("expert", 3, split="train", data=str(made))
    assert (found["episodes"], found["success"]) == (3, 100.0)


def test_each_directive_can_be_an_episode_of_its_own(made: Path) -> None:
    benchmark = registry.benchmark("alfred", data=str(made), directive="all")
    instances = benchmark.open(next(benchmark.references("train", 0)))
    assert [each.id.rpartition("/")[2] for each in instances] == ["0", "1", "2"]
    assert len({each.data.goal for each in instances}) == 3


def test_a_file_without_goal_and_plan_runs_but_is_not_scored(made: Path, tmp_path: Path) -> None:
    record = read_json(next(made.rglob("traj_data.json")))
    told = {key: record[key] for key in ("task_id", "scene", "turk_annotations")}
    write_json(tmp_path / "test.json", told)
    found = run("template", None, split="tests_seen", data=str(tmp_path / "test.json"))
    assert (found["errors"], found["metrics"]) == (0, {"not_scored": 1})
    again = run("expert", None, split="tests_seen", data=str(tmp_path / "test.json"))
    assert (again["errors"], again["success"]) == (1, 0.0)


def test_an_official_plan_needs_a_store(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "nothing"))
    record = read_json(next(made.rglob("traj_data.json")))
    record["scene"]["floor_plan"] = "FloorPlan7"
    write_json(tmp_path / "other.json", record)
    benchmark = registry.benchmark("alfred", data=str(tmp_path / "other.json"))
    with pytest.raises(HousematesError, match="store=DIR"):
        benchmark.open(next(benchmark.references("train", 0)))


def test_taking_twice_as_long_as_the_expert_gives_half() -> None:
    scores = of_episode(Progress(2, 4), 50, 100)
    assert (scores["success"], scores["goal_conditions"]) == (0.0, 0.5)
    assert scores["goal_conditions_weighted"] == 0.25
    assert of_subgoal(True, 5, 10)["success_weighted"] == 0.5


def test_what_failed_counts_as_a_failure_and_what_has_no_goal_does_not_count() -> None:
    kind = next(iter(TITLES))
    solved = Result("a", kind, of_episode(Progress(1, 1), 10, 10))
    failed, lost = Result("b", kind, {}, error="It broke."), Result("c", "", {}, error="No such file.")
    untold = Result("d", "unknown", {})
    found = Alfred().summarise([solved, failed, lost, untold], "valid_seen")
    assert found.metrics["success"] == found.metrics["goal_conditions"] == pytest.approx(33.33)
    assert found.metrics["not_scored"] == 1
    assert found.tables["by type"][TITLES[kind]]["success"] == 50.0
    assert (
        found.tables["by type"]["unknown"] | {"success": 0.0, "episodes": 1}
        == found.tables["by type"]["unknown"]
    )
    assert set(found.paper) and all(name.endswith(", valid_seen") for name in found.paper)
    whole = SubGoals().summarise([Result("a", "PutObject", of_subgoal(True, 5, 5)), lost], "generated")
    assert whole.metrics["success"] == 50.0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"pointing": "id"}, "any, object, point, mask"),
        ({"by": "mask"}, "has no option 'by'"),
        ({"directive": "first"}, "a number or all"),
        ({"directive": "-1"}, "a number or all"),
        ({"rooms": "mine"}, "train, unseen"),
        ({"size": "0"}, "160x120"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: dict[str, str], said: str) -> None:
    with pytest.raises(HousematesError, match=said):
        registry.benchmark("alfred", **options)


def test_a_generated_episode_has_no_hundredth_directive() -> None:
    with pytest.raises(HousematesError, match="found 99"):
        next(registry.benchmark("alfred", directive="99").references("generated", 0))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Turn left and walk to the desk.", ["RotateLeft", "MoveAhead"]),
        ("Pick up the mug from the table.", ["PickupObject"]),
        ("Turn on the desk lamp.", ["ToggleObjectOn"]),
        ("Cut the apple into slices.", ["SliceObject"]),
    ],
)
def test_templates_read_plain_instructions(text: str, expected: list[str]) -> None:
    assert list(follow(text))[: len(expected)] == expected
