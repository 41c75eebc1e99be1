"""The task language on small states, and its agreement with the reference checker on all recorded cases."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from housemates.benchmarks.teach.formats.cases import read_cases
from housemates.benchmarks.teach.formats.reference import differences
from housemates.benchmarks.teach.tasks import catalogue as tasks
from housemates.benchmarks.teach.tasks.tdl.changes import state_changes, task_of_changes
from housemates.benchmarks.teach.tasks.tdl.definitions import object_classes


def thing(name: str, **properties: Any) -> dict[str, Any]:
    kind = name.rstrip("0123456789")
    plain = {"objectId": f"{kind}|{name}|0|0", "objectType": kind, "parentReceptacles": None}
    return {**plain, "simbotObjectClass": list(object_classes()[kind]), **properties}


def inside(*things: dict[str, Any]) -> list[str]:
    return [each["objectId"] for each in things]


def test_a_plate_of_toast_wants_a_toasted_slice_on_a_clean_plate() -> None:
    plate, sink = thing("Plate", isDirty=False), thing("Sink", receptacle=True)
    toast = thing("BreadSliced", isCooked=True, parentReceptacles=inside(plate))
    task = tasks.bind("Plate Of Toast")
    assert tasks.check(task, [plate, sink, toast]).success
    off_the_plate = tasks.check(task, [plate, sink, {**toast, "parentReceptacles": []}])
    assert not off_the_plate.success
    assert (off_the_plate.satisfied, off_the_plate.total) == (6, 7)
    assert off_the_plate.subgoals[-1].steps[0].object_id == toast["objectId"]


def test_a_whole_bread_is_the_candidate_for_toast() -> None:
    bread = thing("Bread", isCooked=False)
    toast = tasks.check(tasks.bind("Toast"), [bread])
    assert [step.object_id for step in toast.subgoals[0].steps] == inside(bread) * 2
    assert [each.property for each in toast.subgoals[0].problems[bread["objectId"]]] == [
        "objectType",
        "isCooked",
    ]


def test_all_of_nothing_is_done_and_leaves_no_goal_condition() -> None:
    lights = tasks.check(tasks.bind("Toggle X All Y", ["on", "1", "Lights"]), [thing("Mug")])
    assert (lights.success, lights.total) == (True, 0)


def test_a_basin_passes_for_its_sink() -> None:
    mug = thing("Mug", isDirty=False)
    basin = thing("SinkBasin", receptacle=True)
    assert tasks.check(tasks.bind("Clean X", ["Mug"]), [mug, basin]).success


def test_last_parents_tell_where_an_object_is_when_the_simulator_does_not() -> None:
    table, plate = thing("DiningTable", receptacle=True), thing("Plate")
    plate["simbotLastParentReceptacle"] = table["objectId"]
    fork = thing("Fork", simbotLastParentReceptacle=plate["objectId"])
    assert tasks.check(
        tasks.bind("Put All X On Y", ["Fork", "on", "DiningTable"]), [fork, plate, table]
    ).success


def test_parents_that_go_round_in_a_circle_are_followed_once() -> None:
    pot, pan = thing("Pot"), thing("Pan")
    pot["simbotLastParentReceptacle"], pan["simbotLastParentReceptacle"] = inside(pan, pot)
    assert not tasks.check(tasks.bind("Put All X On Y", ["Pot", "in", "Sink"]), [pot, pan]).success


def test_the_nearest_of_equal_candidates_is_shown_where_distances_are_known() -> None:
    near, far = thing("Mug1", isDirty=False), thing("Mug2", isDirty=False)
    task = tasks.bind("Coffee")
    shown = tasks.check(task, [far, near], distance=lambda item: 1.0 if item is near else 2.0)
    assert shown.subgoals[0].steps[-1].object_id == near["objectId"]


def test_a_progress_check_has_the_papers_fields() -> None:
    answer = tasks.check(
        tasks.bind("Plate Of Toast"), [thing("Bread"), thing("Plate", isDirty=True)]
    ).as_dict()
    assert answer["success"] == 0
    assert list(answer["subgoals"][1]) == [
        "representative_obj_id",
        "step_successes",
        "success",
        "description",
        "steps",
        "problem_keys",
        "goal_conditions_total",
        "goal_conditions_satisfied",
    ]
    json.dumps(answer)


def test_changes_are_met_by_any_object_of_the_type() -> None:
    before = [thing("Mug1", isDirty=True), thing("Mug2", isDirty=True)]
    after = [{**before[0], "isDirty": False}, before[1]]
    task = task_of_changes(state_changes(before, before, after))
    assert not tasks.check(task, before).success
    assert tasks.check(task, [before[0], {**before[1], "isDirty": False}]).success


def test_a_scene_without_a_coffee_machine_cannot_host_coffee() -> None:
    scene = [thing("Mug"), thing("Sink"), thing("Faucet")]
    assert not tasks.can_host("Coffee", [], scene)
    assert tasks.can_host("Coffee", [], [*scene, thing("CoffeeMachine")])


def test_one_potato_hosts_three_slices_and_one_egg_no_two_omelettes() -> None:
    scene = [thing("Potato"), thing("Knife"), thing("Plate"), thing("Sink"), thing("Faucet"), thing("Egg")]
    assert tasks.can_host("N Slices Of X In Y", ["3", "Potato", "on", "Plate"], scene)
    scene.append(thing("StoveBurner"))
    assert tasks.can_host("Omelette", [], scene)
    assert not tasks.can_host("Omelette", [], [each for each in scene if each["objectType"] != "Egg"])


def test_every_answer_of_the_reference_is_ours(real_data: Path) -> None:
    compared = 0
    for _, case, library in read_cases(real_data / "teach" / "tdl_cases.jsonl.zst"):
        progress = tasks.check(case.task(library), case.objects)
        if not case.expected.error:
            compared += 1
            assert differences(progress, case.expected, ordered=case.kind == "task") == []
    assert compared == 1506
