"""Real demonstrations in rebuilt plans: import, start states, replays, commands."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest

from housemates.benchmarks.alfred.files.assets import Box, recentred, stand
from housemates.benchmarks.alfred.files.episodes import Trajectory, TrajectoryText, read_texts
from housemates.benchmarks.alfred.files.furniture import furnish, matched
from housemates.benchmarks.alfred.files.importing import import_trajectories
from housemates.benchmarks.alfred.files.replay import replay, thing_near
from housemates.benchmarks.alfred.files.scenes import official_id, scene_of, with_way_in
from housemates.benchmarks.alfred.files.statistics import tokens
from housemates.benchmarks.teach.files.importing import import_games
from housemates.cli.main import main
from housemates.data.store import Store
from housemates.errors import HousematesError
from housemates.files import read_text_lines, write_text_lines
from housemates.home.navigation import Cell, cell_of, grid
from housemates.home.scenes.plans.knowledge import PlanKnowledge
from housemates.home.things import object_id
from housemates.home.world import World

TRAJECTORIES = 24
GAMES = 250
DEMONSTRATIONS = 12
PLAN = re.compile(r'"floor_plan": ?"(\w+)"')


@pytest.fixture(scope="module")
def trajectories(real_data: Path) -> list[Trajectory]:
    """Every tenth of the real demonstrations."""
    found = read_texts([real_data / "alfred" / "valid_seen.jsonl.zst"], [])
    return [text.parse() for text in islice(found, 0, None, 10)][:TRAJECTORIES]


@pytest.fixture(scope="module")
def store(real_data: Path, trajectories: list[Trajectory], tmp_path_factory: pytest.TempPathFactory) -> Store:
    """One TEACh game of each of their plans, the layouts, and some train demonstrations there."""
    folder = tmp_path_factory.mktemp("store")
    plans = {f'"{each.scene.floor_plan}_physics"' for each in trajectories}
    games = []
    for _, text in read_text_lines(real_data / "teach" / "train.jsonl.zst"):
        plan = next((plan for plan in plans if plan in text), None)
        if plan is not None:
            plans.remove(plan)
            games.append(text.strip())
        if not plans or len(games) >= GAMES:
            break
    write_text_lines(folder / "games.jsonl", games)
    write_text_lines(
        folder / "train.jsonl", _train(real_data, {each.scene.floor_plan for each in trajectories})
    )
    store = Store(folder / "s")
    store.learn_layouts(real_data / "alfred" / "layouts.json.zst")
    import_games(store, folder / "games.jsonl")
    import_trajectories(store, folder / "train.jsonl")
    return store


def _train(real_data: Path, plans: set[str]) -> Iterator[str]:
    """The first train demonstrations of each plan."""
    left = dict.fromkeys(plans, DEMONSTRATIONS)
    for _, text in read_text_lines(real_data / "alfred" / "train.jsonl.zst"):
        found = PLAN.search(text)
        if found and left.get(found.group(1), 0) > 0:
            left[found.group(1)] -= 1
            yield text.strip()


def test_where_demonstrations_walked_is_kept_apart_from_where_people_did(
    store: Store, trajectories: list[Trajectory], real_data: Path
) -> None:
    people, layouts = Store(store.folder.parent / "people"), Store(store.folder.parent / "layouts")
    import_games(people, store.folder.parent / "games.jsonl")
    layouts.learn_layouts(real_data / "alfred" / "layouts.json.zst")
    longer = 0
    for plan in {each.scene.floor_plan for each in trajectories}:
        known, layout = store.knowledge(plan), layouts.knowledge(plan)
        assert known is not None and layout is not None
        walked = people.knowledge(plan)
        assert known.walked == (walked.walked if walked else set())
        assert known.layout >= layout.layout
        longer += len(known.layout) > len(layout.layout)
    assert longer


def test_every_recorded_target_is_in_the_start_state(store: Store, trajectories: list[Trajectory]) -> None:
    for each in trajectories:
        things = scene_of(each, store).things
        first = next(low.target for low in each.low_actions if low.name == "PickupObject")
        assert thing_near(things, first) is not None, each.task_id


def test_a_start_state_has_alfreds_camera_and_a_way_to_go(
    store: Store, trajectories: list[Trajectory]
) -> None:
    for each in trajectories:
        scene = scene_of(each, store)
        assert scene.agent.fov == 60 and scene.agent.horizon == 30
        here = cell_of(scene.agent)
        around = [Cell(here.x + dx, here.z + dz) for dx, dz in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        cells = set(grid(World(scene)).cells())
        assert here in cells
        assert any(cell in cells for cell in around), each.task_id


def test_what_lies_in_a_box_or_on_a_table_has_it_as_parent(
    store: Store, trajectories: list[Trajectory]
) -> None:
    told = agreed = 0
    for each in trajectories:
        things = {thing.id: thing for thing in scene_of(each, store).things}
        for high in each.plan.high_pddl:  # type: ignore[union-attr]
            action = high.planner_action
            if action["action"] == "PickupObject" and "coordinateReceptacleObjectId" in action:
                thing = things.get(action["objectId"])
                if thing is not None:
                    told += 1
                    agreed += thing.parents[:1] and thing.parents[0].startswith(
                        action["coordinateReceptacleObjectId"][0].removesuffix("Basin")
                    )
    assert agreed >= 0.75 * told


def test_most_demonstrations_succeed_when_replayed(store: Store, trajectories: list[Trajectory]) -> None:
    replays = [replay(each, scene_of(each, store), look=False) for each in trajectories]
    assert sum(each.success for each in replays) >= 0.85 * len(replays)
    touches = [case for each in replays for case in each.compared if not case.moves]
    assert sum(case.success for case in touches) >= 0.95 * len(touches)


def test_recorded_masks_mean_the_recorded_things(store: Store, trajectories: list[Trajectory]) -> None:
    cases = [
        case
        for each in trajectories[:8]
        for case in replay(each, scene_of(each, store)).compared
        if not case.moves
    ]
    assert sum(case.picks_target for case in cases) >= 0.85 * len(cases)


def test_a_replay_ends_the_same_every_time(store: Store, trajectories: list[Trajectory]) -> None:
    first, second = (
        replay(trajectories[0], scene_of(trajectories[0], Store(store.folder)), "mask") for _ in range(2)
    )
    assert first.digest == second.digest
    assert first.compared == second.compared


def test_import_and_export_give_the_same_files(
    trajectories: list[Trajectory], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack, folder = tmp_path / "pack.jsonl", str(tmp_path / "s")
    lines = [each.to_json().decode() for each in trajectories[:4]]
    write_text_lines(pack, [*lines, '{"task_id": "broken", "scene": 3}'])
    report = run_json(capsys, ["import", "alfred", str(pack), "--store", folder, "--json"])
    assert (report["trajectories"], report["skipped"]) == (4, 1)
    assert run_json(capsys, ["import", "alfred", str(pack), "--store", folder, "--json"])["in_store"] == 4
    run_json(capsys, ["export", "alfred", "--store", folder, "--out", str(tmp_path / "tree"), "--json"])
    for each in trajectories[:4]:
        text = (tmp_path / "tree" / each.task_id / "traj_data.json").read_text()
        assert TrajectoryText("out", text).parse() == each


def test_the_replay_command_prints_one_object(
    store: Store,
    trajectories: list[Trajectory],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    pack = tmp_path / "pack.jsonl"
    untold = [_without_plan(trajectories[1]), _in_plan(trajectories[2], "FloorPlan999")]
    write_text_lines(pack, [trajectories[0].to_json().decode(), *map(json.dumps, untold)])
    words = ["replay", "alfred", str(pack), "--store", str(store.folder), "--json", "--workers", "1"]
    shown = ["--video", str(tmp_path / "video"), "--report", str(tmp_path / "report")]
    report = run_json(capsys, [*words, "--by", "mask", *shown])
    assert (report["trajectories"], report["scored"], report["skipped"]) == (2, 1, 1)
    assert "not scored" in report["note"]
    assert {"succeeded", "goal_conditions", "moves_agree", "interactions_agree"} <= report.keys()
    assert {"mask_iou_median", "mask_picks_target"} <= report.keys()
    assert len(list((tmp_path / "video").glob("*.mp4"))) == 1
    told = json.loads((tmp_path / "report" / "report.json").read_text())
    assert set(told["tables"]) == {"class of object", "action", "task", "floor plan"}
    assert (told["summary"]["digest"], len(told["skipped"])) == (report["digest"], 1)
    assert "FloorPlan999" in (tmp_path / "report" / "index.html").read_text()


def test_unknown_plans_and_objects_are_named(store: Store, trajectories: list[Trajectory]) -> None:
    elsewhere = TrajectoryText("x", json.dumps(_in_plan(trajectories[0], "FloorPlan999"))).parse()
    with pytest.raises(HousematesError, match="FloorPlan999"):
        scene_of(elsewhere, store)
    fields = json.loads(trajectories[0].to_json())
    fields["scene"]["object_poses"][0]["objectName"] = "Unicorn_1"
    with pytest.raises(HousematesError, match=r"object_poses\[0\].*Unicorn"):
        scene_of(TrajectoryText("x", json.dumps(fields)).parse(), store)
    fields = json.loads(trajectories[0].to_json())
    touch = next(low for low in fields["plan"]["low_actions"] if "objectId" in low["api_action"])
    touch["api_action"]["objectId"] = "Mug|+77.00|+00.90|+77.00"
    strange = TrajectoryText("x", json.dumps(fields)).parse()
    with pytest.raises(HousematesError, match=r"has no object 'Mug\|\+77.00"):
        replay(strange, scene_of(strange, store), look=False)


def test_statistics_count_what_is_there(
    trajectories: list[Trajectory], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pack = tmp_path / "pack.jsonl"
    write_text_lines(pack, (each.to_json().decode() for each in trajectories))
    report = run_json(capsys, ["stats", "alfred", str(pack), "--report", str(tmp_path / "page"), "--json"])
    assert report["trajectories"] == len(trajectories)
    assert report["annotations"] == sum(len(each.turk_annotations.anns) for each in trajectories)
    assert report["image_action_pairs"] == sum(len(each.low_actions) for each in trajectories)
    assert "Figure F2" in (tmp_path / "page" / "index.html").read_text()


def test_tokens_are_words_without_punctuation() -> None:
    assert tokens("Put the mug, (it's hot) on Table-2.") == [
        "put",
        "the",
        "mug",
        "it's",
        "hot",
        "on",
        "table",
        "2",
    ]


def test_ids_have_no_sign_before_a_zero() -> None:
    assert official_id("Knife", (0.004, -0.79, 6.54)) == "Knife|00.00|-00.79|+06.54"


def test_a_box_turns_about_its_pivot() -> None:
    box = Box((0.0, -0.1, -0.05), (0.4, 0.1, 0.05))
    turned = stand(box, (1.0, 1.0, 1.0), (0.0, 90.0, 0.0))
    assert turned.position == pytest.approx((1.0, 0.9, 0.8))
    assert (turned.size, turned.yaw) == (pytest.approx((0.4, 0.2, 0.1)), 90.0)
    tilted = stand(box, (0.0, 0.0, 0.0), (0.0, 0.0, 90.0))
    assert tilted.size == pytest.approx((0.2, 0.4, 0.1))
    assert tilted.position[1] == pytest.approx(0.0)


def test_a_box_moves_to_where_its_middle_was_seen() -> None:
    box = Box((-0.1, 0.0, -0.1), (0.1, 0.02, 0.1))
    assert recentred(box, [(0.05, 0.0)]) == box
    moved = recentred(box, [(0.05, 0.02), (0.05, 0.02), (0.9, 0.9)])
    assert moved.lo == pytest.approx((-0.05, 0.0, -0.08))
    assert recentred(box, [(0.5, 0.0)] * 3) == box


def test_furniture_is_known_by_class_and_nearest_place() -> None:
    fixtures = [{"objectId": f"Desk|+0{x}.00|+00.00|+00.00", "objectType": "Desk"} for x in (1, 3)]
    fixtures.append({"objectId": "SideTable|+05.00|+00.00|+00.00", "objectType": "SideTable"})
    named = {"Desk|+01.20|+00.00|+00.10": (1.2, 0.0, 0.1), "Cart|+05.10|+00.00|+00.00": (5.1, 0.0, 0.0)}
    assert matched(fixtures, named) == {
        "Desk|+01.00|+00.00|+00.00": "Desk|+01.20|+00.00|+00.10",
        "SideTable|+05.00|+00.00|+00.00": "Cart|+05.10|+00.00|+00.00",
    }


def test_doors_of_a_pair_meet_in_the_middle_and_neighbours_hang_back_to_back() -> None:
    hinges = {"left": 0.0, "right": 0.8, "next": 0.85}
    named = {object_id("Cabinet", (x, 2.0, 0.0)): (x, 2.0, 0.0) for x in hinges.values()}
    layout = {(x, z) for x in range(-4, 8) for z in range(4, 8)}
    known = PlanKnowledge("FloorPlan1", layout=layout, named=named)
    middles = sorted(
        record["axisAlignedBoundingBox"]["center"]["x"]
        for record in furnish(known).records
        if record["objectType"] == "Cabinet"
    )
    assert 0.0 < middles[0] < 0.4
    assert middles[1] < 0.8 < 0.85 < middles[2]


def test_an_unknown_start_is_joined_to_the_known_floor(store: Store, trajectories: list[Trajectory]) -> None:
    scene = scene_of(trajectories[0], store)
    known = set(scene.walkable or ())
    assert with_way_in(scene, Cell(*min(known))) == known
    far = Cell(min(known)[0] - 2, min(known)[1])
    assert known < with_way_in(scene, far)


def run_json(capsys: pytest.CaptureFixture[str], words: list[str]) -> dict[str, Any]:
    """What a command prints."""
    main(words)
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    return found


def _without_plan(trajectory: Trajectory) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(trajectory.to_json())
    return {name: fields[name] for name in ("task_id", "scene", "turk_annotations")}


def _in_plan(trajectory: Trajectory, plan: str) -> dict[str, Any]:
    fields: dict[str, Any] = json.loads(trajectory.to_json())
    fields["scene"]["floor_plan"] = plan
    return fields
