"""Networks as agents call them: NumPy arrays in and out, on torch or, once exported, on onnxruntime alone.

A network states its entry points once. A training's folder runs them on torch; `export model` writes each as
an ONNX graph whose weights stay in one shared safetensors file. Torch is imported only for the former.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from housemates.core.copies import shared
from housemates.errors import ExtraMissing, HousematesError
from housemates.models.checkpoints import (
    Card,
    load_weights,
    read_arrays,
    read_card,
    read_tensors,
    weights_of,
)

if TYPE_CHECKING:
    from torch import Tensor

WEIGHT_PREFIX = "net."
"""Precedes the names of weights in a graph."""
OUTPUT_SUFFIX = "_out"
"""Follows the names of outputs in a graph, where an input may have the same name."""
Arrays = dict[str, NDArray[Any]]


class EntryPoint(NamedTuple):
    """A function of a network that agents call for one example: tensors by name in, tensors by name out."""

    run: Callable[..., Mapping[str, Tensor]]
    example: Mapping[str, Tensor]
    """Inputs to trace it with; dynamic axes are at least two long."""
    dynamic_axes: Mapping[str, Sequence[int]]
    """Input -> its axes of any length."""


class Exportable(ABC):
    """Mixed into an `nn.Module` that agents can call and `export model` can write."""

    @abstractmethod
    def entry_points(self) -> Mapping[str, EntryPoint]:
        """Everything that agents call, by name."""


@shared
class Network(ABC):
    """The network of a checkpoint; its model's `entry_points` say what can be run, with which arrays."""

    @abstractmethod
    def run(self, entry_point: str, **inputs: NDArray[Any]) -> Arrays:
        """The outputs of an entry point by name, of inputs by name."""


class TorchNetwork(Network):
    """Runs a module's entry points on one thread of torch, without gradients."""

    def __init__(self, module: Exportable) -> None:
        import torch

        torch.set_num_threads(1)
        self._torch = torch
        self._entry_points = module.entry_points()

    def run(self, entry_point: str, **inputs: NDArray[Any]) -> Arrays:
        """Run on torch, without gradients."""
        tensors = {name: self._torch.from_numpy(each) for name, each in inputs.items()}
        with self._torch.no_grad():
            outputs = self._entry_points[entry_point].run(**tensors)
        return {name: each.numpy() for name, each in outputs.items()}


class ExportedNetwork(Network):
    """Runs the graphs that `export model` wrote on onnxruntime, all on one copy of the weights."""

    def __init__(self, folder: Path, card: Card) -> None:
        path = weights_of(folder)
        weights = {name: _float32(each) for name, each in read_arrays(path).items()}
        self._sessions = {}
        for entry_point, names in card.entry_points.items():
            missing = sorted(set(names) - weights.keys())
            if missing:
                raise HousematesError(f"{path}: {missing[0]!r} is missing, which {entry_point} needs.")
            shared = {WEIGHT_PREFIX + name: weights[name] for name in names}
            self._sessions[entry_point] = onnx_session(graph_path(folder, entry_point), 1, shared)

    def run(self, entry_point: str, **inputs: NDArray[Any]) -> Arrays:
        """Run on onnxruntime; inputs that the graph does not use are ignored."""
        graph = self._sessions[entry_point]
        names = [each.name.removesuffix(OUTPUT_SUFFIX) for each in graph.get_outputs()]
        used = {each.name: inputs[each.name] for each in graph.get_inputs()}
        return dict(zip(names, graph.run(None, used), strict=True))


def open_network(folder: Path) -> Network:
    """The network of a checkpoint: on onnxruntime if it was exported, on torch if it is a training's.

    Raises:
        HousematesError: the folder is no checkpoint, or one of another version, or its weights do not fit.
    """
    from housemates.models import registry

    card = read_card(folder)
    if card.entry_points:
        return ExportedNetwork(folder, card)
    return TorchNetwork(with_weights(registry.spec_of(card.model).network(folder, card), folder))


def with_weights(module: Exportable, folder: Path) -> Exportable:
    """A network with the weights of a checkpoint, in evaluation mode."""
    from torch import nn

    assert isinstance(module, nn.Module)
    path = weights_of(folder)
    return load_weights(module, read_tensors(path), path).eval()


def graph_path(folder: Path, entry_point: str) -> Path:
    """The ONNX file of an entry point."""
    return folder / f"{entry_point}.onnx"


def onnx_session(path: Path, threads: int = 1, weights: Mapping[str, NDArray[Any]] | None = None) -> Any:
    """An onnxruntime session of a file.

    Args:
        path: An ONNX file.
        threads: Of one operator.
        weights: Initializers that the file declares as external, by name.

    Raises:
        HousematesError: onnxruntime is not installed, or the file is no complete ONNX network.
    """
    try:
        import onnxruntime
    except ModuleNotFoundError:
        raise ExtraMissing(
            f"{path}: needs onnxruntime: install the extra 'infer' (housemates[infer])."
        ) from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.log_severity_level = 3
    if weights:
        values = [onnxruntime.OrtValue.ortvalue_from_numpy(each) for each in weights.values()]
        options.add_external_initializers(list(weights), values)
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception:
        raise HousematesError(f"{path}: cannot be read as an ONNX network; is it complete?") from None


def _float32(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(np.float32) if array.dtype == np.float16 else array
