"""What passes between a session and an agent, as JSON: the same for every adapter."""

from __future__ import annotations

import base64
from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict
from typing import Any

import msgspec
import numpy as np

from housemates.core.actions import Offer
from housemates.core.outcome import Outcome
from housemates.core.percepts import Brief, Percept
from housemates.core.pictures import png

PARTS = ("text", "offers", "said", "pictures")
"""What of a percept may be wanted; the rest is always there."""


def brief_of(brief: Brief) -> dict[str, Any]:
    """All that a role is told before its first turn."""
    return {
        "id": brief.id,
        "role": brief.role,
        "rules": brief.rules,
        "goal": brief.goal,
        "offers": offers_of(brief.offers),
        "limits": asdict(brief.limits),
        "seed": brief.seed,
        "data": plain(brief.data),
        "told_once": brief.told_once,
    }


def percept_of(percept: Percept, wanted: Collection[str] = PARTS) -> dict[str, Any]:
    """What a role perceives, as far as it is wanted; nothing else is computed."""
    found: dict[str, Any] = {
        "role": percept.role,
        "turn": percept.turn,
        "last": None if percept.last is None else outcome_of(percept.last),
    }
    if "text" in wanted:
        found["text"] = percept.text
    if "offers" in wanted:
        found["offers"] = offers_of(percept.offers)
    if "said" in wanted:
        found["said"] = [{"role": each.role, "text": each.text} for each in percept.said]
    if "pictures" in wanted:
        found["pictures"] = {name: picture_of(draw()) for name, draw in percept.pictures.items()}
    return found


def offers_of(offers: Iterable[Offer]) -> list[dict[str, Any]]:
    """What can be done, each with the JSON schema of its arguments."""
    return [{"name": each.name, "help": each.help, "schema": each.schema()} for each in offers]


def outcome_of(outcome: Outcome) -> dict[str, Any]:
    """What came of an act."""
    told = {"success": outcome.success, "reason": outcome.reason, "message": outcome.message}
    return {**told, "data": plain(outcome.data)}


def picture_of(picture: Any) -> str:
    """A picture as a PNG file in base64."""
    return base64.b64encode(png(picture)).decode()


def plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """What a benchmark adds of its own, in values that JSON has; of an array, its shape alone."""
    found: dict[str, Any] = msgspec.to_builtins(dict(values), enc_hook=_as_plain, str_keys=True)
    return found


def _as_plain(value: Any) -> Any:
    """What is no plain value as one; of an array its shape alone, as it can be drawn again."""
    if isinstance(value, np.ndarray):
        return {"shape": list(value.shape), "dtype": str(value.dtype)}
    if isinstance(value, np.generic):
        return value.item()
    return dict(value) if isinstance(value, Mapping) else str(value)
