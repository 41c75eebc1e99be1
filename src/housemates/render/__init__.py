"""Eyes: shapes to triangles, a z-buffer rasteriser, masks, depth, maps and video."""
