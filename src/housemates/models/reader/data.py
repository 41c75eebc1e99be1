"""Examples: what people said, and what they meant by it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from housemates.agents.reader.slots import Filled, of_directive, of_task
from housemates.agents.reader.words import Marked, dialogue, directive
from housemates.benchmarks.alfred.tasks.goals import task_of
from housemates.benchmarks.seat import Utterance
from housemates.errors import HousematesError
from housemates.files import read_text_lines

SPEAKERS = ("commander", "follower")


class Example(NamedTuple):
    """A text, a shorter form of it, and the slots that it fills."""

    words: Sequence[Marked]
    short: Sequence[Marked]
    """Without instructions."""
    filled: Filled
    kind: str
    """`alfred` or `teach`."""


def examples(folder: Path, split: str) -> list[Example]:
    """All examples of a split in a folder with `alfred/SPLIT.jsonl.zst` and `teach/SPLIT.jsonl.zst`."""
    files = [folder / name / f"{split}.jsonl.zst" for name in ("alfred", "teach")]
    for file in files:
        if not file.is_file():
            raise HousematesError(
                f"{file}: expected official data; --data is a folder with alfred/ and teach/."
            )
    return [*_directives(files[0]), *_dialogues(files[1])]


def _records(file: Path) -> Iterator[dict[str, Any]]:
    for _, text in read_text_lines(file):
        yield json.loads(text)


def _directives(file: Path) -> Iterator[Example]:
    for record in _records(file):
        task = task_of(record["task_type"], record["pddl_params"], str(file))
        for each in record["turk_annotations"]["anns"]:
            goal = each["task_desc"]
            whole, short = directive(goal, each["high_descs"]), directive(goal, ())
            yield Example(whole, short, of_directive(task), "alfred")


def _dialogues(file: Path) -> Iterator[Example]:
    for record in _records(file):
        task = record["tasks"][0]
        said = [
            Utterance(SPEAKERS[each["agent_id"]], each["utterance"])
            for each in task["episodes"][0]["interactions"]
            if "utterance" in each
        ]
        words = dialogue(said)
        yield Example(words, words, of_task(task["task_name"], task["task_params"]), "teach")


def values_of(found: Sequence[Example], always: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Every slot with the values that it can have: those of examples, and some that it can always have."""
    values: dict[str, set[str]] = {}
    for each in found:
        for slot, value in each.filled.items():
            values.setdefault(slot, set()).add(value)
    for slot, more in always.items():
        values[slot] |= set(more)
    return {slot: tuple(sorted(each)) for slot, each in values.items()}
