"""Whether a call may be executed twice without harm, as its action said when it began; also of actions that nobody registered."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("calls", sa.Column("idempotent", sa.Boolean(), nullable=True))
