"""What Alembic runs: the versions that are missing, over the connection that it is given."""

from __future__ import annotations

from alembic import context

from housemates.studio.storage.tables import Base

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=Base.metadata,
    render_as_batch=True,
    compare_type=True,
)
with context.begin_transaction():
    context.run_migrations()
