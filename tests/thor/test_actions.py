"""Actions beyond walking and touching: paths, filters, the hand, pushing and throwing, looks, openness."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from housemates.thor import Controller


@pytest.fixture(scope="module")
def shared() -> Controller:
    """A controller for questions that change nothing, or little."""
    return Controller(scene="FloorPlan3", renderInstanceSegmentation=True)


def first(controller: Controller, kind: str) -> dict[str, Any]:
    """The first object of a type."""
    found: dict[str, Any] = controller.last_event.objects_by_type(kind)[0]
    return found


def test_a_shortest_path_ends_where_the_object_is_near_and_its_corners_can_be_walked(
    shared: Controller,
) -> None:
    fridge = first(shared, "Fridge")
    corners = shared.step("GetShortestPath", objectId=fridge["objectId"]).metadata["actionReturn"]["corners"]
    agent = shared.last_event.metadata["agent"]["position"]
    assert (corners[0]["x"], corners[0]["z"]) == (agent["x"], agent["z"])
    spots = shared.step("GetReachablePositions").metadata["actionReturn"]
    places = {(spot["x"], spot["z"]) for spot in spots}
    assert all((corner["x"], corner["z"]) in places for corner in corners)
    end = {axis: corners[-1][axis] for axis in "xyz"}
    again = shared.step("GetShortestPathToPoint", target=end).metadata["actionReturn"]["corners"]
    assert again[-1] == corners[-1]
    assert not shared.step("GetShortestPathToPoint", target={"x": 90.0, "y": 0.0, "z": 90.0})
    assert not shared.step("GetShortestPath", objectType="Submarine")


def test_from_every_interactable_pose_the_object_is_seen_within_reach(shared: Controller) -> None:
    fridge = first(shared, "Fridge")["objectId"]
    poses = shared.step("GetInteractablePoses", objectId=fridge, horizons=[0, 30]).metadata["actionReturn"]
    assert len(poses) > 5
    assert {pose["horizon"] for pose in poses} <= {0.0, 30.0}
    assert shared.step("TeleportFull", **poses[len(poses) // 2])
    assert shared.last_event.get_object(fridge)["visible"]
    few = shared.step("GetInteractablePoses", objectId=fridge, maxPoses=3).metadata["actionReturn"]
    assert len(few) == 3


def test_the_expert_leads_to_where_the_object_is_seen() -> None:
    controller = Controller(scene="FloorPlan3")
    fridge = first(controller, "Fridge")["objectId"]
    for _ in range(60):
        action = controller.step("ObjectNavExpertAction", objectId=fridge).metadata["actionReturn"]
        if action is None:
            break
        assert controller.step(action)
    assert controller.last_event.get_object(fridge)["visible"]
    controller.step("RotateRight", degrees=45)
    assert (
        "not along an axis"
        in controller.step("ObjectNavExpertAction", objectId=fridge).metadata["errorMessage"]
    )


def test_a_filter_hides_objects_from_the_metadata_and_nothing_else(shared: Controller) -> None:
    every = [each["objectId"] for each in shared.last_event.metadata["objects"]]
    kept = shared.step("SetObjectFilter", objectIds=every[:3]).metadata["objects"]
    assert [each["objectId"] for each in kept] == every[:3]
    drawer = next(name for name in every if name.startswith("Drawer"))
    assert shared.step("OpenObject", objectId=drawer, forceAction=True)
    assert shared.step("CloseObject", objectId=drawer, forceAction=True)
    assert shared.step("SetObjectFilter", objectIds=[]).metadata["objects"] == []
    after = shared.step("ResetObjectFilter").metadata["objects"]
    assert [each["objectId"] for each in after] == every


def test_a_camera_above_the_map_shows_the_whole_plan(shared: Controller) -> None:
    camera = shared.step("GetMapViewCameraProperties").metadata["actionReturn"]
    event = shared.step("AddThirdPartyCamera", **camera)
    assert event.third_party_camera_frames[-1].std() > 5
    counter = first(shared, "CounterTop")["objectId"]
    assert event.third_party_instance_masks[-1][counter].any()


def test_looking_and_turning_at_once_keeps_to_the_limits(shared: Controller) -> None:
    agent = shared.step("RotateLook", rotation=90, horizon=31).metadata["agent"]
    assert (agent["rotation"]["y"], agent["cameraHorizon"]) == (90.0, 31.0)
    assert not shared.step("RotateLook", rotation=0, horizon=75)
    assert shared.last_event.metadata["errorMessage"] == "Each horizon must be in [-30:60]"


def test_things_stand_open_in_part(shared: Controller) -> None:
    fridge = first(shared, "Fridge")["objectId"]
    for openness in (0.5, 0.7, 0.0):
        event = shared.step("OpenObject", objectId=fridge, openness=openness, forceAction=True)
        assert event.get_object(fridge)["openness"] == openness
        assert event.get_object(fridge)["isOpen"] == (openness > 0)
    assert not shared.step("OpenObject", objectId=fridge, openness=1.5, forceAction=True)
    shared.step("OpenObject", objectId=fridge, moveMagnitude=0, forceAction=True)
    assert shared.last_event.get_object(fridge)["openness"] == 1.0
    shared.step("CloseObject", objectId=fridge, forceAction=True)
    assert shared.last_event.get_object(fridge)["openness"] == 0.0


def test_what_is_held_is_moved_and_turned_before_the_agent(kitchen: Controller) -> None:
    mug = first(kitchen, "Mug")["objectId"]
    assert not kitchen.step("MoveHeldObject", ahead=0.1)
    before = kitchen.step("PickupObject", objectId=mug, forceAction=True).metadata["heldObjectPose"]
    after = kitchen.step("MoveHeldObject", ahead=0.1, right=0.05, up=-0.1).metadata["heldObjectPose"]
    moved = [after["localPosition"][axis] - before["localPosition"][axis] for axis in "xyz"]
    assert moved == pytest.approx([0.05, -0.1, 0.1], abs=1e-6)
    turned = kitchen.step("RotateHeldObject", roll=90).metadata["hand"]
    assert turned["rotation"]["z"] - before["rotation"]["z"] == 270
    assert turned["position"] == after["position"]
    straight = kitchen.step("RotateHand", x=90, y=180, z=0).metadata["heldObjectPose"]
    assert straight["localRotation"] == {"x": 90.0, "y": 180.0, "z": 0.0}
    assert not kitchen.step("MoveHeldObject", ahead=3.0)


def test_a_thrown_thing_lies_ahead_and_may_be_broken(kitchen: Controller) -> None:
    plate = first(kitchen, "Plate")["objectId"]
    assert not kitchen.step("ThrowObject", moveMagnitude=150)
    kitchen.step("PickupObject", objectId=plate, forceAction=True)
    event = kitchen.step("ThrowObject", moveMagnitude=150)
    assert event.metadata["inventoryObjects"] == []
    assert event.get_object(plate)["isBroken"]
    kitchen.simulation.world.digest()


@pytest.mark.parametrize("action", ["PushObject", "PullObject"])
def test_a_push_ends_before_what_is_in_the_way(kitchen: Controller, action: str) -> None:
    tomato = first(kitchen, "Tomato")
    event = kitchen.step(action, objectId=tomato["objectId"], moveMagnitude=25, forceAction=True)
    assert event.metadata["lastActionSuccess"]
    there, here = event.get_object(tomato["objectId"])["position"], tomato["position"]
    assert abs(there["y"] - here["y"]) < 0.11
    assert math.hypot(there["x"] - here["x"], there["z"] - here["z"]) <= 1.5
    fridge = first(kitchen, "Fridge")["objectId"]
    assert not kitchen.step(action, objectId=fridge, moveMagnitude=25, forceAction=True)


def test_things_are_placed_at_points_that_a_receptacle_offers(kitchen: Controller) -> None:
    table, mug = first(kitchen, "CounterTop")["objectId"], first(kitchen, "Mug")["objectId"]
    points = kitchen.step("GetSpawnCoordinatesAboveReceptacle", objectId=table, anywhere=True)
    places = points.metadata["actionReturn"]
    assert len(places) > 10
    done = [
        place for place in places[::7] if kitchen.step("PlaceObjectAtPoint", objectId=mug, position=place)
    ]
    assert done
    there = kitchen.last_event.get_object(mug)
    assert there["parentReceptacles"] == [table]
    assert kitchen.step(
        "TeleportObject", objectId=mug, position=there["position"], rotation=90, forceAction=True
    )
    assert kitchen.last_event.get_object(mug)["position"] == pytest.approx(there["position"], abs=1e-5)


def test_what_is_removed_is_gone_with_all_that_it_holds(kitchen: Controller) -> None:
    mug = first(kitchen, "Mug")["objectId"]
    kitchen.step("PickupObject", objectId=mug, forceAction=True)
    assert kitchen.step("RemoveFromScene", objectId=mug)
    assert kitchen.last_event.get_object(mug) is None
    assert kitchen.last_event.metadata["inventoryObjects"] == []


def test_materials_and_light_change_what_is_seen_and_come_back(kitchen: Controller) -> None:
    plain = kitchen.last_event.frame.astype(float)
    kitchen.step("SetRandomSeed", seed=41)
    told = kitchen.step("RandomizeMaterials")
    assert told.metadata["actionReturn"]["useTrainMaterials"]
    assert np.abs(told.frame - plain).mean() > 5
    assert np.array_equal(kitchen.step("ResetMaterials").frame, plain)
    light = kitchen.step("RandomizeLighting", brightness=[0.5, 0.6]).frame
    assert light.mean() < 0.8 * plain.mean()
    assert np.array_equal(kitchen.step("ResetLighting").frame, plain)
    assert not kitchen.step("RandomizeMaterials", useTrainMaterials=False)


def test_arms_are_refused_and_unknown_settings_passed_over() -> None:
    controller = Controller(scene="FloorPlan3", enablePhysicsJitter=False, snapGrid=True, frameWidth=300)
    assert controller.last_event
    with pytest.raises(RuntimeError, match="Invalid agentMode arm"):
        controller.reset("FloorPlan3", agentMode="arm")


def test_robothors_scenes_are_opened_by_their_names() -> None:
    controller = Controller(scene="FloorPlan_Train1_3", agentMode="locobot", rotateStepDegrees=30)
    assert controller.step("RotateRight").metadata["agent"]["rotation"]["y"] % 30 == 0


def test_pictures_are_switched_on_by_a_step_and_never_off() -> None:
    controller = Controller(scene="FloorPlan3")
    assert controller.last_event.instance_segmentation_frame is None
    assert controller.step("Pass", renderInstanceSegmentation=True).instance_segmentation_frame is not None
    kept = controller.step("Pass", renderInstanceSegmentation=False, renderObjectImage=False)
    assert kept.instance_segmentation_frame is not None
    assert controller.step("Pass", renderImage=False).frame is None
    assert controller.step("Pass").frame is not None


@pytest.mark.parametrize(
    "message",
    [
        {"action": "Teleport", "horizon": 75},
        {"action": "GetCoordinateFromRaycast", "x": 1.5, "y": 0.5},
        {"action": "OpenObject", "x": 1.5, "y": 0.5},
        {"action": "UpdateThirdPartyCamera", "thirdPartyCameraId": 7},
        {"action": "MoveAhead", "moveMagnitude": -3},
        {"action": "AddThirdPartyCamera", "position": 5, "rotation": {"x": 0}},
    ],
)
def test_what_is_out_of_range_fails_with_a_sentence_and_raises_nothing(message: dict[str, Any]) -> None:
    event = Controller(scene="FloorPlan3").step(message)
    assert not event
    assert event.metadata["errorMessage"]
    assert event.metadata["errorCode"] == ""


def test_an_argument_that_an_action_does_not_take_is_refused() -> None:
    with pytest.raises(ValueError, match="invalid argument: 'z'"):
        Controller(scene="FloorPlan3").step("PutObject", x=0.0, y=0.0, z=1.0)
