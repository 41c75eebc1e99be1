"""The convolutions of ResNet-18 and ResNet-50, with torchvision's names, as image encoders in ONNX."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn

from housemates import files
from housemates.errors import HousematesError
from housemates.models.checkpoints import read_tensors
from housemates.models.export import onnx_of
from housemates.models.image_encoders import PUBLISHED_PX
from housemates.models.state_dicts import read_state_dict

BLOCKS = {"resnet18": (2, 2, 2, 2), "resnet50": (3, 4, 6, 3)}
"""Blocks of each of the four stages."""
WIDTHS = (64, 128, 256, 512)
EXPANSION = 4
"""How much wider a bottleneck's output is than its inside."""
BACKBONE = "backbone.body."
"""What comes before the names in a detector's weights."""


class BasicBlock(nn.Module):
    """Two 3x3 convolutions and a residual."""

    def __init__(self, inputs: int, width: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, width, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.downsample = shortcut(inputs, width, stride)

    def forward(self, maps: Tensor) -> Tensor:
        """Maps of the block's width."""
        found = self.bn2(self.conv2(torch.relu(self.bn1(self.conv1(maps)))))
        return torch.relu(found + self.downsample(maps))


class Bottleneck(nn.Module):
    """A 3x3 convolution between two 1x1 ones, and a residual."""

    def __init__(self, inputs: int, width: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, width, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, EXPANSION * width, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(EXPANSION * width)
        self.downsample = shortcut(inputs, EXPANSION * width, stride)

    def forward(self, maps: Tensor) -> Tensor:
        """Maps of four times the block's width."""
        found = torch.relu(self.bn1(self.conv1(maps)))
        found = self.bn3(self.conv3(torch.relu(self.bn2(self.conv2(found)))))
        return torch.relu(found + self.downsample(maps))


def shortcut(inputs: int, outputs: int, stride: int) -> nn.Sequential:
    """What a residual goes through: nothing, unless its shape changes."""
    if inputs == outputs and stride == 1:
        return nn.Sequential()
    return nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))


class ResNet(nn.Module):
    """Pictures, (n, 3, 224, 224), to the last feature map: (n, 512, 7, 7) or (n, 2048, 7, 7)."""

    def __init__(self, name: str) -> None:
        super().__init__()
        block, wider = (BasicBlock, 1) if name == "resnet18" else (Bottleneck, EXPANSION)
        self.conv1 = nn.Conv2d(3, WIDTHS[0], 7, 2, 3, bias=False)
        self.bn1 = nn.BatchNorm2d(WIDTHS[0])
        self.maxpool = nn.MaxPool2d(3, 2, 1)
        inputs = WIDTHS[0]
        for stage, (width, count) in enumerate(zip(WIDTHS, BLOCKS[name], strict=True), start=1):
            blocks = []
            for number in range(count):
                blocks.append(block(inputs, width, 2 if stage > 1 and number == 0 else 1))
                inputs = wider * width
            setattr(self, f"layer{stage}", nn.Sequential(*blocks))

    def forward(self, pictures: Tensor) -> Tensor:
        """The output of the last convolution."""
        found: Tensor = self.maxpool(torch.relu(self.bn1(self.conv1(pictures))))
        for stage in range(1, len(WIDTHS) + 1):
            found = getattr(self, f"layer{stage}")(found)
        return found


def load_resnet(name: str, weights: Path) -> ResNet:
    """A ResNet with weights of a file; HousematesError if they are of another architecture."""
    if weights.suffix == ".safetensors":
        given = read_tensors(weights)
    else:
        given = {key: torch.from_numpy(each) for key, each in read_state_dict(weights).items()}
    named = {key.removeprefix(BACKBONE): each for key, each in given.items()}
    net = ResNet(name)
    for key, own in net.state_dict().items():
        if key.endswith("num_batches_tracked"):
            named.setdefault(key, own)
        if key not in named or named[key].shape != own.shape:
            found = "nothing" if key not in named else "x".join(map(str, named[key].shape))
            wanted = "x".join(map(str, own.shape))
            raise HousematesError(f"{weights}: is no {name}: {key}: expected {wanted}, found {found}.")
    net.load_state_dict({key: named[key] for key in net.state_dict()})
    return net.eval()


def export_resnet(name: str, weights: Path, out: Path) -> tuple[int, ...]:
    """Write a ResNet's convolutions as ONNX, and return the shape of the features of a picture."""
    net = load_resnet(name, weights)
    example = torch.zeros(1, 3, PUBLISHED_PX, PUBLISHED_PX)
    with torch.no_grad():
        shape = tuple(net(example).shape[1:])
    model = onnx_of(net, (example,), ["pictures"], ["features"])
    files.write_bytes(out, model.SerializeToString())
    return shape
