"""`housemates train MODEL`: train one of the papers' models; `export model`: weights to play with."""

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
    """Train a model; a training that was interrupted goes on from its folder."""

    model: tyro.conf.Positional[str]
    """Which model; `housemates train list` names them."""
    data: Path | None = None
    """The file or folder to learn from; the model's README says what it takes."""
    out: Path | None = None
    """Folder for the checkpoint, which `eval --agents DIR` plays with, and its curves."""
    config: str = "cpu"
    """A config of the model: 'paper' as published, 'cpu' for two cores and an hour or so."""
    set: Annotated[list[str], tyro.conf.arg(metavar="KEY=VALUE")] = field(default_factory=list)
    """Fields of the config that are to be otherwise."""
    start: Path | None = None
    """A checkpoint to begin with: weights of the same name and shape are taken from it."""
    seed: int | None = None
    """Where all randomness comes from; the config's if not given."""
    threads: int | None = None
    """Of torch; results are the same to the bit only on one."""
    json: bool = False
    """Print one JSON object at the end."""

    def run(self) -> None:
        """Train and say how it went."""
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
        spec.learning()
        from housemates.models.launch import Order, train

        order = Order(self.model, self.config, given, self.data, self.out, self.start, self.threads)
        with told_once():
            found = train(order, label=None if self.json else self.model)
        if os.environ.get("RANK", "0") != "0":
            return
        print(json.dumps(found) if self.json else _sentence(found), file=sys.stdout)


@dataclass
class ExportModel:
    """Write a trained model for playing without torch: weights at half precision, graphs, and its card."""

    folder: tyro.conf.Positional[Path]
    """The folder of a training."""
    out: Path
    """Where to."""
    full: bool = False
    """Keep full precision."""

    def run(self) -> None:
        """Export and say how large it is."""
        from housemates.data.claims import claimed
        from housemates.models import registry
        from housemates.models.checkpoints import read_card, weights_of

        registry.spec_of(read_card(self.folder).model).learning()
        from housemates.models.export import export_model

        with claimed(folders=[self.out]):
            card = export_model(self.folder, self.out, half=not self.full)
        size = weights_of(self.out).stat().st_size
        graphs = f", graphs that run without torch: {', '.join(card.parts)}" if card.parts else ""
        print(f"{self.out}: {size / 1e6:.2f} MB of weights{graphs}.")


@contextmanager
def told_once() -> Iterator[None]:
    """Leave failures to write in other threads to the main one, which is told of them and says so."""
    before = threading.excepthook
    threading.excepthook = lambda raised: None if isinstance(raised.exc_value, OSError) else before(raised)
    try:
        yield
    finally:
        threading.excepthook = before


def _sentence(found: dict[str, object]) -> str:
    from housemates.reporting.words import several

    best = found["best"]
    told = f"{best:.4g}" if isinstance(best, float) else str(best)
    trained = f"{several(int(str(found['step'])), 'step')}, {several(int(str(found['epoch'])), 'epoch')}"
    return (
        f"{found['model']}: {trained}; best {found['watched']} {told} at step {found['best_step']}; "
        f"in {found['out']}."
    )


def main(verb: str, argv: list[str]) -> None:
    """Serve `housemates train`."""
    options.run(Train, f"housemates {verb}", argv)
