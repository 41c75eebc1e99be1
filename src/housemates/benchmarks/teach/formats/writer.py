"""Sessions of ours as official games: states with AI2-THOR's records, definitions, interactions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from housemates.benchmarks.teach.formats.episodes import (
    VERSION,
    Episode,
    Game,
    GameTask,
    Interaction,
    Snapshot,
)
from housemates.benchmarks.teach.world.actions import (
    COMMANDER,
    FOLLOWER,
    TEXT,
    Action,
    action_indices,
    action_offered,
    actions,
)
from housemates.benchmarks.teach.world.dynamics import TeachWorld
from housemates.benchmarks.teach.world.poses import Pose, to_official
from housemates.core.actions import Act
from housemates.core.outcome import Outcome
from housemates.home import World
from housemates.home.metadata import metadata
from housemates.home.scenes.files import scene_from_data
from housemates.home.things import Scene

SCENE = "housemates_scene"
"""Where a game of ours carries the exact home it was played in, beside the official definitions."""

MS = 0.001
AGENTS = {"commander": COMMANDER, "follower": FOLLOWER}


class Recorder:
    """Notes what two do in a home, in the official form.

    Args:
        scene: The home at the start.
        definition: The task, with its parameters filled in.
        commander: Where the Commander's camera is at the start.
        clock: Seconds since some moment; without one, a second passes with every action.
    """

    def __init__(
        self,
        scene: Scene,
        definition: Mapping[str, Any],
        commander: Pose,
        clock: Callable[[], float] | None = None,
    ) -> None:
        self.interactions: list[Interaction] = []
        self._scene, self._definition, self._commander, self._clock = scene, definition, commander, clock
        self._began = clock() if clock is not None else 0.0

    def note(self, role: str, act: Act, outcome: Outcome, pose: Pose) -> None:
        """Note an act, and where the one who acted is after it.

        What was meant for nothing that is there, and what could not be said, leaves no trace.
        """
        action = action_offered(act.name)
        values = _values(action, act, outcome, pose)
        if values is None:
            return
        done = outcome.data["success"] if action.offer == "ProgressCheck" else outcome.success
        self.interactions.append(
            Interaction(
                agent_id=AGENTS[role],
                action_id=action.id,
                time_start=self._now(),
                duration=1,
                success=int(done),
                **values,
            )
        )

    def game(self, game_id: str, world: TeachWorld, commander: Pose) -> Game:
        """What was noted so far as an official game that ends with this world and the camera there."""
        start = TeachWorld(World(self._scene))
        initial = record_state(start, self._commander, self._began)
        final = record_state(world, commander, self._now())
        return record_game(game_id, self._scene, self._definition, initial, self.interactions, final)

    def _now(self) -> float:
        """Seconds since the beginning, to the millisecond, later than all that was noted."""
        last = float(self.interactions[-1].time_start) if self.interactions else 0.0
        elapsed = last + 1.0 if self._clock is None else self._clock() - self._began
        return round(max(elapsed, last + MS), 3)


def _values(action: Action, act: Act, outcome: Outcome, pose: Pose) -> dict[str, Any] | None:
    """The fields of an interaction that its kind has; None if it is not to be noted."""
    if action.id == TEXT:
        return {"utterance": act.arguments["text"]} if outcome.success else None
    if action.moves:
        return {"pose_delta": list(action.pose_delta), "pose": to_official(pose)}
    if action.touches:
        if "point" not in outcome.data:
            return None
        x, y = outcome.data["point"]
        return {"x": x, "y": y, "oid": outcome.data["object"] if outcome.success else None}
    return {"query": act.arguments.get("object", act.arguments.get("text", ""))}


def record_state(world: TeachWorld, commander: Pose, time_s: float) -> Snapshot:
    """The state as the official format has it.

    The properties that tasks derive stand twice, as in official games: last in each object's record, and by
    id in `custom_object_metadata`, which the published checker lays over the objects.
    """
    seen = metadata(world.home)
    camera = {
        "thirdPartyCameraId": 0,
        "position": {"x": commander.x, "y": commander.y, "z": commander.z},
        "rotation": {"x": 0.0, "y": float(commander.rotation), "z": 0.0},
        "fieldOfView": 90.0,
    }
    derived = {
        item["objectId"]: {name: value for name, value in item.items() if name.startswith("simbot")}
        for item in world.objects()
    }
    objects = [{**item, **derived[item["objectId"]]} for item in seen["objects"]]
    custom = {name: values for name, values in derived.items() if values}
    return Snapshot(round(time_s, 3), [camera, seen["agent"]], objects, custom)


def record_game(
    game_id: str,
    scene: Scene,
    definition: Mapping[str, Any],
    initial: Snapshot,
    interactions: Sequence[Interaction],
    final: Snapshot,
) -> Game:
    """An official game of what happened between two states."""
    world = scene.id if scene.id.endswith("_physics") else f"{scene.id}_physics"
    episode = Episode(game_id, world, None, "False", initial, list(interactions), final)
    task = GameTask(**{**definition, "comments": "", "episodes": [episode]})
    listed = [actions()[each] for each in sorted(actions(), key=action_indices().__getitem__)]
    definitions = {
        "agents": [
            {"agent_id": COMMANDER, "agent_name": "Commander", "agent_type": 0},
            {"agent_id": FOLLOWER, "agent_name": "Driver", "agent_type": 1},
        ],
        "actions": [_row(each.id) for each in listed],
        "status": [
            {"status_id": 0, "status_name": "Success"},
            {"status_id": 1, "status_name": "Failure"},
        ],
        "tasks": [{**definition, "comments": "", "episodes": []}],
        SCENE: msgspec.to_builtins(scene),
    }
    return Game(
        version=VERSION,
        task_type="eqa_complex",
        comments="",
        definitions=definitions,
        tasks=[task],
        game_id=game_id,
    )


def recorded_scene(game: Game) -> Scene | None:
    """The exact home of a game of ours; None for a game from elsewhere."""
    kept = game.definitions.get(SCENE)
    return None if kept is None else scene_from_data(kept, f"{game.id}: definitions.{SCENE}")


def _row(action_id: int) -> dict[str, Any]:
    action = actions()[action_id]
    row: dict[str, Any] = {"action_id": action.id, "action_name": action.name, "action_type": action.kind}
    return row | ({"pose_delta": list(action.pose_delta)} if action.moves else {})
