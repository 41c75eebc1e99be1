"""Reading and writing episodes: the official JSON, and our own shorter JSON lines."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from msgspec import UNSET

from housemates.benchmarks.handmethat.formats import records
from housemates.benchmarks.handmethat.formats.forms import ActionRow, MeaningRow, Record
from housemates.benchmarks.handmethat.tasks.english import CHANGES
from housemates.benchmarks.handmethat.tasks.episodes import Episode, grounded
from housemates.benchmarks.handmethat.tasks.goals import check_names, read_goal
from housemates.benchmarks.handmethat.tasks.meanings import (
    Grounded,
    Meaning,
    fitting,
    from_json,
    to_json,
)
from housemates.benchmarks.handmethat.world.catalog import FLAGS, categories, table
from housemates.benchmarks.handmethat.world.dynamics import Scene, World
from housemates.benchmarks.handmethat.world.operators import SCHEMAS, Action, arity, simulate
from housemates.errors import HousematesError
from housemates.typed_json import shown

BRING = "bring_me"


def from_record(record: Record, source: str) -> Episode:
    """An episode from an official record or from one of ours."""
    official = record.initial_objects is not UNSET
    if isinstance(record.initial_objects, dict):
        initial = records.world_from_objects(record.initial_objects, f"{source}: initial_object_dict")
    elif isinstance(record.rows, list):
        initial = records.world_from_rows(record.rows, f"{source}: objects")
    else:
        raise HousematesError(f"{source}: expected a field 'initial_object_dict' or 'objects'.")
    actions = _actions(record.action_list, initial.scene, f"{source}: action_list")
    current = initial.copy()
    failed = simulate(current, actions)
    if failed is not None:
        raise HousematesError(f"{source}: action_list: action {failed + 1} is impossible where it stands.")
    if official:
        current = _recorded(record, initial, current, source)
    return _complete(record, initial, current, actions, source)


def _recorded(record: Record, initial: World, replayed: World, source: str) -> World:
    """The state when the human speaks, as the official files have it, with the agents where they are."""
    if not isinstance(record.current_objects, dict):
        raise HousematesError(f"{source}: the field 'current_object_dict' is missing.")
    recorded = records.world_from_objects(record.current_objects, f"{source}: current_object_dict")
    if recorded.scene.names != initial.scene.names:
        raise HousematesError(f"{source}: current_object_dict: expected the objects of the initial state.")
    agents = replayed.values[replayed.scene.at(0) :]
    return World(initial.scene, [*recorded.values[: -len(agents)], *agents])


def _complete(
    record: Record, initial: World, current: World, actions: tuple[Action, ...], source: str
) -> Episode:
    scene = initial.scene
    goal = read_goal(record.goal, record.goal_idx, f"{source}: _goal")
    check_names(goal, scene, f"{source}: _goal")
    meaning = _meaning(record.meaning, scene, f"{source}: _meaning")
    if not isinstance(record.level, int):
        raise HousematesError(f"{source}: the field 'level' is missing.")
    name = record.file if isinstance(record.file, str) else f"{goal.number}-{record.task_idx}"
    return Episode.of(
        name=name.removesuffix(".json"),
        version=record.version if isinstance(record.version, int) else 2 if meaning.quest == BRING else 1,
        goal=goal,
        initial=initial,
        current=current,
        actions=actions,
        solution=_actions(record.solution, scene, f"{source}: _possible_solution"),
        meaning=meaning,
        utterance=_meaning(record.utterance, scene, f"{source}: utterance"),
        understood=_meaning(record.understood, scene, f"{source}: _rsa_meaning"),
        useful=tuple(Grounded(scene.index[name], arg) for name, arg in record.useful if name in scene.index),
        level=record.level,
        subgoal=record.subgoal,
        instruction=record.task_description.rpartition("says, '")[2].rstrip().removesuffix("'"),
        demo=tuple(record.demo_actions),
        split=record.split if isinstance(record.split, str) else "test",
    )


def _meaning(row: MeaningRow, scene: Scene, source: str) -> Meaning:
    known = categories().values()
    words: dict[str, Collection[str | bool]] = {
        **dict.fromkeys(FLAGS, (True, False)),
        **table()["attributes"],
        "type": {kind.name for kind in known},
        "subclass": {kind.subclass for kind in known},
        "class": {kind.class_ for kind in known},
        **dict.fromkeys(("inside", "ontop"), scene.index),
    }
    for key, word in row.spec.items():
        if key not in words:
            raise HousematesError(f"{source}: there is nothing called {shown(key)} to tell objects by.")
        if word not in words[key]:
            raise HousematesError(f"{source}: unknown {key} {shown(word)}.")
    if row.quest == "change_state" and row.arg not in CHANGES:
        raise HousematesError(f"{source}: expected one of {', '.join(CHANGES)}, found {shown(row.arg)}.")
    if row.quest == "move_to" and row.arg is not None and row.arg not in scene.index:
        raise HousematesError(f"{source}: unknown place {shown(row.arg)}.")
    return from_json([row.quest, row.spec, row.arg])


def _actions(rows: Sequence[ActionRow], scene: Scene, source: str) -> tuple[Action, ...]:
    found = []
    for position, row in enumerate(rows, start=1):
        where = f"{source}: action {position}"
        name = row.name.removeprefix("human-")
        if name not in SCHEMAS:
            raise HousematesError(f"{where}: unknown action {shown(name)}.")
        absent = next((word for word in row.arguments[1:] if word not in scene.index), None)
        if absent is not None:
            raise HousematesError(f"{where}: names {shown(absent)}, which is not there.")
        if len(row.arguments) - 1 != arity(name):
            raise HousematesError(f"{where}: expected {arity(name)} objects, found {len(row.arguments) - 1}.")
        found.append(Action(name, tuple(scene.index[word] for word in row.arguments[1:])))
    return tuple(found)


def to_record(episode: Episode) -> dict[str, Any]:
    """The short form: objects as rows, and the current state left to be replayed."""
    return {"objects": records.rows_of(episode.initial), **_common(episode)}


def to_official(episode: Episode, observations: Mapping[str, Any]) -> dict[str, Any]:
    """The official form; `observations` holds the demonstration's texts (see `files.observations`)."""
    return {
        "initial_object_dict": records.objects_of(episode.initial),
        "current_object_dict": records.objects_of(episode.current),
        **_common(episode),
        "_objects_in_utterance": listed(episode, episode.utterance),
        "_objects_in_meaning": listed(episode, episode.meaning),
        "_objects_in_rsa_meaning": listed(episode, episode.understood),
        **observations,
    }


def listed(episode: Episode, meaning: Meaning) -> list[list[str | None]]:
    """A(m), A(u) or A(r) as the official files list it: names of objects with their targets."""
    targets = sorted({other.arg for other in episode.useful if other.arg is not None})
    found = sorted(grounded(meaning, fitting(episode.current, meaning.spec), targets))
    return [[episode.scene.names[number], arg] for number, arg in found]


def _common(episode: Episode) -> dict[str, Any]:
    names = episode.scene.names

    def written(actions: Sequence[Action]) -> list[dict[str, Any]]:
        return [
            {"name": f"human-{name}", "arguments": ["h", *(names[number] for number in args)]}
            for name, args in actions
        ]

    return {
        "_file": f"{episode.name}.json",
        "version": episode.version,
        "split": episode.split,
        "goal_idx": episode.goal_number,
        "task_idx": int(episode.name.split("-")[2]) if episode.name.count("-") == 4 else 0,
        "_goal": episode.goal_pddl,
        "_subgoal": episode.subgoal,
        "action_list": written(episode.actions),
        "_possible_solution": written(episode.solution),
        "_meaning": to_json(episode.meaning),
        "utterance": to_json(episode.utterance),
        "_rsa_meaning": to_json(episode.understood),
        "_useful_objects": [[names[number], arg] for number, arg in episode.useful],
        "level": episode.level,
        "demo_actions": list(episode.demo),
        "task_description": episode.story,
    }
