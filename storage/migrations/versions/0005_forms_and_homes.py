"""What forms, Home tabs and nested calls remember: titles of what a card shows, what was typed so far, what each Home shows, calls."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("interrupts", sa.Column("shown_schema", sa.Text(), nullable=True))
    _nested_calls()
    op.create_table(
        "drafts",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("kept_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_drafts"),
    )
    op.create_index("ix_drafts_kept_at", "drafts", ["kept_at"])
    op.create_table(
        "homes",
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("view", sa.Text(), nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("wanted_version", sa.Integer(), nullable=False),
        sa.Column("shown_version", sa.Integer(), nullable=False),
        sa.Column("shown_digest", sa.Text(), nullable=True),
        sa.Column("shown_hash", sa.Text(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("owner", sa.Text(), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("person", name="pk_homes"),
    )
    due = sa.text("shown_version < wanted_version")
    op.create_index("ix_homes_due", "homes", ["next_at"], sqlite_where=due, postgresql_where=due)
    op.create_index("ix_runs_requester", "runs", ["requester", "ended_at", "id"])
    op.create_index("ix_decisions_person", "decisions", ["person", "seq"])
    settled = sa.text("settled_at IS NOT NULL")
    op.create_index(
        "ix_interrupts_settled", "interrupts", ["settled_at"], sqlite_where=settled, postgresql_where=settled
    )


def _nested_calls() -> None:
    op.add_column("interrupts", sa.Column("asker", sa.Text(), nullable=True))
    op.add_column("interrupts", sa.Column("position", sa.Integer(), nullable=False, server_default="1"))
    op.add_column("interrupts", sa.Column("total", sa.Integer(), nullable=False, server_default="1"))
    op.create_table(
        "calls",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("action_id", sa.Text(), nullable=False),
        sa.Column("action_name", sa.Text(), nullable=False),
        sa.Column("input", sa.Text(), nullable=False),
        sa.Column("status", sa.String(length=24), nullable=False),
        sa.Column("epoch", sa.Integer(), nullable=False),
        sa.Column("executions", sa.Integer(), nullable=False),
        sa.Column("began_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("output", sa.Text(), nullable=True),
        sa.Column("failure", sa.Text(), nullable=True),
        sa.Column("marked_by", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("seq", name="pk_calls"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_calls_run_id"),
        sa.UniqueConstraint("run_id", "path", name="uq_calls_run_id_path"),
    )
