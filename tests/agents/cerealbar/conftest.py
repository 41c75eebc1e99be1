"""Fixtures of cerealbar."""

from fixtures.cerealbar import corpus, pair, planned

__all__ = ["corpus", "pair", "planned"]
