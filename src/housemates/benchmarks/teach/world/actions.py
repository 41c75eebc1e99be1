"""The actions of the official format: their ids, names and kinds, as the recorded games list them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from housemates.files import read_json

COMMANDER, FOLLOWER = 0, 1
"""Agent ids; the files call the Follower `Driver`."""

TEXT = 100


@dataclass(frozen=True)
class Action:
    """One row of the action table."""

    id: int
    name: str
    kind: str
    """`Motion`, `ObjectInteraction`, `ProgressCheck`, `Keyboard`, ..."""
    pose_delta: tuple[float, ...] = ()

    @property
    def moves(self) -> bool:
        """Whether it moves or turns the one who acts."""
        return self.kind == "Motion"

    @property
    def touches(self) -> bool:
        """Whether it acts on an object."""
        return self.kind == "ObjectInteraction"


@cache
def actions() -> Mapping[int, Action]:
    """Every action by its id."""
    rows = read_json(Path(__file__).with_name("actions.json"))
    table = [
        Action(each["id"], each["name"], each["kind"], tuple(each.get("pose_delta", ()))) for each in rows
    ]
    return {action.id: action for action in table}


@cache
def action_indices() -> Mapping[int, int]:
    """The `action_idx` of EDH files by action id: an action's place in the list that games carry."""
    ids = sorted(actions(), key=lambda each: (_LISTED.index(actions()[each].kind), each))
    return {action_id: index for index, action_id in enumerate(ids)}


_LISTED = ("Motion", "MapGoal", "ObjectInteraction", "ChangeCamera", "ProgressCheck", "Keyboard", "Audio")


@cache
def action_named(name: str) -> Action:
    """The action of this name."""
    return next(action for action in actions().values() if action.name == name)


@cache
def model_actions() -> tuple[str, ...]:
    """The names a model may answer with, in the reference's order: Stop, the moves, the object actions."""
    ids = [0, *range(2, 10), *range(200, 207), 211]
    return tuple(actions()[each].name for each in ids)
