"""Agents that serve any benchmark."""
