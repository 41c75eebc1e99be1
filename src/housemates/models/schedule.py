"""What every training has to decide, and how configs are chosen and overridden."""

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
    """How long, in which portions and how fast a network learns; a model's config adds its own fields."""

    epochs: AtLeastOne = 10
    """How often all examples are gone through at most."""
    batch: AtLeastOne = 64
    """Examples of a step, over all processes."""
    rate: Positive = 1e-3
    """Of learning, at its height."""
    warmup: NotNegative = 0
    """Steps until the rate has its height."""
    decay: Literal["none", "linear", "cosine"] = "none"
    """How the rate falls from there to 0 at the last step."""
    weight_decay: Annotated[float, msgspec.Meta(ge=0)] = 0.0
    """Of AdamW; 0 is Adam."""
    clip: Positive = 5.0
    """The most that the norm of all gradients can be."""
    patience: AtLeastOne = 5
    """Validations without a better one after which training ends."""
    validate_every: NotNegative = 0
    """Steps between validations; 0 is once an epoch."""
    save_every: AtLeastOne = 200
    """Steps between checkpoints."""
    seed: NotNegative = 0
    """Where all randomness comes from."""


LONGER = ("epochs", "patience", "save_every")
"""Fields that may differ where a training goes on."""
Config = TypeVar("Config", bound=Schedule)
Item = TypeVar("Item")


def override(config: Config, given: Mapping[str, Any], owner: str) -> Config:
    """The config with some fields as given, as values or as text; an unknown field is refused by its name."""
    return read_options(type(config), {**dataclasses.asdict(config), **given}, owner)


def evenly(items: Sequence[Item], limit: int) -> list[Item]:
    """So many of them at most, from the first to the last alike; 0 is all."""
    count = min(limit or len(items), len(items))
    return [items[number * len(items) // count] for number in range(count)]


def rate_at(config: Schedule, step: int, steps: int) -> float:
    """The rate of learning at a step, counted from 0, of so many in all."""
    if step < config.warmup:
        return config.rate * (step + 1) / config.warmup
    if config.decay == "none":
        return config.rate
    done = min(1.0, (step - config.warmup) / max(1, steps - config.warmup))
    return config.rate * ((1 - done) if config.decay == "linear" else (1 + math.cos(math.pi * done)) / 2)
