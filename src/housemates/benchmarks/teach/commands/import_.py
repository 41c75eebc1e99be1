"""`housemates import teach`: official games into the store."""

from __future__ import annotations

from dataclasses import dataclass

from housemates.benchmarks.teach.formats.ingestion import INTAKE
from housemates.data.commands import ImportCommand


@dataclass
class Import(ImportCommand):
    """Read official games (folders of *.game.json, or packs) into a local store."""

    intake = INTAKE
