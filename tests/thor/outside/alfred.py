"""ALFRED's environment: the calls that it makes, in their order, on a client of version 2.

It needs nothing but numpy, so that a published client can run it as well as our Controller.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import numpy as np

SIDE_PX = 300
STEP_M = 0.25
LOOK_DEG = 15
PICTURES = {
    "renderImage": True, "renderDepthImage": False, "renderClassImage": False, "renderObjectImage": False
}  # fmt: skip
"""What its smooth moves and its looks send with every step."""
SETTINGS = {
    "gridSize": STEP_M, "cameraY": 0.0, "renderImage": True, "renderDepthImage": True,
    "renderClassImage": True, "renderObjectImage": True, "visibility_distance": 1.5,
    "makeAgentsVisible": False,
}  # fmt: skip
TOUCHED = ("pickupable", "receptacle", "openable", "toggleable", "sliceable")
"""What a mask is allowed to mean affords one of these."""
ARGUMENTS = {
    "OpenObject": {"moveMagnitude": 1.0}, "CloseObject": {"forceAction": True}, "PickupObject": {},
    "ToggleObjectOn": {}, "ToggleObjectOff": {}, "SliceObject": {},
}  # fmt: skip
TREATED = {
    "pick_clean_then_place_in_recep": "cleaned",
    "pick_heat_then_place_in_recep": "heated",
    "pick_cool_then_place_in_recep": "cooled",
}
Metadata = dict[str, Any]


def of_class(metadata: Metadata, kind: str, flag: str) -> list[dict[str, Any]]:
    """The objects whose ids name a class and which afford something."""
    return [each for each in metadata["objects"] if kind in each["objectId"] and each[flag]]


class Environment:
    """ALFRED's environment on a controller that has been started.

    Args:
        controller: A client of version 2.
        smooth: Whether moves are done in small teleports.
    """

    def __init__(self, controller: Any, smooth: bool = False) -> None:
        self.controller, self.smooth = controller, smooth
        self.treated: dict[str, set[str]] = {"cleaned": set(), "heated": set(), "cooled": set()}

    @property
    def metadata(self) -> Metadata:
        """What the last event tells."""
        found: Metadata = self.controller.last_event.metadata
        return found

    def send(self, action: str, **arguments: Any) -> Any:
        """One step."""
        return self.controller.step({"action": action, **arguments})

    def begin(self, trajectory: Metadata) -> None:
        """Reset to a trajectory's plan and restore its start."""
        start = trajectory["scene"]
        self.controller.reset(f"FloorPlan{start['scene_num']}")
        self.send("Initialize", **SETTINGS)
        self.treated = {name: set() for name in self.treated}
        self.send("Initialize", **SETTINGS)
        if start["object_toggles"]:
            self.send("SetObjectToggles", objectToggles=start["object_toggles"])
        if start["dirty_and_empty"]:
            self.send("SetStateOfAllObjects", StateChange="CanBeDirty", forceAction=True)
            self.send("SetStateOfAllObjects", StateChange="CanBeFilled", forceAction=False)
        self.send("SetObjectPoses", objectPoses=start["object_poses"])
        self.controller.step(dict(start["init_action"]))

    def move(self, name: str) -> bool:
        """A step, a turn or a look."""
        if name.startswith("Look"):
            self._look(-LOOK_DEG if name.startswith("LookUp") else LOOK_DEG)
        elif self.smooth and name.startswith("Rotate"):
            self._turn(-90 if name.startswith("RotateLeft") else 90)
        elif self.smooth:
            self.send("MoveAhead", forceAction=True, moveMagnitude=STEP_M, **PICTURES)
        else:
            self.send(name.split("_")[0], forceAction=True)
        return bool(self.metadata["lastActionSuccess"])

    def _stand(self, rotation: float, horizon: float, pictures: bool) -> None:
        place = self.metadata["agent"]["position"]
        more = {"tempRenderChange": True, "renderNormalsImage": False, **PICTURES} if pictures else {}
        self.send("TeleportFull", rotation=round(rotation, 3), **place, horizon=round(horizon, 3), **more)

    def _turn(self, by: float) -> None:
        agent = self.metadata["agent"]
        start, horizon = agent["rotation"]["y"], agent["cameraHorizon"]
        for tenth in range(1, 11):
            self._stand(start + by * tenth / 10, horizon, tenth < 10)

    def _look(self, by: float) -> None:
        agent = self.metadata["agent"]
        start, rotation = agent["cameraHorizon"], agent["rotation"]["y"]
        for tenth in range(1, 11) if self.smooth else (10,):
            self._stand(rotation, start + by * tenth / 10, not self.smooth or tenth < 10)

    def meant(self, mask: np.ndarray) -> str | None:
        """The object that a mask means: the one that covers it best, and can be touched at all."""
        event = self.controller.last_event
        shown = np.array(event.instance_segmentation_frame)
        held = [each["objectId"] for each in event.metadata["inventoryObjects"]]
        afforded = {
            each["objectId"] for each in event.metadata["objects"] if any(each[flag] for flag in TOUCHED)
        }
        scores = []
        for colour, both in Counter(map(tuple, shown[mask].tolist())).most_common():
            either = np.count_nonzero((shown == colour).all(axis=2) | mask)
            scores.append((both / either, event.color_to_object_id.get(colour)))
        scores.sort(key=lambda score: -score[0])
        return next((name for _, name in scores if name in afforded and name not in held), None)

    def touch(self, name: str, target: str) -> bool:
        """An action on an object."""
        held = [each["objectId"] for each in self.metadata["inventoryObjects"]]
        if name == "PutObject":
            if not held:
                return False
            put = {"objectId": held[0], "receptacleObjectId": target}
            self.send(name, **put, forceAction=True, placeStationary=True)
        elif name == "SliceObject" and not any("Knife" in each for each in held):
            return False
        else:
            self.send(name, objectId=target, **ARGUMENTS[name])
        done = bool(self.metadata["lastActionSuccess"])
        if done:
            self._note(name, target)
        return done

    def _note(self, name: str, target: str) -> None:
        """Remember what has been washed, heated and cooled."""
        if name == "ToggleObjectOn" and "Faucet" in target:
            basin = self._nearest_basin(target)
            self.treated["cleaned"] |= set(basin["receptacleObjectIds"] or ())
            self.send("Pass")
            objects = {each["objectId"]: each for each in self.metadata["objects"]}
            for washed in self._nearest_basin(target)["receptacleObjectIds"]:
                if objects[washed]["dirtyable"] and objects[washed]["isDirty"]:
                    self.send("CleanObject", objectId=washed)
        elif name == "ToggleObjectOn" and "Microwave" in target:
            self._hold("heated", "Microwave")
        elif name == "CloseObject" and "Fridge" in target:
            self._hold("cooled", "Fridge")

    def _hold(self, how: str, kind: str) -> None:
        machine = next(each for each in self.metadata["objects"] if each["objectType"] == kind)
        self.treated[how] |= set(machine["receptacleObjectIds"] or ())

    def _nearest_basin(self, faucet: str) -> dict[str, Any]:
        places = {each["objectId"]: each["position"] for each in self.metadata["objects"]}
        here = places[faucet]
        basins = [each for each in self.metadata["objects"] if each["objectType"] == "SinkBasin"]
        return min(basins, key=lambda each: sum((each["position"][a] - here[a]) ** 2 for a in "xyz"))

    def goal(self, trajectory: Metadata) -> tuple[int, int]:
        """How many of a trajectory's goal conditions are met, of how many."""
        task, wanted = trajectory["task_type"], trajectory["pddl_params"]
        kind = wanted["object_target"] + ("Sliced" if wanted["object_sliced"] else "")
        things = [each["objectId"] for each in of_class(self.metadata, kind, "pickupable")]
        two = task == "pick_two_obj_and_place"
        met = [len(things) >= 1, len(things) >= 2][: 1 + two] if wanted["object_sliced"] else []
        if task == "look_at_obj_in_light":
            held = [each["objectId"] for each in self.metadata["inventoryObjects"]]
            lamps = of_class(self.metadata, wanted["toggle_target"], "toggleable")
            met += [bool(held) and held[0] in things, any(e["isToggled"] and e["visible"] for e in lamps)]
            return sum(met), len(met)
        holders = [
            set(e["receptacleObjectIds"] or ())
            for e in of_class(self.metadata, wanted["parent_target"], "receptacle")
        ]
        placed = {thing for thing in things for holder in holders if thing in holder}
        if two:
            most = max((len(holder & set(things)) for holder in holders), default=0)
            met += [most >= 1, most >= 2]
        elif task in TREATED:
            treated = self.treated[TREATED[task]] & set(things)
            met += [bool(placed), bool(treated), bool(placed & treated)]
        elif task == "pick_and_place_with_movable_recep":
            movable = of_class(self.metadata, wanted["mrecep_target"], "pickupable")
            within = [(e["objectId"], set(e["receptacleObjectIds"] or ()) & set(things)) for e in movable]
            there = [name for name, _ in within if any(name in holder for holder in holders)]
            met += [
                bool(there),
                bool(placed),
                any(inside and name in there for name, inside in within),
            ]
        else:
            met.append(bool(placed))
        return sum(met), len(met)


def mask_of(runs: list[list[int]]) -> np.ndarray:
    """A recorded mask."""
    flat = np.zeros(SIDE_PX * SIDE_PX, bool)
    for start, length in runs:
        flat[start : start + length] = True
    return flat.reshape(SIDE_PX, SIDE_PX)


def play(environment: Environment, trajectory: Metadata, by: str = "mask") -> dict[str, Any]:
    """Do a demonstration's low actions, and tell whether its goal is met and what failed."""
    environment.begin(trajectory)
    failed = []
    for number, low in enumerate(trajectory["plan"]["low_actions"]):
        name = low["discrete_action"]["action"]
        call = low["api_action"]
        if "Object" not in name:
            if not environment.move(name):
                failed.append((number, name, "", environment.metadata["errorMessage"]))
            continue
        target = call.get("receptacleObjectId", call.get("objectId"))
        meant = target
        if by == "mask":
            meant = environment.meant(mask_of(low["discrete_action"]["args"]["mask"]))
        done = meant is not None and environment.touch(name, meant)
        if not done or meant != target:
            said = environment.metadata["errorMessage"] if meant and not done else ""
            failed.append((number, name, f"{target} -> {meant}", said if not done else "another object"))
    met, total = environment.goal(trajectory)
    return {
        "id": trajectory["task_id"],
        "met": met,
        "total": total,
        "success": met == total,
        "failed": failed,
    }


def summary(played: list[dict[str, Any]]) -> str:
    """How many ended with their goal met, as JSON."""
    return json.dumps({"episodes": len(played), "success": sum(each["success"] for each in played)})
