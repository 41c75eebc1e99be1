"""Versions of consent, invitations, links that expire, and what browsers report."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

PROJECTS = sa.table("projects", sa.column("id"), sa.column("plan", sa.JSON), sa.column("created"))
PARTICIPANTS = sa.table("participants", sa.column("id"), sa.column("state", sa.JSON))
CONSENTS = sa.table("consents", *map(sa.column, ("project_id", "version", "text", "evidence", "created")))


def upgrade() -> None:
    """Make the tables and columns; whoever had agreed, agreed to the first version."""
    op.create_table(
        "consents",
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("evidence", sa.Boolean(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"]),
        sa.PrimaryKeyConstraint("project_id", "version"),
    )
    op.create_table(
        "invitations",
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("project_id", sa.String(), nullable=False),
        sa.Column("most", sa.Integer(), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.Column("expires", sa.Double(), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["projects.id"]),
        sa.PrimaryKeyConstraint("token"),
    )
    op.create_index("ix_invitations_project_id", "invitations", ["project_id"])
    op.add_column("plays", sa.Column("expires", sa.Double(), nullable=True))
    op.add_column("seats", sa.Column("answered", sa.Double(), nullable=True))
    op.add_column("seats", sa.Column("evidence", sa.JSON(), nullable=False, server_default="{}"))
    _carry_over()


def downgrade() -> None:
    """Drop the tables and columns of this version."""
    for table, column in (("seats", "evidence"), ("seats", "answered"), ("plays", "expires")):
        op.drop_column(table, column)
    op.drop_table("invitations")
    op.drop_table("consents")


def _carry_over() -> None:
    """Write down what older versions meant."""
    connection = op.get_bind()
    for project, plan, created in connection.execute(sa.select(PROJECTS)).all():
        if plan.get("consent"):
            first = {"project_id": project, "version": 1, "text": plan["consent"]}
            connection.execute(CONSENTS.insert().values(**first, evidence=False, created=created))
    for participant, state in connection.execute(sa.select(PARTICIPANTS)).all():
        if isinstance(at := state.get("consent"), int | float):
            agreed = {**state, "consent": {"version": 1, "at": at}}
            changed = PARTICIPANTS.update().where(PARTICIPANTS.c.id == participant)
            connection.execute(changed.values(state=agreed))
    ended = "SELECT COALESCE(ended, created) FROM plays WHERE plays.id = seats.play_id"
    connection.execute(sa.text(f"UPDATE seats SET answered = ({ended}) WHERE code <> ''"))
