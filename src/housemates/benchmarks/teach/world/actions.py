"""The actions of the official format: their ids, names and kinds, as the recorded games list them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from housemates import home
from housemates.files import read_json

COMMANDER, FOLLOWER = 0, 1
"""Agent ids; the files call the Follower `Driver`."""

TEXT = 100


@dataclass(frozen=True)
class Action:
    """One row of the action table."""

    id: int
    name: str
    """As the official files call it: `Turn Left`, `Text`, `SearchObject`."""
    offer: str
    """As it is offered here: `TurnLeft`, `Say`, `Search`."""
    kind: str
    """`Motion`, `ObjectInteraction`, `ProgressCheck`, `Keyboard`, ..."""
    pose_delta: Sequence[float] = ()

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
    table = [Action(**{"offer": row["name"], **row}) for row in rows]
    return {action.id: action for action in table}


@cache
def action_indices() -> Mapping[int, int]:
    """The `action_idx` of EDH files by action id: an action's place in the list that games carry."""
    ids = sorted(actions(), key=lambda each: (_LISTED.index(actions()[each].kind), each))
    return {action_id: index for index, action_id in enumerate(ids)}


_LISTED = ("Motion", "MapGoal", "ObjectInteraction", "ChangeCamera", "ProgressCheck", "Keyboard", "Audio")


@cache
def action_offered(name: str) -> Action:
    """The action that is offered by this name."""
    return next(action for action in actions().values() if action.offer == name)


_OFFERED = {action.offer for action in actions().values()}
MOVES = tuple(name for name in home.MOVES if name in _OFFERED)
"""What both can do, each with its own body: the home's moves, as far as the official table has them."""
TOUCHES = tuple(name for name in home.TOUCHES if name in _OFFERED)
"""What the Follower alone can do: the home's actions on things, as far as the official table has them."""
