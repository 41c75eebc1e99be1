"""Whoever acts in a home by its own pictures alone: a map, a memory of things, ways, hands, and looking."""
