"""Training hyperparameters that all models share, config overrides, and the learning-rate schedule."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from housemates.core.options import AtLeastOne, NotNegative, read_options

Positive = Annotated[float, msgspec.Meta(ge=1e-12)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]


@dataclass(frozen=True)
class Schedule:
    """Epochs, batch size, optimiser and learning rate; a model's config adds its own fields."""

    epochs: AtLeastOne = 10
    """Passes over the examples, at most."""
    batch: AtLeastOne = 64
    """Examples per step, over all processes."""
    rate: Positive = 1e-3
    """Peak learning rate."""
    warmup: NotNegative = 0
    """Steps of linear warm-up."""
    decay: Literal["none", "linear", "cosine", "drop"] = "none"
    """How the learning rate falls from its peak to 0 at the last step; `drop`: to a tenth after half."""
    weight_decay: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    """Decoupled weight decay (AdamW); 0 uses Adam."""
    clip: Positive = 5.0
    """Maximum norm of all gradients."""
    weights: Literal["best", "last"] = "best"
    """Which weights are kept: those of the best validation, or of the last one."""
    patience: AtLeastOne = 5
    """Validations without improvement after which training stops."""
    validate_every: NotNegative = 0
    """Steps between validations; 0 validates after each epoch."""
    save_every: AtLeastOne = 200
    """Steps between checkpoints."""
    seed: NotNegative = 0
    """Seed of initialisation, example order and dropout."""


EXTENDABLE = ("epochs", "patience", "save_every")
"""Fields that a resumed training may change."""
Config = TypeVar("Config", bound=Schedule)
Item = TypeVar("Item")


def override(config: Config, given: Mapping[str, Any], owner: str) -> Config:
    """A copy of a config with some fields replaced.

    Args:
        config: Any model's.
        given: Field -> value, typed or as text.
        owner: Named in refusals.

    Raises:
        HousematesError: a field is unknown, or its value has the wrong type or range.
    """
    return read_options(type(config), {**dataclasses.asdict(config), **given}, owner)


def evenly(items: Sequence[Item], limit: int) -> list[Item]:
    """At most `limit` items at even distances; 0 returns all."""
    count = min(limit or len(items), len(items))
    return [items[number * len(items) // count] for number in range(count)]


def rate_at(config: Schedule, step: int, steps: int) -> float:
    """The learning rate at a step counted from 0, with linear warm-up and decay over `steps`."""
    if step < config.warmup:
        return config.rate * (step + 1) / config.warmup
    if config.decay == "none":
        return config.rate
    if config.decay == "drop":
        return config.rate if 2 * step < steps else config.rate / 10
    done = min(1.0, (step - config.warmup) / max(1, steps - config.warmup))
    return config.rate * ((1 - done) if config.decay == "linear" else (1 + math.cos(math.pi * done)) / 2)
