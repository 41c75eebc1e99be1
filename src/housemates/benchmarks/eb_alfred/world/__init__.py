"""The robot: its skills, and where it stands to use them."""
