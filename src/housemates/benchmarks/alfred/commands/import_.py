"""`housemates import alfred`: official trajectories into the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from housemates.benchmarks.alfred.formats.ingestion import INTAKE
from housemates.data.commands import ImportCommand
from housemates.data.store import Store


@dataclass
class Import(ImportCommand):
    """Read official trajectories (trees of traj_data.json, or packs) into a local store."""

    intake = INTAKE

    def more(self, store: Store) -> dict[str, Any]:
        """How many plans have furniture with known boxes, which TEACh's games tell."""
        known = (store.knowledge(plan) for plan in store.plans())
        return {"plans_with_boxes": sum(each is not None and bool(each.fixtures) for each in known)}
