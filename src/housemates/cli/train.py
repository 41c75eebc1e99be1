"""`housemates train MODEL` trains one of the papers' models; `export model` makes it run without torch."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import tyro

from housemates.cli import options


@dataclass
class Train:
    """Train a model, or resume an interrupted training from its folder."""

    model: tyro.conf.Positional[str]
    """Name of the model; `housemates train list` prints all."""
    data: Path | None = None
    """Training data, a file or folder; the models' README says what each model takes."""
    out: Path | None = None
    """Folder for the checkpoint, which `eval --agents DIR` plays, and the TensorBoard curves."""
    config: str = "cpu"
    """Config of the model: 'paper' as published, 'cpu' for about an hour on two cores."""
    set: Annotated[list[str], tyro.conf.arg(metavar="KEY=VALUE")] = field(default_factory=list)
    """Config overrides."""
    start: Path | None = None
    """Checkpoint to warm-start from: weights of the same name and shape are copied."""
    seed: int | None = None
    """Random seed; the config's by default."""
    threads: int | None = None
    """Threads of torch; results are reproducible to the bit on one thread only."""
    json: bool = False
    """Print one JSON object at the end."""

    def run(self) -> None:
        """Train and print a summary."""
        from housemates.core.options import pairs
        from housemates.errors import HousematesError
        from housemates.models import registry

        if self.model == "list":
            for spec in registry.specs().values():
                print(f"{spec.name:<20} {spec.summary}")
            return
        if self.data is None or self.out is None:
            raise HousematesError("housemates train: give --data and --out.")
        spec = registry.spec_of(self.model)
        given = pairs(self.set, "--set") | ({} if self.seed is None else {"seed": str(self.seed)})
        spec.learner_class()
        from housemates.models.launch import TrainingJob, train

        job = TrainingJob(self.model, self.config, given, self.data, self.out, self.start, self.threads)
        with failures_reported_once():
            found = train(job, label=None if self.json else self.model)
        if os.environ.get("RANK", "0") != "0":
            return
        print(json.dumps(found) if self.json else _sentence(found), file=sys.stdout)


@dataclass
class ExportModel:
    """Write a trained model for use without torch: weights at half precision, ONNX graphs and the card."""

    folder: tyro.conf.Positional[Path]
    """Folder of the training."""
    out: Path
    """Folder to write."""
    full: bool = False
    """Keep weights at full precision."""

    def run(self) -> None:
        """Export and print the size."""
        from housemates.data.claims import claimed
        from housemates.models import registry
        from housemates.models.checkpoints import read_card, weights_of

        registry.spec_of(read_card(self.folder).model).learner_class()
        from housemates.models.export import export_model

        with claimed(folders=[self.out]):
            card = export_model(self.folder, self.out, half=not self.full)
        size = weights_of(self.out).stat().st_size
        graphs = (
            f", graphs that run without torch: {', '.join(card.entry_points)}" if card.entry_points else ""
        )
        print(f"{self.out}: {size / 1e6:.2f} MB of weights{graphs}.")


@contextmanager
def failures_reported_once() -> Iterator[None]:
    """Silence failed writes in other threads, which the main thread reports."""
    before = threading.excepthook
    threading.excepthook = lambda raised: None if isinstance(raised.exc_value, OSError) else before(raised)
    try:
        yield
    finally:
        threading.excepthook = before


def _sentence(found: dict[str, object]) -> str:
    from housemates.reporting.words import several

    best = found["best"]
    value = f"{best:.4g}" if isinstance(best, float) else str(best)
    trained = f"{several(int(str(found['step'])), 'step')}, {several(int(str(found['epoch'])), 'epoch')}"
    return (
        f"{found['model']}: {trained}; best {found['monitor']} {value} at step {found['best_step']}; "
        f"in {found['out']}."
    )


def main(verb: str, argv: list[str]) -> None:
    """Run `housemates train` with these arguments."""
    options.run(Train, f"housemates {verb}", argv)
