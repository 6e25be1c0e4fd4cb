"""Who is away and who decides in their place, and in whose place an answer was given."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

Sequence = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("decisions", sa.Column("standing_for", sa.Text(), nullable=True))
    op.create_table(
        "absences",
        sa.Column("seq", Sequence, nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("stand_in", sa.Text(), nullable=False),
        sa.Column("starts", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("by_status", sa.Boolean(), nullable=False),
        sa.Column("via", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("seq", name="pk_absences"),
    )
    open_ones = sa.text("ended_at IS NULL")
    op.create_index(
        "uq_absences_open", "absences", ["person"], unique=True, sqlite_where=open_ones, postgresql_where=open_ones
    )
