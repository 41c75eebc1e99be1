"""Exports the trained segmentation network for use without torch: ONNX graphs, the heads, and a card.

The whole network is in whole numbers, for looking; its first half, for others, at half precision. All weights
at half precision lie beside them, so that a training can begin with them.
"""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import torch
from torch import Tensor, nn

from housemates import files
from housemates.data.store import needed_store
from housemates.models.checkpoints import (
    load_weights,
    read_card,
    read_config,
    read_tensors,
    weights_of,
    write_card,
    write_tensors,
)
from housemates.models.export import onnx_of
from housemates.models.segmentation.config import COARSE, SIDE, EyesConfig
from housemates.models.segmentation.data import Course, Lesson
from housemates.models.segmentation.inference import (
    BIASES,
    CARD,
    ENCODER,
    FACTORS,
    HEADS,
    LEVELS,
    NETWORK,
    PIXELS,
    UNITS,
    EyesCard,
)
from housemates.models.segmentation.model import Averaged, Net
from housemates.models.segmentation.pixels import CHANNELS
from housemates.models.segmentation.quantisation import Whole, quantised
from housemates.render.detections import STATES

START = "start.safetensors"
REACHED = 120
"""Pictures that calibrate the ranges of activations."""


class Front(nn.Module):
    """The encoder alone: folded pictures to feature maps."""

    def __init__(self, net: Net) -> None:
        super().__init__()
        self.net = net

    def forward(self, folded: Tensor) -> tuple[Tensor, ...]:
        """A feature map for each of `LEVELS`."""
        return tuple(self.net.features(folded))


def export_eyes(folder: Path, out: Path, data: Path | None = None) -> EyesCard:
    """Write the best weights of a training, their mean, for `seeing`.

    Args:
        folder: Of the training.
        out: Where to.
        data: The store that it was trained on, whose pictures tell how far numbers reach; if there is none,
            generated rooms do.
    """
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
    course = Course("" if data is None else str(needed_store(data).folder), replace(config, frames=REACHED))
    write_eyes(net, made, course.lesson(0), out)
    weights = {f"net.{name}": _halved(each) for name, each in net.state_dict().items()}
    write_tensors(out / START, weights)
    write_card(out, msgspec.structs.replace(card, weights=START, training="", config=made.config, data=[]))
    return made


def write_eyes(net: Net, card: EyesCard, lesson: Lesson, out: Path) -> None:
    """Write a network in evaluation mode, quantised by its activations on a lesson; the card last."""
    side = SIDE // COARSE
    whole = quantised(net, lesson.pictures, lesson.views)
    files.write_bytes(out / NETWORK, whole.graph)
    squares = torch.zeros(1, side, side, CHANNELS, dtype=torch.uint8)
    files.write_bytes(out / ENCODER, _onnx(Front(net).eval(), (squares,), (PIXELS,), LEVELS))
    files.write_bytes(out / HEADS, _heads(net, whole))
    files.write_json(out / CARD, msgspec.to_builtins(card))


def _halved(tensor: Tensor) -> Tensor:
    return tensor.half() if tensor.is_floating_point() else tensor


def _validation(history: list[dict[str, float]], step: int) -> dict[str, float]:
    rows = [row for row in history if row["step"] == step]
    return {name: round(value, 4) for row in rows for name, value in row.items() if name.startswith("valid ")}


def _heads(net: Net, whole: Whole) -> bytes:
    """The heads' weights for integer codes and the quantisation's units, as the bytes of `heads.npz`."""
    buffer = io.BytesIO()
    arrays: dict[str, np.ndarray] = {UNITS: whole.units, FACTORS: whole.factors, BIASES: whole.biases}
    for name, head in net.heads.items():
        assert isinstance(head, nn.Linear)
        arrays[name] = head.weight.detach().numpy().T
        arrays[f"{name} bias"] = head.bias.detach().numpy()
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def _onnx(
    net: nn.Module, example: tuple[Tensor, ...], inputs: tuple[str, ...], outputs: tuple[str, ...]
) -> bytes:
    """A network as ONNX with float16 weights and casts to float32."""
    model = onnx_of(net, example, inputs, outputs)
    halve(model.graph)
    data: bytes = model.SerializeToString()
    return data


def halve(graph: Any) -> None:
    """Store a graph's float weights as float16, each with a cast behind it."""
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
