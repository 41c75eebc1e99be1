"""Sizes of textures and buffers, on which compiled code and what calls it agree."""

TEXTURE_BITS = 7
TEXTURE_PX = 1 << TEXTURE_BITS
TEXTURE_TEXELS = (4 * TEXTURE_PX * TEXTURE_PX - 1) // 3
"""Of a texture and all its halvings down to a single texel, its mean."""
SHADES = 32
"""Steps from the first to the second colour of a pattern."""
BLOCK_PX = 32
"""Pixels whose texels are found together, at one level of detail."""
