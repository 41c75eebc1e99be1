"""Environments keep what they make ahead in a folder that tests side by side share."""

from fixtures.cache import cache

__all__ = ["cache"]
