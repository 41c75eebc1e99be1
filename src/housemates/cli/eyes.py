"""`housemates verify eyes` and `housemates export eyes`: how well eyes see, and eyes without torch."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import tyro

from housemates.errors import HousematesError


@dataclass
class VerifyEyes:
    """Evaluate a segmentation network: recall and precision by type."""

    path: tyro.conf.Positional[Path | None] = None
    """Recorded episodes, such as TEACh's valid_seen; by default, rooms of the split."""
    kind: Literal["teach", "alfred"] = "teach"
    """The benchmark of the episodes."""
    store: Path | None = None
    """Folder of the store that knows the floor plans; the user's data folder by default."""
    split: Literal["train", "seen", "unseen"] = "seen"
    """Split of the package's rooms."""
    looks: Literal["plain", "varied"] = "plain"
    """Appearance of homes."""
    colour_only: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Instead of a network, predict each pixel's type from its colour alone, by its commonest type in train's
    rooms."""
    eyes: Path | None = None
    """Folder of an exported network; by default the package's."""
    sure: float = 0.2
    """Confidence threshold of a detection."""
    limit: int = 400
    """Maximum number of pictures."""
    json: bool = False
    """Print one JSON object instead of tables."""

    def run(self) -> None:
        """Look at all pictures and print the tables."""
        if self.colour_only:
            self._colour_only()
            return
        from housemates.data.store import needed_store
        from housemates.models.segmentation import test_pictures
        from housemates.models.segmentation.inference import Eyes
        from housemates.models.segmentation.verification import Trial, tell

        trial = Trial(Eyes(self.eyes, sure=self.sure))
        if self.path is None:
            test_pictures.rooms(self.split, self.limit, trial.show, self.looks)
        else:
            store = needed_store(self.store)
            test_pictures.recorded(self.kind, self.path, store, self.limit, trial.show, self.looks)
        found = trial.summary()
        if self.json:
            print(json.dumps(found))
        else:
            tell(found)

    def _colour_only(self) -> None:
        """Print what colour alone tells, of both looks."""
        from housemates.models.segmentation.colour_only import share_told
        from housemates.reporting.tables import show_rows

        if self.path is not None:
            raise HousematesError(
                "verify eyes: --colour-only looks at rooms; leave out the recorded episodes."
            )
        found = {looks: share_told(looks, self.split, self.limit) for looks in LOOKS}
        if self.json:
            print(json.dumps({"colour_only": found}))
            return
        rows = []
        for looks, told in found.items():
            bits = {f"{name} bits %": share for name, share in told["rounded"].items()}
            row = {
                "looks": looks,
                "told %": told["told"],
                **bits,
                "most frequent type %": told["most_frequent"],
            }
            rows.append(row)
        show_rows(rows)


LOOKS: tuple[Literal["plain", "varied"], ...] = ("plain", "varied")


@dataclass
class ExportEyes:
    """Export a trained segmentation network for use without torch: ONNX files and a card."""

    folder: tyro.conf.Positional[Path]
    """The folder of a training."""
    out: Path
    """Output folder."""
    data: Path | None = None
    """The store it was trained on, whose pictures calibrate the quantisation; by default rooms."""

    def run(self) -> None:
        """Export and say how large they are."""
        from housemates.data.claims import claimed
        from housemates.models.segmentation.export import export_eyes

        with claimed(folders=[self.out]):
            card = export_eyes(self.folder, self.out, self.data)
        size = sum(path.stat().st_size for path in self.out.iterdir())
        print(f"{self.out}: eyes after {card.steps} steps, {size / 1e6:.2f} MB.")
