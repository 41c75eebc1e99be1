"""What the reader knows by counting: where things are in people's homes, and what people did next.

`python -m housemates.models.reader.counting DATA OUT` writes both from DATA/teach/train.jsonl.zst.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from housemates.agents.reader.precedents import FILE, SIGNS, Situation, Step, effects, holding, signs
from housemates.benchmarks.seat import Utterance
from housemates.benchmarks.teach.tasks.tdl.changes import type_of
from housemates.benchmarks.teach.world.actions import actions
from housemates.files import read_text_lines, write_json

SPEAKERS = ("commander", "follower")
FOLLOWER = 1
SELDOM = 0.004
"""Places where a thing is less often are left out."""


class Stretch(NamedTuple):
    """A situation in which somebody had spoken, and what the Follower did before somebody spoke again."""

    situation: Situation
    steps: list[Step]


def stretches(game: dict[str, Any]) -> Iterator[Stretch]:
    """All stretches of a game in which something was touched."""
    said: list[Utterance] = []
    before: list[Step] = []
    now: list[Step] = []
    for each in (*game["tasks"][0]["episodes"][0]["interactions"], {"agent_id": 0, "utterance": ""}):
        if "utterance" in each:
            if now and said:
                yield Stretch(Situation(tuple(said), tuple(before)), now)
            before, now = before + now, []
            said.append(Utterance(SPEAKERS[each["agent_id"]], each["utterance"]))
        elif each["agent_id"] == FOLLOWER and each.get("success") and isinstance(each.get("oid"), str):
            action = actions()[each["action_id"]]
            if action.touches:
                now.append(Step(action.offer, type_of(each["oid"])))


def habits(games: list[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """How often things of each type are on or in each kind of place."""
    counts: dict[str, Counter[str]] = {}
    for game in games:
        for each in game["tasks"][0]["episodes"][0]["initial_state"]["objects"]:
            if each["pickupable"]:
                places = (type_of(place) for place in each["parentReceptacles"] or ())
                counts.setdefault(each["objectType"], Counter()).update(places)
    return {
        kind: {
            place: round(count / each.total(), 3)
            for place, count in each.most_common()
            if count / each.total() >= SELDOM
        }
        for kind, each in sorted(counts.items())
    }


def write_precedents(found: list[Stretch], path: Path) -> None:
    """Write stretches that leave something behind, their situations as signs that tell nobody's words."""
    found = [each for each in found if effects(each.steps, holding(each.situation.steps))]
    seen = [signs(each.situation) for each in found]
    common = Counter(number for each in seen for number in each)
    rarity = np.zeros(SIGNS, np.float32)
    for number, count in common.items():
        rarity[number] = np.log(len(found) / count) if count > 1 else 0.0
    numbers = [np.array([each for each in row if rarity[each]], np.int64) for row in seen]
    strengths = [
        np.array([row[number] for number in kept]) * rarity[kept]
        for row, kept in zip(seen, numbers, strict=True)
    ]
    steps = [[" ".join(step) for step in each.steps] for each in found]
    names = sorted({name for each in steps for name in each})
    index = {name: number for number, name in enumerate(names)}
    np.savez_compressed(
        path,
        rarity=rarity.astype(np.float16),
        signs=np.concatenate(numbers).astype(np.uint16),
        starts=np.cumsum([0, *(len(each) for each in numbers)])[:-1].astype(np.int32),
        strengths=np.concatenate([each / np.linalg.norm(each) for each in strengths]).astype(np.float16),
        names=np.array(names),
        steps=np.concatenate([[index[name] for name in each] for each in steps]).astype(np.uint16),
        ends=np.cumsum([len(each) for each in steps]).astype(np.int32),
        held=np.array([holding(each.situation.steps) for each in found]),
    )


def main(data: Path, out: Path) -> None:
    """Count, and write both files."""
    games = [json.loads(text) for _, text in read_text_lines(data / "teach" / "train.jsonl.zst")]
    write_json(out / "habits.json", habits(games))
    write_precedents([each for game in games for each in stretches(game)], out / FILE)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
