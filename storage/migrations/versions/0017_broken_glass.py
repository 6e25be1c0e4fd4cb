"""Somebody settles a question alone in an emergency."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("interrupts", sa.Column("broken", sa.Text(), nullable=True))
