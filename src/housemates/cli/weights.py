"""`housemates import weights FILE`: weights that torch.save wrote become safetensors; nothing is executed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import tyro

from housemates.reporting.facts import show_facts


@dataclass
class ImportWeights:
    """Convert a state dict that torch.save wrote, such as a published ResNet's, into safetensors."""

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
