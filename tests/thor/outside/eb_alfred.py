"""EB-ALFRED's skills: finding by teleports; taking, putting, opening and switching what is nearest by name.

It needs nothing but numpy, and stands on ALFRED's environment (`alfred.py`).
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from typing import Any

EYE_M = 0.9 + 0.675
"""How high above the floor it takes the camera to be."""
ATTEMPTS = 20
FIRST = 10
"""Attempts before it no longer minds from which side it comes to a fridge or a microwave."""
SIDES = {"Fridge": (90, 270), "Microwave": (0, 180)}
TOLERANCE_DEG = 20
AWAY = 100_000
HIDDEN = 1_000
AGAIN: tuple[tuple[str, ...], ...] = (
    (), ("LookUp",) * 2, ("LookDown",) * 4, ("LookUp", "LookUp", "MoveBack"),
    ("MoveAhead", *("MoveRight",) * 4), ("MoveLeft",) * 8, (*("MoveRight",) * 4, "RotateHand"),
)  # fmt: skip
"""What it does before each try to put something down."""
ROOM = (("MoveBack",), ("MoveBack", "MoveRight"), ("MoveLeft", "MoveLeft"), ())
"""What it does after each try to open something."""


class Skills:
    """EB-ALFRED's skills in an environment of ALFRED's that has been begun."""

    def __init__(self, environment: Any) -> None:
        self.environment = environment
        environment.send("GetReachablePositions")
        spots = environment.metadata["actionReturn"] or environment.metadata["reachablePositions"]
        self.spots = [(spot["x"], spot["y"], spot["z"]) for spot in spots]
        self.sliced = False

    @property
    def objects(self) -> list[dict[str, Any]]:
        """The objects that the last event tells about."""
        found: list[dict[str, Any]] = self.environment.metadata["objects"]
        return found

    def do(self, skill: str, name: str) -> bool:
        """One skill on what a class names."""
        return bool(getattr(self, f"_{skill}")(name))

    def one_of(self, kind: str, but: str) -> str:
        """The id of the nearest object of a class that is in none of another class, or nothing."""
        near = [
            (each["distance"], each["objectId"])
            for each in self.objects
            if each["objectId"].split("|")[-1 if "Sliced" in kind else 0].split("_")[0] == kind
            and not (but and any(parent.startswith(but) for parent in each["parentReceptacles"] or ()))
        ]
        return min(near, default=(0.0, ""))[1]

    def _nearest(
        self, name: str, flag: str = "", basin: bool = False, seen: bool = False, but: str = ""
    ) -> Any:
        """The object of a class that it means, by distance with its penalties."""
        is_open = {each["objectId"]: each["isOpen"] or not each["openable"] for each in self.objects}
        best, least = None, 1e8
        for each in self.objects:
            parts = each["objectId"].split("|")
            if each["objectId"] == but or (flag and not each[flag]) or (basin and len(parts) != 5):
                continue
            if (each["objectId"] if "|" in name else parts[0]).casefold() != name.casefold():
                continue
            shut = any(not is_open.get(parent, True) for parent in each["parentReceptacles"] or ())
            score = each["distance"] + AWAY * shut + HIDDEN * (seen and not each["visible"])
            score += 10_000 * bool(name == "StoveBurner" and each["receptacleObjectIds"])
            score -= 100 * (self.sliced and "_Slice" in each["name"])
            if score < least:
                best, least = each, score
        return best

    def _find(self, name: str) -> bool:
        thing = self._nearest(name, seen=True)
        return thing is not None and any(self._stand(thing, name, number) for number in range(ATTEMPTS))

    def _stand(self, thing: dict[str, Any], name: str, number: int) -> bool:
        """Teleport to one of the nearest places and look at a thing from there."""
        x, y, z = (thing["position"][axis] for axis in "xyz")
        near = sorted(self.spots, key=lambda spot: math.dist(spot, (x, y, z)))
        name = name.split("|")[0]
        sided = name in SIDES
        place = near[min(number - FIRST if sided and number >= FIRST else number, len(near) - 1)]
        turn = math.degrees(math.atan2(x - place[0], z - place[2])) % 360
        if sided and number < FIRST:
            apart = abs((turn - thing["rotation"]["y"] + 180) % 360 - 180)
            if not any(abs((apart - side + 180) % 360 - 180) < TOLERANCE_DEG for side in SIDES[name]):
                return False
        down = -0.9 * math.degrees(math.atan2(y - EYE_M, math.hypot(x - place[0], z - place[2])))
        self.environment.send("TeleportFull", x=place[0], y=0.9, z=place[2], rotation=turn, horizon=down)
        return bool(self.environment.metadata["lastActionSuccess"])

    def _send(self, action: str, **arguments: Any) -> bool:
        self.environment.send(action, **arguments)
        return bool(self.environment.metadata["lastActionSuccess"])

    def _pick(self, name: str) -> bool:
        thing = self._nearest(name, "pickupable", seen=True)
        return thing is not None and self._send("PickupObject", objectId=thing["objectId"], forceAction=False)

    def _put(self, name: str) -> bool:
        held = self.environment.metadata["inventoryObjects"]
        if not held:
            return False
        for receptacle, before in self._receptacles(name):
            for action in before:
                self._send(action, **({"x": 40} if action == "RotateHand" else {}))
            put = {"objectId": held[0]["objectId"], "receptacleObjectId": receptacle}
            if self._send("PutObject", **put, forceAction=True):
                return True
        return False

    def _receptacles(self, name: str) -> Iterator[tuple[str, tuple[str, ...]]]:
        """What it tries to put things into, and what it does before each try."""
        but = last = ""
        for _ in range(2):
            for before in AGAIN:
                basins = (True, False) if name in ("Sink", "Bathtub") else (False, True)
                for basin in basins:
                    thing = self._nearest(name, basin=basin, but=but)
                    if thing is not None:
                        last = thing["objectId"]
                        yield last, before
            but = last

    def _open(self, name: str) -> bool:
        thing = self._nearest(name)
        for moves in ROOM if thing is not None else ():
            if self._send("OpenObject", objectId=thing["objectId"]):
                return True
            for move in moves:
                self._send(move)
        return False

    def _close(self, name: str) -> bool:
        thing = self._nearest(name)
        return thing is not None and self.environment.touch("CloseObject", thing["objectId"])

    def _on(self, name: str) -> bool:
        thing = self._nearest(name, "toggleable")
        return thing is not None and self.environment.touch("ToggleObjectOn", thing["objectId"])

    def _off(self, name: str) -> bool:
        thing = self._nearest(name, "toggleable")
        return thing is not None and self.environment.touch("ToggleObjectOff", thing["objectId"])

    def _slice(self, name: str) -> bool:
        thing = self._nearest(name)
        self.sliced = True
        return thing is not None and self._send("SliceObject", objectId=thing["objectId"])


def oracle(skills: Skills, trajectory: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """The skills that a task takes, each on a class or, where classes are ambiguous, on an id."""
    task, wanted = trajectory["task_type"], trajectory["pddl_params"]
    kind = wanted["object_target"]
    if wanted["object_sliced"]:
        yield from _cutting(skills, kind)
        kind += "Sliced"
    parent, two = wanted["parent_target"].removesuffix("Basin"), task == "pick_two_obj_and_place"
    for _ in range(2 if two else 1):
        taken = yield from _taking(skills, kind, but=parent if two else "")
        if task == "look_at_obj_in_light":
            yield from (("find", wanted["toggle_target"]), ("on", wanted["toggle_target"]))
            return
        yield from TREATMENTS.get(task, lambda _: iter(()))(taken)
        if wanted["mrecep_target"]:
            dish = skills.one_of(wanted["mrecep_target"], but="")
            yield from _opening(skills, dish)
            yield from (("find", dish), ("put", dish), ("pick", dish))
        yield from _placing(parent)
        if two:
            there = next(each["parentReceptacles"] for each in skills.objects if each["objectId"] == taken)
            parent = next((name for name in there or () if name.startswith(parent)), parent)


def _cutting(skills: Skills, kind: str) -> Iterator[tuple[str, str]]:
    knife = next(name for name in ("Knife", "ButterKnife") if skills.one_of(name, but=""))
    yield from _taking(skills, knife, but="")
    target = skills.one_of(kind, but="")
    yield from _opening(skills, target)
    yield from (("find", target), ("slice", target), ("find", "CounterTop"), ("put", "CounterTop"))


def _taking(skills: Skills, kind: str, but: str) -> Generator[tuple[str, str], None, str]:
    target = skills.one_of(kind, but)
    yield from _opening(skills, target)
    yield from (("find", target), ("pick", target))
    return target


def _opening(skills: Skills, target: str) -> Iterator[tuple[str, str]]:
    """Open what a thing is shut in."""
    objects = {each["objectId"]: each for each in skills.objects}
    for parent in objects[target]["parentReceptacles"] or ():
        if objects[parent]["openable"] and not objects[parent]["isOpen"]:
            yield from (("find", parent), ("open", parent))


def _placing(kind: str) -> Iterator[tuple[str, str]]:
    yield ("find", kind)
    if kind.split("|")[0] in SHUT:
        yield ("open", kind)
    yield ("put", kind)


def _cleaning(target: str) -> Iterator[tuple[str, str]]:
    yield from (("find", "Sink"), ("put", "Sink"), ("on", "Faucet"), ("off", "Faucet"), ("pick", target))


def _heating(target: str) -> Iterator[tuple[str, str]]:
    machine = "Microwave"
    yield from (("find", machine), ("open", machine), ("put", machine), ("close", machine), ("on", machine))
    yield from (("off", machine), ("open", machine), ("pick", target), ("close", machine))


def _cooling(target: str) -> Iterator[tuple[str, str]]:
    machine = "Fridge"
    yield from (("find", machine), ("open", machine), ("put", machine), ("close", machine))
    yield from (("open", machine), ("pick", target), ("close", machine))


TREATMENTS = {
    "pick_clean_then_place_in_recep": _cleaning,
    "pick_heat_then_place_in_recep": _heating,
    "pick_cool_then_place_in_recep": _cooling,
}
SHUT = ("Fridge", "Microwave", "Cabinet", "Drawer", "Safe")
"""What must be open for something to be put into it."""


def play(environment: Any, trajectory: dict[str, Any]) -> dict[str, Any]:
    """Do an oracle's skills, and tell whether the task's goal is met and which of them failed."""
    environment.begin(trajectory)
    skills = Skills(environment)
    failed = [skill for skill in oracle(skills, trajectory) if not skills.do(*skill)]
    met, total = environment.goal(trajectory)
    return {
        "id": trajectory["task_id"],
        "success": met == total,
        "met": met,
        "total": total,
        "failed": failed,
    }
