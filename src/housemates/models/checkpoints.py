"""What is kept of a model: weights as safetensors, and a card as JSON that says what they are.

The card names the files that belong to it and is written last, by renaming. Whatever happens meanwhile, it
names files that are whole.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
from numpy.typing import NDArray

from housemates import __version__, files
from housemates.data.fingerprints import Fingerprint, fingerprint
from housemates.errors import HousematesError
from housemates.models.schedule import Config, override

if TYPE_CHECKING:
    from torch import Tensor, nn

FORMAT = 1
CARD = "model.json"
"""The file of a folder that makes it a checkpoint."""
MAGIC = {b"\x80": "a pickle", b"PK": "a zip archive, as torch.save writes it"}
Net = TypeVar("Net", bound="nn.Module")
Found = TypeVar("Found")


def shipped_weights(model: str) -> Path:
    """The folder of the weights that come with the package, of a model by its folder's name."""
    return Path(__file__).parent / model / "weights"


class Progress(msgspec.Struct):
    """How far a training has come."""

    epoch: int = 0
    step: int = 0
    """Steps of all epochs."""
    steps_of_epoch: int = 0
    """Steps of the epoch that has begun."""
    best: float | None = None
    best_step: int = 0
    worse: int = 0
    """Validations since the best one."""
    finished: bool = False
    sums: dict[str, float] = {}
    """Numbers of the steps since the last validation, added up."""
    counted: int = 0
    history: list[dict[str, float]] = []
    """A row for each validation."""


class Card(msgspec.Struct, kw_only=True):
    """What a checkpoint is."""

    format: int = FORMAT
    model: str
    version: int
    """Of the model."""
    housemates: str = __version__
    """The version of this package that wrote it."""
    config: dict[str, Any]
    vocabulary: dict[str, list[str]]
    data: list[Fingerprint] = []
    """What it was trained on."""
    start: str = ""
    """The fingerprint of the weights that it was trained from, if not from nothing."""
    weights: str
    """The file of the best weights."""
    parts: dict[str, list[str]] = {}
    """Of one that was exported: what agents call, and the weights that each graph takes."""
    carried: dict[str, str] = {}
    """Other files of the folder that belong to the weights, such as what makes features -> their SHA-256."""
    training: str = ""
    """The file from which training goes on: the newest weights, the optimiser and the rest."""
    progress: Progress


def read_card(folder: Path) -> Card:
    """The card of a checkpoint; a folder without one, or one of another format or version, is refused."""
    from housemates.models import registry

    path = folder / CARD
    if not path.is_file():
        raise HousematesError(f"{folder}: expected a checkpoint, a folder with a {CARD}.")
    card = files.read_record(path, Card)
    if card.format != FORMAT:
        raise HousematesError(f"{path}: expected a checkpoint of format {FORMAT}, found {card.format}.")
    version = registry.spec_of(card.model).version
    if card.version != version:
        raise HousematesError(f"{path}: expected {card.model} of version {version}, found {card.version}.")
    return card


def weights_of(folder: Path) -> Path:
    """The file of the weights that a checkpoint plays with."""
    return named(folder, read_card(folder).weights)


def named(folder: Path, name: str) -> Path:
    """A file of a checkpoint's folder that its card names; a path, or one that is not there, is refused."""
    path = folder / name
    if name != files.file_name(name) or not path.is_file():
        raise HousematesError(f"{folder / CARD}: names weights that are not there: {name}.")
    return path


def carried(folder: Path, name: str) -> Path:
    """A file that a checkpoint carries; one that is missing, or another than it was, is refused."""
    path, wanted = folder / name, read_card(folder).carried.get(name)
    if wanted is None or not path.is_file() or fingerprint(path).sha256 != wanted:
        raise HousematesError(f"{path}: expected the file that the weights were trained with.")
    return path


def read_config(folder: Path, card: Card, kind: type[Config]) -> Config:
    """The config on a card; a field that its model does not have is refused by its name."""
    return override(kind(), card.config, str(folder / CARD))


def read_tensors(path: Path) -> dict[str, Tensor]:
    """The tensors of a safetensors file."""
    from safetensors import torch

    return _read(path, torch.load)


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a safetensors file; torch is not needed for it."""
    from safetensors import numpy

    return _read(path, numpy.load)


def _read(path: Path, load: Callable[[bytes], dict[str, Found]]) -> dict[str, Found]:
    """What a safetensors file holds; nothing in it is executed, and whatever else it is is refused."""
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
    """Write tensors so that the file is whole or not there; a full disk is one sentence."""
    from safetensors.torch import save

    files.write_bytes(path, save({name: each.detach().contiguous() for name, each in tensors.items()}))


def load_weights(net: Net, tensors: Mapping[str, Tensor], source: Path) -> Net:
    """Put weights of any precision into a network; a name or a shape that is not its own is refused."""
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
    """Put those weights into a network that it has too, in the same shape; returns how many there are."""
    own = net.state_dict()
    kept = {name: each for name, each in tensors.items() if name in own and own[name].shape == each.shape}
    net.load_state_dict({**own, **kept})
    return len(kept)


def write_card(folder: Path, card: Card) -> None:
    """Make what a card says the state of a folder."""
    files.write_json(folder / CARD, msgspec.to_builtins(card))


def config_fields(config: Any) -> dict[str, Any]:
    """A config as it stands on a card, in values that JSON gives back as they are."""
    found: dict[str, Any] = msgspec.to_builtins(dataclasses.asdict(config), enc_hook=str)
    return {name: list(each) if isinstance(each, tuple) else each for name, each in found.items()}
