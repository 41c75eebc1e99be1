"""Five hundred actions in three scenes, the same for every client; needs nothing but Python.

Run by the interpreter of an environment with one of the published `ai2thor` packages, this file starts the
server it is told as that package's Unity build and prints the digest of the metadata after each action:

    python script.py "python -m housemates.cli.main thor-server" old|new
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
import time

SCENES = ("FloorPlan3", "FloorPlan212", "FloorPlan405")
STEPS = 167
SETTINGS = {
    "gridSize": 0.25,
    "visibilityDistance": 1.5,
    "renderInstanceSegmentation": True,
    "renderObjectImage": True,
}
KINDS = (
    "move", "move", "turn", "look", "pass", "teleport", "state", "state", "state", "open", "put", "ray",
    "spots", "map", "camera", "poses", "toggles", "states", "spawn", "wrong", "unbreakable", "size",
)  # fmt: skip
MOVES = ("MoveAhead", "MoveBack", "MoveLeft", "MoveRight")
STATES = {
    "DirtyObject": "dirtyable",
    "CleanObject": "dirtyable",
    "CookObject": "cookable",
    "BreakObject": "breakable",
    "UseUpObject": "canBeUsedUp",
    "FillObjectWithLiquid": "canFillWithLiquid",
    "EmptyLiquidFromObject": "canFillWithLiquid",
    "ToggleObjectOn": "toggleable",
    "ToggleObjectOff": "toggleable",
    "SliceObject": "sliceable",
    "PickupObject": "pickupable",
}


def digest(metadata):
    """A fingerprint of an event's metadata."""
    return hashlib.sha256(json.dumps(metadata, sort_keys=True).encode()).hexdigest()[:16]


def run(controller, old):
    """Play the script and return the name of every action with the digest after it."""
    found = []
    for number, scene in enumerate(SCENES):
        if old:
            controller.reset(scene)
            attempt(controller, dict(SETTINGS, action="Initialize"), found)
        else:
            found.append(["Reset", digest(controller.reset(scene, **SETTINGS).metadata)])
        rng = random.Random(number)
        for _ in range(STEPS):
            attempt(controller, chosen(rng, controller.last_event.metadata), found)
        attempt(controller, {"action": "ChangeResolution", "x": 300, "y": 300}, found)
    attempt(controller, dict(SETTINGS, action="Initialize", agentCount=2), found)
    for agent in (1, 0, 1):
        attempt(controller, {"action": "RotateRight", "agentId": agent}, found)
    return found


def attempt(controller, action, found):
    """Do an action, whether it is valid or not."""
    try:
        event = controller.step(action)
    except ValueError:
        event = controller.last_event
    found.append([action["action"], digest(event.metadata)])


def chosen(rng, metadata):
    """The next action, which depends on nothing but the seed and what the last event told."""
    kind = rng.choice(KINDS)
    return globals()["_" + kind](rng, metadata)


def some(rng, metadata, flag=None):
    """An object, one that affords something if that is asked for and there is one."""
    objects = [each for each in metadata["objects"] if flag is None or each[flag]] or metadata["objects"]
    return rng.choice(objects)


def _move(rng, metadata):
    action = {"action": rng.choice(MOVES), "forceAction": True}
    return dict(action, moveMagnitude=rng.choice((0.25, 0.5))) if rng.random() < 0.5 else action


def _turn(rng, metadata):
    return {"action": rng.choice(("RotateLeft", "RotateRight")), "degrees": rng.choice((90, 90, 90, 45))}


def _look(rng, metadata):
    return {"action": rng.choice(("LookUp", "LookDown")), "degrees": rng.choice((15, 30))}


def _pass(rng, metadata):
    return {"action": "Pass", "renderObjectImage": True, "renderDepthImage": True, "renderClassImage": True}


def _teleport(rng, metadata):
    place = dict(metadata["agent"]["position"])
    place["x"] += rng.choice((-0.5, 0.25, 0.5))
    action = {"action": rng.choice(("Teleport", "TeleportFull")), "horizon": 30}
    return dict(action, rotation={"x": 0.0, "y": rng.choice((0.0, 90.0)), "z": 0.0}, **place)


def _state(rng, metadata):
    name = rng.choice(sorted(STATES))
    action = {"action": name, "objectId": some(rng, metadata, STATES[name])["objectId"]}
    if name == "FillObjectWithLiquid":
        action["fillLiquid"] = rng.choice(("water", "coffee", "wine"))
    return dict(action, forceAction=rng.random() < 0.7)


def _open(rng, metadata):
    target = some(rng, metadata, "openable")
    name = "CloseObject" if target["isOpen"] else "OpenObject"
    return {
        "action": name,
        "objectId": target["objectId"],
        "forceAction": rng.random() < 0.8,
        "forceVisible": True,
    }


def _put(rng, metadata):
    action = {"action": "PutObject", "forceAction": True, "placeStationary": True}
    if rng.random() < 0.4:
        return dict(action, x=rng.random(), y=rng.uniform(0.4, 0.99), putNearXY=True)
    receptacle = some(rng, metadata, "receptacle")["objectId"]
    held = metadata["inventoryObjects"]
    if held and rng.random() < 0.5:
        return dict(action, objectId=held[0]["objectId"], receptacleObjectId=receptacle)
    return dict(action, objectId=receptacle)


def _ray(rng, metadata):
    return {"action": "GetCoordinateFromRaycast", "x": rng.random(), "y": rng.random()}


def _spots(rng, metadata):
    return {"action": "GetReachablePositions"}


def _map(rng, metadata):
    return {"action": "ToggleMapView"}


def _camera(rng, metadata):
    name = "UpdateThirdPartyCamera" if metadata["thirdPartyCameras"] else "AddThirdPartyCamera"
    action = {
        "action": name,
        "position": {"x": 0.0, "y": 1.8, "z": rng.choice((0.0, 0.5))},
        "fieldOfView": 90,
    }
    return dict(action, rotation={"x": 45.0, "y": rng.choice((0.0, 90.0)), "z": 0.0})


def _poses(rng, metadata):
    loose = [each for each in metadata["objects"] if each["pickupable"] or each["moveable"]]
    poses = [
        {"objectName": each["name"], "position": each["position"], "rotation": each["rotation"]}
        for each in loose
    ]
    return {"action": "SetObjectPoses", "objectPoses": poses, "placeStationary": True}


def _toggles(rng, metadata):
    kinds = sorted({each["objectType"] for each in metadata["objects"] if each["toggleable"]})
    toggles = [{"objectType": kind, "isOn": rng.random() < 0.5} for kind in kinds]
    return {"action": "SetObjectToggles", "objectToggles": toggles}


def _states(rng, metadata):
    return {"action": "SetStateOfAllObjects", "StateChange": "CanBeDirty", "forceAction": rng.random() < 0.5}


def _spawn(rng, metadata):
    return {
        "action": "InitialRandomSpawn",
        "randomSeed": rng.randrange(99),
        "placeStationary": True,
        "forceVisible": True,
    }


def _wrong(rng, metadata):
    return rng.choice(
        (
            {"action": "FlyAway"},
            {"action": "MoveAhead", "wings": 2},
            {"action": "PickupObject", "objectId": "Mug|+99.00|+99.00|+99.00"},
            {"action": "GetCoordinateFromRaycast", "x": 0.5},
        )
    )


def _unbreakable(rng, metadata):
    return {"action": "MakeObjectsOfTypeUnbreakable", "objectType": rng.choice(("Mug", "Plate", "Window"))}


def _size(rng, metadata):
    return {"action": "ChangeResolution", "x": 300, "y": rng.choice((300, 320))}


def main():
    """Play the script against the server that is told."""
    from ai2thor.controller import Controller

    server, old = sys.argv[1], sys.argv[2] == "old"
    if old:
        controller = Controller()
        controller.local_executable_path = server
        controller.start()
    else:
        controller = Controller(local_executable_path=server, scene=SCENES[0], width=300, height=300)
    began = time.process_time()
    found = run(controller, old)
    spent = time.process_time() - began
    controller.stop()
    print(json.dumps({"digests": found, "client_cpu_s": spent}))


if __name__ == "__main__":
    main()
