"""`housemates export alfred`: the store's trajectories in the official form."""

from __future__ import annotations

from dataclasses import dataclass

from housemates.benchmarks.alfred.formats.episodes import TRAJECTORIES
from housemates.data.commands import ExportCommand


@dataclass
class Export(ExportCommand):
    """Write the trajectories of a store as traj_data.json, or as one pack."""

    records = TRAJECTORIES
