"""Recorded TEACh games played with AI2-THOR's calls alone, as TEACh's own wrapper makes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from housemates.benchmarks.teach.formats.episodes import Game, Interaction
from housemates.benchmarks.teach.formats.replay import replay
from housemates.benchmarks.teach.formats.scenes import scene_of
from housemates.benchmarks.teach.tasks.catalogue import check, game_task
from housemates.benchmarks.teach.world.actions import FOLLOWER
from housemates.benchmarks.teach.world.dynamics import HOME_ACTIONS
from housemates.benchmarks.teach.world.poses import Pose, from_official, of_agent
from housemates.data.replays import counted
from housemates.data.store import Store
from housemates.home.kinds import BASINS
from housemates.home.things import GRID_M, type_in
from housemates.thor.chores import Notes
from housemates.thor.conformance import load
from housemates.thor.controller import Controller
from housemates.thor.interaction import rows

MOVES: Mapping[str, Mapping[str, Any]] = {
    "Forward": {"action": "MoveAhead", "moveMagnitude": 0.25},
    "Backward": {"action": "MoveBack", "moveMagnitude": 0.25},
    "PanLeft": {"action": "MoveLeft"},
    "PanRight": {"action": "MoveRight"},
    "TurnLeft": {"action": "RotateLeft", "degrees": 90},
    "TurnRight": {"action": "RotateRight", "degrees": 90},
    "LookUp": {"action": "LookUp", "degrees": 30},
    "LookDown": {"action": "LookDown", "degrees": 30},
}
TOUCHES = {**{row.does: name for name, row in rows().items()}, "Slice": "SliceObject"}
"""The home's actions -> AI2-THOR's; the rest is done by functions below."""
STATES = {
    "isToggled": ("ToggleObjectOn", "ToggleObjectOff"),
    "isOpen": ("OpenObject", "CloseObject"),
    "isDirty": ("DirtyObject", "CleanObject"),
    "isFilledWithLiquid": ("FillObjectWithLiquid", "EmptyLiquidFromObject"),
    "isCooked": ("CookObject", ""),
    "isBroken": ("BreakObject", ""),
    "isUsedUp": ("UseUpObject", ""),
}
"""States that records tell, and what begins and ends each. Switches come first: they may fill and wash."""


class Played(NamedTuple):
    """What came of a game."""

    id: str
    plan: str
    touches: int
    done: int
    """How many of the touches that succeeded for people succeeded."""
    complete: bool
    expected: bool
    """Whether the task is complete when the game is replayed in the home itself."""


def play(controller: Controller, game: Game, store: Store | None) -> Played:
    """Play a game through a controller, and replay it in the home."""
    run = Run(controller, game)
    for interaction in game.episode.interactions:
        if interaction.agent_id == FOLLOWER and interaction.success:
            run.step(interaction)
    task = game_task(game.task.definition(), game.id)
    progress = check(task, run.notes.objects())
    expected = replay(game, scene_of(game, store), refusals=False).success
    return Played(game.id, game.plan, run.touches, run.done, bool(progress.success), expected)


class Run:
    """A game in progress."""

    def __init__(self, controller: Controller, game: Game) -> None:
        """Begin as the game began."""
        self.controller = controller
        start = game.episode.initial_state
        self.load(game)
        for call in restoring(controller.last_event.metadata["objects"], start.objects):
            controller.step(call)
        self.stand(of_agent(start.agents[FOLLOWER]))
        self.notes = Notes(self._metadata()["objects"])
        self.touches = self.done = 0

    def load(self, game: Game) -> None:
        """Put everything where the game's first state has it."""
        load(self.controller, game)

    def step(self, interaction: Interaction) -> None:
        """Do one of the Follower's actions, which succeeded for people."""
        name = interaction.action.offer
        if name in MOVES:
            self.controller.step({**MOVES[name], "forceAction": True})
            if isinstance(interaction.pose, list):
                self.stand(from_official(interaction.pose))
        elif name in HOME_ACTIONS:
            self.touches += 1
            self.done += self.touch(name, interaction)
            self.notes.after(self._metadata()["objects"])

    def stand(self, pose: Pose) -> None:
        """Be where people were, if the step did not lead there."""
        place = {"x": round(pose.x / GRID_M) * GRID_M, "y": pose.y, "z": round(pose.z / GRID_M) * GRID_M}
        rotation = {"x": 0.0, "y": round(pose.rotation / 90) * 90.0 % 360, "z": 0.0}
        there = {**place, "rotation": rotation, "horizon": round(pose.horizon)}
        self.controller.step({"action": "TeleportFull", **there, "forceAction": True})

    def touch(self, name: str, interaction: Interaction) -> bool:
        """Do an object action on the object that is recorded."""
        target = {"objectId": interaction.oid, "forceAction": True}
        held = [each["objectId"] for each in self._metadata()["inventoryObjects"]]
        if name == "Pour":
            return bool(held) and self._pour(held[0], str(interaction.oid))
        if name == "Place":
            click = {"x": interaction.x, "y": interaction.y, "putNearXY": True, "placeStationary": True}
            target = {} if interaction.oid in held else target
            done = bool(self.controller.step({"action": "PutObject", "forceAction": True, **target, **click}))
            for each in held if done else ():
                self.notes.note(each, simbotLastParentReceptacle=interaction.oid)
            return done
        done = bool(self.controller.step({"action": TOUCHES[name], **target}))
        if done and name == "Pickup":
            self.notes.note(str(interaction.oid), simbotPickedUp=1, simbotLastParentReceptacle=None)
        return done

    def _pour(self, held: str, target: str) -> bool:
        """Fill the target with what is held, and empty that; basins cannot be filled, but poured into."""
        liquid = "coffee" if self.notes.holds_coffee(held) else "water"
        fill = {"action": "FillObjectWithLiquid", "fillLiquid": liquid}
        filled = self.controller.step({**fill, "objectId": target, "forceAction": True})
        if not filled and type_in(target) not in BASINS:
            return False
        self.notes.note(held, simbotIsFilledWithCoffee=False)
        return bool(self.controller.step("EmptyLiquidFromObject", objectId=held, forceAction=True))

    def _metadata(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.controller.last_event.metadata
        return found


def restoring(
    objects: Sequence[Mapping[str, Any]], records: Sequence[Mapping[str, Any]]
) -> Iterator[dict[str, Any]]:
    """The calls that bring objects into the states that records tell."""
    wanted = {record["objectId"]: record for record in records}
    for state, (begin, end) in STATES.items():
        for entry in objects:
            record = wanted.get(entry["objectId"], entry)
            action = begin if record[state] else end
            if action and record[state] != entry[state]:
                yield {"action": action, "objectId": entry["objectId"], "forceAction": True}


def summary(played: Sequence[Played]) -> dict[str, Any]:
    """How many end complete, and how many with the verdict of a replay in the home."""
    touches, done = sum(each.touches for each in played), sum(each.done for each in played)
    return {
        "games": len(played),
        "complete": counted(each.complete for each in played),
        "same_verdict": counted(each.complete == each.expected for each in played),
        "touches": {"n": touches, "agree": done, "share": round(done / touches, 4) if touches else None},
        "differ": [each.id for each in played if each.complete != each.expected],
    }
