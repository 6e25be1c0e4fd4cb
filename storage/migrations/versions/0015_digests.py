"""Whom a digest of what waits reaches, when next, and who switched theirs off."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "digests",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("day", sa.Text(), nullable=True),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("is_off", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("person", name="pk_digests"),
    )
    on = sa.text("NOT is_off")
    op.create_index("ix_digests_due", "digests", ["next_at"], sqlite_where=on, postgresql_where=on)
