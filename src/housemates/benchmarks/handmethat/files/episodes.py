"""Reading and writing episodes: the official JSON, and our own shorter JSON lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from housemates.benchmarks.handmethat.files import records
from housemates.benchmarks.handmethat.tasks.english import CHANGES
from housemates.benchmarks.handmethat.tasks.episodes import Episode, grounded
from housemates.benchmarks.handmethat.tasks.goals import check_names, read_goal
from housemates.benchmarks.handmethat.tasks.meanings import (
    QUESTS,
    Grounded,
    Meaning,
    fitting,
    from_json,
    to_json,
)
from housemates.benchmarks.handmethat.world.catalog import categories
from housemates.benchmarks.handmethat.world.dynamics import Scene, World
from housemates.benchmarks.handmethat.world.operators import SCHEMAS, Action, simulate
from housemates.errors import HousematesError


def from_record(record: Any, source: str) -> Episode:
    """An episode from an official record or from one of ours."""
    if not isinstance(record, dict):
        raise HousematesError(f"{source}: expected an object, found {type(record).__name__}.")
    get = records.Fields(record, source)
    official = "initial_object_dict" in record
    if official:
        initial = records.world_from_objects(
            get("initial_object_dict", dict), f"{source}: initial_object_dict"
        )
    else:
        initial = records.world_from_rows(get("objects", list), f"{source}: objects")
    actions = _actions(get("action_list", list), initial.scene, f"{source}: action_list")
    current = initial.copy()
    failed = simulate(current, actions)
    if failed is not None:
        raise HousematesError(f"{source}: action_list: action {failed + 1} is impossible where it stands.")
    if official:
        recorded = records.world_from_objects(
            get("current_object_dict", dict), f"{source}: current_object_dict"
        )
        if recorded.scene.names != initial.scene.names:
            raise HousematesError(
                f"{source}: current_object_dict: expected the objects of the initial state."
            )
        agents = current.values[current.scene.at(0) :]
        current = World(initial.scene, [*recorded.values[: -len(agents)], *agents])
    return _complete(get, initial, current, actions, source)


def _complete(
    get: records.Fields, initial: World, current: World, actions: tuple[Action, ...], source: str
) -> Episode:
    goal = read_goal(get("_goal", str), int(get("goal_idx", int)), f"{source}: _goal")
    check_names(goal, initial.scene, f"{source}: _goal")
    meaning = _meaning(get("_meaning", list), initial.scene, f"{source}: _meaning")
    level = get("level", int)
    if level not in (1, 2, 3, 4):
        raise HousematesError(f"{source}: level: expected 1, 2, 3 or 4, found {level}.")
    described = get("task_description", str)
    return Episode.of(
        name=get("_file", str, f"{goal.number}-{get('task_idx', int)}").removesuffix(".json"),
        version=get("version", int, 2 if meaning.quest == "bring_me" else 1),
        goal=goal,
        initial=initial,
        current=current,
        actions=actions,
        solution=_actions(get("_possible_solution", list), initial.scene, f"{source}: _possible_solution"),
        meaning=meaning,
        utterance=_meaning(get("utterance", list), initial.scene, f"{source}: utterance"),
        understood=_meaning(get("_rsa_meaning", list), initial.scene, f"{source}: _rsa_meaning"),
        useful=_useful(get("_useful_objects", list), initial.scene, f"{source}: _useful_objects"),
        level=level,
        subgoal=get("_subgoal", str, ""),
        instruction=described.rpartition("says, '")[2].rstrip().removesuffix("'"),
        demo=tuple(str(command) for command in get("demo_actions", list)),
        split=get("split", str, "test"),
    )


def _useful(values: Sequence[Any], scene: Scene, source: str) -> tuple[Grounded, ...]:
    found = []
    for position, value in enumerate(values, start=1):
        if not isinstance(value, list) or len(value) != 2 or not isinstance(value[0], str):
            raise HousematesError(f"{source}: pair {position}: expected [object, target].")
        name, arg = value
        if name in scene.index:
            found.append(Grounded(scene.index[name], None if arg is None else str(arg)))
    return tuple(found)


def _meaning(value: Sequence[Any], scene: Scene, source: str) -> Meaning:
    if len(value) != 3 or value[0] not in QUESTS or not isinstance(value[1], dict):
        raise HousematesError(f"{source}: expected [quest, description, target] with a quest of {QUESTS}.")
    meaning = from_json(value)
    known = categories()
    kinds = {"type": set(known), "subclass": {k.subclass for k in known.values()}}
    for key, word in meaning.spec:
        if not isinstance(word, str | bool):
            raise HousematesError(f"{source}: {key!r:.40}: expected a word or a truth value.")
        if key in kinds and word not in kinds[key]:
            raise HousematesError(f"{source}: unknown {key} {word!r:.40}.")
        if key in ("inside", "ontop") and word not in scene.index:
            raise HousematesError(f"{source}: unknown place {word!r:.40}.")
    if meaning.quest == "change_state" and meaning.arg not in CHANGES:
        raise HousematesError(f"{source}: expected one of {', '.join(CHANGES)}, found {meaning.arg!r:.40}.")
    if meaning.quest == "move_to" and meaning.arg is not None and meaning.arg not in scene.index:
        raise HousematesError(f"{source}: unknown place {meaning.arg!r:.40}.")
    return meaning


def _actions(values: Sequence[Any], scene: Scene, source: str) -> tuple[Action, ...]:
    found = []
    for position, value in enumerate(values, start=1):
        name = str(value.get("name", "")).removeprefix("human-") if isinstance(value, dict) else ""
        if name not in SCHEMAS:
            raise HousematesError(f"{source}: action {position}: unknown action {name!r:.40}.")
        try:
            numbers = tuple(scene.index[word] for word in value["arguments"][1:])
        except (KeyError, TypeError):
            raise HousematesError(
                f"{source}: action {position}: names something that is not there."
            ) from None
        found.append(Action(name, numbers))
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
