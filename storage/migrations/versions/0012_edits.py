"""What deciders edit: fields of an input that may be edited, and what was made of them."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("runs", sa.Column("edits", sa.Text(), nullable=True))
    op.add_column("interrupts", sa.Column("editable", sa.Text(), nullable=True))
