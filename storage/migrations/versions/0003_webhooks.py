"""Webhooks, and the deliveries of what happened to each of them."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

SEQ = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "hooks",
        _text("id"),
        _text("name"),
        _text("url"),
        _text("secret"),
        _text("actions"),
        _text("events"),
        _text("run_id", nullable=True),
        _time("created_at"),
        _time("disabled_at", nullable=True),
        _text("disabled_reason", nullable=True),
        _time("removed_at", nullable=True),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_hooks_run_id"),
        sa.PrimaryKeyConstraint("id", name="pk_hooks"),
    )
    op.create_index("ix_hooks_run_id", "hooks", ["run_id"])
    op.create_table(
        "deliveries",
        sa.Column("seq", SEQ, nullable=False),
        _text("id"),
        _text("hook_id"),
        _text("run_id"),
        _count("number"),
        _word("event"),
        _text("body"),
        _word("status"),
        _count("attempts"),
        _time("since"),
        _time("next_at"),
        _text("owner", nullable=True),
        _time("lease_until", nullable=True),
        sa.Column("response_status", sa.Integer(), nullable=True),
        _text("error", nullable=True),
        _time("created_at"),
        _time("ended_at", nullable=True),
        sa.ForeignKeyConstraint(["hook_id"], ["hooks.id"], name="fk_deliveries_hook_id"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_deliveries_run_id"),
        sa.PrimaryKeyConstraint("seq", name="pk_deliveries"),
        sa.UniqueConstraint("id", name="uq_deliveries_id"),
        sa.UniqueConstraint("hook_id", "run_id", "number", name="uq_deliveries_hook_id_run_id_number"),
    )
    due = sa.text("status = 'pending'")
    op.create_index("ix_deliveries_due", "deliveries", ["next_at"], sqlite_where=due, postgresql_where=due)
    op.create_index("ix_deliveries_run_id", "deliveries", ["run_id", "seq"])


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=nullable)


def _word(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String(24), nullable=False)


def _count(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False)


def _time(name: str, *, nullable: bool = False) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)
