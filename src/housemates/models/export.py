"""Writing a trained model for playing without torch: weights at half precision, graphs, and the card."""

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
from housemates.models.networks import GIVEN_BACK, OWN, graph_of
from housemates.models.playable import Part, Playable, with_weights

OPSET = 17
WEIGHTS = "weights.safetensors"


def export_model(folder: Path, out: Path, half: bool = True) -> Card:
    """Write the best weights of a training, the graphs that use them, and last the card."""
    card = read_card(folder)
    tensors = read_tensors(weights_of(folder))
    if half:
        tensors = {
            name: each.half() if each.dtype is torch.float32 else each for name, each in tensors.items()
        }
    write_tensors(out / WEIGHTS, tensors)
    parts = {}
    spec = registry.spec_of(card.model)
    if spec.net:
        net = with_weights(spec.network(folder, card), folder)
        for name, part in net.parts().items():
            graph, parts[name] = _graph(net, part)
            files.write_bytes(graph_of(out, name), graph)
    for name in card.carried:
        files.write_bytes(out / name, carried(folder, name).read_bytes())
    found = msgspec.structs.replace(card, weights=WEIGHTS, training="", parts=parts)
    write_card(out, found)
    return found


class Traced(nn.Module):
    """A part of a network, as tracing wants it."""

    def __init__(self, net: Playable, part: Part) -> None:
        super().__init__()
        self.net, self._part = net, part

    def forward(self, *given: Tensor) -> tuple[Tensor, ...]:
        """All that the part gives, in its order."""
        return tuple(self._part.run(**dict(zip(self._part.example, given, strict=True))).values())


def _graph(net: Playable, part: Part) -> tuple[bytes, list[str]]:
    """A part as ONNX whose weights are kept elsewhere, and their names."""
    import onnx

    with torch.no_grad():
        outputs = [f"{name}{GIVEN_BACK}" for name in part.run(**part.example)]
    free = {name: {axis: f"{name}_{axis}" for axis in axes} for name, axes in part.free.items()}
    names, values = tuple(part.example), tuple(part.example.values())
    model = onnx_of(Traced(net, part).eval(), values, names, outputs, free)
    own, weights = net.state_dict(), []
    for tensor in model.graph.initializer:
        name = tensor.name.removeprefix(OWN)
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
    free: Mapping[str, Mapping[int, str]] | None = None,
) -> Any:
    """A network as an ONNX model. With free axes nothing is folded, so that weights keep their names."""
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
                dynamic_axes=free,
                do_constant_folding=free is None,
                dynamo=False,
            )
    finally:
        torch.backends.mha.set_fastpath_enabled(fast)
    return onnx.load_from_string(buffer.getvalue())
