"""Writing trained eyes for use without torch: two ONNX networks at half precision, the heads, and a card."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
from torch import Tensor, nn

from housemates import files
from housemates.models.checkpoints import load_weights, read_card, read_config, read_tensors, weights_of
from housemates.models.exporting import onnx_of
from housemates.models.eyes.config import COARSE, SIDE, EyesConfig
from housemates.models.eyes.model import Averaged, Net
from housemates.models.eyes.pixels import CHANNELS, RAYS
from housemates.models.eyes.seeing import (
    CARD,
    CODES,
    DECODER,
    ENCODER,
    HEADS,
    LEVELS,
    PIXELS,
    WAYS,
    EyesCard,
)
from housemates.render.glimpses import STATES


class Front(nn.Module):
    """From folded pictures to features."""

    def __init__(self, net: Net) -> None:
        super().__init__()
        self.net = net

    def forward(self, folded: Tensor) -> tuple[Tensor, ...]:
        """One for each of `LEVELS`."""
        return tuple(self.net.features(folded))


class Back(nn.Module):
    """From features, the picture and the way one looks to codes."""

    def __init__(self, net: Net) -> None:
        super().__init__()
        self.net = net

    def forward(self, *given: Tensor) -> Tensor:
        """Those of one picture after the other, row by row."""
        *features, folded, rays = given
        return self.net.codes(features, folded, rays)


def export_eyes(folder: Path, out: Path) -> EyesCard:
    """Write the best weights of a training, their mean, for `seeing`."""
    card = read_card(folder)
    config = read_config(folder, card, EyesConfig)
    types = card.vocabulary["types"]
    path = weights_of(folder)
    both = Averaged(Net(config, len(types)), Net(config, len(types)))
    net = load_weights(both, read_tensors(path), path).mean.eval()
    made = EyesCard(
        version=card.version,
        types=types,
        states=list(STATES),
        steps=card.progress.best_step,
        config={name: value for name, value in card.config.items() if name != "valid"},
        valid=_validation(card.progress.history, card.progress.best_step),
    )
    write_eyes(net, made, out)
    return made


def write_eyes(net: Net, card: EyesCard, out: Path) -> None:
    """Write a network in evaluation mode, the card last."""
    side = SIDE // COARSE
    folded, rays = torch.zeros(1, side, side, CHANNELS, dtype=torch.uint8), torch.zeros(1, side, side, RAYS)
    with torch.no_grad():
        features = tuple(net.features(folded))
    files.write_bytes(out / ENCODER, _onnx(Front(net).eval(), (folded,), (PIXELS,), LEVELS))
    told = (*features, folded, rays)
    files.write_bytes(out / DECODER, _onnx(Back(net).eval(), told, (*LEVELS, PIXELS, WAYS), (CODES,)))
    files.write_bytes(out / HEADS, _heads(net))
    files.write_json(out / CARD, msgspec.to_builtins(card))


def _validation(history: list[dict[str, float]], step: int) -> dict[str, float]:
    rows = [row for row in history if row["step"] == step]
    return {name: round(value, 4) for row in rows for name, value in row.items() if name.startswith("valid ")}


def _heads(net: Net) -> bytes:
    """The heads, as codes are multiplied with them."""
    buffer = io.BytesIO()
    arrays: dict[str, np.ndarray] = {}
    for name, head in net.heads.items():
        assert isinstance(head, nn.Linear)
        arrays[name] = head.weight.detach().numpy().T.astype(np.float16)
        arrays[f"{name} bias"] = head.bias.detach().numpy().astype(np.float16)
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def _onnx(
    net: nn.Module, example: tuple[Tensor, ...], inputs: tuple[str, ...], outputs: tuple[str, ...]
) -> bytes:
    """A network as ONNX whose weights are kept at half precision and widened when it is loaded."""
    model = onnx_of(net, example, inputs, outputs)
    halve(model.graph)
    data: bytes = model.SerializeToString()
    return data


def halve(graph: Any) -> None:
    """Keep the float weights of a graph at half precision, with a cast behind each."""
    import onnx
    from onnx import numpy_helper

    casts = []
    for tensor in graph.initializer:
        if tensor.data_type == onnx.TensorProto.FLOAT and len(tensor.dims) > 1:
            name = tensor.name
            small = numpy_helper.from_array(numpy_helper.to_array(tensor).astype(np.float16), f"{name} half")
            tensor.CopyFrom(small)
            casts.append(onnx.helper.make_node("Cast", [small.name], [name], to=onnx.TensorProto.FLOAT))
    for number, cast in enumerate(casts):
        graph.node.insert(number, cast)
