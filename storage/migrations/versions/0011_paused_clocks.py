"""Since when the clock of a question stands still."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("interrupts", sa.Column("paused_at", sa.DateTime(timezone=True), nullable=True))
