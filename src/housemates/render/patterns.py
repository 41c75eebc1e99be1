"""Patterns: small repeating textures, drawn once with whole numbers, that mix a material's two colours."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
from numpy.typing import NDArray

from housemates.render.sizes import SHADES, TEXTURE_PX

Texture = NDArray[np.int64]
"""Share of the second colour in 0..255; rows are v, columns u."""

SIDE = TEXTURE_PX
V: Texture
U: Texture
V, U = np.mgrid[0:SIDE, 0:SIDE]


def noise(cells: int, seed: int) -> Texture:
    """Smooth repeating noise in 0..255 with this many cells a side."""
    return _blend(U * cells, V * cells, cells, cells, seed)


def streaks(cells_u: int, cells_v: int, seed: int) -> Texture:
    """Noise stretched along u or v."""
    return _blend(U * cells_u, V * cells_v, cells_u, cells_v, seed)


def _blend(u: Texture, v: Texture, cells_u: int, cells_v: int, seed: int) -> Texture:
    column, row, part_u, part_v = u // SIDE, v // SIDE, _eased(u % SIDE), _eased(v % SIDE)
    total = np.zeros_like(u)
    for dv, weight_v in ((0, SIDE - part_v), (1, part_v)):
        for du, weight_u in ((0, SIDE - part_u), (1, part_u)):
            total += _hash((column + du) % cells_u, (row + dv) % cells_v, seed) * weight_u * weight_v
    return total // (SIDE * SIDE)


def _eased(part: Texture) -> Texture:
    return part * part * (3 * SIDE - 2 * part) // (SIDE * SIDE)


def _hash(column: Texture, row: Texture, seed: int) -> Texture:
    """A number in 0..255 that looks random."""
    mixed = (column * 374761393 + row * 668265263 + seed * 2147483647 + 974711) & 0xFFFFFFFF
    mixed = ((mixed ^ (mixed >> 13)) * 1274126177) & 0xFFFFFFFF
    return ((mixed ^ (mixed >> 16)) >> 8) & 255


def _fractal(cells: int, seed: int) -> Texture:
    return (4 * noise(cells, seed) + 2 * noise(2 * cells, seed + 1) + noise(4 * cells, seed + 2)) // 7


def _sharp(values: Texture, low: int, high: int) -> Texture:
    """Stretch what lies between two values over 0..255."""
    return np.clip((values - low) * 255 // (high - low), 0, 255)


def _lines(position: Texture, period: int, width: int) -> NDArray[np.bool_]:
    return position % period < width


def _where(mask: NDArray[np.bool_], yes: Texture | int, no: Texture | int) -> Texture:
    return np.where(mask, yes, no)


def _wood() -> Texture:
    bent = (V * 4 + noise(4, 1) // 6) % SIDE
    rings = np.abs((bent * 8) % 256 - 128)
    return _sharp(rings + streaks(4, 32, 2) // 2, 40, 330)


def _planks() -> Texture:
    row = V // 16
    shift = (row * 53) % SIDE
    tone = _hash((U + shift) // SIDE + row * 7, row, 3) // 3
    joint = _lines(V, 16, 1) | _lines(U + shift, SIDE, 1)
    return _where(joint, 235, tone + streaks(4, 64, 4) // 4)


def _tiles() -> Texture:
    joint = _lines(U, 32, 1) | _lines(V, 32, 1)
    return _where(joint, 255, _hash(U // 32, V // 32, 5) // 6)


def _flagstones() -> Texture:
    row = V // 32
    across = U + (row % 2) * 21
    joint = _lines(V, 32, 2) | _lines(across, 64, 2)
    return _where(joint, 255, _hash((across // 64) % 2, row, 6) // 3 + _fractal(8, 7) // 4)


def _brick() -> Texture:
    row = V // 16
    across = U + (row % 2) * 16
    joint = _lines(V, 16, 2) | _lines(across, 32, 2)
    return _where(joint, 255, _hash((across // 32) % 4, row, 8) // 5)


def _weave() -> Texture:
    over = ((U // 8 + V // 8) % 2) * 90
    return over + noise(32, 9) // 2


def _checker() -> Texture:
    return ((U // 32 + V // 32) % 2) * 255


def _wicker() -> Texture:
    over = (U // 16 + V // 8) % 2 == 0
    return _where(over, np.abs(V % 8 - 4) * 30, 110 + np.abs(U % 16 - 8) * 15)


def _brushed() -> Texture:
    return (streaks(64, 2, 10) + streaks(128, 4, 11)) // 2


def _speckles() -> Texture:
    return _sharp(noise(64, 12), 120, 230) * 3 // 4 + _fractal(8, 13) // 4


def _marble() -> Texture:
    vein = np.abs(_fractal(4, 14) - 128)
    return 255 - _sharp(vein, 0, 26) + _sharp(vein, 60, 128) // 4


def _leather() -> Texture:
    return np.abs(_fractal(16, 15) - 128) * 2


def _fur() -> Texture:
    return (noise(64, 16) + noise(16, 17)) // 2


def _pores() -> Texture:
    return _sharp(noise(32, 18), 140, 190)


def _crumpled() -> Texture:
    return _sharp(np.abs(_fractal(8, 19) - 128), 0, 90)


def _stripes() -> Texture:
    return _where(_lines(V, 16, 3), 200, 0)


def _leaves() -> Texture:
    return _sharp(np.abs(_fractal(4, 20) - 128), 0, 60)


def _loaf() -> Texture:
    return _where(_lines(U, 64, 14), 235, _fractal(4, 21) // 2)


def _stains() -> Texture:
    return _sharp(_fractal(4, 22), 108, 138)


def _cracks() -> Texture:
    near = np.minimum(np.abs(_fractal(3, 23) - 128), np.abs(_fractal(2, 24) - 128))
    return 255 - _sharp(near, 0, 7)


def _ripples() -> Texture:
    return 255 - _sharp(np.abs(_fractal(4, 25) - 128), 0, 40)


def _glare() -> Texture:
    return _where((U + V > 90) & (U + V < 130), 255, _where((U + V > 138) & (U + V < 150), 180, 0))


def _clouds() -> Texture:
    pale = (SIDE - V) // 2
    return _sharp(_sharp(_fractal(4, 26), 120, 200) + pale, 0, 255)


def _landscape() -> Texture:
    hills = 50 + noise(4, 27)[0] // 10
    far = 74 + noise(6, 28)[0] // 12
    return _where(hills[U] > V, 255, _where(far[U] > V, 150, noise(4, 29) // 6))


def _picture() -> Texture:
    horizon = 56 + noise(4, 30)[0] // 8
    sun = (U - 92) ** 2 + (V - 100) ** 2 < 180
    return _where(sun | (horizon[U] > V), 255, 60)


def _frame() -> Texture:
    edge = np.minimum(np.minimum(U, SIDE - 1 - U), np.minimum(V, SIDE - 1 - V))
    line = (edge > 10) & (edge < 16)
    title = (U > 34) & (U < 94) & (((V > 84) & (V < 96)) | ((V > 66) & (V < 74)))
    return _where(line | title, 255, 0)


def _print() -> Texture:
    letters = (_hash(U // 3, V // 6, 31) > 90) & _lines(V, 6, 4) & ~_lines(U, 42, 5)
    headline = (V > 104) & (V < 120) & (_hash(U // 8, V // 30, 32) > 60)
    return _where(headline, 255, _where(letters & (V < 98), 170, 0))


def _keys() -> Texture:
    return _where((U % 26 > 5) & (V % 26 > 6) & (U < 128) & (V < 128), 200, 0)


def _digits() -> Texture:
    colon = (np.abs(U - 64) < 4) & ((np.abs(V - 48) < 5) | (np.abs(V - 80) < 5))
    shown = colon
    for middle in (24, 46, 84, 106):
        box = (np.abs(U - middle) < 9) & (np.abs(V - 64) < 34)
        core = (np.abs(U - middle) < 5) & ((np.abs(V - 81) < 12) | (np.abs(V - 47) < 12))
        shown = shown | (box & ~core)
    return _where(shown, 255, 0)


def _rings() -> Texture:
    away = np.sqrt(((U - 64) ** 2 + (V - 64) ** 2).astype(np.float64)).astype(np.int64)
    return _where(_lines(away, 16, 8), 255, 0)


def _flesh() -> Texture:
    away = np.sqrt(((U - 64) ** 2 + (V - 64) ** 2).astype(np.float64)).astype(np.int64)
    seeds = (_sharp(noise(12, 33), 150, 175) > 128) & (away > 18) & (away < 46)
    return _where(seeds, 255, _where(away < 14, 140, 0))


def _panels() -> Texture:
    return _where(_groove(64, 36, 44, 26) | _groove(64, 92, 44, 24), 255, 0)


def _groove(u: int, v: int, half_u: int, half_v: int) -> NDArray[np.bool_]:
    outside: Texture = np.maximum(np.abs(U - u) - half_u, np.abs(V - v) - half_v)
    return np.abs(outside + 1) < 3


def _net() -> Texture:
    return _where(_lines(U, 16, 4) | _lines(V, 16, 4), 255, 0)


def _plain() -> Texture:
    return np.zeros((SIDE, SIDE), np.int64)


DRAWN: dict[str, Callable[[], Texture]] = {
    "plain": _plain, "wood": _wood, "planks": _planks, "tiles": _tiles, "flagstones": _flagstones,
    "brick": _brick, "weave": _weave, "checker": _checker, "wicker": _wicker, "brushed": _brushed,
    "speckles": _speckles, "marble": _marble, "leather": _leather, "fur": _fur, "pores": _pores,
    "crumpled": _crumpled, "stripes": _stripes, "leaves": _leaves, "loaf": _loaf, "stains": _stains,
    "cracks": _cracks, "ripples": _ripples, "glare": _glare, "clouds": _clouds, "landscape": _landscape,
    "picture": _picture, "frame": _frame, "print": _print, "keys": _keys, "digits": _digits,
    "rings": _rings, "flesh": _flesh, "panels": _panels, "net": _net,
}  # fmt: skip
PATTERNS = {name: number for number, name in enumerate(DRAWN)}
"""The number of each pattern; 0 is plain."""


@cache
def textures() -> NDArray[np.uint8]:
    """One row of texels per pattern: the full size first, then each level of half the side."""
    return np.stack([_levels(function()) for function in DRAWN.values()])


def _levels(texture: Texture) -> NDArray[np.uint8]:
    levels = [np.clip(texture, 0, 255)]
    while len(levels[-1]) > 1:
        fine = levels[-1]
        levels.append((fine[::2, ::2] + fine[1::2, ::2] + fine[::2, 1::2] + fine[1::2, 1::2]) // 4)
    texels = np.concatenate([level.ravel() for level in levels])
    return (texels * SHADES // 256).astype(np.uint8)
