"""Labelled texts: ALFRED's directives and TEACh's dialogues with the slots of their tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import UnsetType

from housemates.agents.reader.language.slots import OF_TASK, SlotValues, slots_of_alfred, slots_of_teach
from housemates.agents.reader.language.text import TaggedWord, dialogue, directive
from housemates.benchmarks.alfred.formats.episodes import TRAJECTORIES, Trajectory
from housemates.benchmarks.alfred.tasks.goals import task_of
from housemates.benchmarks.teach.formats.episodes import GAMES, Game
from housemates.benchmarks.teach.formats.starts import SPEAKERS
from housemates.core.percepts import Utterance
from housemates.data.records import Skipped
from housemates.errors import HousematesError


class Example(NamedTuple):
    """A text and the slots that it fills."""

    words: Sequence[TaggedWord]
    short: Sequence[TaggedWord]
    """The text without instructions."""
    filled: SlotValues
    kind: str
    """`alfred` or `teach`."""


def examples(folder: Path, split: str, skipped: list[Skipped]) -> list[Example]:
    """The examples of a split.

    Args:
        folder: Has `alfred/` and `teach/`, each with a folder SPLIT or a packed file `SPLIT.jsonl[.zst]`.
        split: Such as `valid_seen`.
        skipped: Collects what cannot be used.

    Raises:
        HousematesError: the split is not there.
    """
    alfred, teach = _place(folder / "alfred", split), _place(folder / "teach", split)
    found = chain.from_iterable(TRAJECTORIES.use(_directives, [alfred], skipped))
    return [*found, *GAMES.use(_dialogue, [teach], skipped)]


def _place(folder: Path, split: str) -> Path:
    """The file or folder of a split."""
    places = [folder / name for name in (f"{split}.jsonl.zst", f"{split}.jsonl", split)]
    found = next((each for each in places if each.exists()), None)
    if found is None:
        raise HousematesError(f"{places[0]}: expected official data; the folder has alfred/ and teach/.")
    return found


def _directives(trajectory: Trajectory) -> list[Example]:
    """An example for each annotation of a demonstration."""
    if isinstance(trajectory.pddl_params, UnsetType):
        raise HousematesError("tells no task.")
    params = msgspec.to_builtins(trajectory.pddl_params)
    filled = slots_of_alfred(task_of(str(trajectory.task_type), params))
    return [
        Example(directive(each.task_desc, each.high_descs), directive(each.task_desc, ()), filled, "alfred")
        for each in trajectory.turk_annotations.anns
    ]


def _dialogue(game: Game) -> Example:
    """The example of a game's whole dialogue."""
    name = game.task.task_name
    if name not in OF_TASK:
        raise HousematesError(f"task_name is {name!r}: expected one of {', '.join(OF_TASK)}.")
    interactions = game.episode.interactions
    words = dialogue(
        Utterance(SPEAKERS[each.agent_id], each.text) for each in interactions if each.text is not None
    )
    return Example(words, words, slots_of_teach(name, game.task.params), "teach")


def values_of(found: Sequence[Example], always: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Slot -> its possible values: those of examples, and those that are always possible."""
    values = {slot: set(more) for slot, more in always.items()}
    for each in found:
        for slot, value in each.filled.items():
            values.setdefault(slot, set()).add(value)
    return {slot: tuple(sorted(each)) for slot, each in values.items()}
