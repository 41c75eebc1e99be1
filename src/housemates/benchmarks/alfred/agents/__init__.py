"""Baselines and planners."""
