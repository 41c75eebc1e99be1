"""Sessions of ours as official games: states with AI2-THOR's records, definitions, interactions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from housemates.benchmarks.teach.files.episodes import VERSION, Episode, Game, GameTask, Interaction, Snapshot
from housemates.benchmarks.teach.world.actions import COMMANDER, FOLLOWER, action_indices, actions
from housemates.benchmarks.teach.world.dynamics import TeachWorld
from housemates.benchmarks.teach.world.poses import Pose
from housemates.errors import HousematesError
from housemates.home.metadata import metadata
from housemates.home.things import Scene

SCENE = "housemates_scene"
"""Where a game of ours carries the exact home it was played in, beside the official definitions."""


def record_state(world: TeachWorld, commander: Pose, time_s: float, derived: bool) -> Snapshot:
    """The state as the official format has it; `derived` adds the properties that tasks derive."""
    seen = metadata(world.home)
    camera = {
        "thirdPartyCameraId": 0,
        "position": {"x": commander.x, "y": commander.y, "z": commander.z},
        "rotation": {"x": 0.0, "y": float(commander.rotation), "z": 0.0},
        "fieldOfView": 90.0,
    }
    custom = {}
    if derived:
        custom = {
            item["objectId"]: {name: value for name, value in item.items() if name.startswith("simbot")}
            for item in world.objects()
        }
    return Snapshot(round(time_s, 3), [camera, seen["agent"]], seen["objects"], custom)


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
    try:
        return None if kept is None else msgspec.convert(kept, Scene)
    except msgspec.ValidationError as error:
        raise HousematesError(f"{game.id}: definitions.{SCENE}: {error}.") from None


def _row(action_id: int) -> dict[str, Any]:
    action = actions()[action_id]
    row: dict[str, Any] = {"action_id": action.id, "action_name": action.name, "action_type": action.kind}
    return row | ({"pose_delta": list(action.pose_delta)} if action.moves else {})
