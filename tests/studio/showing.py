"""A follower that finishes every instruction at once and shows where it would have gone."""

from __future__ import annotations

from typing import Any


class Showing:
    def reset(self, brief: Any) -> None:
        self.hexes = 0

    def act(self, percept: Any) -> str:
        self.hexes = len(percept.data.map.terrain)
        return "Done"

    def extras(self) -> dict[str, Any]:
        return {"plan": [1.0] * self.hexes}
