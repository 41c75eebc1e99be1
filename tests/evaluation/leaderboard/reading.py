"""An agent from outside of the package."""

from __future__ import annotations

from typing import Any


class Reading:
    """Reads what there is to read, and does what stands first."""

    def reset(self, brief: Any) -> None:
        """Nothing is kept of an episode."""

    def act(self, percept: Any) -> Any:
        """The first choice of the first offer that has one."""
        assert percept.text
        offer = percept.offers[0]
        given = {each.name: each.choices[0] for each in offer.arguments if each.choices}
        return {"name": offer.name, "arguments": given}
