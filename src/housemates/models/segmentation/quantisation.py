"""The network of the eyes in whole numbers of 8 bits, as ONNX, which takes a third of the time.

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
"""Whose operators on bytes they are."""
BITS = 63
"""The largest weight."""
FOLDED_STEP, FOLDED_ZERO = 1.0 / 64.0, 128
"""What the bytes of pictures stand for; half a step more is part of what is added to them."""
FACTOR = 1024
"""The largest factor of a score."""
LEAST_WEIGHT = 1e-9
CODES = "squares of codes"


class Layer(NamedTuple):
    """A convolution."""

    weight: NDArray[np.float32]
    """(out, in, rows, columns)."""
    bias: NDArray[np.float32]
    stride: int = 1


Layers = dict[str, Layer]
Reach = dict[str, NDArray[np.float32]]
"""Of each step: (2, channels): the least and the largest number of each."""
Made = TypeVar("Made")


class Steps(Protocol[Made]):
    """What the network is made of."""

    def convolved(self, name: str, x: Made, relu: bool = False) -> Made:
        """A layer, without what is below 0 if so told."""

    def added(self, name: str, one: Made, other: Made, relu: bool = False) -> Made:
        """The sum of two."""

    def spread(self, name: str, x: Made, side: int) -> Made:
        """Of another size, as the nearest was."""


def walk(net: Net, steps: Steps[Made], folded: Made, rays: Made) -> Made:
    """From squares of pixels and the rays to codes (still four to a square), step by step."""
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
    """The layers of a network by name, their normalisation part of them."""
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
    """A convolution with its normalisation."""
    plain, norm = pair
    factor = norm.weight / torch.sqrt(norm.running_var + norm.eps)
    bias = norm.bias - norm.running_mean * factor
    return Layer(_array(plain.weight * factor[:, None, None, None]), _array(bias), plain.stride[0])


def _alone(net: Net) -> Layer:
    """What pixels are by themselves, for all four parts of a square at once."""
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
    """Steps on floats, noting how far the numbers of each reach, by channel."""

    def __init__(self, layers: Layers) -> None:
        self.layers = layers
        self.reach: Reach = {}

    def convolved(self, name: str, x: Tensor, relu: bool = False) -> Tensor:
        """As `Steps` has it."""
        layer = self.layers[name]
        side = layer.weight.shape[-1]
        weight, bias = torch.from_numpy(layer.weight), torch.from_numpy(layer.bias)
        return self._noted(name, functional.conv2d(x, weight, bias, layer.stride, side // 2), relu)

    def added(self, name: str, one: Tensor, other: Tensor, relu: bool = False) -> Tensor:
        """As `Steps` has it."""
        return self._noted(name, one + other, relu)

    def spread(self, name: str, x: Tensor, side: int) -> Tensor:
        """As `Steps` has it."""
        return functional.interpolate(x, size=(side, side), mode="nearest")

    def _noted(self, name: str, x: Tensor, relu: bool) -> Tensor:
        found = functional.relu(x) if relu else x
        low, high = (_array(each) for each in (found.amin((0, 2, 3)), found.amax((0, 2, 3))))
        before = self.reach.get(name, np.zeros((2, len(low)), np.float32))
        self.reach[name] = np.stack([np.minimum(low, before[0]), np.maximum(high, before[1])])
        return found


class Bytes(NamedTuple):
    """Numbers as bytes: what they are called in a graph, what a step is worth, and which byte is 0."""

    name: str
    side: int
    step: float
    zero: int


class Written:
    """Steps on bytes, as nodes of a graph whose last axis is that of channels."""

    def __init__(self, layers: Layers, reach: Reach) -> None:
        self.layers, self.reach = layers, reach
        self.nodes: list[Any] = []
        self.weights: dict[str, NDArray[Any]] = {}

    def convolved(self, name: str, x: Bytes, relu: bool = False) -> Bytes:
        """As `Steps` has it."""
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
        """As `Steps` has it."""
        made = self._made(name, one.side)
        given = [one.name, *self._scale(one), other.name, *self._scale(other), *self._scale(made)]
        self.node("QLinearAdd", given, name, OWN)
        return made

    def spread(self, name: str, x: Bytes, side: int) -> Bytes:
        """As `Steps` has it."""
        if side == x.side:
            return x
        nearest = self.keep(f"{name} nearest", np.arange(side) * x.side // side)
        self.node("Gather", [x.name, nearest], f"{name} rows", axis=1)
        self.node("Gather", [f"{name} rows", nearest], name, axis=2)
        return x._replace(name=name, side=side)

    def keep(self, name: str, array: NDArray[Any]) -> str:
        """Have an array in the graph; returns its name."""
        self.weights[name] = array.astype(np.float32) if array.dtype == np.float64 else array
        return name

    def node(self, kind: str, given: Sequence[str], made: str, domain: str = "", **how: Any) -> None:
        """Have a node in the graph that makes one thing."""
        from onnx import helper

        self.nodes.append(helper.make_node(kind, given, [made], domain=domain, **how))

    def _made(self, name: str, side: int) -> Bytes:
        """What a step makes, of the reach that was measured."""
        low, high = float(self.reach[name][0].min()), float(self.reach[name][1].max())
        step = max(high - low, LEAST_WEIGHT) / 255
        return Bytes(name, side, step, round(-low / step))

    def _scale(self, x: Bytes) -> tuple[str, str]:
        return (
            self.keep(f"{x.name} step", np.array(x.step, np.float32)),
            self.keep(f"{x.name} zero", np.array(x.zero, np.uint8)),
        )


class Whole(NamedTuple):
    """A network in whole numbers."""

    graph: bytes
    """ONNX: squares of pixels and rays, as bytes, to `CODES` (a byte each) and the `SCORES` of types."""
    units: NDArray[np.float32]
    """(channels of a code,): what a step of a code is worth."""
    factors: NDArray[np.int32]
    """(types,): what scores have to be multiplied with to be compared with one another."""
    biases: NDArray[np.int32]
    """(types,): what has to be added to them then."""


@torch.no_grad()
def quantised(net: Net, pictures: NDArray[np.uint8], views: NDArray[np.float32]) -> Whole:
    """A network in evaluation mode, its numbers reaching as far as they do on these pictures."""
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
    """Have all channels of codes reach as far as 1; returns how far they did."""
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
    """Lay out codes in rows and columns, and score types; returns factors and biases of these."""
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
    """All that was written as an ONNX model."""
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
