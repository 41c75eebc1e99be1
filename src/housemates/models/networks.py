"""Networks as agents call them: arrays in, arrays out; what was exported runs without torch."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from housemates.errors import HousematesError
from housemates.models.checkpoints import Card, read_arrays, read_card, weights_of

OWN = "net."
"""How the names of weights begin in a graph."""
GIVEN_BACK = "_out"
"""How the names of outputs end in a graph, where an input may have the same name."""
Arrays = dict[str, NDArray[Any]]


class Network(ABC):
    """The network of a checkpoint; which parts it has, and what they take and give, its model says."""

    @abstractmethod
    def run(self, part: str, **given: NDArray[Any]) -> Arrays:
        """What a part makes of arrays, each by the name that the part has for it."""


class ExportedNetwork(Network):
    """One that `export model` wrote: a graph for each part, and the weights that they share."""

    def __init__(self, folder: Path, card: Card) -> None:
        path = weights_of(folder)
        weights = {name: _wide(each) for name, each in read_arrays(path).items()}
        self._sessions = {}
        for part, names in card.parts.items():
            missing = sorted(set(names) - weights.keys())
            if missing:
                raise HousematesError(f"{path}: {missing[0]!r} is missing, which {part} needs.")
            shared = {OWN + name: weights[name] for name in names}
            self._sessions[part] = session(graph_of(folder, part), 1, shared)

    def run(self, part: str, **given: NDArray[Any]) -> Arrays:
        """On onnxruntime."""
        graph = self._sessions[part]
        names = [each.name.removesuffix(GIVEN_BACK) for each in graph.get_outputs()]
        taken = {each.name: given[each.name] for each in graph.get_inputs()}
        return dict(zip(names, graph.run(None, taken), strict=True))


def open_network(folder: Path) -> Network:
    """The network of a checkpoint: on onnxruntime if it was exported, on torch if it is a training's."""
    from housemates.models import registry

    card = read_card(folder)
    if card.parts:
        return ExportedNetwork(folder, card)
    empty = registry.spec_of(card.model).network(folder, card)
    from housemates.models.playable import TrainedNetwork, with_weights

    return TrainedNetwork(with_weights(empty, folder))


def graph_of(folder: Path, part: str) -> Path:
    """Where the graph of a part is."""
    return folder / f"{part}.onnx"


def session(path: Path, threads: int = 1, weights: Mapping[str, NDArray[Any]] | None = None) -> Any:
    """An ONNX file, ready to run; weights that it leaves to others are given by name."""
    try:
        import onnxruntime
    except ModuleNotFoundError:
        raise HousematesError(
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


def _wide(array: NDArray[Any]) -> NDArray[Any]:
    return array.astype(np.float32) if array.dtype == np.float16 else array
