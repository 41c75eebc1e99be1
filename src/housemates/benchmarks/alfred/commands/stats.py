"""`housemates stats alfred`."""

from __future__ import annotations
from dataclasses import dataclass


@dataclass
class Statistics:
    """x"""

    def run(self) -> None:
        """x"""
