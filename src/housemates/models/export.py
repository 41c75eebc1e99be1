"""Exports a trained model to play without torch: weights at half precision, ONNX graphs, and the card."""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
import torch
from torch import Tensor, nn

from housemates import files
from housemates.models import registry
from housemates.models.checkpoints import (
    Card,
    carried,
    read_card,
    read_tensors,
    weights_of,
    write_card,
    write_tensors,
)
from housemates.models.networks import (
    OUTPUT_SUFFIX,
    WEIGHT_PREFIX,
    EntryPoint,
    Exportable,
    graph_path,
    with_weights,
)

OPSET = 17
WEIGHTS = "weights.safetensors"


def export_model(folder: Path, out: Path, half: bool = True) -> Card:
    """Write the best weights of a training, a graph for each entry point, and last the card.

    Args:
        folder: Of the training.
        out: Where to; files of the same names are replaced.
        half: Store float32 weights as float16.
    """
    card = read_card(folder)
    tensors = read_tensors(weights_of(folder))
    if half:
        tensors = {
            name: each.half() if each.dtype is torch.float32 else each for name, each in tensors.items()
        }
    write_tensors(out / WEIGHTS, tensors)
    entry_points = {}
    spec = registry.spec_of(card.model)
    if spec.net:
        net = with_weights(spec.network(folder, card), folder)
        for name, entry_point in net.entry_points().items():
            graph, entry_points[name] = _graph(net, entry_point)
            files.write_bytes(graph_path(out, name), graph)
    for name in card.carried:
        files.write_bytes(out / name, carried(folder, name).read_bytes())
    found = msgspec.structs.replace(card, weights=WEIGHTS, training="", entry_points=entry_points)
    write_card(out, found)
    return found


class Traced(nn.Module):
    """An entry point with inputs and outputs by position, as `torch.onnx.export` traces it."""

    def __init__(self, net: Exportable, entry_point: EntryPoint) -> None:
        super().__init__()
        self.net, self._entry_point = net, entry_point

    def forward(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        """The outputs in the order in which the entry point names them."""
        named = dict(zip(self._entry_point.example, inputs, strict=True))
        return tuple(self._entry_point.run(**named).values())


def _graph(net: Exportable, entry_point: EntryPoint) -> tuple[bytes, list[str]]:
    """An entry point as ONNX with external weights, and the names of these weights."""
    import onnx

    assert isinstance(net, nn.Module)

    with torch.no_grad():
        outputs = [f"{name}{OUTPUT_SUFFIX}" for name in entry_point.run(**entry_point.example)]
    dynamic_axes = {
        name: {axis: f"{name}_{axis}" for axis in axes} for name, axes in entry_point.dynamic_axes.items()
    }
    names, values = tuple(entry_point.example), tuple(entry_point.example.values())
    model = onnx_of(Traced(net, entry_point).eval(), values, names, outputs, dynamic_axes)
    own, weights = net.state_dict(), []
    for tensor in model.graph.initializer:
        name = tensor.name.removeprefix(WEIGHT_PREFIX)
        if name in own:
            weights.append(name)
            tensor.ClearField("raw_data")
            tensor.data_location = onnx.TensorProto.EXTERNAL
            tensor.external_data.add(key="location", value=WEIGHTS)
    for node in model.graph.node:
        node.ClearField("doc_string")
    data: bytes = model.SerializeToString()
    return data, weights


def onnx_of(
    net: nn.Module,
    example: tuple[Tensor, ...],
    inputs: Sequence[str],
    outputs: Sequence[str],
    dynamic_axes: Mapping[str, Mapping[int, str]] | None = None,
) -> Any:
    """A network traced as an `onnx.ModelProto` of opset 17.

    Args:
        net: In evaluation mode.
        example: Inputs by position.
        inputs: Their names.
        outputs: Names of the outputs.
        dynamic_axes: Input -> axis -> its name; if given, no constant is folded, so weights keep their names.
    """
    import onnx

    buffer = io.BytesIO()
    fast = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            torch.onnx.export(
                net,
                example,
                buffer,  # type: ignore[arg-type]
                input_names=list(inputs),
                output_names=list(outputs),
                opset_version=OPSET,
                dynamic_axes=dynamic_axes,
                do_constant_folding=dynamic_axes is None,
                dynamo=False,
            )
    finally:
        torch.backends.mha.set_fastpath_enabled(fast)
    return onnx.load_from_string(buffer.getvalue())
