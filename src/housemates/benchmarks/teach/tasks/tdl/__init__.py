"""The task definition language: definitions are parsed, bound to parameters, and checked against objects."""
