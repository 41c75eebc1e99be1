"""What the pages of all seats in a home have in common: the buttons of its actions, and everyday names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from housemates.studio.pages import Page
from housemates.studio.pages.menus import buttons
from housemates.studio.pages.names import worded

ENDING: Sequence[Mapping[str, Any]] = (
    {
        "name": "done",
        "kind": "choice",
        "label": "Was the task finished?",
        "choices": ("yes", "no", "not sure"),
    },
    {"name": "comments", "kind": "text", "label": "Was anything odd, unclear or broken?"},
)
"""What every survey after an episode in a home ends with."""


class HouseholdPage(Page):
    """A seat in a home, whose acts are rows of the table of actions."""

    acts: ClassVar[Mapping[str, str]]
    """The offers of the seat -> the actions of the home that they are."""

    def legend(self) -> dict[str, Any]:
        """What the page's buttons and keys do, from the table of actions."""
        return buttons(self.acts)

    def worded(self, message: str) -> str:
        """Everyday names, and no ids."""
        return worded(message)
