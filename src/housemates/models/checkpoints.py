"""Checkpoints: weights as safetensors, and a card as JSON that describes them.

The card names the files that belong to it and is written last, by renaming, so it only ever names complete
files.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from housemates import __version__, files
from housemates.data.fingerprints import Fingerprint, fingerprint
from housemates.errors import HousematesError
from housemates.models.schedule import Config, override

if TYPE_CHECKING:
    from torch import Tensor, nn

FORMAT = 1
CARD = "model.json"
"""The file that makes a folder a checkpoint."""
MAGIC = {b"\x80": "a pickle", b"PK": "a zip archive, as torch.save writes it"}
Net = TypeVar("Net", bound="nn.Module")
Found = TypeVar("Found")


def shipped_weights(model: str) -> Path:
    """The folder of the weights that the package ships of a model, named as its folder."""
    return Path(__file__).parent / model / "weights"


class Progress(msgspec.Struct):
    """The state of a training: counters, the best value of the monitored metric, and past validations."""

    epoch: int = 0
    step: int = 0
    """Over all epochs."""
    steps_of_epoch: int = 0
    """In the current epoch."""
    best: float | None = None
    best_step: int = 0
    worse: int = 0
    """Validations since the best one."""
    finished: bool = False
    sums: dict[str, float] = {}
    """Metrics of the steps since the last validation, added up over `counted` steps."""
    counted: int = 0
    history: list[dict[str, float]] = []
    """A row for each validation."""


class Card(msgspec.Struct, kw_only=True):
    """What `model.json` says of a checkpoint."""

    format: int = FORMAT
    model: str
    version: int
    """Of the model."""
    housemates: str = __version__
    """The version of this package that wrote it."""
    config: dict[str, Any]
    vocabulary: dict[str, list[str]]
    data: list[Fingerprint] = []
    """Of the training data."""
    start: str = ""
    """SHA-256 of the weights that it was warm-started from, if any."""
    weights: str
    """The file of the best weights."""
    entry_points: dict[str, list[str]] = msgspec.field(default_factory=dict, name="parts")
    """Once exported: entry point -> the weights that its graph takes."""
    carried: dict[str, str] = {}
    """Other files that the weights depend on, such as the image encoder -> their SHA-256."""
    training: str = ""
    """The file to resume from: newest weights, optimiser and learner state; empty once exported."""
    progress: Progress


def read_card(folder: Path) -> Card:
    """The card of a checkpoint.

    Raises:
        HousematesError: the folder has no card, or one of another format, model or version.
    """
    from housemates.models import registry

    path = folder / CARD
    if not path.is_file():
        raise HousematesError(f"{folder}: expected a checkpoint, a folder with a {CARD}.")
    card = files.read_record(path, Card)
    if card.format != FORMAT:
        raise HousematesError(f"{path}: expected a checkpoint of format {FORMAT}, found {card.format}.")
    version = registry.spec_of(card.model).version
    if card.version != version:
        raise HousematesError(
            f"{path}: expected {card.model} of version {version}, found {card.version}: "
            f"train it again with `housemates train {card.model}`."
        )
    return card


def weights_of(folder: Path) -> Path:
    """The file with a checkpoint's best weights."""
    return named(folder, read_card(folder).weights)


def named(folder: Path, name: str) -> Path:
    """The path of a file that a card names; HousematesError if it is a path itself or does not exist."""
    path = folder / name
    if name != files.file_name(name) or not path.is_file():
        raise HousematesError(f"{folder / CARD}: names weights that are not there: {name}.")
    return path


def carried(folder: Path, name: str) -> Path:
    """The path of a file that a checkpoint carries; HousematesError if it is missing or was changed."""
    path, wanted = folder / name, read_card(folder).carried.get(name)
    if wanted is None or not path.is_file() or fingerprint(path).sha256 != wanted:
        raise HousematesError(f"{path}: expected the file that the weights were trained with.")
    return path


def read_config(folder: Path, card: Card, kind: type[Config]) -> Config:
    """The config on a card; HousematesError names a field that the model does not have."""
    return override(kind(), card.config, str(folder / CARD))


def read_tensors(path: Path) -> dict[str, Tensor]:
    """The torch tensors of a safetensors file by name; HousematesError for a pickle, a torn file or NaN."""
    from safetensors import torch

    found = _read(path, torch.load)
    _check_finite(path, {name: bool(each.isfinite().all()) for name, each in found.items()})
    return found


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """The NumPy arrays of a safetensors file by name, read without torch; refuses like `read_tensors`."""
    from safetensors import numpy

    found = _read(path, numpy.load)
    _check_finite(path, {name: bool(np.isfinite(each).all()) for name, each in found.items()})
    return found


def _check_finite(path: Path, finite: Mapping[str, bool]) -> None:
    """Refuse tensors with a number that is none: whoever acts by them would do so silently."""
    for name, is_finite in finite.items():
        if not is_finite:
            raise HousematesError(f"{path}: {name}: expected finite numbers, found NaN or infinity.")


def _read(path: Path, load: Callable[[bytes], dict[str, Found]]) -> dict[str, Found]:
    """Read safetensors only: a pickle or a zip is never opened, so nothing in it is executed."""
    from safetensors import SafetensorError

    try:
        data = path.read_bytes()
    except OSError as error:
        raise HousematesError(f"{path}: cannot be read ({error.strerror}).") from None
    for magic, kind in MAGIC.items():
        if data.startswith(magic):
            raise HousematesError(f"{path}: expected safetensors, found {kind}: it is not opened.")
    try:
        return load(data)
    except (SafetensorError, ValueError, KeyError) as error:
        raise HousematesError(f"{path}: expected safetensors ({error}); is it complete?") from None


def write_tensors(path: Path, tensors: Mapping[str, Tensor]) -> None:
    """Write a safetensors file atomically; HousematesError if the disk is full."""
    from safetensors.torch import save

    files.write_bytes(path, save({name: each.detach().contiguous() for name, each in tensors.items()}))


def load_weights(net: Net, tensors: Mapping[str, Tensor], source: Path) -> Net:
    """Load weights of any precision; HousematesError names a missing, foreign or misshapen one."""
    own = net.state_dict()
    for name in sorted(own.keys() | tensors.keys()):
        if name not in own or name not in tensors:
            raise HousematesError(
                f"{source}: holds other weights than the model has: {name!r} is "
                f"{'not the model’s' if name in tensors else 'missing'}."
            )
        if own[name].shape != tensors[name].shape:
            raise HousematesError(
                f"{source}: {name}: expected shape {list(own[name].shape)}, "
                f"found {list(tensors[name].shape)}; "
                "is it of another vocabulary or config?"
            )
    net.load_state_dict({name: each.to(own[name].dtype) for name, each in tensors.items()})
    return net


def load_matching(net: nn.Module, tensors: Mapping[str, Tensor]) -> int:
    """Load the weights whose name and shape the network has too; returns how many."""
    own = net.state_dict()
    kept = {name: each for name, each in tensors.items() if name in own and own[name].shape == each.shape}
    net.load_state_dict({**own, **kept})
    return len(kept)


def write_card(folder: Path, card: Card) -> None:
    """Write `model.json` atomically, after all files that it names."""
    files.write_json(folder / CARD, msgspec.to_builtins(card))


def config_fields(config: Any) -> dict[str, Any]:
    """A config as a card stores it: plain JSON values, tuples as lists."""
    found: dict[str, Any] = msgspec.to_builtins(dataclasses.asdict(config), enc_hook=str)
    return {name: list(each) if isinstance(each, tuple) else each for name, each in found.items()}
