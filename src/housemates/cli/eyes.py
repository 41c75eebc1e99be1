"""`housemates verify eyes` and `housemates export eyes`: how well eyes see, and eyes without torch."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import tyro


@dataclass
class VerifyEyes:
    """Show pictures to eyes, and count what they find and what they make up, by type."""

    path: tyro.conf.Positional[Path | None] = None
    """Recorded episodes, such as TEACh's valid_seen; without them, rooms of the split."""
    kind: Literal["teach", "alfred"] = "teach"
    """Whose episodes they are."""
    store: Path | None = None
    """Folder of the store that knows the floor plans; the user's data folder by default."""
    split: Literal["train", "seen", "unseen"] = "seen"
    """Of the rooms that come with the package."""
    eyes: Path | None = None
    """A folder of exported eyes; those of the package by default."""
    sure: float = 0.2
    """How likely the type of a thing has to be for it to be reported."""
    limit: int = 400
    """At most so many pictures."""
    json: bool = False
    """Print one JSON object instead of tables."""

    def run(self) -> None:
        """Look at all pictures and print the tables."""
        from housemates.data.store import needed_store
        from housemates.models.segmentation import test_pictures
        from housemates.models.segmentation.inference import Eyes
        from housemates.models.segmentation.verification import Trial, tell

        trial = Trial(Eyes(self.eyes, sure=self.sure))
        if self.path is None:
            test_pictures.rooms(self.split, self.limit, trial.show)
        else:
            test_pictures.recorded(self.kind, self.path, needed_store(self.store), self.limit, trial.show)
        found = trial.summary()
        if self.json:
            print(json.dumps(found))
        else:
            tell(found)


@dataclass
class ExportEyes:
    """Write trained eyes for use without torch: ONNX networks, and a card."""

    folder: tyro.conf.Positional[Path]
    """The folder of a training."""
    out: Path
    """Where to."""
    data: Path | None = None
    """The store that they were trained on, whose pictures tell how far numbers reach; else rooms do."""

    def run(self) -> None:
        """Export and say how large they are."""
        from housemates.data.claims import claimed
        from housemates.models.segmentation.export import export_eyes

        with claimed(folders=[self.out]):
            card = export_eyes(self.folder, self.out, self.data)
        size = sum(path.stat().st_size for path in self.out.iterdir())
        print(f"{self.out}: eyes after {card.steps} steps, {size / 1e6:.2f} MB.")
