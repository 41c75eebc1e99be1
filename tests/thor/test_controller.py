"""The Controller as code written for AI2-THOR calls it."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from fixtures.houses import generate
from housemates.thor import Controller, MultiAgentEvent
from housemates.thor.actions import ANSWERS


def first(controller: Controller, **wanted: Any) -> dict[str, Any]:
    """The first object whose metadata say so."""
    return next(
        each
        for each in controller.last_event.metadata["objects"]
        if all(each[key] == value for key, value in wanted.items())
    )


def test_both_call_styles_do_the_same() -> None:
    one, other = (Controller(scene="FloorPlan5") for _ in range(2))
    by_name = one.step("RotateRight", degrees=90)
    by_mapping = other.step({"action": "RotateRight", "degrees": 90})
    assert by_name.metadata == by_mapping.metadata
    assert by_name.metadata["lastAction"] == "RotateRight"


def test_version_2_starts_resets_and_initialises_by_itself() -> None:
    controller = Controller(quality="Low")
    controller.local_executable_path = "/somewhere/thor"
    controller.start(x_display="0", player_screen_height=320, player_screen_width=320)
    controller.reset("FloorPlan9")
    event = controller.step(
        {"action": "Initialize", "gridSize": 0.25, "renderObjectImage": True, "cameraY": 0.675}
    )
    assert event.metadata["sceneName"] == "FloorPlan9_physics"
    assert event.metadata["fov"] == 60.0
    assert event.frame.shape == event.instance_segmentation_frame.shape == (320, 320, 3)


def test_a_controller_without_a_scene_begins_when_it_is_used() -> None:
    controller = Controller()
    assert controller.step("Pass")
    assert controller.last_event.metadata["fov"] == 90.0


def test_an_unknown_action_raises_and_leaves_an_error_event() -> None:
    controller = Controller(scene="FloorPlan5")
    with pytest.raises(ValueError, match="Invalid action: Fly"):
        controller.step("Fly")
    assert not controller.last_event
    assert controller.last_event.metadata["errorCode"] == "InvalidAction"


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"action": "MoveAhead", "speed": 3}, "InvalidArgument"),
        ({"action": "RotateRight", "degrees": float("nan")}, "InvalidArgument"),
        ({"action": "Teleport", "position": {"x": "left"}}, "InvalidArgument"),
        ({"action": "GetCoordinateFromRaycast", "x": 0.5}, "MissingArguments"),
        ({"action": None}, "InvalidAction"),
        ({"action": "FillObjectWithLiquid", "objectId": "Mug", "fillLiquid": 3}, "InvalidArgument"),
    ],
)
def test_wrong_arguments_raise_with_their_code_and_change_nothing(message: dict[str, Any], code: str) -> None:
    controller = Controller(scene="FloorPlan5")
    before = controller.simulation.world.digest()
    with pytest.raises(ValueError):
        controller.step(message)
    assert controller.last_event.metadata["errorCode"] == code
    assert controller.simulation.world.digest() == before


def test_an_object_id_that_is_not_there_is_an_error_event(kitchen: Controller) -> None:
    event = kitchen.step("PickupObject", objectId="Mug|+09.00|+09.00|+09.00", forceAction=True)
    assert event.metadata["errorMessage"] == "Object ID appears to be invalid."
    with pytest.raises(RuntimeError, match="Object ID"):
        kitchen.step("OpenObject", objectId="nothing", raise_for_failure=True)


def test_a_scene_that_is_not_there_names_those_that_are() -> None:
    with pytest.raises(ValueError, match="FloorPlan430_physics"):
        Controller(scene="FloorPlan77")


def test_a_floor_plan_nobody_imported_is_a_room_of_its_kind() -> None:
    controller = Controller(scene="FloorPlan412")
    assert controller.last_event.objects_by_type("Toilet")
    controller.reset("FloorPlan301")
    assert controller.last_event.objects_by_type("Bed")


def test_steps_turns_and_looks_go_by_what_they_are_given() -> None:
    controller = Controller(scene="FloorPlan5")
    start = controller.last_event.metadata["agent"]
    controller.step("RotateRight", degrees=45)
    assert controller.last_event.metadata["agent"]["rotation"]["y"] == (start["rotation"]["y"] + 45) % 360
    controller.step("LookDown", degrees=15)
    assert controller.last_event.metadata["agent"]["cameraHorizon"] == 15.0
    far = controller.step("LookDown", degrees=50)
    assert far.metadata["errorCode"] == "LookDownCantExceedMin"
    controller.step("RotateLeft", degrees=45)
    spots = controller.step("GetReachablePositions").metadata["actionReturn"]
    assert start["position"] in spots
    moved = [
        controller.step(way, moveMagnitude=0.5) for way in ("MoveAhead", "MoveBack", "MoveLeft", "MoveRight")
    ]
    assert any(moved)
    blocked = controller.step("MoveAhead", moveMagnitude=50)
    assert "is blocking Agent 0 from moving 0" in blocked.metadata["errorMessage"]


def test_a_teleport_goes_where_one_can_stand_and_nowhere_else() -> None:
    controller = Controller(scene="FloorPlan5")
    spot = controller.step("GetReachablePositions").metadata["actionReturn"][-1]
    assert controller.step("TeleportFull", **spot, rotation=270, horizon=30, rotateOnTeleport=True)
    assert controller.last_event.metadata["agent"]["position"] == spot
    assert controller.last_event.pose_discrete[2:] == (3, 30)
    assert not controller.step("Teleport", position={"x": 50.0, "y": spot["y"], "z": 0.0})
    assert controller.last_event.metadata["agent"]["position"] == spot


def test_things_are_picked_up_put_and_changed_by_force(kitchen: Controller) -> None:
    mug, sink = first(kitchen, objectType="Mug"), first(kitchen, objectType="SinkBasin")
    assert kitchen.step("PickupObject", objectId=mug["objectId"], forceAction=True)
    held = kitchen.last_event.metadata["inventoryObjects"]
    assert held == [{"objectId": mug["objectId"], "objectType": "Mug"}]
    assert kitchen.last_event.get_object(mug["objectId"])["isPickedUp"]
    again = kitchen.step(
        "PickupObject", objectId=first(kitchen, objectType="Bread")["objectId"], forceAction=True
    )
    assert "hand has something in it" in again.metadata["errorMessage"]
    assert kitchen.step("PutObject", objectId=sink["objectId"], forceAction=True, placeStationary=True)
    assert sink["objectId"] in kitchen.last_event.get_object(mug["objectId"])["parentReceptacles"]
    faucet = first(kitchen, objectType="Faucet")["objectId"]
    kitchen.step("ToggleObjectOff", objectId=faucet, forceAction=True)
    assert kitchen.step("ToggleObjectOn", objectId=faucet, forceAction=True)
    twice = kitchen.step("ToggleObjectOn", objectId=faucet, forceAction=True)
    assert twice.metadata["errorMessage"] == "can't toggle object on if it's already on!"


def test_putting_down_takes_version_2s_receptacle_too(kitchen: Controller) -> None:
    mug, table = first(kitchen, objectType="Mug"), first(kitchen, objectType="CounterTop")
    kitchen.step("PickupObject", objectId=mug["objectId"], forceAction=True)
    put = {"action": "PutObject", "objectId": mug["objectId"], "receptacleObjectId": table["objectId"]}
    assert kitchen.step({**put, "forceAction": True, "placeStationary": True})
    assert kitchen.last_event.get_object(mug["objectId"])["parentReceptacles"] == [table["objectId"]]
    empty = kitchen.step({**put, "forceAction": True})
    assert empty.metadata["errorMessage"] == "Can't place an object if Agent isn't holding anything"


def test_slices_take_the_place_of_the_whole_without_a_knife(kitchen: Controller) -> None:
    bread = first(kitchen, objectType="Bread")["objectId"]
    assert kitchen.step("SliceObject", objectId=bread, forceAction=True)
    assert len(kitchen.last_event.objects_by_type("BreadSliced")) > 3
    assert kitchen.last_event.get_object(bread)["isSliced"]
    mug = first(kitchen, objectType="Mug")["objectId"]
    assert (
        "CanBeSliced" in kitchen.step("SliceObject", objectId=mug, forceAction=True).metadata["errorMessage"]
    )


def test_what_is_far_away_needs_force(kitchen: Controller) -> None:
    far = max(kitchen.last_event.objects_by_type("Drawer"), key=lambda each: each["distance"])["objectId"]
    refused = kitchen.step("OpenObject", objectId=far)
    assert refused.metadata["errorMessage"].startswith(("Target object", far))
    assert kitchen.step("OpenObject", objectId=far, forceAction=True)


def test_poses_put_exactly_the_named_assets_into_the_scene(kitchen: Controller) -> None:
    loose = [
        each for each in kitchen.last_event.metadata["objects"] if each["pickupable"] or each["moveable"]
    ]
    poses = [
        {"objectName": each["name"], "position": each["position"], "rotation": each["rotation"]}
        for each in loose
    ]
    assert kitchen.step("SetObjectPoses", objectPoses=poses[1:], placeStationary=True)
    after = {each["objectId"]: each for each in kitchen.last_event.metadata["objects"]}
    assert loose[0]["objectId"] not in after
    same = [each for each in loose[1:] if each["objectId"] in after]
    assert len(same) >= len(loose) - 3
    agree = [each["parentReceptacles"] == after[each["objectId"]]["parentReceptacles"] for each in same]
    assert sum(agree) >= 0.9 * len(agree)


def test_states_of_all_objects_and_toggles_change_at_once(kitchen: Controller) -> None:
    assert kitchen.step("SetStateOfAllObjects", StateChange="CanBeDirty", forceAction=True)
    assert all(each["isDirty"] for each in kitchen.last_event.metadata["objects"] if each["dirtyable"])
    assert kitchen.step("SetStateOfAllObjects", StateChange="CanBeFilled", forceAction=False)
    filled = [
        e for e in kitchen.last_event.metadata["objects"] if e["isFilledWithLiquid"] and e["pickupable"]
    ]
    assert filled == []
    lights = [{"objectType": "LightSwitch", "isOn": False}]
    assert kitchen.step("SetObjectToggles", objectToggles=lights)
    assert not any(each["isToggled"] for each in kitchen.last_event.objects_by_type("LightSwitch"))


def test_a_random_spawn_is_the_same_for_the_same_seed() -> None:
    one, other, third = (Controller(scene="FloorPlan8") for _ in range(3))
    spawn = {"action": "InitialRandomSpawn", "placeStationary": True, "numPlacementAttempts": 5}
    copies = [{"objectType": "Mug", "count": np.int64(5)}]
    for controller, seed in ((one, 7), (other, np.int64(7)), (third, 8)):
        assert controller.step({**spawn, "randomSeed": seed, "numDuplicatesOfType": copies})
    assert one.last_event.metadata == other.last_event.metadata
    assert one.last_event.metadata != third.last_event.metadata
    assert len(one.last_event.objects_by_type("Mug")) == 5


def test_an_event_keeps_its_moment_when_the_scene_goes_on(kitchen: Controller) -> None:
    before = kitchen.step("Pass")
    fresh = kitchen.step("Pass")
    expected = fresh.frame.copy(), fresh.instance_segmentation_frame.copy(), fresh.metadata["objects"]
    bread = first(kitchen, objectType="Bread")["objectId"]
    kitchen.step("RotateRight")
    assert kitchen.step("SliceObject", objectId=bread, forceAction=True).frame is not None
    assert np.array_equal(before.frame, expected[0])
    assert np.array_equal(before.instance_segmentation_frame, expected[1])
    assert before.metadata["objects"] == expected[2]


def test_what_a_reader_does_to_metadata_stays_with_the_reader(kitchen: Controller) -> None:
    event = kitchen.step("Pass")
    event.metadata["objects"][0]["position"]["x"] = 77.0
    copied = copy.deepcopy(event)
    assert copied.metadata == event.metadata
    assert kitchen.step("Pass").metadata["objects"][0]["position"]["x"] != 77.0


def test_masks_boxes_and_colours_tell_the_same(kitchen: Controller) -> None:
    event = kitchen.step("LookDown")
    assert set(event.instance_masks) == set(event.instance_detections2D)
    for name, mask in event.instance_masks.items():
        left, top, right, bottom = event.instance_detections2D[name]
        rows, columns = np.nonzero(mask)
        assert (columns.min(), rows.min(), columns.max(), rows.max()) == (left, top, right, bottom)
        assert (event.instance_segmentation_frame[mask] == event.object_id_to_color[name]).all()
        assert event.color_to_object_id[event.object_id_to_color[name]] == name
    assert event.class_masks["Floor"].sum() == event.instance_masks["Floor|+00.00|+00.00|+00.00"].sum()
    plain = Controller(scene="FloorPlan3").last_event
    assert plain.instance_segmentation_frame is None
    assert plain.depth_frame is None


def test_depth_is_asked_for_and_told_in_metres() -> None:
    depth = Controller(scene="FloorPlan3", renderDepth=True).last_event.depth_frame
    assert depth.shape == (300, 300)
    assert 0.1 < depth.min() < depth.max() <= 20.0


def test_a_ray_ends_on_what_the_picture_shows(kitchen: Controller) -> None:
    kitchen.step("LookDown", degrees=30)
    point = kitchen.step("GetCoordinateFromRaycast", x=0.5, y=0.99).metadata["actionReturn"]
    agent = kitchen.last_event.metadata["agent"]["position"]
    assert abs(point["y"]) < 1.2
    assert np.hypot(point["x"] - agent["x"], point["z"] - agent["z"]) < 2.5


def test_added_cameras_see_without_anybody_carrying_them(kitchen: Controller) -> None:
    kitchen.step(
        "AddThirdPartyCamera",
        position={"x": 0, "y": 2, "z": 0},
        rotation={"x": 60, "y": 0, "z": 0},
        fieldOfView=90,
    )
    kitchen.step(
        "AddThirdPartyCamera",
        position={"x": 0, "y": 2, "z": 0},
        rotation={"x": 60, "y": 0, "z": 90},
        fieldOfView=90,
    )
    event = kitchen.step("UpdateThirdPartyCamera", thirdPartyCameraId=0, position={"x": 0.5, "y": 2, "z": 0})
    assert [each["thirdPartyCameraId"] for each in event.metadata["thirdPartyCameras"]] == [0, 1]
    assert event.metadata["thirdPartyCameras"][0]["position"]["x"] == 0.5
    assert len(event.third_party_camera_frames) == len(event.third_party_instance_segmentation_frames) == 2
    assert event.third_party_camera_frames[0].std() > 5


def test_the_map_view_tells_where_its_picture_lies(kitchen: Controller) -> None:
    inside = kitchen.last_event.frame
    event = kitchen.step("ToggleMapView")
    assert event.metadata["cameraOrthSize"] > 1.0
    assert not np.array_equal(event.frame, inside)
    assert np.array_equal(kitchen.step("ToggleMapView").frame, inside)


def test_two_agents_each_have_a_view_and_a_hand() -> None:
    controller = Controller(scene="FloorPlan3", agentCount=2)
    event = controller.last_event
    assert isinstance(event, MultiAgentEvent)
    mug, egg = (event.events[0].objects_by_type(kind)[0]["objectId"] for kind in ("Mug", "Egg"))
    assert controller.step("PickupObject", objectId=mug, forceAction=True, agentId=0)
    taken = controller.step("PickupObject", objectId=mug, forceAction=True, agentId=1)
    assert "held by another agent" in taken.metadata["errorMessage"]
    assert controller.step("PickupObject", objectId=egg, forceAction=True, agentId=1)
    both = controller.step("RotateRight", agentId=0).events
    assert [each.metadata["inventoryObjects"][0]["objectId"] for each in both] == [mug, egg]
    assert not np.array_equal(both[0].frame, both[1].frame)
    place = [each.metadata["agent"]["position"] for each in both]
    assert place[0] != place[1]
    beside = controller.step("Teleport", position=place[0], agentId=1)
    assert not beside


def test_every_action_of_the_list_is_answered() -> None:
    listed = """MoveAhead MoveBack MoveLeft MoveRight RotateLeft RotateRight LookUp LookDown Pass Teleport
    TeleportFull PickupObject OpenObject CloseObject ToggleObjectOn ToggleObjectOff DirtyObject CleanObject
    BreakObject CookObject UseUpObject EmptyLiquidFromObject FillObjectWithLiquid SliceObject PutObject
    GetCoordinateFromRaycast GetReachablePositions ToggleMapView AddThirdPartyCamera UpdateThirdPartyCamera
    SetObjectPoses SetObjectToggles SetStateOfAllObjects InitialRandomSpawn MakeObjectsOfTypeUnbreakable
    GetScenesInBuild Reset Initialize ChangeResolution"""
    assert set(listed.split()) <= set(ANSWERS)


def test_a_house_is_made_of_its_description_and_a_wrong_one_changes_nothing() -> None:
    house = generate(5, 2)
    controller = Controller(scene="Procedural")
    assert controller.last_event.metadata["objects"] == []
    event = controller.step("CreateHouse", house=house)
    assert event.metadata["lastActionSuccess"]
    names = {each["name"] for each in event.metadata["objects"]}
    assert {"room|2", "room|3", "door|2|3"} <= names
    rooms = {each["x"] // 4 for each in controller.step("GetReachablePositions").metadata["actionReturn"]}
    assert len(rooms) > 1
    wrong = controller.step("CreateHouse", house={**house, "rooms": [{"id": "room|2"}]})
    assert not wrong.metadata["lastActionSuccess"]
    assert "rooms[0]: the field 'floorPolygon' is missing" in wrong.metadata["errorMessage"]
    assert {each["name"] for each in wrong.metadata["objects"]} == names


def test_a_reset_takes_a_house_for_a_scene() -> None:
    controller = Controller(scene=generate(5, 2), width=64, height=64)
    assert controller.last_event.metadata["sceneName"] == "Procedural"
    door = next(each for each in controller.last_event.metadata["objects"] if each["name"] == "door|2|3")
    assert door["objectType"] == "Doorway"
    assert door["openable"]


def test_a_controller_is_forked_and_goes_back() -> None:
    controller = Controller(scene="FloorPlan5", width=100, height=100)
    before = controller.step("RotateRight")
    moment, twin = controller.snapshot(), controller.fork()
    told = [controller.step("MoveAhead").metadata, controller.step("LookDown").metadata]
    assert twin.last_event.metadata == before.metadata
    assert (twin.last_event.frame == before.frame).all()
    other = [twin.step("MoveAhead").metadata, twin.step("LookDown").metadata]
    assert other == told
    twin.step("RotateRight")
    assert controller.last_event.metadata == told[1]
    back = controller.restore(moment)
    assert back.metadata == before.metadata
    assert [controller.step("MoveAhead").metadata, controller.step("LookDown").metadata] == told
