"""The rasteriser's inner loop: from faces to pictures, compiled to machine code.

All arithmetic is strict float32: the same faces give the same bits in every process.
`raster.Scratch` says what the buffers hold.
"""

# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from housemates.jit import compiled
from housemates.render.addresses import floats, ints, octets, shorts, uints
from housemates.render.shading import prepare, shade, write
from housemates.render.shadow_kernels import cast, line_up
from housemates.render.sizes import BLOCK_PX, SHADES
from housemates.render.surfaces import ZERO, U, draw_groups, in_the_way

BAND_PX = 8192
"""So many pixels get their colours and their shadows and are written, as long as they are close at hand."""


@compiled
def draw_scenes(scenes, cameras, places, textures, background, scratch, all_rgb, all_ids, all_depth):
    """Draw what each camera sees of its scene, into the picture at its place.

    Which face is nearest is told by one over the depth: its nearness.

    Args:
        scenes: A row for each camera: `raster.Sheet.row`.
        cameras: Their `Camera.packed`.
        places: Which picture each of them draws.
        textures: One row of texels for each pattern.
        background: Colour where there is nothing, packed as 0xBBGGRR.
        scratch: `raster.Scratch.row`.
        all_rgb: Colours of all pictures.
        all_ids: Their instances.
        all_depth: Their depths.
    """
    height, width, most = all_ids.shape[1], all_ids.shape[2], scratch[0]
    pixels = height * width + BLOCK_PX
    winner, nearness = ints(scratch[1], pixels), floats(scratch[14], pixels)
    columns, ends = floats(scratch[2], width + BLOCK_PX), ints(scratch[3], 2 * (height + BLOCK_PX))
    sources, sizes = ints(scratch[4], most), ints(scratch[5], most)
    surfaces, patterns = floats(scratch[6], (most, 13)), octets(scratch[7], most)
    marks, flats = uints(scratch[8], most), uints(scratch[9], most)
    shades, texels = uints(scratch[10], (most, SHADES)), ints(scratch[13], BLOCK_PX)
    away, polygon = floats(scratch[11], width + BLOCK_PX), floats(scratch[12], (6, 2))
    seen, starts = uints(scratch[15], pixels), ints(scratch[16], width + BLOCK_PX)
    band = max(1, BAND_PX // width)
    marks[0], flats[0] = 0, background
    for number in range(len(cameras)):
        camera, scene, place = cameras[number], scenes[number], places[number]
        faces, groups = scene[0], scene[1]
        corners, planes = floats(scene[2], (faces, 4, 3)), floats(scene[3], (faces, 4))
        fields, colours = floats(scene[4], (faces, 3, 4)), floats(scene[5], (faces, 2, 3))
        pattern, see_through = octets(scene[6], faces), octets(scene[7], faces)
        runs, spheres = ints(scene[9], (groups, 2)), floats(scene[10], (groups, 4))
        spots, forms, owners, rows = _shadows(scene)
        rgb, ids, depth = all_rgb[place].ravel(), all_ids[place].ravel(), all_depth[place].ravel()
        nearness[:] = ZERO
        winner[:] = 0
        hiding = in_the_way(floats(scene[12], (scene[11], 8)), camera)
        drawn = draw_groups(
            runs, spheres, hiding, corners, planes, see_through, camera, polygon, nearness, winner, width,
            height, columns, ends, sources, sizes,
        )  # fmt: skip
        prepare(
            corners, planes, fields, colours, pattern, shorts(scene[8], faces), camera, textures, sources,
            sizes, drawn, surfaces, patterns, marks, flats, shades,
        )  # fmt: skip
        line_up(spots, forms, camera, height, rows, hiding)
        for top in range(0, height, band):
            bottom = min(height, top + band)
            shade(
                nearness, depth, winner, columns, surfaces, patterns, marks, flats, shades, away, seen,
                starts, texels, textures, width, top, bottom, ids,
            )  # fmt: skip
            cast(
                spots, forms, owners, rows, camera, nearness, winner, marks, columns, texels, width, top,
                bottom, seen,
            )  # fmt: skip
            write(seen, U(top * width), U(bottom * width), rgb)


@compiled
def _shadows(scene):
    """The shadows of a scene, `raster.Shadows`, and room for the rows that they reach."""
    count = scene[13]
    spots, forms = floats(scene[14], (count, 4)), floats(scene[15], (count, 7))
    return spots, forms, uints(scene[16], count), np.empty((count, 2), np.int32)
