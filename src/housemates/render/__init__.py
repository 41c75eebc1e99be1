"""Eyes: shapes to faces, a z-buffer rasteriser, masks, depth, maps and video."""
