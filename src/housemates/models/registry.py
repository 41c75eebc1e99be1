"""Finds the models' folders beside this file: a folder whose package has a `SPEC` is a model.

Nothing of a model is imported until it is asked for, so a new one is a new folder and nothing else.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from housemates.core.registry import specs_below
from housemates.errors import HousematesError, nearest

if TYPE_CHECKING:
    from housemates.models.checkpoints import Card
    from housemates.models.learner import Learner
    from housemates.models.playable import Playable
    from housemates.models.schedule import Schedule


@dataclass(frozen=True)
class Spec:
    """What a model's folder offers; every place is `module:name` inside that folder."""

    name: str
    """As on the command line: the folder's name with dashes."""
    summary: str
    version: int
    """Of what its weights mean; checkpoints of another one are refused."""
    configs: str
    """A mapping from `paper`, `cpu`, ... to a `Schedule` with the model's own fields."""
    learner: str
    """A class that follows `learning.Learner`."""
    net: str = ""
    """A function that makes the network of a checkpoint, given its folder and its card, without its weights:
    a `parts.Playable`, which agents call through `networks.open_network`. Without one it needs torch."""

    def place(self, where: str) -> str:
        """`module:name` inside this model's folder, as everybody else calls it."""
        return f"{__package__}.{self.name.replace('-', '_')}.{where}"

    def load(self, where: str) -> Any:
        """Import `module:name` from this model's folder; what it needs and is not installed is named."""
        module, _, attribute = self.place(where).partition(":")
        try:
            return getattr(importlib.import_module(module), attribute)
        except ModuleNotFoundError as error:
            if error.name == "torch":
                raise HousematesError(
                    f"{self.name} needs {error.name}: install the extra 'learn' (housemates[learn])."
                ) from None
            raise

    def config(self, name: str) -> Schedule:
        """One of its configs."""
        known = self.load(self.configs)
        if name not in known:
            raise HousematesError(f"{self.name} has no config {name!r}: {nearest(name, sorted(known))}.")
        found: Schedule = known[name]
        return found

    def network(self, folder: Path, card: Card) -> Playable:
        """The network of a checkpoint, without its weights."""
        found: Playable = self.load(self.net)(folder, card)
        return found

    def learning(self) -> type[Learner[Any]]:
        """How it is trained."""
        found: type[Learner[Any]] = self.load(self.learner)
        return found


@cache
def specs() -> dict[str, Spec]:
    """Every model's spec by name."""
    return specs_below(__package__)


def spec_of(name: str) -> Spec:
    """The model of this name."""
    known = specs()
    if name not in known:
        raise HousematesError(f"Unknown model {name!r}: {nearest(name, sorted(known))}.")
    return known[name]
