"""Episodes: what is recorded of one, the official JSON, and our own shorter JSON lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from housemates.benchmarks.handmethat.files import records
from housemates.benchmarks.handmethat.tasks.english import CHANGES
from housemates.benchmarks.handmethat.tasks.goals import Goal, check_names, read_goal
from housemates.benchmarks.handmethat.tasks.meanings import (
    QUESTS,
    Grounded,
    Lexicon,
    Meaning,
    bits,
    from_json,
    to_json,
)
from housemates.benchmarks.handmethat.world.catalog import LOCATIONS, categories
from housemates.benchmarks.handmethat.world.dynamics import Scene, World
from housemates.benchmarks.handmethat.world.narration import story
from housemates.benchmarks.handmethat.world.operators import SCHEMAS, Action, simulate
from housemates.errors import HousematesError
from housemates.files import read_json, read_lines


@dataclass(frozen=True, eq=False)
class Episode:
    """A human's goal, what she did, what she then asked for and meant, and an expert's answer."""

    name: str
    version: int
    goal: Goal
    initial: World
    current: World
    """The state when the human speaks; never changed: environments work on a copy."""
    actions: tuple[Action, ...]
    solution: tuple[Action, ...]
    """The human's whole plan, which begins with `actions`."""
    meaning: Meaning
    utterance: Meaning
    understood: Meaning
    """What a listener who knows the goal takes the utterance to mean."""
    useful: tuple[Grounded, ...]
    level: int
    subgoal: str
    instruction: str
    demo: tuple[str, ...]
    split: str = "train"

    @property
    def wanted(self) -> frozenset[Grounded]:
        """A(m): the grounded subgoals that fulfil the human's meaning."""
        return grounded(self.meaning, Lexicon(self.current))

    @property
    def story(self) -> str:
        """What the human did and said, in English."""
        return story(self.initial, self.actions, self.instruction)


def grounded(meaning: Meaning, lexicon: Lexicon, targets: Iterable[str] = ()) -> frozenset[Grounded]:
    """A(m) or A(u): its objects, each with its target; with each of `targets` if it names none."""
    objects = list(bits(lexicon.extension(meaning.spec)))
    args: Sequence[str | None] = [meaning.arg]
    if meaning.quest == "move_to" and meaning.arg is None:
        args = list(targets)
    return frozenset(Grounded(number, arg) for number in objects for arg in args)


def read(path: str | Path) -> Iterator[Episode]:
    """The episodes of a `.json`, `.jsonl` or `.jsonl.zst` file, or of a folder of them."""
    for record, source in raw_records(Path(path)):
        yield from_record(record, source)


def raw_records(path: Path) -> Iterator[tuple[Any, str]]:
    """The records of a file or folder, not yet checked, each with where it came from."""
    if path.is_dir():
        names = ("task-*.json", "*.jsonl", "*.jsonl.zst")
        found = sorted(file for name in names for file in path.rglob(name))
        if not found:
            raise HousematesError(f"{path}: holds no episode files (.json, .jsonl or .jsonl.zst).")
        for file in found:
            yield from raw_records(file)
    elif path.name.endswith(".json"):
        yield read_json(path), str(path)
    else:
        for line in read_lines(path):
            yield line.value, f"{path}: line {line.number}"


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
    return Episode(
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
        useful=tuple(
            Grounded(initial.scene.index[name], arg)
            for name, arg in get("_useful_objects", list)
            if name in initial.scene.index
        ),
        level=level,
        subgoal=get("_subgoal", str, ""),
        instruction=described.rpartition("says, '")[2].rstrip().removesuffix("'"),
        demo=tuple(get("demo_actions", list)),
        split=get("split", str, "test"),
    )


def _meaning(value: Sequence[Any], scene: Scene, source: str) -> Meaning:
    if len(value) != 3 or value[0] not in QUESTS or not isinstance(value[1], dict):
        raise HousematesError(f"{source}: expected [quest, description, target] with a quest of {QUESTS}.")
    meaning = from_json(value)
    known = categories()
    kinds = {"type": set(known), "subclass": {k.subclass for k in known.values()}}
    for key, word in meaning.spec:
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
    """The official form; `observations` holds the demonstration's texts (see `demonstrate.observations`)."""
    lexicon = Lexicon(episode.current)
    names = episode.initial.scene.names
    targets = sorted({other.arg for other in episode.useful if other.arg is not None})

    def listed(meaning: Meaning) -> list[list[str | None]]:
        return [[names[number], arg] for number, arg in sorted(grounded(meaning, lexicon, targets))]

    return {
        "initial_object_dict": records.objects_of(episode.initial),
        "current_object_dict": records.objects_of(episode.current),
        **_common(episode),
        "_objects_in_utterance": listed(episode.utterance),
        "_objects_in_meaning": listed(episode.meaning),
        "_objects_in_rsa_meaning": listed(episode.understood),
        **observations,
    }


def _common(episode: Episode) -> dict[str, Any]:
    scene = episode.initial.scene

    def written(actions: Sequence[Action]) -> list[dict[str, Any]]:
        return [
            {"name": f"human-{name}", "arguments": ["h", *(scene.names[number] for number in args)]}
            for name, args in actions
        ]

    return {
        "_file": f"{episode.name}.json",
        "version": episode.version,
        "split": episode.split,
        "goal_idx": episode.goal.number,
        "task_idx": int(episode.name.split("-")[2]) if episode.name.count("-") == 4 else 0,
        "_goal": episode.goal.pddl,
        "_subgoal": episode.subgoal,
        "action_list": written(episode.actions),
        "_possible_solution": written(episode.solution),
        "_meaning": to_json(episode.meaning),
        "utterance": to_json(episode.utterance),
        "_rsa_meaning": to_json(episode.understood),
        "_useful_objects": [[scene.names[number], arg] for number, arg in episode.useful],
        "level": episode.level,
        "demo_actions": list(episode.demo),
        "task_description": episode.story,
    }


def is_wanted(world: World, wanted: Iterable[Grounded], quest: str) -> bool:
    """Whether some grounded subgoal of a quest holds."""
    if quest == "bring_me":
        hand = world.scene.hand(0)
        return any(world.parent(number) == hand for number, _ in wanted)
    if quest == "move_to":
        return any(world.parent(number) == world.scene.index[arg or LOCATIONS[0]] for number, arg in wanted)
    return any(_changed(world, number, arg) for number, arg in wanted)


def _changed(world: World, number: int, verb: str | None) -> bool:
    assert verb is not None
    if verb == "clean":
        return not world.flag(number, "dusty") and not world.flag(number, "stained")
    _, _, flag, value = CHANGES[verb]
    return world.flag(number, flag) == bool(value)
