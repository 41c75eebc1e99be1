"""`housemates import weights`, `export encoder`: published weights as safetensors, and as image encoders."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import tyro

from housemates.reporting.facts import show_facts


@dataclass
class ImportWeights:
    """Convert a state dict saved by torch, such as a published ResNet's, to safetensors."""

    file: tyro.conf.Positional[Path]
    """The file, of either form (.pth, .pt); its pickle is read as data and nothing in it is executed."""
    out: Path
    """The safetensors file to write."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Convert and say how many tensors there are."""
        from housemates.models.state_dicts import convert_state_dict

        show_facts({"tensors": convert_state_dict(self.file, self.out), "out": str(self.out)}, self.json)


@dataclass
class ExportEncoder:
    """Write the convolutions of a ResNet as the ONNX file that the configs `paper` ask for."""

    network: tyro.conf.Positional[Literal["resnet18", "resnet50"]]
    """ALFRED's Seq2Seq has resnet18, E.T. resnet50."""
    weights: Path
    """Its weights as torchvision names them, as safetensors or as torch.save wrote them, also those of a
    detector's backbone (`backbone.body.`)."""
    out: Path
    """The ONNX file, such as resnet18.onnx, for `housemates train ... --set encoder=FILE`."""
    json: bool = False
    """Print one JSON object instead of lines."""

    def run(self) -> None:
        """Export and say which features it gives."""
        from housemates.models.resnet import export_resnet

        shape = export_resnet(self.network, self.weights, self.out)
        show_facts({"features": "x".join(map(str, shape)), "out": str(self.out)}, self.json)
