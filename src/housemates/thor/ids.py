"""Object ids as AI2-THOR makes them of positions."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

from housemates.home.types import Vec


def thor_id(kind: str, position: Vec) -> str:
    """An id as AI2-THOR makes it: what is below zero but not by a centimetre has no sign."""
    return "|".join(
        [kind, *(f"{_centimetres(value):+06.2f}".replace("-00.00", "00.00") for value in position)]
    )


def _centimetres(value: float) -> Decimal:
    """A length as Unity rounds it: to seven digits, then to two places, halves away from zero."""
    return Decimal(f"{value:.7g}").quantize(Decimal("0.01"), ROUND_HALF_UP)
