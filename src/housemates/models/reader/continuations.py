"""Trains the reader's continuations: behaviour cloning of people's next steps, and the ranker.

`python -m housemates.models.reader.continuations DATA OUT` learns from four fifths of the games of
DATA/teach/train.jsonl.zst and writes both. It prints how often, on the last fifth, what comes first has all
the effects on what the task is about that people's steps had: with each part alone, and without it.
"""

from __future__ import annotations

import sys
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from housemates.agents.reader.planning.continuations import (
    FILE,
    POLICY,
    RANKER,
    Continuations,
    proposals,
)
from housemates.agents.reader.planning.history_features import effects, holding
from housemates.agents.reader.planning.nearest_neighbours import NearestNeighbours
from housemates.agents.reader.planning.step_policy import StepPolicy
from housemates.benchmarks.teach.formats.episodes import Game, GameText
from housemates.files import read_text_lines
from housemates.models.reader.corpus_statistics import index_of, stretches
from housemates.models.reader.next_steps import Example, PolicyTraining, examples, wanted
from housemates.models.schedule import Schedule, rate_at
from housemates.parallel import track

FIFTHS, FOLDS = 5, 2
"""Parts of the games: one of the first is held out; the ranker learns on what the policy did not see."""
CHECKED = 3
"""Of the stretches held out, every third is looked at."""
SAMPLE = 1500
"""Stretches that the ranker learns on."""
NETWORKS, SMALL = 3, 24
"""Networks of the ranker, and their hidden units."""
RANKING = Schedule(epochs=15, batch=32, rate=3e-3, decay="linear", weight_decay=0.05)
SHARPNESS, CALIBRATION = 3.0, 0.5
"""Inverse temperature of the choice that is rewarded; weight of the odds of each proposal by itself."""
NOWHERE = -1e9
"""Added to the scores of rows that only fill a batch up."""


def part_of_game(game: str, parts: int, salt: str = "") -> int:
    """The part of the games that one is in, by its id."""
    return zlib.crc32((salt + game).encode()) % parts


class Lesson(NamedTuple):
    """The continuations that were proposed in a stretch, and which of them were right."""

    columns: tuple[str, ...]
    table: NDArray[np.float32]
    right: NDArray[np.bool_]


def lesson_of(
    example: Example, neighbours: NearestNeighbours, policy: StepPolicy, without: NDArray[np.bool_] | None
) -> Lesson:
    """What is proposed in a stretch; `without` marks the neighbours of the same game."""
    history = example.stretch.history
    found = proposals(history, neighbours.neighbours(history, without), policy)
    goal, held = wanted(example.stretch).items(), holding(history.steps)
    made = [effects(way, held) for way in found.ways]
    right = [all(each[key] >= count for key, count in goal) for each in made]
    return Lesson(tuple(found.columns), found.table(), np.array(right))


def trained_ranker(lessons: Sequence[Lesson], without: str = "") -> dict[str, NDArray[Any]]:
    """Networks that learn which proposals are right, by a softmax over those of a stretch.

    Args:
        lessons: What was proposed.
        without: Features whose name begins so are left out.
    """
    rows = np.concatenate([each.table for each in lessons])
    mean, deviation = rows.mean(0), rows.std(0) + 1e-3
    for number, name in enumerate(lessons[0].columns):
        if without and name.startswith(without):
            deviation[number] = np.inf
    batch = _padded(lessons, mean, deviation)
    networks = [_ranked(*batch, seed) for seed in range(NETWORKS)]
    return {
        "mean": mean.astype(np.float32),
        "deviation": deviation.astype(np.float32),
        **{name: np.stack([each[name] for each in networks]) for name in networks[0]},
    }


def _padded(
    lessons: Sequence[Lesson], mean: NDArray[np.float32], deviation: NDArray[np.float32]
) -> tuple[Tensor, Tensor, Tensor]:
    """Tables, what is right, and which rows are there, (lessons, most proposals, ...)."""
    most = max(len(each.table) for each in lessons)
    tables = torch.zeros(len(lessons), most, len(mean))
    right, there = torch.zeros(len(lessons), most), torch.zeros(len(lessons), most)
    for number, each in enumerate(lessons):
        end = len(each.table)
        tables[number, :end] = torch.from_numpy((each.table - mean) / deviation)
        right[number, :end] = torch.from_numpy(each.right).float()
        there[number, :end] = 1.0
    return tables, right, there


def _ranked(tables: Tensor, right: Tensor, there: Tensor, seed: int) -> dict[str, NDArray[Any]]:
    """A network that is rewarded for choosing what is right, and says how likely each proposal is."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    near, far = nn.Linear(tables.shape[2], SMALL), nn.Linear(SMALL, 1)
    parameters = [*near.parameters(), *far.parameters()]
    optimizer = torch.optim.AdamW(parameters, RANKING.rate, weight_decay=RANKING.weight_decay)
    batches = -(-len(tables) // RANKING.batch)
    for number in range(RANKING.epochs * batches):
        if number % batches == 0:
            order = torch.from_numpy(rng.permutation(len(tables)))
        for group in optimizer.param_groups:
            group["lr"] = rate_at(RANKING, number, RANKING.epochs * batches)
        chosen = order[number % batches * RANKING.batch :][: RANKING.batch]
        scores = far(functional.dropout(torch.relu(near(tables[chosen])), 0.1))[..., 0]
        shares = (scores * SHARPNESS + (1 - there[chosen]) * NOWHERE).softmax(1)
        doubt = functional.binary_cross_entropy_with_logits(
            scores, right[chosen], there[chosen], reduction="sum"
        )
        reward = (shares * right[chosen]).sum(1).mean()
        optimizer.zero_grad()
        (CALIBRATION * doubt / there[chosen].sum() - reward).backward()
        optimizer.step()
    return {
        "near": near.weight.detach().numpy(),
        "near bias": near.bias.detach().numpy(),
        "far": far.weight.detach().numpy()[0],
        "far bias": far.bias.detach().numpy(),
    }


def lessons_of(found: Sequence[Example], neighbours: NearestNeighbours, games: NDArray[Any]) -> list[Lesson]:
    """The ranker's lessons, by neighbours of other games and policies that learnt on other games."""
    folds = [part_of_game(each.game, FOLDS, "fold ") for each in found]
    policies = [
        StepPolicy(
            PolicyTraining([each for each, part in zip(found, folds, strict=True) if part != fold]).run(
                f"policy {fold + 1} of {FOLDS}"
            )
        )
        for fold in range(FOLDS)
    ]
    numbers = np.random.default_rng(0).permutation(len(found))[:SAMPLE].tolist()
    return [
        lesson_of(found[number], neighbours, policies[folds[number]], games == found[number].game)
        for number in track(iter(numbers), len(numbers), "proposals")
    ]


def trained(
    found: Sequence[Example], games: Sequence[Game]
) -> tuple[NearestNeighbours, dict[str, NDArray[Any]], list[Lesson]]:
    """The neighbours, all arrays of `Continuations`, and the ranker's lessons."""
    stored = [(game.id, each) for game in games for each in stretches(game)]
    neighbours = NearestNeighbours(index_of([each for _, each in stored]))
    lessons = lessons_of(found, neighbours, np.array([game for game, _ in stored]))
    policy = PolicyTraining(found).run("policy")
    arrays = {f"{POLICY}{name}": value for name, value in policy.items()}
    return neighbours, arrays | _named(trained_ranker(lessons)), lessons


def _named(ranker: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    return {f"{RANKER}{name}": value for name, value in ranker.items()}


def report(model: Continuations, held: Sequence[Lesson], lessons: Sequence[Lesson]) -> dict[str, float]:
    """How often what comes first is right, with each part alone and without it."""

    def share(arrays: Mapping[str, NDArray[Any]]) -> float:
        told = Continuations(model.neighbours, {**model.arrays, **arrays})
        return float(np.mean([each.right[told.scores(each.table).argmax()] for each in held]))

    columns = lessons[0].columns
    parts = sorted({name.split(" ")[0] for name in columns})
    policy = columns.index("policy full")
    return {
        "stretches": float(len(held)),
        "right among the proposals": float(np.mean([each.right.any() for each in held])),
        "neighbours alone": float(np.mean([each.right[0] for each in held])),
        "policy alone": float(np.mean([each.right[each.table[:, policy].argmax()] for each in held])),
        "all": share({}),
        **{f"without {part}": share(_named(trained_ranker(lessons, part))) for part in parts},
    }


def main(data: Path, out: Path) -> None:
    """Read the games, write the networks, and print what they are worth."""
    torch.set_num_threads(1)
    path = data / "teach" / "train.jsonl.zst"
    games = [GameText(f"{path}:{number}", text).parse() for number, text in read_text_lines(path)]
    ours = [game for game in games if part_of_game(game.id, FIFTHS)]
    neighbours, arrays, lessons = trained(list(examples(ours)), ours)
    np.savez_compressed(out / FILE, **arrays)  # type: ignore[arg-type]
    model = Continuations(neighbours, arrays)
    theirs = examples([game for game in games if not part_of_game(game.id, FIFTHS)])
    held = [lesson_of(each, neighbours, model.policy, None) for each in list(theirs)[::CHECKED]]
    for name, value in report(model, held, lessons).items():
        print(f"{name:28}{value:.3f}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
