"""Post-training quantisation of the segmentation network to 8 bits, as ONNX, in a third of the time.

The network is walked twice. First floats go through it (`Measured`), which tells how far each step's numbers
reach; then its graph is written (`Written`), in which each step's numbers are bytes of that reach. Weights
have 7 bits, so that no processor's sums of products overflow.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from housemates.models.segmentation.config import COARSE, FINE, SIDE
from housemates.models.segmentation.inference import CODES as OUT
from housemates.models.segmentation.inference import PIXELS, SCORES, WAYS
from housemates.models.segmentation.model import PART, Net, parts
from housemates.models.segmentation.pixels import (
    CHANNELS,
    RAY_MIDDLES,
    RAY_STEPS,
    RAY_ZERO,
    RAYS,
    folded,
    ray_bytes,
)

OPSET, IR = 17, 8
OWN = "com.microsoft"
"""The ONNX domain of the quantised operators."""
BITS = 63
"""The largest integer weight."""
FOLDED_STEP, FOLDED_ZERO = 1.0 / 64.0, 128
"""What the bytes of pictures stand for; half a step more is part of what is added to them."""
FACTOR = 1024
"""The largest integer factor of a score."""
LEAST_WEIGHT = 1e-9
CODES = "squares of codes"


class Layer(NamedTuple):
    """A convolution with its batch norm folded in."""

    weight: NDArray[np.float32]
    """(out, in, rows, columns)."""
    bias: NDArray[np.float32]
    stride: int = 1


Layers = dict[str, Layer]
Reach = dict[str, NDArray[np.float32]]
"""Step -> (2, channels): minimum and maximum of its activations."""
Made = TypeVar("Made")


class Steps(Protocol[Made]):
    """The operations of the network, run on floats (`Measured`) or written as a graph (`Written`)."""

    def convolved(self, name: str, x: Made, relu: bool = False) -> Made:
        """A convolution by its layer's name, with ReLU if asked for."""

    def added(self, name: str, one: Made, other: Made, relu: bool = False) -> Made:
        """The sum of two activations, with ReLU if asked for."""

    def spread(self, name: str, x: Made, side: int) -> Made:
        """Nearest-neighbour upsampling to a side."""


def walk(net: Net, steps: Steps[Made], folded: Made, rays: Made) -> Made:
    """Run the network: folded pictures and rays to codes, still four to a 4x4 square."""
    sides, x, features = [SIDE // COARSE], folded, []
    for level, stage in enumerate(net.encoder.stages):
        x = steps.convolved(f"stage {level}", x, relu=True)
        for block in range(len(stage) - 2):  # type: ignore[arg-type]
            name = f"stage {level} block {block}"
            inside = steps.convolved(f"{name} first", x, relu=True)
            x = steps.added(name, x, steps.convolved(f"{name} second", inside), relu=True)
        features.append(x)
        sides.append(-(-sides[-1] // 2))
    for level, skip in enumerate(features[-2::-1]):
        side = sides[len(features) - 2 - level]
        carried = steps.spread(f"carried {level}", steps.convolved(f"down {level}", x), side)
        way = steps.convolved(f"way {level}", steps.spread(f"rays {level}", rays, side))
        told = steps.added(f"told {level}", carried, way)
        own = steps.added(f"own {level}", steps.convolved(f"across {level}", skip), told, relu=True)
        x = steps.convolved(f"mix {level}", own, relu=True)
    return steps.added(CODES, steps.convolved("split", x), steps.convolved("alone", folded), relu=True)


def layers_of(net: Net) -> Layers:
    """The layers of a network by name, with batch norm folded in."""
    found: Layers = {}
    for level, stage in enumerate(net.encoder.stages):
        first, _, *blocks = list(stage.children())
        found[f"stage {level}"] = _merged(first)
        for number, block in enumerate(blocks):
            found[f"stage {level} block {number} first"] = _merged(block.first)
            found[f"stage {level} block {number} second"] = _merged(block.second)
    for level, (across, down, mix) in enumerate(
        zip(net.decoder.across, net.decoder.down, net.decoder.mix, strict=True)
    ):
        weight, bias, _ = _merged(across)
        ways = weight[:, -RAYS:]
        found[f"across {level}"] = Layer(weight[:, :-RAYS], bias)
        found[f"way {level}"] = Layer(ways * RAY_STEPS[:, None, None], ways[..., 0, 0] @ RAY_MIDDLES)
        found[f"down {level}"], found[f"mix {level}"] = _merged(down), _merged(mix)
    found["split"] = Layer(_array(net.split.weight)[..., None, None], _array(net.split.bias))
    found["alone"] = _alone(net)
    for name in ("stage 0", "alone"):
        layer = found[name]
        half = layer.weight.sum((1, 2, 3)) * np.float32(FOLDED_STEP / 2)
        found[name] = layer._replace(bias=layer.bias + half)
    return found


def _merged(pair: Any) -> Layer:
    """Fold the batch norm of a (convolution, batch norm) pair."""
    plain, norm = pair
    factor = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    bias = norm.bias - norm.running_mean * factor
    return Layer(_array(plain.weight * factor[:, None, None, None]), _array(bias), plain.stride[0])


def _alone(net: Net) -> Layer:
    """The per-pixel shortcut as one layer for all four codes of a square."""
    weight, count = _array(net.alone.weight), PART * PART
    own = parts(torch.arange(CHANNELS)[None]).reshape(count, -1).numpy()
    whole = np.zeros((count, len(weight), CHANNELS), np.float32)
    for number, channels in enumerate(own):
        whole[number][:, channels] = weight
    bias = np.tile(_array(net.alone.bias), count)
    return Layer(whole.reshape(-1, CHANNELS, 1, 1), bias)


def _array(tensor: Tensor) -> NDArray[np.float32]:
    return np.asarray(tensor.detach().numpy(), np.float32)


class Measured:
    """Runs the operations on floats and records the range of each activation by channel."""

    def __init__(self, layers: Layers) -> None:
        self.layers = layers
        self.reach: Reach = {}

    def convolved(self, name: str, x: Tensor, relu: bool = False) -> Tensor:
        """A convolution on floats, recorded."""
        layer = self.layers[name]
        side = layer.weight.shape[-1]
        weight, bias = torch.from_numpy(layer.weight), torch.from_numpy(layer.bias)
        return self._noted(name, functional.conv2d(x, weight, bias, layer.stride, side // 2), relu)

    def added(self, name: str, one: Tensor, other: Tensor, relu: bool = False) -> Tensor:
        """A sum on floats, recorded."""
        return self._noted(name, one + other, relu)

    def spread(self, name: str, x: Tensor, side: int) -> Tensor:
        """Upsampling on floats, not recorded."""
        return functional.interpolate(x, size=(side, side), mode="nearest")

    def _noted(self, name: str, x: Tensor, relu: bool) -> Tensor:
        found = functional.relu(x) if relu else x
        low, high = (_array(each) for each in (found.amin((0, 2, 3)), found.amax((0, 2, 3))))
        before = self.reach.get(name, np.zeros((2, len(low)), np.float32))
        self.reach[name] = np.stack([np.minimum(low, before[0]), np.maximum(high, before[1])])
        return found


class Bytes(NamedTuple):
    """A quantised activation: name in the graph, side, scale, and zero point."""

    name: str
    side: int
    step: float
    zero: int


class Written:
    """Writes the operations on bytes as nodes of an ONNX graph, channels last."""

    def __init__(self, layers: Layers, reach: Reach) -> None:
        self.layers, self.reach = layers, reach
        self.nodes: list[Any] = []
        self.weights: dict[str, NDArray[Any]] = {}

    def convolved(self, name: str, x: Bytes, relu: bool = False) -> Bytes:
        """A convolution as a `QLinearConv` node."""
        layer = self.layers[name]
        made = self._made(name, -(-x.side // layer.stride))
        steps = np.maximum(np.abs(layer.weight).max((1, 2, 3)), LEAST_WEIGHT) / BITS
        whole = np.rint(layer.weight / steps[:, None, None, None]).astype(np.int8)
        given = [
            x.name, *self._scale(x), self.keep(f"{name} weight", whole), self.keep(f"{name} steps", steps),
            self.keep(f"{name} zeros", np.zeros(len(steps), np.int8)), *self._scale(made),
            self.keep(f"{name} bias", np.rint(layer.bias / (steps * x.step)).astype(np.int32)),
        ]  # fmt: skip
        side = layer.weight.shape[-1]
        shape = {"kernel_shape": [side] * 2, "strides": [layer.stride] * 2, "pads": [side // 2] * 4}
        self.node("QLinearConv", given, name, OWN, channels_last=1, **shape)
        return made

    def added(self, name: str, one: Bytes, other: Bytes, relu: bool = False) -> Bytes:
        """A sum as a `QLinearAdd` node."""
        made = self._made(name, one.side)
        given = [one.name, *self._scale(one), other.name, *self._scale(other), *self._scale(made)]
        self.node("QLinearAdd", given, name, OWN)
        return made

    def spread(self, name: str, x: Bytes, side: int) -> Bytes:
        """Upsampling as two `Gather` nodes, or nothing if the side is the same."""
        if side == x.side:
            return x
        nearest = self.keep(f"{name} nearest", np.arange(side) * x.side // side)
        self.node("Gather", [x.name, nearest], f"{name} rows", axis=1)
        self.node("Gather", [f"{name} rows", nearest], name, axis=2)
        return x._replace(name=name, side=side)

    def keep(self, name: str, array: NDArray[Any]) -> str:
        """Add an initializer to the graph; returns its name."""
        self.weights[name] = array.astype(np.float32) if array.dtype == np.float64 else array
        return name

    def node(self, kind: str, given: Sequence[str], made: str, domain: str = "", **how: Any) -> None:
        """Add a node with one output to the graph."""
        from onnx import helper

        self.nodes.append(helper.make_node(kind, given, [made], domain=domain, **how))

    def _made(self, name: str, side: int) -> Bytes:
        """The quantised output of a step, scaled by its measured range."""
        low, high = float(self.reach[name][0].min()), float(self.reach[name][1].max())
        step = max(high - low, LEAST_WEIGHT) / 255
        return Bytes(name, side, step, round(-low / step))

    def _scale(self, x: Bytes) -> tuple[str, str]:
        return (
            self.keep(f"{x.name} step", np.array(x.step, np.float32)),
            self.keep(f"{x.name} zero", np.array(x.zero, np.uint8)),
        )


class Whole(NamedTuple):
    """A network quantised to integers."""

    graph: bytes
    """ONNX: squares of pixels and rays, as bytes, to `CODES` (a byte each) and the `SCORES` of types."""
    units: NDArray[np.float32]
    """(channels of a code,): scale of each channel."""
    factors: NDArray[np.int32]
    """(types,): integer factors that make scores comparable."""
    biases: NDArray[np.int32]
    """(types,): added after the factors."""


@torch.no_grad()
def quantised(net: Net, pictures: NDArray[np.uint8], views: NDArray[np.float32]) -> Whole:
    """Quantise a network in evaluation mode by the ranges of activations on some pictures."""
    layers = layers_of(net)
    steps = Measured(layers)
    for picture, (horizon, fov) in zip(pictures, views.tolist(), strict=True):
        squares = (folded(picture).astype(np.float32) - FOLDED_ZERO) * np.float32(FOLDED_STEP)
        seen = ray_bytes(horizon, fov).astype(np.float32) - RAY_ZERO
        walk(net, steps, *(torch.from_numpy(each).permute(2, 0, 1)[None] for each in (squares, seen)))
    most = _levelled(layers, steps.reach)
    written = Written(layers, steps.reach)
    side = SIDE // COARSE
    given = Bytes(PIXELS, side, FOLDED_STEP, FOLDED_ZERO), Bytes(WAYS, side, 1.0, RAY_ZERO)
    codes = walk(net, written, *given)
    units = (most * codes.step).astype(np.float32)
    factors, biases = _finish(written, net, codes, units)
    return Whole(_graph(written, len(units), len(factors)), units, factors, biases)


def _levelled(layers: Layers, reach: Reach) -> NDArray[np.float32]:
    """Rescale all channels of codes to a range of 1; returns their ranges before."""
    each = reach[CODES][1].reshape(PART * PART, -1).max(0)
    most = np.maximum(each, LEAST_WEIGHT)
    factor = np.tile(1 / most, PART * PART).astype(np.float32)
    for name in ("split", "alone"):
        weight, bias, _ = layers[name]
        layers[name] = Layer(weight * factor[:, None, None, None], bias * factor)
        reach[name] = reach[name] * factor
    reach[CODES] = reach[CODES] * factor
    return np.asarray(most, np.float32)


def _finish(
    written: Written, net: Net, codes: Bytes, units: NDArray[np.float32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Write the depth-to-space of codes and the scores of types; returns their factors and biases."""
    side, width = codes.side, len(units)
    shapes = {"squares": (side, side, PART, PART * width), "rows": (side * PART * side * PART, width)}
    for name, shape in shapes.items():
        written.keep(name, np.array(shape, np.int64))
    written.node("Reshape", [codes.name, "squares"], "parts")
    written.node("Transpose", ["parts"], "lines", perm=[0, 2, 1, 3])
    written.node("Reshape", ["lines", "rows"], OUT)
    head = net.heads["types"]
    weight = _array(head.weight) * units  # type: ignore[arg-type]
    steps = np.maximum(np.abs(weight).max(1), LEAST_WEIGHT) / BITS
    whole = np.rint(weight / steps[:, None]).astype(np.int8)
    written.node("MatMulInteger", [OUT, written.keep("types", whole.T.copy())], SCORES)
    unit = steps.max() / FACTOR
    return np.rint(steps / unit).astype(np.int32), np.rint(_array(head.bias) / unit).astype(np.int32)  # type: ignore[arg-type]


def _graph(written: Written, width: int, types: int) -> bytes:
    """The nodes and initializers as the bytes of an ONNX model."""
    from onnx import TensorProto, helper, numpy_helper

    side, rows = SIDE // COARSE, (SIDE // FINE) ** 2
    value = helper.make_tensor_value_info
    inputs = [
        value(name, TensorProto.UINT8, [1, side, side, channels])
        for name, channels in ((PIXELS, CHANNELS), (WAYS, RAYS))
    ]
    outputs = [value(OUT, TensorProto.UINT8, [rows, width]), value(SCORES, TensorProto.INT32, [rows, types])]
    weights = [numpy_helper.from_array(each, name) for name, each in written.weights.items()]
    graph = helper.make_graph(written.nodes, "eyes", inputs, outputs, weights)
    opsets = [helper.make_opsetid("", OPSET), helper.make_opsetid(OWN, 1)]
    data: bytes = helper.make_model(graph, opset_imports=opsets, ir_version=IR).SerializeToString()
    return data
