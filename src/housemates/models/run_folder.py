"""The folder of a training: the best weights, all that is needed to go on, and curves for TensorBoard."""

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
from housemates.models.schedule import LONGER, Schedule
from housemates.typed_json import shown

NET, OPTIMIZER, REST = "net.", "optimizer.", "learner."
"""How the names of tensors begin in the file from which training goes on."""


class Keeper:
    """Writes a training's folder; every state of it on disk is one from which training goes on."""

    def __init__(self, folder: Path, spec: Spec, start: str = "") -> None:
        """Nothing is written yet.

        Args:
            folder: Where to.
            spec: Whose training it is.
            start: The fingerprint of the weights that it begins with.
        """
        self.folder, self.spec, self.start = folder, spec, start
        self._best = ""
        self._curves: Any = None
        self._data: list[Fingerprint] | None = None

    def restore(self, learner: Learner[Any], optimizer: torch.optim.Optimizer) -> Progress | None:
        """Go on from what the folder holds, None if nothing; a training of another kind is refused."""
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

    def keep_best(self, learner: Learner[Any], progress: Progress) -> None:
        """Write the weights that are the best so far; they count once `keep` names them."""
        self._best = f"weights-{progress.step}.safetensors"
        write_tensors(self.folder / self._best, learner.net.state_dict())

    def keep(self, learner: Learner[Any], optimizer: torch.optim.Optimizer, progress: Progress) -> None:
        """Write all that is needed to go on; what the new card does not name is taken away then."""
        if not self._best:
            self.keep_best(learner, progress)
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

    def note(self, row: Mapping[str, float]) -> None:
        """Add a row of numbers to the curves that TensorBoard shows."""
        if self._curves is None:
            from torch.utils.tensorboard import SummaryWriter

            with refusing(self.folder, "written"):
                self._curves = SummaryWriter(str(self.folder / "tensorboard"), purge_step=int(row["step"]))
        with refusing(self.folder, "written"):
            for name, value in row.items():
                self._curves.add_scalar(name.replace(" ", "/"), value, int(row["step"]))
            self._curves.flush()

    def close(self) -> None:
        """Let go of the curves."""
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
        """Going on is for the same model, config, vocabulary and data."""
        path = self.folder / CARD
        if card.model != self.spec.name:
            raise HousematesError(f"{path}: holds a {card.model}, no {self.spec.name}; name another folder.")
        config = config_fields(learner.config)
        for name, value in config.items():
            if name not in LONGER and card.config.get(name) != value:
                raise HousematesError(
                    f"{path}: was trained with {name} = {shown(card.config.get(name))}, not {shown(value)}; "
                    "name another folder."
                )
        if card.vocabulary != {name: list(each) for name, each in learner.vocabulary().items()}:
            raise HousematesError(f"{path}: has another vocabulary than the data; name another folder.")
        if card.carried != self._carried(learner):
            raise HousematesError(
                f"{path}: was trained with other eyes than it is given; name another folder."
            )
        if by_name(card.data) != by_name(self._fingerprints(learner)):
            raise HousematesError(f"{path}: was trained on other data; name another folder.")
        if card.start != self.start:
            raise HousematesError(f"{path}: was trained from other weights; name another folder.")
        if not card.training:
            raise HousematesError(f"{path}: was exported for playing, not for going on; name another folder.")


def _wants_more(progress: Progress, config: Schedule) -> bool:
    """Whether a training that had come to its end is asked for more epochs or more patience."""
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


def told(progress: Progress) -> dict[str, Any]:
    """What a command says at the end of a training."""
    kept = msgspec.to_builtins(progress)
    return {name: kept[name] for name in ("epoch", "step", "best", "best_step", "finished")}
