"""A click that takes a question on, or lets it go, counts once."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("interrupts", sa.Column("claimed_from", sa.Text(), nullable=True))
