"""What requesters do: equal requests share a run, and those who must act are nudged."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

Sequence = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    for name in ("join_key", "joined", "withdrawn"):
        op.add_column("runs", sa.Column(name, sa.Text(), nullable=True))
    open_ones = sa.text("join_key IS NOT NULL AND ended_at IS NULL")
    op.create_index("ix_runs_join_key", "runs", ["join_key"], sqlite_where=open_ones, postgresql_where=open_ones)
    _endings()
    _joins()
    _nudges()


def _endings() -> None:
    """Each requester is told, so each has a message of their own."""
    op.drop_index("uq_copies_ending", "copies")
    told = sa.text("ending IS NOT NULL")
    op.create_index(
        "uq_copies_ending",
        "copies",
        ["run_id", "ending_epoch", "ending_status", "place"],
        unique=True,
        sqlite_where=told,
        postgresql_where=told,
    )


def _joins() -> None:
    op.create_table(
        "joins",
        sa.Column("seq", Sequence, nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("action_id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("idempotency_key", sa.Text(), nullable=True),
        sa.Column("request", sa.Text(), nullable=True),
        sa.Column("via", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_joins"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_joins_run_id"),
    )
    keyed = sa.text("idempotency_key IS NOT NULL")
    op.create_index(
        "uq_joins_request",
        "joins",
        ["person", "action_id", "idempotency_key"],
        unique=True,
        sqlite_where=keyed,
        postgresql_where=keyed,
    )
    op.create_index("ix_joins_person", "joins", ["person", "run_id"])
    op.create_index("ix_joins_run_id", "joins", ["run_id", "seq"])


def _nudges() -> None:
    op.create_table(
        "nudges",
        sa.Column("seq", Sequence, nullable=False),
        sa.Column("run_id", sa.Text(), nullable=False),
        sa.Column("interrupt_id", sa.Text(), nullable=False),
        sa.Column("person", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_nudges"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_nudges_run_id"),
        sa.ForeignKeyConstraint(["interrupt_id"], ["interrupts.id"], name="fk_nudges_interrupt_id"),
    )
    op.create_index("ix_nudges_interrupt_id", "nudges", ["interrupt_id", "seq"])
    op.create_index("ix_nudges_run_id", "nudges", ["run_id"])
