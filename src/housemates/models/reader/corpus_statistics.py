"""Corpus statistics of the reader: where things are in homes, and what people did next (k-NN index).

`python -m housemates.models.reader.corpus_statistics DATA OUT` writes both from DATA/teach/train.jsonl.zst.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.agents.reader.planning.history_features import (
    FEATURES,
    History,
    RoleBinding,
    TouchedObjects,
    TypedStep,
    effects,
    features,
    holding,
    table_of,
    unified,
    with_tables_at_hand,
)
from housemates.agents.reader.planning.nearest_neighbours import FILE
from housemates.benchmarks.teach.formats.episodes import Game, GameText
from housemates.benchmarks.teach.formats.starts import SPEAKERS
from housemates.benchmarks.teach.tasks.catalogue import game_task
from housemates.benchmarks.teach.tasks.relevance import relevant_kinds
from housemates.benchmarks.teach.tasks.tdl.definitions import object_classes
from housemates.benchmarks.teach.world.actions import FOLLOWER, actions
from housemates.core.percepts import Utterance
from housemates.files import read_text_lines, write_json
from housemates.home.things import type_in

SELDOM = 0.004
"""Places with a smaller share are left out."""


class Stretch(NamedTuple):
    """A history after an utterance, and what the Follower did until the next one."""

    history: History
    steps: list[TypedStep]
    apt: tuple[str, ...]
    """The types among them that are relevant to the task."""


def stretches(game: Game) -> Iterator[Stretch]:
    """The stretches of a game in which something was left changed."""
    said: list[Utterance] = []
    before: list[TypedStep] = []
    now: list[TypedStep] = []
    touched = TouchedObjects()
    about = relevant_kinds(game_task(game.task.definition(), game.id))
    for each in game.episode.interactions:
        if each.text is not None:
            yield from _stretch(said, before, now, about)
            before, now = before + now, []
            said.append(Utterance(SPEAKERS[each.agent_id], each.text))
        elif each.agent_id == FOLLOWER and each.success and isinstance(each.oid, str):
            action = actions()[each.action_id]
            if action.touches:
                now.append(touched.step(action.offer, each.oid))
    yield from _stretch(said, before, now, about)


def _stretch(
    said: list[Utterance], before: list[TypedStep], now: list[TypedStep], about: frozenset[str]
) -> Iterator[Stretch]:
    """The stretch between two utterances, unless nothing was left changed in it."""
    if not said or not now or not effects(now, holding(before)):
        return
    kinds = sorted({step.type for step in now} | {holding(before)} - {""})
    now = with_tables_at_hand(now, table_of(before))
    apt = [each for each in kinds if not about.isdisjoint({each, *object_classes().get(each, ())})]
    yield Stretch(History(tuple(said), tuple(before)), now, tuple(map(unified, apt)))


def habits(games: list[Game]) -> dict[str, dict[str, float]]:
    """Type of thing -> type of receptacle -> share of its things that are there at first."""
    counts: dict[str, Counter[str]] = {}
    for game in games:
        for each in game.episode.initial_state.objects:
            if each["pickupable"]:
                places = (type_in(place) for place in each["parentReceptacles"] or ())
                counts.setdefault(each["objectType"], Counter()).update(places)
    return {
        kind: {
            place: round(count / each.total(), 3)
            for place, count in each.most_common()
            if count / each.total() >= SELDOM
        }
        for kind, each in sorted(counts.items())
    }


def index_of(found: Sequence[Stretch]) -> dict[str, NDArray[Any]]:
    """Stretches as an index of hashed, IDF-weighted, normalised features, without people's words."""
    bindings = [RoleBinding(each.history) for each in found]
    seen = [features(each.history, binding) for each, binding in zip(found, bindings, strict=True)]
    common = Counter(number for each in seen for number in each)
    idf = np.zeros(FEATURES, np.float32)
    for number, count in common.items():
        idf[number] = np.log(len(found) / count) if count > 1 else 0.0
    numbers = [np.array([each for each in row if idf[each]], np.int64) for row in seen]
    strengths = [
        np.array([row[number] for number in kept]) * idf[kept]
        for row, kept in zip(seen, numbers, strict=True)
    ]
    names, steps, ends = _numbered([[" ".join(step) for step in each.steps] for each in found])
    kinds, apt, apt_ends = _numbered([each.apt for each in found])
    parts, rows, cast_ends = _numbered(
        [[f"{kind}={part}" for kind, part in each.parts.items()] for each in bindings]
    )
    return {
        "rarity": idf.astype(np.float16),
        "signs": np.concatenate(numbers).astype(np.uint16),
        "starts": np.cumsum([0, *(len(each) for each in numbers)])[:-1].astype(np.int32),
        "strengths": np.concatenate([each / np.linalg.norm(each) for each in strengths]).astype(np.float16),
        "names": names,
        "steps": steps,
        "ends": ends,
        "kinds": kinds,
        "apt": apt,
        "apt_ends": apt_ends,
        "parts": parts,
        "casts": rows,
        "cast_ends": cast_ends,
        "held": np.array([holding(each.history.steps) for each in found]),
    }


def _numbered(rows: Sequence[Sequence[str]]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Rows as a ragged array: sorted names, all indices in turn, and the end of each row."""
    names = sorted({name for row in rows for name in row})
    index = {name: number for number, name in enumerate(names)}
    numbers = np.array([index[name] for row in rows for name in row], np.uint16)
    return np.array(names), numbers, np.cumsum([len(row) for row in rows]).astype(np.int32)


def main(data: Path, out: Path) -> None:
    """Read the games, and write `habits.json` and the index."""
    path = data / "teach" / "train.jsonl.zst"
    games = [GameText(f"{path}:{number}", text).parse() for number, text in read_text_lines(path)]
    write_json(out / "habits.json", habits(games))
    found = index_of([each for game in games for each in stretches(game)])
    np.savez_compressed(out / FILE, **found)  # type: ignore[arg-type]


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
