"""What people call things: everyday names instead of types and ids."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from housemates.core.outcome import spoken

EVERYDAY: Mapping[str, str] = {
    "AppleSliced": "apple slice",
    "BathtubBasin": "bathtub",
    "BreadSliced": "slice of bread",
    "CD": "CD",
    "CounterTop": "counter",
    "EggCracked": "cracked egg",
    "LettuceSliced": "lettuce slice",
    "PotatoSliced": "potato slice",
    "SinkBasin": "sink",
    "TomatoSliced": "tomato slice",
    "TVStand": "TV stand",
}
"""Types whose everyday name is not what the type spells."""
ACT = re.compile(r"^[A-Z][A-Za-z]+: ")
"""How a refusal begins: with the name of the act, for programs."""
IN_BRACKETS = re.compile(r" \[[^\]]*\]")
"""An id beside the name of its thing."""
ID = re.compile(r"([A-Za-z]+)\|[-+0-9.|A-Za-z_]+")


def called(type_name: str) -> str:
    """The everyday name of a type: `CounterTop` is a "counter"."""
    return EVERYDAY.get(type_name) or spoken(type_name)


def worded(message: str) -> str:
    """A sentence about an act as people read it: everyday names, no ids, no name of an act before it."""
    text = IN_BRACKETS.sub("", ACT.sub("", message))
    text = ID.sub(lambda found: called(found[1]), text)
    text = _spelt().sub(lambda found: _everyday()[found[0]], text)
    return text[:1].upper() + text[1:]


@cache
def _everyday() -> Mapping[str, str]:
    return {spoken(name): everyday for name, everyday in EVERYDAY.items()}


@cache
def _spelt() -> re.Pattern[str]:
    return re.compile(rf"\b({'|'.join(_everyday())})\b")
