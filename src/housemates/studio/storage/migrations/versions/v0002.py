"""Links by which plays and runs are watched."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the table of links."""
    op.create_table(
        "links",
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("play_id", sa.String(), nullable=True),
        sa.Column("run", sa.String(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["play_id"], ["plays.id"]),
        sa.PrimaryKeyConstraint("token"),
    )
    op.create_index("ix_links_play_id", "links", ["play_id"])


def downgrade() -> None:
    """Drop the table of this version."""
    op.drop_table("links")
