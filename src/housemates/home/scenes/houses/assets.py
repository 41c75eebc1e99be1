"""What ProcTHOR's assets and materials are here."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from housemates.files import shipped
from housemates.home.scenes.houses.records import Object, Paint
from housemates.home.types import object_types

WORD = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]")
FOOT_M = 0.305
"""Countertops say their sides in feet: `Countertop_L_8x6`."""
FEET = re.compile(r"_([A-Za-z]+)_(\d+)x(\d+)")
MAKER = "robothor"


def table() -> dict[str, Any]:
    """The whole of `assets.toml`."""
    return shipped(__package__, "assets.toml")


@cache
def type_of(asset: str) -> str:
    """The type of an asset, told by its name; empty if there is none."""
    words = [word.lower() for word in WORD.findall(asset)]
    words = words[1:] if words[:2] == ["robo", "thor"] else words
    words = words[1:] if words[:1] in (["thor"], [MAKER]) else words
    named, types = table()["named"], _by_joined_name()
    for count in range(len(words), 0, -1):
        first = words[:count]
        if " ".join(first) in named:
            return str(named[" ".join(first)])
        if "".join(first) in types:
            return types["".join(first)]
    return ""


@cache
def _by_joined_name() -> dict[str, str]:
    return {name.lower(): name for name in object_types()}


def kind_of(each: Object) -> str:
    """The type of an object: as it says itself, as its asset is named, or as its id begins."""
    if each.object_type in object_types():
        return str(each.object_type)
    return type_of(each.asset_id) or type_of(each.id.split("|")[0])


def name_of(each: Object) -> str:
    """What an object without a counterpart is called."""
    return each.asset_id or each.object_type or each.id


def drawn(name: str, count: int) -> int:
    """A number below `count` that follows from a name, on every machine alike."""
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") % count


def surface(kind: str, paint: Paint | str | None) -> str:
    """The material here of a floor or wall (`floors`, `walls`), told by the words of its material's name."""
    name = (paint.name if isinstance(paint, Paint) else paint) or ""
    known = table()[kind]
    for word, found in known.items():
        if word in name.lower():
            return str(found)
    usual: Sequence[str] = table()["usual"][kind]
    return usual[drawn(name, len(usual))]


def counter_sides(asset: str) -> tuple[str, float, float] | None:
    """The form of a countertop (I, L, C or Island), its width and its depth, if its name tells."""
    found = FEET.search(asset)
    return None if found is None else (found[1], int(found[2]) * FOOT_M, int(found[3]) * FOOT_M)
