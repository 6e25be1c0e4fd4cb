"""Standing grants, and the questions that they settled."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

Sequence = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("interrupts", sa.Column("granted", sa.Text(), nullable=True))
    _grants()
    _uses()


def _grants() -> None:
    op.create_table(
        "grants",
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("holder", sa.Text(), nullable=False),
        sa.Column("action_id", sa.Text(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("approved_by", sa.Text(), nullable=False),
        sa.Column("granted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("times", sa.Integer(), nullable=False),
        sa.Column("used", sa.Integer(), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("revoked_by", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("run_id", name="pk_grants"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_grants_run_id"),
    )
    op.create_index("ix_grants_holder", "grants", ["holder", "action_id"])
    op.create_index("ix_grants_until", "grants", ["until"])


def _uses() -> None:
    op.create_table(
        "grant_uses",
        sa.Column("seq", Sequence, nullable=False),
        sa.Column("grant_id", sa.Text(), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_grant_uses"),
        sa.ForeignKeyConstraint(["grant_id"], ["grants.run_id"], name="fk_grant_uses_grant_id"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_grant_uses_run_id"),
        sa.UniqueConstraint("grant_id", "number", name="uq_grant_uses_grant_id_number"),
    )
    op.create_index("ix_grant_uses_run_id", "grant_uses", ["run_id"])
