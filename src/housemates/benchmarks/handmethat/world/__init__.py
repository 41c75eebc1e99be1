"""The world itself: what is in it, what actions do, what is perceived."""
