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
    """Show pictures to eyes, and count what they find and what they make up, by type."""

    path: tyro.conf.Positional[Path | None] = None
    """Recorded episodes, such as TEACh's valid_seen; without them, rooms of the split."""
    kind: Literal["teach", "alfred"] = "teach"
    """Whose episodes they are."""
    store: Path | None = None
    """Folder of the store that knows the floor plans; the user's data folder by default."""
    split: Literal["train", "seen", "unseen"] = "seen"
    """Of the rooms that come with the package."""
    looks: Literal["plain", "varied"] = "plain"
    """How homes look."""
    colour_only: Annotated[bool, tyro.conf.FlagCreatePairsOff] = False
    """Ask no eyes, but the colour of each pixel alone: the type it has most often in the rooms of train."""
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
