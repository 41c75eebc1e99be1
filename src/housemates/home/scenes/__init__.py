"""Where homes come from: rooms generated from a seed, floor plans rebuilt from official data."""
