"""What the reader makes of its own pictures."""
