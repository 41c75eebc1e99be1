"""Task definitions, and the objects that they are checked against, as files have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import msgspec

from housemates.typed_json import Whole, convert

Value = str | int | bool | None
Determiner = str | int

Number = Annotated[int, msgspec.Meta(ge=0, le=1000)]


class AtomicForm(msgspec.Struct):
    """A component that asks for objects with given properties."""

    determiner: str | Number
    primary_condition: str
    instance_shareable: bool
    conditions: dict[str, str | bool | Whole | None]
    condition_failure_descs: dict[str, str]


class SubtaskForm(msgspec.Struct):
    """A component that asks for another task to be done."""

    determiner: str | Number
    task_name: str
    task_params: list[str | Number]
    task: dict[str, Any] | None = None


class RelationForm(msgspec.Struct):
    """Objects of the head components stand in a property to objects of the tail component."""

    property: str
    tail_entity_list: Annotated[list[str], msgspec.Meta(min_length=1, max_length=1)]
    tail_determiner_list: Annotated[list[str], msgspec.Meta(min_length=1, max_length=1)]
    head_entity_list: list[str]
    head_determiner_list: list[str | Number]
    failure_desc: str


class TaskForm(msgspec.Struct, kw_only=True):
    """A definition of the task language, as its JSON file has it."""

    task_id: Whole
    task_name: str
    task_nparams: Annotated[int, msgspec.Meta(ge=0, le=100)]
    task_anchor_object: str | None = None
    desc: str
    components: dict[str, dict[str, Any]]
    relations: list[RelationForm]
    comments_task_params: dict[str, str] | None = None
    needs: list[list[str]] | None = None


class ToldObject(msgspec.Struct, rename="camel"):
    """An object of a moment: what the checker reads besides the properties that definitions name."""

    object_id: str
    object_type: str
    parent_receptacles: list[str] | None = None
    simbot_object_class: list[str] | None = None
    simbot_last_parent_receptacle: str | None = None


def check_told(objects: Sequence[Any], place: str) -> None:
    """Refuse objects that no task can be checked against, naming the field."""
    convert(objects, list[ToldObject], place)
