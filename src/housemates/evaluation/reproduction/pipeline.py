"""Makes what the rows of a table need, and plays them: episodes, then trainings, then evaluations.

Each of the three goes on from its folder after an interruption, so all of it does.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from housemates.core import registry
from housemates.core.loading import seat_all
from housemates.errors import HousematesError
from housemates.evaluation.episodes import Run
from housemates.evaluation.reproduction.catalogue import STORE, Model, Paper, Row, Table, names_in
from housemates.evaluation.runner import evaluate
from housemates.files import file_name, write_json
from housemates.parallel import Crew, map_ordered

REPORT = "report.json"
"""In the folder of an evaluation once all of it was played."""


@dataclass(frozen=True)
class Places:
    """Where data are taken from, and where what is made of them is kept."""

    out: Path
    """Folder for generated episodes, trainings and evaluations."""
    data: Path | None = None
    """Folder of the user's data: a folder or file for each name of `Paper.given`."""
    store: Path | None = None
    """Store with floor plans; the user's own if None."""
    config: str = "cpu"

    def evaluation(self, table: str, row: Row, seed: int) -> Path:
        """The folder of a row's evaluation."""
        return self.out / "tables" / self.config / table / file_name(f"{row.name} s{seed}")

    def training(self, model: str, seed: int) -> Path:
        """The folder of a model's training."""
        return self.out / "models" / self.config / f"{model}-s{seed}"


class Training(NamedTuple):
    """A training that a row needs."""

    name: str
    seed: int


@dataclass
class Reproduction:
    """A table in the making; what cannot be made is a sentence in `problems`, and the other rows go on."""

    paper: Paper
    name: str
    table: Table
    places: Places
    crew: Crew = field(default_factory=Crew)
    progress: bool = True
    problems: dict[str, str] = field(default_factory=dict)
    """By the names of rows: why a row could not be made."""

    def run(self, rows: Sequence[Row], seeds: int) -> None:
        """Make all that these rows need, and play them with so many seeds each."""
        wanted = [row for row in rows if row.agents]
        for row in wanted:
            self._blame(row, self._lacking(self._needs(row)))
        for name in dict.fromkeys(each for row in wanted for each in self._needs(row)):
            if name in self.paper.episodes and any(name in self._needs(row) for row in self._going(wanted)):
                self._generate(name)
        self._train(wanted, seeds)
        for row in wanted:
            for seed in range(seeds_of(row, seeds)):
                if row.name not in self.problems:
                    self._evaluate(row, seed)

    def _going(self, rows: Iterable[Row]) -> list[Row]:
        return [row for row in rows if row.name not in self.problems]

    def _blame(self, row: Row, problem: str) -> None:
        if problem:
            self.problems.setdefault(row.name, problem)

    def _needs(self, row: Row) -> list[str]:
        """All that a row needs by name, first what others are made of."""
        given = (*row.agent_options.values(), *(self.table.options | row.options).values())
        values = [*row.agents, *map(str, given)]
        return list(
            dict.fromkeys(each for text in values for name in names_in(text) for each in self._all(name))
        )

    def _all(self, name: str) -> Iterator[str]:
        model = self.paper.models.get(name)
        if model is not None:
            texts = [
                model.data,
                *([f"{{{model.start}}}"] if model.start else []),
                *map(str, model.set.values()),
            ]
            yield from (each for text in texts for other in names_in(text) for each in self._all(other))
        yield name

    def _lacking(self, names: Iterable[str]) -> str:
        """What the user has to give and has not given."""
        for name in names:
            told = self.paper.given.get(name)
            if told is None:
                continue
            if self.places.data is None:
                return f"needs --data, a folder with {name} ({told})"
            if not self._given(name).exists():
                return f"needs {self._given(name)} ({told})"
        return ""

    def _given(self, name: str) -> Path:
        assert self.places.data is not None
        return self.places.data / name

    def path(self, name: str, seed: int) -> str:
        """Where something named in braces is."""
        if name == STORE:
            return "" if self.places.store is None else str(self.places.store)
        if name in self.paper.given:
            return str(self._given(name))
        if name in self.paper.models:
            return str(self.places.training(name, seed))
        if name not in self.paper.episodes:
            raise HousematesError(f"{self.name}: nothing is called {name!r}.")
        own = None if self.places.data is None else self._given(name)
        return str(own if own is not None and own.exists() else self.places.out / "episodes" / name)

    def filled(self, values: Mapping[str, Any], seed: int) -> dict[str, str]:
        """Options with places for the names in braces; those without a place are left to their defaults."""
        texts = {key: self._text(value, seed) for key, value in values.items()}
        return {key: text for key, text in texts.items() if text}

    def _text(self, value: Any, seed: int) -> str:
        if isinstance(value, bool):
            return "yes" if value else "no"
        text = str(value)
        return text.format_map({name: self.path(name, seed) for name in names_in(text)})

    def _generate(self, name: str) -> None:
        """Generate episodes, unless the user's data have a folder of that name."""
        folder = Path(self.path(name, 0))
        if folder.parent != self.places.out / "episodes":
            return
        try:
            for part in self.paper.episodes[name]:
                command = generator(part.generate)
                made = command(out=folder / part.folder, crew=self.crew, **part.set)
                with contextlib.redirect_stdout(sys.stderr):
                    made.run()
        except HousematesError as error:
            for row in self.table.rows:
                if row.agents and name in self._needs(row):
                    self._blame(row, str(error))

    def _train(self, rows: Sequence[Row], seeds: int) -> None:
        """Train the models, those first that others begin with, as many at once as there are workers."""
        crew = replace(self.crew, executor="processes") if self.crew.executor == "threads" else self.crew
        while jobs := self._next_trainings(rows, seeds):
            found = map_ordered(train_one, [self._job(each) for each in jobs], crew)
            for training, problem in zip(jobs, found, strict=True):
                for row in rows:
                    if problem and training.name in self._needs(row):
                        self._blame(row, f"seed {training.seed}: {problem}")

    def _next_trainings(self, rows: Sequence[Row], seeds: int) -> list[Training]:
        """Trainings that are not finished and whose warm starts are."""
        found: dict[Training, None] = {}
        for row in self._going(rows):
            models = [name for name in self._needs(row) if name in self.paper.models]
            for seed in range(seeds_of(row, seeds)):
                for name in models:
                    if not self._trained(Training(name, seed)):
                        found.setdefault(Training(name, seed))
                        break
        return list(found)

    def _trained(self, training: Training) -> bool:
        from housemates.models.checkpoints import CARD, read_card

        job = self._job(training)
        if not (job.out / CARD).exists():
            return False
        card = read_card(job.out)
        return card.progress.finished and card.config == job.config_fields()

    def _job(self, training: Training) -> TrainingOrder:
        model: Model = self.paper.models[training.name]
        own = model.set | (model.cpu if self.places.config == "cpu" else {})
        return TrainingOrder(
            model.model,
            self.places.config,
            self.filled(own, training.seed) | {"seed": str(training.seed)},
            Path(self._text(model.data, training.seed)),
            self.places.training(training.name, training.seed),
            self.places.training(model.start, training.seed) if model.start else None,
        )

    def _evaluate(self, row: Row, seed: int) -> None:
        folder = self.places.evaluation(self.name, row, seed)
        try:
            report = evaluate(self.run_of(row, seed), self.crew, folder, self.progress)
        except HousematesError as error:
            self._blame(row, str(error))
            return
        if report["halted"]:
            self._blame(row, report["halted"])
            return
        write_json(folder / REPORT, report)

    def run_of(self, row: Row, seed: int) -> Run:
        """The evaluation of a row with a seed."""
        made = registry.benchmark_class(self.table.benchmark)
        words = [self._text(each, seed) for each in row.agents]
        seats = seat_all(made, words, self.filled(row.agent_options, seed))
        options = self.filled(self.table.options | row.options, seed)
        return Run(self.table.benchmark, seats, self.table.split, self.table.episodes, seed, options)


@dataclass(frozen=True)
class TrainingOrder:
    """What `models.launch.TrainingJob` is made of, without torch."""

    model: str
    config: str
    overrides: Mapping[str, Any]
    data: Path
    out: Path
    start: Path | None

    def config_fields(self) -> dict[str, Any]:
        """The fields of the config as a checkpoint's card has them."""
        from housemates.models.checkpoints import config_fields
        from housemates.models.registry import spec_of
        from housemates.models.schedule import override

        return config_fields(override(spec_of(self.model).config(self.config), self.overrides, self.model))


def train_one(order: TrainingOrder) -> str:
    """Train a model, or go on with it; what is wrong in a sentence, or nothing."""
    try:
        from housemates.models.registry import spec_of

        spec_of(order.model).learner_class()
        from housemates.models.launch import TrainingJob, train

        train(TrainingJob(**vars(order), threads=1))
    except HousematesError as error:
        return str(error)
    return ""


def seeds_of(row: Row, seeds: int) -> int:
    """With how many seeds a row is played."""
    return seeds if row.seeds is None else min(row.seeds, seeds)


def generator(noun: str) -> Any:
    """The command `housemates generate NOUN`."""
    for name, spec, where in registry.commands("generate"):
        if name == noun:
            return spec.load(where)
    raise HousematesError(f"housemates generate {noun}: there is no such command.")
