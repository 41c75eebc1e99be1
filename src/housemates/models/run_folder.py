"""The folder of a training: the best weights, the state to resume from, and TensorBoard curves."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import torch
from torch import Tensor

from housemates import files
from housemates.data.fingerprints import Fingerprint, by_name, fingerprint
from housemates.data.journal import refusing
from housemates.errors import HousematesError
from housemates.models.checkpoints import (
    CARD,
    Card,
    Progress,
    config_fields,
    load_weights,
    named,
    read_card,
    read_tensors,
    write_card,
    write_tensors,
)
from housemates.models.learner import Learner
from housemates.models.registry import Spec
from housemates.models.schedule import EXTENDABLE, Schedule
from housemates.typed_json import shown

NET, OPTIMIZER, REST = "net.", "optimizer.", "learner."
"""Prefixes of tensor names in the file that training resumes from."""


class RunFolder:
    """Saves a training so that every state on disk, also after a crash, is one to resume from."""

    def __init__(self, folder: Path, spec: Spec, start: str = "") -> None:
        """Name the folder; nothing is written yet.

        Args:
            folder: Where to save.
            spec: Of the model.
            start: SHA-256 of the weights that the training was warm-started from, if any.
        """
        self.folder, self.spec, self.start = folder, spec, start
        self._best = ""
        self._curves: Any = None
        self._data: list[Fingerprint] | None = None

    def restore(self, learner: Learner[Any], optimizer: torch.optim.Optimizer) -> Progress | None:
        """Load the network, optimiser and learner state that were saved; None if the folder is new.

        Raises:
            HousematesError: the folder holds a training of another model, config, vocabulary or data.
        """
        if not (self.folder / CARD).exists():
            return None
        card = read_card(self.folder)
        self._refuse_another(card, learner)
        path = named(self.folder, card.training)
        tensors = read_tensors(path)
        load_weights(learner.net, _under(NET, tensors), path)
        _restore_optimizer(optimizer, _under(OPTIMIZER, tensors))
        learner.restore(_under(REST, tensors))
        self._best = card.weights
        progress = card.progress
        progress.finished = progress.finished and not _wants_more(progress, learner.config)
        return progress

    def save_best(self, learner: Learner[Any], progress: Progress) -> None:
        """Write the best weights so far; they count once `save` has named them on the card."""
        self._best = f"weights-{progress.step}.safetensors"
        write_tensors(self.folder / self._best, learner.net.state_dict())

    def save(self, learner: Learner[Any], optimizer: torch.optim.Optimizer, progress: Progress) -> None:
        """Write the state to resume from, then the card, and delete weights that the card no longer names."""
        if not self._best:
            self.save_best(learner, progress)
        for name, path in learner.carried().items():
            if not (self.folder / name).exists():
                files.write_bytes(self.folder / name, path.read_bytes())
        training = f"training-{progress.step}.safetensors"
        net = {NET + name: each for name, each in learner.net.state_dict().items()}
        rest = {REST + name: each for name, each in learner.state().items()}
        write_tensors(self.folder / training, {**net, **_optimizer_tensors(optimizer), **rest})
        write_card(self.folder, self._card(learner, progress, training))
        for path in self.folder.glob("*.safetensors"):
            if path.name not in (self._best, training):
                path.unlink()

    def log(self, row: Mapping[str, float]) -> None:
        """Add metrics at `row["step"]` to the TensorBoard curves."""
        if self._curves is None:
            from torch.utils.tensorboard import SummaryWriter

            with refusing(self.folder, "written"):
                self._curves = SummaryWriter(str(self.folder / "tensorboard"), purge_step=int(row["step"]))
        with refusing(self.folder, "written"):
            for name, value in row.items():
                self._curves.add_scalar(name.replace(" ", "/"), value, int(row["step"]))
            self._curves.flush()

    def close(self) -> None:
        """Flush and close the TensorBoard writer."""
        if self._curves is not None:
            with refusing(self.folder, "written"):
                self._curves.close()

    def _card(self, learner: Learner[Any], progress: Progress, training: str) -> Card:
        return Card(
            model=self.spec.name,
            version=self.spec.version,
            config=config_fields(learner.config),
            vocabulary={name: list(each) for name, each in learner.vocabulary().items()},
            data=self._fingerprints(learner),
            start=self.start,
            weights=self._best,
            carried=self._carried(learner),
            training=training,
            progress=progress,
        )

    def _fingerprints(self, learner: Learner[Any]) -> list[Fingerprint]:
        if self._data is None:
            self._data = [fingerprint(path) for path in learner.sources()]
        return self._data

    def _carried(self, learner: Learner[Any]) -> dict[str, str]:
        return {name: fingerprint(path).sha256 for name, path in learner.carried().items()}

    def _refuse_another(self, card: Card, learner: Learner[Any]) -> None:
        """Refuse to resume a training of another model, config, vocabulary or data."""
        path = self.folder / CARD
        if card.model != self.spec.name:
            raise HousematesError(f"{path}: holds a {card.model}, no {self.spec.name}; name another folder.")
        config = config_fields(learner.config)
        for name, value in config.items():
            if name not in EXTENDABLE and card.config.get(name) != value:
                raise HousematesError(
                    f"{path}: was trained with {name} = {shown(card.config.get(name))}, not {shown(value)}; "
                    "name another folder."
                )
        if card.vocabulary != {name: list(each) for name, each in learner.vocabulary().items()}:
            raise HousematesError(f"{path}: has another vocabulary than the data; name another folder.")
        if card.carried != self._carried(learner):
            raise HousematesError(f"{path}: was trained with another image encoder; name another folder.")
        if by_name(card.data) != by_name(self._fingerprints(learner)):
            raise HousematesError(f"{path}: was trained on other data; name another folder.")
        if card.start != self.start:
            raise HousematesError(f"{path}: was trained from other weights; name another folder.")
        if not card.training:
            raise HousematesError(f"{path}: was exported and cannot be resumed; name another folder.")


def _wants_more(progress: Progress, config: Schedule) -> bool:
    """Whether a finished training is asked for more epochs or more patience."""
    return progress.epoch < config.epochs and progress.worse < config.patience


def _under(prefix: str, tensors: Mapping[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): each for name, each in tensors.items() if name.startswith(prefix)}


def _optimizer_tensors(optimizer: torch.optim.Optimizer) -> dict[str, Tensor]:
    state = optimizer.state_dict()["state"]
    return {
        f"{OPTIMIZER}{number}.{key}": each for number, kept in state.items() for key, each in kept.items()
    }


def _restore_optimizer(optimizer: torch.optim.Optimizer, tensors: Mapping[str, Tensor]) -> None:
    state: dict[int, dict[str, Tensor]] = {}
    for name, tensor in tensors.items():
        number, _, key = name.partition(".")
        state.setdefault(int(number), {})[key] = tensor
    optimizer.load_state_dict({**optimizer.state_dict(), "state": state})


def summary(progress: Progress) -> dict[str, Any]:
    """What `housemates train` reports at the end."""
    kept = msgspec.to_builtins(progress)
    return {name: kept[name] for name in ("epoch", "step", "best", "best_step", "finished")}
