"""Household agents you can talk to: four benchmarks, one home, one runner."""

__version__ = "0.1.0"
