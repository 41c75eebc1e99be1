"""Making new episodes: sampling, arranging, wording."""
