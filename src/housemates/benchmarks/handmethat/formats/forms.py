"""The records of episodes as files have them: the official form and our shorter one, with their types."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType, field

Level = Annotated[int, msgspec.Meta(ge=1, le=4)]
Pair = tuple[str, str | None]
"""An object, and the target place or the verb."""
Row = tuple[str, str, str]
"""An object in our form: name, holder, and the attributes that are not plainly false."""


class OfficialObject(msgspec.Struct):
    """Where an object is and how, as the official files tell it."""

    states: dict[str, str | bool]
    inside: str | UnsetType = UNSET
    ontop: str | UnsetType = UNSET


class ActionRow(msgspec.Struct):
    """An action of the human; the first argument is herself."""

    name: str
    arguments: list[str]


class MeaningRow(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """What is asked for, of which objects, and the target place or the verb."""

    quest: Literal["bring_me", "move_to", "change_state"]
    spec: dict[str, str | bool]
    arg: str | None


class Record(msgspec.Struct, kw_only=True):
    """An episode. Either its objects are told by the two official dictionaries, or by our rows."""

    goal: str = field(name="_goal")
    goal_idx: Annotated[int, msgspec.Meta(ge=-1, le=10_000)]
    task_idx: Annotated[int, msgspec.Meta(ge=-1, le=10**9)] = -1
    meaning: MeaningRow = field(name="_meaning")
    utterance: MeaningRow
    understood: MeaningRow = field(name="_rsa_meaning")
    useful: list[Pair] = field(name="_useful_objects")
    action_list: list[ActionRow]
    solution: list[ActionRow] = field(name="_possible_solution")
    demo_actions: list[str]
    task_description: str
    initial_objects: dict[str, OfficialObject] | UnsetType = field(default=UNSET, name="initial_object_dict")
    current_objects: dict[str, OfficialObject] | UnsetType = field(default=UNSET, name="current_object_dict")
    rows: list[Row] | UnsetType = field(default=UNSET, name="objects")
    level: Level | UnsetType = UNSET
    split: str | UnsetType = UNSET
    file: str | UnsetType = field(default=UNSET, name="_file")
    version: Annotated[int, msgspec.Meta(ge=1, le=2)] | UnsetType = UNSET
    subgoal: str = field(default="", name="_subgoal")
    in_utterance: list[Pair] | UnsetType = field(default=UNSET, name="_objects_in_utterance")
    in_meaning: list[Pair] | UnsetType = field(default=UNSET, name="_objects_in_meaning")
    in_understood: list[Pair] | UnsetType = field(default=UNSET, name="_objects_in_rsa_meaning")
    read_partially: list[str] = field(default_factory=list, name="demo_observations_partially")
    read_fully: list[str] = field(default_factory=list, name="demo_observations_fully")
