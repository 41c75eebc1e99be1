"""TEACh's simulator: the calls with which it restores a game and turns clicks into actions on objects.

It stands on `housemates.thor.games`, which plays the same games by the recorded objects' ids.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from housemates.benchmarks.teach.formats.episodes import Game, Interaction
from housemates.benchmarks.teach.tasks.catalogue import check, game_task
from housemates.benchmarks.teach.world.actions import FOLLOWER
from housemates.home.kinds import BASINS
from housemates.thor import games
from housemates.thor.conformance import poses_of

SIDE_PX = 900
RADIUS_PX = 10
REACH_M = 1.5
AFFORDS: dict[str, tuple[dict[str, Any], ...]] = {
    "Pickup": ({"pickupable": True, "isPickedUp": False},),
    "Place": ({"receptacle": True},),
    "Open": ({"openable": True, "isOpen": False},),
    "Close": ({"openable": True, "isOpen": True},),
    "ToggleOn": ({"toggleable": True, "isToggled": False},),
    "ToggleOff": ({"toggleable": True, "isToggled": True},),
    "Slice": ({"sliceable": True, "isSliced": False},),
    "Dirty": ({"dirtyable": True, "isDirty": False},),
    "Clean": ({"dirtyable": True, "isDirty": True},),
    "Fill": ({"canFillWithLiquid": True, "isFilledWithLiquid": False},),
    "Empty": ({"canFillWithLiquid": True, "isFilledWithLiquid": True},),
    "Pour": (
        {"canFillWithLiquid": True, "isFilledWithLiquid": False},
        *({"objectType": name} for name in sorted(BASINS)),
    ),
    "Break": ({"breakable": True, "isBroken": False},),
}
"""What an object must be like to be meant by a click for an action."""


class Run(games.Run):
    """A game in progress, played by the recorded clicks."""

    def __init__(self, controller: Any, game: Game) -> None:
        self.missed: list[tuple[str, str, str]] = []
        super().__init__(controller, game)

    def load(self, game: Game) -> None:
        """Restore the poses of what the scene has a name for."""
        self.controller.reset(
            game.plan, width=SIDE_PX, height=SIDE_PX, gridSize=0.25, visibilityDistance=REACH_M
        )
        known = {each["name"].split("(")[0] for each in self._metadata()["objects"]}
        poses = [
            {**pose, "objectName": pose["objectName"].split("(")[0]}
            for pose in poses_of(game.episode.initial_state.objects)
            if pose["objectName"].split("(")[0] in known
        ]
        self.controller.step("SetObjectPoses", objectPoses=poses, placeStationary=True)

    def touch(self, name: str, interaction: Interaction) -> bool:
        """Do an object action on whatever is under the recorded click."""
        x, y = interaction.x, interaction.y
        meant = None if x is None or y is None else self._meant(name, float(x), float(y))
        if meant != interaction.oid:
            self.missed.append((name, str(interaction.oid), str(meant)))
        if meant is None or self._too_far(float(x), float(y)):  # type: ignore[arg-type]
            return False
        return bool(super().touch(name, interaction.__class__(**{**_fields(interaction), "oid": meant})))

    def _too_far(self, x: float, y: float) -> bool:
        place = self._metadata()["agent"]["position"]
        point = self.controller.step("GetCoordinateFromRaycast", x=x, y=y).metadata["actionReturn"]
        return point is None or math.dist([point[a] for a in "xyz"], [place[a] for a in "xyz"]) > REACH_M

    def _meant(self, name: str, x: float, y: float) -> str | None:
        """The object at a click, or the one of which most of what is seen lies around it."""
        event = self.controller.last_event
        if event.instance_segmentation_frame is None:
            event = self.controller.step("Pass", renderObjectImage=True)
        shown, names = event.instance_segmentation_frame, event.color_to_object_id
        column, row = round(x * SIDE_PX), round(y * SIDE_PX)
        objects = {each["objectId"]: each for each in event.metadata["objects"]}

        def fits(colour: Any) -> bool:
            entry = objects.get(names.get(tuple(int(each) for each in colour), ""))
            return entry is not None and any(
                all(entry.get(key) == value for key, value in wanted.items()) for wanted in AFFORDS[name]
            )

        at = shown[min(row, SIDE_PX - 1), min(column, SIDE_PX - 1)]
        if fits(at):
            return str(names[tuple(int(each) for each in at)])
        rows = slice(max(0, row - RADIUS_PX), min(SIDE_PX, row + RADIUS_PX))
        columns = slice(max(0, column - RADIUS_PX), min(SIDE_PX, column + RADIUS_PX))
        colours, counts = np.unique(shown[rows, columns].reshape(-1, 3), axis=0, return_counts=True)
        shares = [
            (count / np.count_nonzero((shown == colour).all(axis=2)), names[tuple(colour.tolist())])
            for colour, count in zip(colours, counts, strict=True)
            if fits(colour)
        ]
        return max(shares)[1] if shares else None


def _fields(interaction: Interaction) -> dict[str, Any]:
    return {name: getattr(interaction, name) for name in interaction.__struct_fields__}


def play(controller: Any, game: Game) -> dict[str, Any]:
    """Play a game by its clicks, and tell whether its task ends complete."""
    run = Run(controller, game)
    for interaction in game.episode.interactions:
        if interaction.agent_id == FOLLOWER and interaction.success:
            run.step(interaction)
    progress = check(game_task(game.task.definition(), game.id), run.notes.objects())
    return {"id": game.id, "success": bool(progress.success), "touches": run.touches, "missed": run.missed}
