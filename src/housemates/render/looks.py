"""Looks: the palette as it is, or materials and light drawn for each scene and thing, within reason."""

from __future__ import annotations

import colorsys
import hashlib
import math
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, Literal, NamedTuple, cast, get_args

import numpy as np
from numpy.typing import NDArray

from housemates.errors import HousematesError
from housemates.files import shipped
from housemates.home.things import Thing, whole_in
from housemates.render.materials import Colour, Material, in_state, load_palette, material, material_name
from housemates.render.mesh_transforms import LIGHTS, lights_from
from housemates.render.patterns import PATTERNS

LooksName = Literal["plain", "varied"]
NAMES: tuple[str, ...] = get_args(LooksName)
Key = tuple[str, ...]
"""Who shares a drawn material: everything with the same key in a scene."""
BLACK, WHITE = (0.0, 0.0, 0.0), (255.0, 255.0, 255.0)


class Light(NamedTuple):
    """What falls on everything in a scene."""

    tint: Colour
    """Shares of red, green and blue."""
    directions: NDArray[np.float32]
    """Of the sun and of highlights, as rows."""


class Looks(NamedTuple):
    """How a scene looks: plain without a seed, else varied as it follows from the seed."""

    seed: str = ""

    def of_thing(self, thing: Thing, name: str) -> Material:
        """A material of a thing: its own if it can be carried, else that of all furniture in the scene."""
        if not self.seed:
            return material(name)
        return drawn(self.seed, (whole_in(thing.id),) if thing.kind.can("pickup") else (), name)

    def of_building(self, name: str, room: str = "") -> Material:
        """A material of a part of the building; those of walls are drawn for each room."""
        if not self.seed:
            return material(name)
        return drawn(self.seed, (room,) if material(name).wall else (), name)

    @property
    def lights(self) -> NDArray[np.float32]:
        """Directions of the sun and of highlights, as rows."""
        return light(self.seed).directions if self.seed else LIGHTS


PLAIN = Looks()


def part_material(thing: Thing, name: str, looks: Looks = PLAIN) -> Material:
    """What a part of a thing is made of, as it looks in the thing's state."""
    return in_state(thing, name, looks.of_thing(thing, material_name(thing, name)))


def seed_for(looks: LooksName, instance: str, seed: int) -> str:
    """The seed of the looks of an episode; empty if they are plain."""
    return "" if looks == "plain" else f"{instance}/{seed}"


def looks_named(text: str) -> tuple[LooksName, ...]:
    """The looks that a text names, separated by commas."""
    names = tuple(dict.fromkeys(each.strip() for each in text.split(",")))
    unknown = [name for name in names if name not in NAMES]
    if unknown:
        raise HousematesError(f"looks: expected {' or '.join(NAMES)}, or both, found {unknown[0]!r}.")
    return cast(tuple[LooksName, ...], names)


@lru_cache(maxsize=1 << 15)
def drawn(seed: str, key: Key, name: str) -> Material:
    """The material of a name as it looks for those who share a key, in the light of the scene."""
    own, rng = material(name), _rng(seed, *key, name)
    family = _family_of(name)
    told = _families()[family]
    for other, often in told.get("becomes", {}).items():
        if rng.random() < often:
            told, own = _families()[other], _shaped_like(own, other)
            break
    colour = _colour(own.colour, told, rng)
    second = own.second
    if "contrast" in told:
        low, high = told["contrast"]
        second = _shifted(colour, float(rng.uniform(low, high)))
    pattern, repeat = _pattern(own, told, rng)
    made = own._replace(colour=colour, second=second, pattern=pattern, repeat=repeat)
    return made if own.glow else _lit(made, light(seed).tint)


def _shaped_like(own: Material, family: str) -> Material:
    """A material with the pattern of another family's first one, as it stands in the house."""
    names = _families()[family].get("names", ())
    if not names:
        return own._replace(pattern=0, grain=False)
    other = material(names[0])
    return other._replace(see_through=own.see_through, wall=own.wall, fit=own.fit)


def _colour(own: Colour, told: Mapping[str, Any], rng: np.random.Generator) -> Colour:
    if "near" in told:
        hue, saturation, value = colorsys.rgb_to_hsv(*(part / 255 for part in own))
        far = rng.uniform(-1.0, 1.0, 3).tolist()
        hue += far[0] * told["near"][0] / 360
        saturation += far[1] * told["near"][1]
        value += far[2] * told["near"][2]
    else:
        hue = float(rng.uniform(*told["hue"])) / 360
        saturation, value = (float(rng.uniform(*told[name])) for name in ("saturation", "value"))
        if rng.random() < told.get("grey", 0.0):
            saturation *= 0.15
    red, green, blue = colorsys.hsv_to_rgb(
        hue % 1.0, min(max(saturation, 0.0), 1.0), min(max(value, 0.04), 1.0)
    )
    return 255 * red, 255 * green, 255 * blue


def _pattern(own: Material, told: Mapping[str, Any], rng: np.random.Generator) -> tuple[int, float]:
    shares = told.get("patterns")
    if shares is None or own.fit:
        return own.pattern, own.repeat
    names = list(shares)
    weights = np.array([shares[name] for name in names])
    name = names[int(rng.choice(len(names), p=weights / weights.sum()))]
    repeat = float(rng.uniform(*told["repeat"]))
    return (own.pattern, own.repeat) if name == "own" else (PATTERNS[name], repeat)


def _shifted(colour: Colour, share: float) -> Colour:
    """A darker colour, or a lighter one for a negative share."""
    to = BLACK if share > 0 else WHITE
    red, green, blue = (a + (b - a) * abs(share) for a, b in zip(colour, to, strict=True))
    return red, green, blue


def _lit(found: Material, tint: Colour) -> Material:
    return found._replace(colour=_tinted(found.colour, tint), second=_tinted(found.second, tint))


def _tinted(colour: Colour, tint: Colour) -> Colour:
    red, green, blue = (min(part * share, 255.0) for part, share in zip(colour, tint, strict=True))
    return red, green, blue


@lru_cache(maxsize=256)
def light(seed: str) -> Light:
    """The light of a scene."""
    told, rng = _table()["light"], _rng(seed, "light")
    bright, warm = float(rng.uniform(*told["brightness"])), float(rng.uniform(*told["warmth"]))
    tint = (bright * (1 + warm), bright, bright * (1 - warm))
    turn, height = math.radians(float(rng.uniform(*told["turn"]))), float(rng.uniform(*told["height"]))
    flat = math.sqrt(1.0 - height * height)
    return Light(tint, lights_from((flat * math.sin(turn), height, flat * math.cos(turn))))


def _rng(*words: str) -> np.random.Generator:
    digest = hashlib.sha256("\0".join(words).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "little"))


@cache
def _family_of(name: str) -> str:
    """The family of a material: by its name, else by its substance; else it stays nearly as it is."""
    substance = name.rpartition(" ")[2]
    for kind, wanted in (("names", name), ("substances", substance)):
        for family, told in _families().items():
            if wanted in told.get(kind, ()):
                return family
    return "painted" if name in load_palette()["hues"] else "still"


def _families() -> Mapping[str, Any]:
    found: Mapping[str, Any] = _table()["families"]
    return found


def _table() -> dict[str, Any]:
    return shipped(__package__, "varied.toml")
