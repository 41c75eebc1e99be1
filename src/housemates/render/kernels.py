"""The rasteriser's inner loop: from faces to pictures, compiled to machine code.

All arithmetic is strict float32: the same faces give the same bits in every process.
Machine code is kept on disk until this file changes: touch it after a change of a module it imports.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from housemates.compiling import compiled
from housemates.render.casting import cast, line_up
from housemates.render.shading import prepare, shade
from housemates.render.surfaces import ZERO, draw_groups

BAND_PX = 8192
"""So many pixels get their colours and then their shadows, as long as they are close at hand."""


@compiled
def draw_all(faces, groups, shadows, cameras, textures, background, scratch, out):
    """Draw what each camera sees; the arguments are the fields of raster's records as plain tuples.

    While a picture is drawn, its depths are kept as one over the depth: its nearness.
    """
    corners, planes, fields, colours, pattern, see_through, instance = faces
    first, spheres = groups
    spots, forms, owners = shadows
    winner, columns, lefts, rights, sources, sizes, surfaces, patterns, marks, flats, shades = scratch[:11]
    away, polygon, texels = scratch[11:]
    all_rgb, all_ids, all_depth = out
    height, width = all_ids.shape[1:]
    band, rows = max(1, BAND_PX // width), np.empty((len(owners), 2), np.int32)
    marks[0] = 0
    flats[0] = background
    for number in range(len(cameras)):
        camera = cameras[number]
        rgb, ids = all_rgb[number].reshape(-1), all_ids[number].reshape(-1)
        nearness = all_depth[number].reshape(-1)
        nearness[:] = ZERO
        winner[:] = 0
        drawn = draw_groups(
            first, spheres, corners, planes, see_through, camera, polygon, nearness, winner, width, columns,
            lefts, rights, sources, sizes,
        )  # fmt: skip
        prepare(
            corners, planes, fields, colours, pattern, instance, camera, textures, sources, sizes, drawn,
            surfaces, patterns, marks, flats, shades,
        )  # fmt: skip
        line_up(spots, forms, camera, height, rows)
        for top in range(0, height, band):
            bottom = min(height, top + band)
            shade(
                nearness, winner, columns, surfaces, patterns, marks, flats, shades, away, texels, textures,
                width, top, bottom, rgb, ids,
            )  # fmt: skip
            cast(
                spots, forms, owners, rows, camera, nearness, winner, marks, columns, texels, width, top,
                bottom, rgb,
            )  # fmt: skip
