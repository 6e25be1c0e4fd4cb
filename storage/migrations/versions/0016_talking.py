"""Somebody takes a question on for a while, and people say something about it."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("interrupts", sa.Column("claimed_by", sa.Text(), nullable=True))
    op.add_column("interrupts", sa.Column("claimed_until", sa.DateTime(timezone=True), nullable=True))
    op.add_column("runs", sa.Column("remarks", sa.Text(), nullable=True))
    stands = sa.text("ts IS NOT NULL")
    op.create_index("ix_copies_channel", "copies", ["channel", "ts"], sqlite_where=stands, postgresql_where=stands)
