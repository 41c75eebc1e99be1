"""What is scored: EDH and TfD instances cut from games, and the official EDH files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from housemates.benchmarks.teach.formats.episodes import Game, Interaction, Number, Plain
from housemates.benchmarks.teach.formats.states import Past, recall
from housemates.benchmarks.teach.tasks.catalogue import (
    Progress,
    check,
    game_task,
    task_of_changes,
)
from housemates.benchmarks.teach.tasks.relevance import relevant_changes
from housemates.benchmarks.teach.tasks.tdl.changes import changes_between, changes_since
from housemates.benchmarks.teach.world.actions import COMMANDER, FOLLOWER, TEXT, action_indices
from housemates.data.packs import Place, read_place
from housemates.data.records import Skipped, write_each
from housemates.data.store import Store
from housemates.errors import HousematesError
from housemates.files import file_name, read_text_lines
from housemates.typed_json import Whole, decode

SPEAKERS = {COMMANDER: "Commander", FOLLOWER: "Driver"}
VARIANTS = ("paper", "released")
"""`paper`: every stretch of object actions between utterances (section 4.1). `released`: only those with
changes to objects of the task that did not hold before, as in the official files."""

Diff = dict[str, dict[str, Any]]
"""By object id: properties and values."""


class DriverAction(msgspec.Struct):
    """A Follower's action as EDH files list it."""

    action_id: Whole
    action_idx: Whole
    obj_interaction_action: Whole
    action_name: str
    time_start: Number
    oid: str | None
    x: Number | None
    y: Number | None


class EdhInteraction(Interaction, kw_only=True):
    """A recorded action with the two fields that EDH files add."""

    obj_interaction_action: Whole
    action_idx: Whole


class StateDiff(msgspec.Struct):
    """Properties that differ, by object id."""

    agents: dict[str, Plain]
    objects: dict[str, dict[str, Plain]]


class Edh(msgspec.Struct, kw_only=True):
    """An official EDH instance: a history of dialogue and actions, and the changes to bring about."""

    dialog_history: list[tuple[str, str]]
    driver_action_history: list[DriverAction]
    driver_image_history: list[str]
    driver_actions_future: list[DriverAction]
    driver_images_future: list[str]
    interactions: list[EdhInteraction]
    game_id: str
    instance_id: str
    pred_start_idx: Whole
    init_state_diff: StateDiff
    final_state_diff: StateDiff
    state_changes: StateDiff
    history_subgoals: list[str]
    future_subgoals: list[str]
    expected_init_goal_conditions_total: Whole
    expected_init_goal_conditions_satisfied: Whole
    dialog_history_cleaned: list[tuple[str, str]]


class Tfd(msgspec.Struct, kw_only=True):
    """A TfD instance: the whole dialogue of a session, and all that the Follower did."""

    game_id: str
    instance_id: str
    dialog_history: list[tuple[str, str]]
    dialog_history_cleaned: list[tuple[str, str]]
    driver_actions_future: list[DriverAction]
    driver_images_future: list[str]


class Stretch(NamedTuple):
    """Interactions between two utterances in which the Follower tried to touch something."""

    number: int
    start: int
    end: int


def stretches(game: Game) -> list[Stretch]:
    """The stretches of a game; their numbers are those in the names of the official instances."""
    interactions = game.episode.interactions
    cuts = [index for index, each in enumerate(interactions) if each.action_id == TEXT]
    bounds = zip([0, *(cut + 1 for cut in cuts)], [*cuts, len(interactions)], strict=True)
    touching = [(start, end) for start, end in bounds if any(map(_touches, interactions[start:end]))]
    return [Stretch(number, start, end) for number, (start, end) in enumerate(touching)]


def cut_edh(
    game: Game, variant: str = "released", store: Store | None = None, past: Past | None = None
) -> Iterator[Edh]:
    """Cut a game into EDH instances.

    Args:
        game: What was recorded.
        variant: One of `VARIANTS`.
        store: What is known about floor plans; states come from replaying the game.
        past: The replay with all `cuts`, if it is at hand.
    """
    check_variant(variant)
    found = [each for each in stretches(game) if each.start > 0]
    past = past or recall(game, cuts(game), store)
    states = {moment: past.objects(moment) for moment in cuts(game)}
    since = {moment: changes_since(states[0], state) for moment, state in states.items()}
    task = game_task(game.task.definition(), game.id)
    for stretch in found:
        changes = changes_between(since[stretch.start], since[stretch.end])
        if variant == "released":
            changes = relevant_changes(task, changes)
        goal = check(task_of_changes(changes), states[stretch.start])
        if variant == "released" and goal.satisfied >= goal.total:
            continue
        instance = _edh(game, stretch, since, changes, goal)
        if any(action.obj_interaction_action for action in instance.driver_actions_future):
            yield instance


def cuts(game: Game) -> list[int]:
    """The start of a game, and the moments at which its EDH instances begin and end."""
    found = [each for each in stretches(game) if each.start > 0]
    return sorted({0, *(each.start for each in found), *(each.end for each in found)})


def check_variant(variant: str) -> None:
    """Refuse what is not one of `VARIANTS`."""
    if variant not in VARIANTS:
        raise HousematesError(f"Unknown EDH variant {variant!r}: expected one of {', '.join(VARIANTS)}.")


def cut_tfd(game: Game) -> Tfd:
    """The TfD instance of a game."""
    interactions = game.episode.interactions
    actions = [each for each in driver_actions(interactions) if each.action_id != TEXT]
    return Tfd(
        game_id=game.id,
        instance_id=f"{game.id}.tfd",
        dialog_history=_dialogue(interactions, cleaned=False),
        dialog_history_cleaned=_dialogue(interactions, cleaned=True),
        driver_actions_future=actions,
        driver_images_future=_images(actions),
    )


def driver_actions(interactions: Iterable[Interaction]) -> list[DriverAction]:
    """The Follower's successful actions and utterances."""
    return [
        DriverAction(
            action_id=each.action_id,
            action_idx=action_indices()[each.action_id],
            obj_interaction_action=int(each.action.touches),
            action_name=each.action.name,
            time_start=each.time_start,
            oid=_or_none(each.oid),
            x=_or_none(each.x),
            y=_or_none(each.y),
        )
        for each in interactions
        if each.agent_id == FOLLOWER and each.success
    ]


def subgoals(actions: Sequence[DriverAction]) -> list[str]:
    """Object actions and their targets' types, with a `Navigate` before those that others lead up to."""
    words: list[str] = []
    led_up = False
    for action in actions:
        if action.oid is not None and action.obj_interaction_action:
            target = action.oid.split("|")[0]
            words += (
                ["Navigate", target, action.action_name, target] if led_up else [action.action_name, target]
            )
        led_up = not action.obj_interaction_action
    return words


def read_edh(path: str | Path, skipped: list[Skipped]) -> Iterator[Edh]:
    """Read official EDH instances: a folder of `*.edh*.json`, one such file, or a packed `.jsonl[.zst]`.

    Those that cannot be read are added to `skipped`, and the rest go on.
    """
    if not Path(path).exists():
        raise HousematesError(f"{path}: no such file or folder.")
    for name, _, place in list_edh(path):
        try:
            yield parse_edh(read_place(*place), str(place))
        except HousematesError as error:
            skipped.append(Skipped(name, str(error)))


def list_edh(path: str | Path) -> Iterator[tuple[str, str, Place]]:
    """The official EDH instances that are there: id, id of the game, and place; they are not read.

    The game of one that is broken is empty.
    """
    path = Path(path)
    if ".jsonl" in path.name:
        for number, text in read_text_lines(path):
            place = Place(str(path), number)
            name, game = (_value(text, key) for key in ("instance_id", "game_id"))
            yield name or str(place), game if name else "", place
        return
    for file in sorted(path.rglob("*.edh*.json")) if path.is_dir() else [path]:
        name = file.name.removesuffix(".json")
        yield name, name.split(".edh")[0], Place(str(file))


def _value(text: str, key: str) -> str:
    """The text that a field has where it stands last in JSON; empty if it is not there."""
    found = re.compile(rf'"{key}"\s*:\s*"([^"]+)"').match(text, max(0, text.rfind(f'"{key}"')))
    return found[1] if found else ""


def write(path: str | Path, instances: Iterable[Edh | Tfd]) -> int:
    """Write instances to a folder, one official file each, or packed; return how many."""
    return write_each(
        path, instances, lambda each: f"{file_name(each.instance_id)}.json", msgspec.json.encode
    )


def read_split(path: str | Path) -> frozenset[str]:
    """The ids in an official list of a divided split: one game or instance file name a line."""
    names = (text.strip() for _, text in read_text_lines(path))
    return frozenset(name.removesuffix(".json").removesuffix(".game") for name in names)


def _edh(game: Game, stretch: Stretch, since: Mapping[int, Diff], changes: Diff, goal: Progress) -> Edh:
    interactions = game.episode.interactions
    past, future = interactions[: stretch.start], interactions[stretch.start : stretch.end]
    history, ahead = driver_actions(past), driver_actions(future)
    return Edh(
        dialog_history=_dialogue(past, cleaned=False),
        driver_action_history=history,
        driver_image_history=_images(history),
        driver_actions_future=ahead,
        driver_images_future=_images(ahead),
        interactions=[_with_index(each) for each in (*past, *future)],
        game_id=game.id,
        instance_id=f"{game.id}.edh{stretch.number}",
        pred_start_idx=stretch.start,
        init_state_diff=StateDiff({}, since[stretch.start]),
        final_state_diff=StateDiff({}, since[stretch.end]),
        state_changes=StateDiff({}, changes),
        history_subgoals=subgoals(history),
        future_subgoals=subgoals(ahead),
        expected_init_goal_conditions_total=goal.total,
        expected_init_goal_conditions_satisfied=goal.satisfied,
        dialog_history_cleaned=_dialogue(past, cleaned=True),
    )


def _touches(interaction: Interaction) -> bool:
    return interaction.agent_id == FOLLOWER and interaction.action.touches


def _dialogue(interactions: Iterable[Interaction], cleaned: bool) -> list[tuple[str, str]]:
    return [
        (SPEAKERS[each.agent_id], cleaned_text(each) if cleaned else each.text)
        for each in interactions
        if each.text is not None
    ]


def cleaned_text(interaction: Interaction) -> str:
    """What was said as people corrected it, or as it is where they did not look."""
    corrected = _or_none(interaction.corrected_utterance)
    return str(interaction.text if corrected is None else corrected)


def _images(actions: Iterable[DriverAction]) -> list[str]:
    return [f"driver.frame.{each.time_start}.jpeg" for each in actions]


def _with_index(interaction: Interaction) -> EdhInteraction:
    fields = {name: getattr(interaction, name) for name in interaction.__struct_fields__}
    return EdhInteraction(
        **fields | {"da_metadata": msgspec.UNSET},
        obj_interaction_action=int(interaction.action.touches),
        action_idx=action_indices()[interaction.action_id],
    )


def _or_none(value: Any) -> Any:
    return None if value is msgspec.UNSET else value


def parse_edh(text: str, name: str) -> Edh:
    """Read one official EDH instance; what is wrong with it is named."""
    edh = decode(text, Edh, name)
    for field in ("driver_action_history", "driver_actions_future", "interactions"):
        for index, each in enumerate(getattr(edh, field)):
            if each.action_id not in action_indices():
                raise HousematesError(f"{name}: {field}[{index}].action_id: unknown action {each.action_id}.")
    return edh
