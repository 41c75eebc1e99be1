"""Behaviour cloning of people's next steps in recorded games, with feature dropout."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from housemates.agents.reader.planning.history_features import (
    effects,
    holding,
    subject,
    table_of,
    with_tables_here,
)
from housemates.agents.reader.planning.step_features import SIZE, Situation
from housemates.agents.reader.planning.step_policy import (
    ABOUT_SCALE,
    SCALE,
    STOP,
    UNKNOWN_ROLE,
    role_names,
)
from housemates.benchmarks.teach.formats.episodes import Game
from housemates.benchmarks.teach.tasks.catalogue import game_task
from housemates.benchmarks.teach.tasks.relevance import relevant_kinds
from housemates.benchmarks.teach.tasks.tdl.definitions import object_classes
from housemates.home.types import object_types
from housemates.models.reader.corpus_statistics import Stretch, stretches
from housemates.models.schedule import Schedule, rate_at
from housemates.parallel import track

WIDTH, HIDDEN = 64, 160
RARE = 2
"""Least count of a step or role in the vocabulary."""
DROPOUT, FORGOTTEN, SMOOTHING = 0.3, 0.25, 0.03
TASK = 5.0
"""Weight of the loss of what the task is about."""
SCHEDULE = Schedule(epochs=12, batch=64, rate=2e-3, warmup=50, decay="linear", weight_decay=0.02, clip=2.0)
BYTE = 127.0


class Example(NamedTuple):
    """A stretch of a game with its features and labels."""

    game: str
    stretch: Stretch
    said: NDArray[np.int64]
    taken: list[NDArray[np.int64]]
    """Features before each step, and before stopping."""
    about: NDArray[np.int64]
    """Numbers of the types that the task is about."""
    parts: Mapping[str, str]


def examples(games: Sequence[Game]) -> Iterator[Example]:
    """The stretches of games in which something of the task was left changed."""
    for game in games:
        kinds = relevant_kinds(game_task(game.task.definition(), game.id))
        about = [
            number
            for number, kind in enumerate(object_types())
            if not kinds.isdisjoint({kind, *object_classes().get(kind, ())})
        ]
        yield from (encoded(game.id, each, about) for each in stretches(game) if wanted(each))


def encoded(game: str, stretch: Stretch, about: Sequence[int]) -> Example:
    """A stretch of a game whose task is about the types of these numbers."""
    situation = Situation(stretch.history)
    steps = with_tables_here(stretch.steps, situation.table)
    taken = [np.array(situation.step(steps[:end])) for end in range(len(steps) + 1)]
    said = np.array(situation.said())
    return Example(game, stretch, said, taken, np.array(about), dict(situation.roles.parts))


def wanted(stretch: Stretch) -> dict[tuple[str, ...], int]:
    """The effects of a stretch on what its task is about."""
    steps = with_tables_here(stretch.steps, table_of(stretch.history.steps))
    made = effects(steps, holding(stretch.history.steps))
    return {key: count for key, count in made.items() if subject(key) in stretch.apt}


class PolicyNet(nn.Module):
    """Sums of embedded features, two layers, and heads for steps, roles and what the task is about."""

    def __init__(self, steps: int, roles: int) -> None:
        super().__init__()
        self.said = nn.EmbeddingBag(SIZE, WIDTH, mode="sum")
        self.step = nn.EmbeddingBag(SIZE, WIDTH, mode="sum")
        for table in (self.said, self.step):
            nn.init.normal_(table.weight, 0.0, 0.1)
        self.near, self.far = nn.Linear(2 * WIDTH, HIDDEN), nn.Linear(HIDDEN, HIDDEN)
        self.typed, self.role = nn.Linear(HIDDEN, steps), nn.Linear(HIDDEN, roles)
        self.about = nn.Linear(WIDTH, len(object_types()))
        self.dropout = nn.Dropout(DROPOUT)

    def forward(self, said: Tensor, taken: Tensor, row: Tensor, roles: Tensor) -> Tensor:
        """(steps taken, steps): logits.

        Args:
            said: (stretches, width), embedded.
            taken: (steps taken, width), embedded.
            row: (steps taken,): the stretch of each.
            roles: (stretches, steps): the role of each step there.
        """
        given = self.dropout(torch.cat([said[row], taken], 1) * SCALE)
        hidden = torch.relu(self.near(given))
        hidden = self.dropout(hidden + torch.relu(self.far(self.dropout(hidden))))
        found: Tensor = self.typed(hidden) + self.role(hidden).gather(1, roles[row])
        return found


class PolicyTraining:
    """Behaviour cloning of stretches, with feature dropout."""

    def __init__(self, found: Sequence[Example], schedule: Schedule = SCHEDULE) -> None:
        torch.manual_seed(schedule.seed)
        self.found, self.schedule = found, schedule
        self.rng = np.random.default_rng(schedule.seed)
        counts = Counter(step for each in found for step in each.stretch.steps)
        roles = Counter(name for each in found for name in role_names(each.stretch.steps, each.parts))
        self.steps = [STOP, *(step for step, count in counts.most_common() if count >= RARE)]
        self.roles = [UNKNOWN_ROLE, *(name for name, count in roles.most_common() if count >= RARE)]
        self.roles.insert(1, STOP.action)
        self._step = {each: number for number, each in enumerate(self.steps)}
        self._role = {each: number for number, each in enumerate(self.roles)}
        self._roles_of = lru_cache(maxsize=None)(self._roles)
        self.net = PolicyNet(len(self.steps), len(self.roles))

    def run(self, label: str) -> dict[str, NDArray[Any]]:
        """Train, and return the network's arrays as `StepPolicy` takes them."""
        schedule = self.schedule
        batches = -(-len(self.found) // schedule.batch)
        optimizer = torch.optim.AdamW(
            self.net.parameters(), schedule.rate, weight_decay=schedule.weight_decay
        )
        steps = schedule.epochs * batches
        for number in track(iter(range(steps)), steps, label):
            if number % batches == 0:
                order = self.rng.permutation(len(self.found))
            for group in optimizer.param_groups:
                group["lr"] = rate_at(schedule, number, steps)
            start = number % batches * schedule.batch
            loss = self._loss(order[start : start + schedule.batch].tolist())
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(self.net.parameters(), schedule.clip)
            optimizer.step()
        return self._arrays()

    def _loss(self, numbers: Sequence[int]) -> Tensor:
        chosen = [self.found[number] for number in numbers]
        about = torch.zeros(len(chosen), len(object_types()))
        for place, each in enumerate(chosen):
            about[place, torch.from_numpy(each.about)] = 1.0
        rows, taken, labels = [], [], []
        for place, each in enumerate(chosen):
            for features, step in zip(each.taken, [*each.stretch.steps, STOP], strict=True):
                if step in self._step:
                    rows.append(place)
                    taken.append(self._kept(features, FORGOTTEN / 2))
                    labels.append(self._step[step])
        said = self._embedded(self.net.said, [self._kept(each.said, FORGOTTEN) for each in chosen])
        roles = torch.stack([self._roles_of(number) for number in numbers])
        logits = self.net(said, self._embedded(self.net.step, taken), torch.tensor(rows), roles)
        step_loss = functional.cross_entropy(logits, torch.tensor(labels), label_smoothing=SMOOTHING)
        task = functional.binary_cross_entropy_with_logits(self.net.about(said * ABOUT_SCALE), about)
        return step_loss + TASK * task

    def _roles(self, number: int) -> Tensor:
        names = role_names(self.steps, self.found[number].parts)
        return torch.tensor([self._role.get(each, 0) for each in names])

    def _kept(self, features: NDArray[np.int64], share: float) -> NDArray[np.int64]:
        return features[self.rng.random(len(features)) >= share]

    @staticmethod
    def _embedded(table: nn.EmbeddingBag, rows: Sequence[NDArray[np.int64]]) -> Tensor:
        sizes = np.array([len(each) for each in rows])
        starts = torch.from_numpy(np.cumsum([0, *sizes[:-1]]))
        scale = torch.from_numpy(np.sqrt(np.maximum(sizes, 1)).astype(np.float32))
        found: Tensor = table(torch.from_numpy(np.concatenate(rows)), starts) / scale[:, None]
        return found

    def _met(self, table: str) -> Tensor:
        """Which features occur; the others stay as they were drawn, and are left out."""
        rows = (each.said if table == "said" else np.concatenate(each.taken) for each in self.found)
        return torch.from_numpy(np.isin(np.arange(SIZE), np.unique(np.concatenate(list(rows)))))

    def _arrays(self) -> dict[str, NDArray[Any]]:
        found: dict[str, NDArray[Any]] = {
            "steps": np.array([" ".join(each) for each in self.steps]),
            "roles": np.array(self.roles),
            "types": np.array(list(object_types())),
        }
        for name, value in self.net.state_dict().items():
            if name in ("said.weight", "step.weight"):
                table = name.removesuffix(".weight")
                value = value * self._met(table)[:, None]
                scale = value.abs().amax(1).clamp(min=1e-6) / BYTE
                found[table] = (value / scale[:, None]).round().to(torch.int8).numpy()
                found[f"{table} scale"] = scale.numpy().astype(np.float32)
            else:
                found[name] = value.numpy().astype(np.float16)
        return found
