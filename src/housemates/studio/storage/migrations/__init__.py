"""Alembic: one file a version of the tables, applied when the studio starts."""
