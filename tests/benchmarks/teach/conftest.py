"""Fixtures of teach."""

from fixtures.teach import begin, go_to, made

__all__ = ["begin", "go_to", "made"]
