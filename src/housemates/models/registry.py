"""Finds the models: a folder beside this file whose package has a `SPEC` is one.

Nothing else of a model is imported before it is needed.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from housemates.core.registry import specs_below
from housemates.errors import ExtraMissing, HousematesError, nearest

if TYPE_CHECKING:
    from housemates.models.checkpoints import Card
    from housemates.models.learner import Learner
    from housemates.models.networks import Exportable
    from housemates.models.schedule import Schedule


@dataclass(frozen=True)
class Spec:
    """What a model's folder offers; places are `module:name` inside that folder."""

    name: str
    """As on the command line: the folder's name with dashes, or another one."""
    summary: str
    version: int
    """Of its weights; checkpoints of another version are refused."""
    configs: str
    """A mapping from `paper`, `cpu`, ... to a `Schedule` with the model's own fields."""
    learner: str
    """A subclass of `learner.Learner`."""
    net: str = ""
    """A function (folder, card) -> `networks.Exportable` that builds a checkpoint's network without its
    weights, so that agents run it by `networks.open_network`. A model without one plays on torch only."""
    folder: str = ""
    """Where it is not the name that tells it."""

    def place(self, where: str) -> str:
        """The absolute name of `module:name` inside this model's folder."""
        return f"{__package__}.{self.folder or self.name.replace('-', '_')}.{where}"

    def load(self, where: str) -> Any:
        """Import `module:name` from this model's folder; HousematesError if torch is not installed."""
        module, _, attribute = self.place(where).partition(":")
        try:
            return getattr(importlib.import_module(module), attribute)
        except ModuleNotFoundError as error:
            if error.name == "torch":
                raise ExtraMissing(
                    f"{self.name} needs {error.name}: install the extra 'learn' (housemates[learn])."
                ) from None
            raise

    def config(self, name: str) -> Schedule:
        """The config of this name, such as `paper` or `cpu`; HousematesError if there is none."""
        known = self.load(self.configs)
        if name not in known:
            raise HousematesError(f"{self.name} has no config {name!r}: {nearest(name, sorted(known))}.")
        found: Schedule = known[name]
        return found

    def network(self, folder: Path, card: Card) -> Exportable:
        """Build the network of a checkpoint, without its weights."""
        found: Exportable = self.load(self.net)(folder, card)
        return found

    def learner_class(self) -> type[Learner[Any]]:
        """Import the class that trains it."""
        found: type[Learner[Any]] = self.load(self.learner)
        return found


@cache
def specs() -> dict[str, Spec]:
    """The specs of all models by name."""
    return specs_below(__package__)


def spec_of(name: str) -> Spec:
    """The spec of a model; HousematesError suggests the nearest name if there is none."""
    known = specs()
    if name not in known:
        raise HousematesError(f"Unknown model {name!r}: {nearest(name, sorted(known))}.")
    return known[name]
