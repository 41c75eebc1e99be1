"""Agents that can sit in any seat, and the way to find an agent by name."""
