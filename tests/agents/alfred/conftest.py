"""Fixtures of alfred."""

from fixtures.alfred import begin, instance

__all__ = ["begin", "instance"]
